"""Exports: every column as a slow count by hand gives it; large ones are written by the worker and kept for a day."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from labelwright.corpus import Turn
from labelwright.errors import LabelwrightError
from labelwright.release import Format
from tests.integration.test_commands import labelwright
from tests.integration.test_requester import login, mine
from tests.processes import Server
from tests.studies import NOW, dialogues, parse, study_text

__all__ = ["mine"]
pytestmark = pytest.mark.postgres


@pytest.fixture
def me(server: Server, mine: Any) -> Iterator[httpx.Client]:
    with closing(login(server, "mine@example.org")) as client:
        yield client


def complicate(study: Any) -> None:
    """Flags, excluded data, a discussed item, a weight, a category, and an item whose dialogue changed."""
    from labelwright.server.store.models import (
        Answer,
        Assignment,
        DialogueRow,
        Flag,
        ItemRow,
        Theme,
        ThemeMark,
    )
    from labelwright.server.studies.actions.loading import load_study

    first, second, third = Assignment.objects.filter(study=study).order_by("id")[:3]
    Flag.objects.create(
        study=study, assignment=first, rule="a_rule", evidence={}, then="review", found_at=NOW
    )
    Assignment.objects.filter(pk=second.pk).update(data_use="left_out")
    Answer.objects.filter(assignment=first, question="useful").update(value=["é", {"x": 1.5, "a": None}])
    Answer.objects.create(study=study, assignment=third, position=0, question="comment", value="=1+1")
    for name in ("Unclear", "Too long"):
        theme = Theme.objects.create(study=study, name=name, made_by="me", made_at=NOW)
        ThemeMark.objects.create(
            study=study, theme=theme, assignment=third, position=0, question="comment",
            marked_by="me", marked_at=NOW,
        )  # fmt: skip
    item = ItemRow.objects.filter(study=study).earliest("id")
    DialogueRow.objects.filter(pk=item.dialogue_id).update(meta={"category": "Short", "weight": 2.5})
    ItemRow.objects.filter(pk=item.pk).update(discussed_at=NOW + timedelta(microseconds=1))
    changed = [replace(each, turns=(Turn("system", "Welcome."), *each.turns[1:])) for each in dialogues(6)]
    text = study_text(items={"per_dialogue": 1}, title="Changed")
    load_study(parse(text), text, changed, NOW + timedelta(hours=1))
    newest = ItemRow.objects.filter(study=study, key=item.key).latest("id")
    assert newest.pk != item.pk
    third.task.taskitem_set.update(item=newest)


def by_hand(study: Any) -> Iterator[dict[str, Any]]:
    """The rows of the export, one by one and with a query for each fact."""
    from labelwright.server.store.models import Answer, Flag, ItemRow, StudyVersion, TaskItem, ThemeMark
    from tests.rows import rows

    names = {1: "Not useful", 2: "Somewhat useful", 3: "Very useful"}
    done: dict[int, list[int]] = {}
    for answer in Answer.objects.filter(study=study).order_by("assignment_id", "position", "question"):
        work = answer.assignment
        mine = done.setdefault(work.rater_id, [])
        mine += [] if work.pk in mine else [work.pk]
        item = TaskItem.objects.get(task_id=work.task_id, position=answer.position).item
        earlier = ItemRow.objects.filter(study=study, key=item.key, pk__lt=item.pk).count()
        flags = Flag.objects.filter(assignment=work).order_by("rule").values_list("rule", flat=True)
        marks = ThemeMark.objects.filter(assignment=work, position=answer.position, question=answer.question)
        themes = sorted(mark.theme.name for mark in marks)
        [(reason,)] = rows("SELECT left_out FROM counted_answer WHERE id = %s", [answer.pk])
        value = (
            answer.value if isinstance(answer.value, str) else json.dumps(answer.value, ensure_ascii=False)
        )
        yield {
            "study": study.name,
            "version": StudyVersion.objects.get(pk=work.version_id).n,
            "item": item.key + (f"@{earlier + 1}" if earlier else ""),
            "dialogue": item.dialogue.key,
            "category": item.dialogue.meta.get("category"),
            "system": item.system,
            "candidates": None,
            "weight": item.dialogue.meta.get("weight", 1.0),
            # Nobody drew a share, and the order of tasks is drawn.
            # A version changed a dialogue, and people have not rated everything.
            "probability": None,
            "condition": work.place.condition,
            "aspect": answer.aspect,
            "question": answer.question,
            "rater": work.rater.pseudonym,
            "rater_kind": "person",
            "group": None,
            "label": answer.code,
            "name": names.get(answer.code or 0),
            "value": value,
            "confidence": None,
            "seconds": work.seconds,
            "submitted_at": work.submitted_at.isoformat(),
            "assignment": work.pk,
            "task_number": len(mine),
            "item_position": answer.position + 1,
            "candidate_order": None,
            "data_use": work.data_use,
            "flags": " ".join(flags),
            "role": "item",
            "left_out": reason,
            "guidelines": None,
            "themes": "; ".join(themes) or None,
            "discussed": item.discussed_at is not None,
            "discussed_at": item.discussed_at.isoformat() if item.discussed_at else None,
        }


def test_every_column_is_as_counted_by_hand(mine: Any):
    from labelwright.server.results.actions.export import COLUMNS, get_answers

    complicate(mine)
    exported, expected = list(get_answers(mine)), list(by_hand(mine))
    assert len(exported) == 25
    assert {row["item"] for row in exported if "@2" in row["item"]}
    assert {row["themes"] for row in exported} == {None, "Too long; Unclear"}
    assert {row["category"] for row in exported} == {None, "Short"}
    assert [{column.name: row[column.name] for column in COLUMNS} for row in exported] == expected


def test_the_worker_writes_the_file_that_the_page_and_the_command_give(
    me: httpx.Client, mine: Any, server: Server, tmp_path: Path
):
    from django.conf import settings

    from labelwright.server.store.worker import run_waiting

    complicate(mine)
    root = f"/studies/{mine.public_id}/export"
    page = me.get(root).text
    assert "No file has been prepared" in page
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token
    asked = {"do": "csv", "csrfmiddlewaretoken": token[1]}
    for _ in range(2):
        # A second click asks for the same file.
        page = me.post(root, data=asked, headers={"Referer": server.root + root}).text
    assert page.count("Waiting") == 1
    run_waiting("exports")
    page = me.get(root).text
    assert "Ready" in page
    address = re.search(rf'href="({root}/files/\d+)"', page)
    assert address
    written = me.get(address[1])
    assert f'filename="{mine.name}.csv"' in written.headers["content-disposition"]
    assert written.content == me.get(f"{root}/csv").content
    assert b"'=1+1" in written.content
    out = tmp_path / "answers.csv"
    done = labelwright("study", "export", mine.name, str(out))
    assert done.returncode == 0, done.stderr
    assert written.content == out.read_bytes()
    file = max(settings.EXPORT_FOLDER.iterdir(), key=lambda path: path.stat().st_mtime)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent)] == [0o600, 0o700]


def test_a_large_study_is_prepared_by_the_worker(mine: Any, monkeypatch: pytest.MonkeyPatch):
    from django.test import RequestFactory

    from labelwright.server.results import views
    from labelwright.server.results.actions import export_files

    request = RequestFactory().get("/")
    request.user = mine.owner
    with closing(views.download(request, mine.public_id, "csv")) as whole:
        assert whole.status_code == 200
    monkeypatch.setattr(export_files, "AT_ONCE", 23)
    answer = views.download(request, mine.public_id, "csv")
    assert (answer.status_code, answer["Location"]) == (302, f"/studies/{mine.public_id}/export")


def test_a_file_is_kept_for_a_day_and_a_deleted_study_leaves_none(mine: Any):
    from django.conf import settings

    from labelwright.server.results.actions import export_files
    from labelwright.server.store.models import PreparedExport

    made = export_files.request_export(mine, Format.JSONL, "me", NOW)
    assert export_files.write_export(made.pk, NOW) == 24
    # Run again after a crash, it finds nothing to do.
    assert export_files.write_export(made.pk, NOW) == 0
    path = export_files.get_export_path(mine, made.pk)
    assert len(path.read_text().splitlines()) == 24
    assert export_files.delete_old_exports(NOW + timedelta(hours=23)) == 0
    assert export_files.delete_old_exports(NOW + timedelta(hours=25)) == 1
    assert not path.exists()
    assert not PreparedExport.objects.exists()
    settings.EXPORT_FOLDER.chmod(0o755)
    with pytest.raises(LabelwrightError, match="chmod 700"):
        export_files.write_export(export_files.request_export(mine, Format.CSV, "me", NOW).pk, NOW)
    assert PreparedExport.objects.get().state == "failed"
    settings.EXPORT_FOLDER.chmod(0o700)


def test_progress_is_stored_and_a_deleted_study_stops_the_writing(mine: Any, monkeypatch: pytest.MonkeyPatch):
    from labelwright.server.results.actions import export_files
    from labelwright.server.store.models import PreparedExport

    monkeypatch.setattr(export_files, "REPORT_SECONDS", -1)
    made = export_files.request_export(mine, Format.CSV, "me", NOW)
    seen = export_files._reported(made, ({"row": n} for n in range(2001)))
    assert sum(1 for _ in seen) == 2001
    assert PreparedExport.objects.get().written == 2000
    rest = export_files._reported(made, ({"row": n} for n in range(2001)))
    PreparedExport.objects.all().delete()
    with pytest.raises(export_files.ExportCancelled):
        list(rest)
