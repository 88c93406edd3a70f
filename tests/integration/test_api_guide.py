"""The examples of the guide to the API run against a server, in the order of the page."""

from __future__ import annotations

import json
import re
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.integration.test_requester import mine
from tests.processes import Process, Server
from tests.studies import NOW, dialogues, study_text

__all__ = ["mine"]
pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[str]:
    """The Python examples of a page."""
    return BLOCK.findall((HOW_TO / page).read_text())


def test_the_examples_of_the_guide_run(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.team.actions.tokens import create_token

    me, _ = add_user("me@example.org")
    monkeypatch.setenv("LABELWRIGHT_ADDRESS", server.root)
    monkeypatch.setenv("LABELWRIGHT_TOKEN", create_token(me, "guide", list(Permission), 1, datetime.now(UTC)))
    monkeypatch.chdir(tmp_path)
    roles = {"user": "user", "system": "assistant"}
    lines = [
        json.dumps(
            {"id": d.key, "messages": [{"role": roles[t.speaker], "content": t.text} for t in d.turns]}
        )
        for d in dialogues(3)
    ]
    # More than a form may have: a corpus may be larger.
    lines[2] = lines[2].replace("Hello", "Hello " * 150_000)
    Path("dialogues.jsonl").write_text("\n".join(lines))
    Path("study.yaml").write_text(study_text(items={"per_dialogue": 1}))
    worker = Process("worker", log=tmp_path / "worker.log")
    worker.start()
    try:
        names: dict[str, Any] = {}
        for block in blocks("use-the-api.md"):
            exec(compile(block, "use-the-api.md", "exec"), names)
    finally:
        worker.stop()
    printed = capsys.readouterr().out
    assert "18 ratings by" in printed
    assert "version 1 with 3 items" in printed
    assert "version_conflict" in printed
    assert "0 of 18 ratings so far" in printed
    assert Path("answers.parquet").stat().st_size > 0


def test_a_client_reads_every_rater_and_flag_once_whatever_their_number(server: Server, mine: Any):
    from labelwright.client import Client
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.roster import IN_A_PAGE
    from labelwright.server.store.models import Assignment, Flag
    from labelwright.server.team.actions.tokens import create_token

    number = 2 * IN_A_PAGE
    make_links(mine, get_pool(mine, "own"), number, 14, NOW, "me")
    work = Assignment.objects.filter(study=mine).earliest("id")
    Flag.objects.bulk_create(
        Flag(study=mine, assignment=work, rule=f"rule {n}", then="review", evidence={}, found_at=NOW)
        for n in range(number)
    )
    token = create_token(mine.owner, "paging", list(Permission), 1, datetime.now(UTC))
    with closing(Client(server.root, token)) as client:
        raters = [rater.rater for rater in client.raters(mine.public_id)]
        flags = [flag.rule for flag in client.flags(mine.public_id)]
        assert raters == [rater.rater for rater in client.raters(mine.public_id, "own")]
    assert (len(raters), len(set(raters))) == (number, number)
    assert flags[:number] == [f"rule {n}" for n in reversed(range(number))]


def test_the_example_of_a_receiver_runs(capsys: pytest.CaptureFixture[str]):
    from labelwright.client.webhooks import sign_webhook

    body = b'{"event": "full", "study": "abc"}'
    signature = sign_webhook("secret", body, int(datetime.now(UTC).timestamp()))
    names = {"secret": "secret", "headers": {"Labelwright-Signature": signature}, "body": body}
    (block,) = blocks("work-in-a-team.md")
    exec(compile(block, "work-in-a-team.md", "exec"), names)
    assert capsys.readouterr().out == "full abc\n"


def test_the_client_has_a_method_for_every_call():
    from labelwright.client import Client
    from labelwright.crowd import StudyVerb
    from labelwright.server.api.views import api

    methods = {name for name in vars(Client) if not name.startswith("_")} - {"close"}
    operations = {
        one["operationId"] for path in api.get_openapi_schema()["paths"].values() for one in path.values()
    }
    named = {
        "study_schema": "schema", "check_study": "check", "plan_study": "plan", "list_studies": "studies",
        "load_study": "load", "get_study": "study", "delete_study": "delete", "get_study_file": "file",
        "advance_study": "advance", "get_scales": "scales", "list_exports": "export", "export_study": "export",
        "download_export": "export", "get_report": "report_state", "make_report": "report",
        "download_report": "report", "get_texts_status": "texts", "agree_to_texts": "agree",
        "list_models": "model_raters", "start_model": "start_model",
        "get_model_findings": "model_findings", "probe_model": "probe_model", "align_model": "align_model",
        "draw_items": "draw_items", "measure_model": "measure_model",
        "get_money": "money", "plan_payments": "plan_payments", "run_payments": "run_payments",
        "get_pay_list": "pay_list", "reconcile_payments": "reconcile_payments", "set_budget": "set_budget",
        "give_bonus": "give_bonus", "get_publication": "publication", "preview_publication": "publication_cost",
        "change_publication": "change_publication",
        "list_releases": "release", "release_study": "release", "get_personal_data": "personal_data",
        "search_personal_data": "search_personal_data", "decide_personal_data": "decide_personal_data",
        "get_data_sheet": "data_sheet", "answer_data_sheet": "answer_data_sheet",
        "make_review_link": "review_link", "list_raters": "raters", "invite_rater": "invite",
        "make_open_link": "open_link", "get_ranking": "ranking", "qualify_raters": "qualify",
        "set_rater_state": "pause", "forget_rater": "forget", "list_links": "open_links", "make_links": "links",
        "revoke_links": "revoke", "list_flags": "flags", "decide_work": "decide", "list_discussion": "discussion", "discuss_item": "discuss", "get_review_queue": "review_queue", "get_reviewer_agreement": "reviewer_agreement",
        "decide_group": "decide_group", "undo_decision": "undo",
        "list_team": "team",
        "invite_teammate": "invite_teammate", "remove_teammate": "remove_teammate", "transfer_study": "transfer",
        "get_log": "log", "change_study_state": "pause_study",
    }  # fmt: skip
    assert set(named) == operations
    of_studies = {f"{verb}_study" for verb in StudyVerb}
    assert methods == {*named.values(), "exclude", "resume"} | of_studies
