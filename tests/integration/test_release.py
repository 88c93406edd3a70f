"""Releases: what is published and what is not, personal data, documents, and the import that gives the same study."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from labelwright.corpus import Dialogue, Turn
from labelwright.release.checksums import check_sums, write_sums
from labelwright.release.personal_data import HitDecision
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

PROLIFIC = "5f3c1b2a9d8e7f6a5b4c3d2e"
MAIL, PHONE = "ann.lee@example.org", "+49 30 9018200"
HOSTILE = '=HYPERLINK("http://x") <script>alert(1)</script> \x1b[31m\u202e\x07'


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Pictures take seconds; one test has them taken."""
    from labelwright.server.releasing.actions import pictures

    if "documents" not in request.node.name:
        monkeypatch.setattr(pictures, "BROWSERS", ())


def worked_through(**changes: Any) -> Any:
    """A study with hostile and personal texts in its corpus and answers, and a rater with a known address."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.addresses import change_address
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    corpus = dialogues(9)
    corpus.append(
        Dialogue(
            "planted", (Turn("user", f"I am {MAIL}."), Turn("system", HOSTILE, "beta"), Turn("user", "ok"))
        )
    )
    # The same text under another key.
    corpus.append(Dialogue("copy", corpus[0].turns))
    changes.setdefault("items", {"per_dialogue": 1})
    text = study_text(**changes)
    loaded = load_study(parse(text), text, corpus, NOW, opened=True)
    comments = [
        f"call {PHONE}",
        f"my id is {PROLIFIC}",
        HOSTILE.partition(" \x1b")[0],
        "mail zed-99@panel.example please",
    ]
    for number, link in enumerate(make_links(loaded.study, Pool.objects.get(), 4, 60, NOW)):
        visitor = get_visitor(link.token, NOW)
        if number == 0:
            change_address(visitor, "zed-99@panel.example", NOW)
        for task in range(10):
            given = {"useful": 1 + (number * task) % 3, "comment": comments[number] if task == 0 else ""}
            done = submit(
                offer(visitor, NOW).token, {"0": given}, NOW + timedelta(seconds=10 * (number + task + 1))
            )
            assert done
    while flag_block(NOW):
        pass
    return loaded.study


def decide_all(study: Any, decision: HitDecision = HitDecision.REPLACE) -> None:
    from labelwright.server.releasing.actions.personal_data import decide_hits, get_hits

    decide_hits(study, [hit.pk for hit in get_hits(study)], decision, "me", NOW)


def released(study: Any, folder: Path, decision: HitDecision = HitDecision.REPLACE) -> Path:
    from labelwright.server.releasing.actions.folder import write_release
    from labelwright.server.releasing.actions.personal_data import scan_texts

    scan_texts(study, NOW)
    decide_all(study, decision)
    write_release(study, folder, NOW)
    return folder


def bytes_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The content of every file; of Parquet the values, which are compressed."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            read = path.suffix == ".parquet"
            yield path.name, (str(pq.read_table(path).to_pylist()).encode() if read else path.read_bytes())


def test_every_table_and_column_is_published_or_withheld() -> None:
    from labelwright.server.releasing.queries.publication import PUBLISHED, REPLACED, TEXTS, WITHHELD
    from labelwright.server.store.study_tables import study_tables

    tables = {table.name: set(table.columns) - {"study_id"} for table in study_tables()}
    assert set(PUBLISHED) | set(WITHHELD) == set(tables)
    assert not set(PUBLISHED) & set(WITHHELD)
    listed = {name: {*PUBLISHED[name], *REPLACED.get(name, {})} for name in PUBLISHED}
    assert listed == {name: tables[name] for name in PUBLISHED}
    assert all(set(columns) <= set(PUBLISHED[name]) for name, columns in TEXTS.items())


def test_nothing_is_released_while_a_text_is_undecided(tmp_path: Path) -> None:
    from labelwright.server.releasing.actions.folder import write_release
    from labelwright.server.releasing.actions.personal_data import OpenHits, get_hits

    study = worked_through()
    with pytest.raises(OpenHits, match="4 texts look like personal data"):
        write_release(study, tmp_path / "out", NOW)
    assert list(tmp_path.iterdir()) == []
    found = {(hit.kind, hit.text) for hit in get_hits(study)}
    # The rater's own address, which the study knows, is found as a mail address too.
    assert found == {
        ("email", MAIL),
        ("phone", PHONE),
        ("platform_id", PROLIFIC),
        ("email", "zed-99@panel.example"),
    }


def test_no_personal_data_and_no_link_is_in_any_file(tmp_path: Path) -> None:
    study = worked_through()
    folder = released(study, tmp_path / "out")
    secret = [MAIL, PHONE, "9018200", PROLIFIC, "zed-99", "example.org", "panel.example"]
    secret += [value for (value,) in rows("SELECT nonce FROM rater UNION SELECT public_id FROM rater")]
    secret += [str(value) for (value,) in rows("SELECT public_id FROM assignment")]
    for name, content in bytes_of(folder):
        assert [text for text in secret if text.encode() in content] == [], name

    ratings = [json.loads(line) for line in lines_of(folder, "ratings")]
    assert any(set(row["value"]) >= {"█"} and row["value"].startswith("call ") for row in ratings)


def lines_of(folder: Path, table: str) -> list[str]:
    files = sorted((folder / "data" / table).glob("*.jsonl"))
    return [line for file in files for line in file.read_text().splitlines()]


LATER_COLUMNS = {"assignment": ("slot",), "item": ("people_chance", "chance_at", "drawn")}
"""What releases of the first format lacked at first."""


@pytest.mark.parametrize("columns", [{}, LATER_COLUMNS], ids=["now", "earlier"])
def test_a_release_imported_into_an_empty_database_is_the_same_study(
    tmp_path: Path, postgres: Any, columns: dict[str, tuple[str, ...]]
) -> None:
    from labelwright.crowd import StudyVerb
    from labelwright.server.studies.actions.life import change_state

    study = worked_through()
    change_state(study, StudyVerb.CLOSE, "me", NOW)
    before = json.loads(json.dumps(figures_of(study), default=str))
    # Texts that were hidden would be different.
    folder = released(study, tmp_path / "out", HitDecision.KEEP)
    for table, names in columns.items():
        path = folder / "record" / f"{table}.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        kept = [{name: value for name, value in line.items() if name not in names} for line in lines]
        path.write_text("".join(json.dumps(line) + "\n" for line in kept))
    write_sums(folder)
    again = import_elsewhere(folder, postgres, tmp_path)
    assert list(differences(before, again)) == []


def differences(one: Any, other: Any, at: str = "") -> Iterator[str]:
    """Where two values of JSON differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            yield from differences(one.get(name), other.get(name), f"{at}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{at}/{number}")
    elif one != other:
        yield f"{at}: {one!r} != {other!r}"


def figures_of(study: Any) -> Any:
    """Every figure that the pages show, and every exported answer, without internal numbers."""
    from labelwright.server.reports.actions.report import write_study_report
    from labelwright.server.results.actions.export import get_answers, get_scales
    from labelwright.server.store.models import StudyFigures
    from tests.figures import compute_all

    compute_all()
    figures = StudyFigures.objects.get(study=study)
    answers = list(get_answers(study))
    first = min(answer["assignment"] for answer in answers)
    for answer in answers:
        answer["assignment"] -= first
    with tempfile.TemporaryDirectory() as folder:
        write_study_report(study, Path(folder), NOW, lambda _: None)
        report = json.loads((Path(folder) / "report.json").read_text())
    return {
        "pages": json.loads(figures.pages),
        "answers": answers,
        "scales": get_scales(study),
        "report": report,
    }


def import_elsewhere(folder: Path, postgres: Any, tmp_path: Path) -> Any:
    """The figures of the study after its import into a new database, by the commands."""
    code = """
import sys, json
from pathlib import Path
from labelwright.cli import register_commands
app = register_commands()
app(["migrate"], standalone_mode=False)
from django.db import connection
with connection.cursor() as cursor:
    # Nothing may depend on internal ids.
    for table in ("study", "study_version", "dialogue", "item", "task", "place", "rater", "assignment", "answer"):
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), 5000)", [table])
app(["study", "import", sys.argv[1]], standalone_mode=False)
from labelwright.server.store.models import StudyRow
from tests.integration.test_release import figures_of
Path(sys.argv[2]).write_text(json.dumps(figures_of(StudyRow.objects.get()), default=str))
"""
    out = tmp_path / "figures.json"
    environment = os.environ | {
        "DATABASE_URL": postgres.create(f"labelwright_imported_{os.urandom(4).hex()}")
    }
    subprocess.run([sys.executable, "-c", code, str(folder), str(out)], check=True, env=environment)
    return json.loads(out.read_text())


def test_splits_share_no_dialogue_and_no_text(tmp_path: Path) -> None:
    folder = released(worked_through(), tmp_path / "out")
    seen: dict[str, set[str]] = defaultdict(set)
    for path in (folder / "data" / "items").glob("*.jsonl"):
        for line in path.read_text().splitlines():
            seen[json.loads(line)["dialogue"]].add(path.stem)
    # The tenth dialogue is planted, and the eleventh is a copy of the first under another key.
    assert len(seen) == 11
    assert seen["d0"] == seen["copy"]
    for table in ("items", "dialogues", "ratings", "labels"):
        for path in (folder / "data" / table).glob("*.jsonl"):
            found = {json.loads(line)["dialogue"] for line in path.read_text().splitlines()}
            assert all(seen[dialogue] == {path.stem} for dialogue in found)


def test_labels_come_with_the_distribution_over_raters(tmp_path: Path) -> None:
    folder = released(worked_through(), tmp_path / "out")
    counted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for rating in map(json.loads, lines_of(folder, "ratings")):
        if rating["question"] == "useful" and not rating["left_out"]:
            counted[rating["item"], rating["condition"]].append(rating["label"])
    labels = [json.loads(line) for line in lines_of(folder, "labels")]
    assert len(labels) == len(counted) > 5
    for label in labels:
        given = counted[label["item"], label["condition"]]
        shares = {code: given.count(code) / len(given) for code in sorted(set(given))}
        assert dict(zip(label["codes"], label["soft_label"], strict=True)) == shares
        best = [code for code, share in shares.items() if share == max(shares.values())]
        assert label["label"] == (best[0] if len(best) == 1 else None)


def test_hostile_text_is_harmless_in_every_format(tmp_path: Path) -> None:
    study = worked_through(title="<img src=x onerror=alert(1)> [x](javascript:1) `=1+1`")
    folder = released(study, tmp_path / "out")
    for path in folder.rglob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "@", "\t")], path
        assert not [cell for cell in cells if set(cell) & {"\x1b", "\x07", "\x00"}], path
    for path in [*folder.rglob("*.jsonl"), *folder.glob("*.*")]:
        assert not {0x1B, 0x07, 0x00} & set(path.read_bytes()), path
    readme = (folder / "README.md").read_text()
    body = readme.split("---\n", 2)[2]
    assert "<img" not in body
    assert not re.search(r"(?<!\\)\]\(", body)
    # Parquet and JSON Lines hold the text as it is.
    texts = [
        row["text"] for path in folder.glob("data/items/*.parquet") for row in pq.read_table(path).to_pylist()
    ]
    assert any(text.startswith(HOSTILE[:20]) for text in texts)


LOADED_BY_OTHERS = """
import json, os, sys
import datasets, mlcroissant
folder, cache = sys.argv[1:]
ratings = datasets.load_dataset(folder, cache_dir=cache)
labels = datasets.load_dataset(folder, "labels", cache_dir=cache)
described = mlcroissant.Dataset(folder + "/croissant.json")
print(json.dumps({
    "ratings": sum(len(split) for split in ratings.values()),
    "soft_label": labels["train"][0]["soft_label"],
    "errors": [str(each) for each in described.metadata.issues.errors],
    "biases": described.metadata.data_biases,
    "records": {str(each.id): len(list(described.records(each.id))) for each in described.metadata.record_sets},
}), flush=True)
os._exit(0)
"""
"""In a process of its own: a library of theirs closes streams that others use, when it is told to end its log.
It leaves without tearing down Python: the threads of Arrow that read ahead can abort there (apache/arrow 45214)."""


def test_the_folder_is_a_dataset_for_hugging_face_and_croissant(tmp_path: Path) -> None:
    folder = released(worked_through(), tmp_path / "out")
    cache = str(tmp_path / "cache")
    told = subprocess.run(
        [sys.executable, "-c", LOADED_BY_OTHERS, str(folder), cache],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": cache},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout.splitlines()[-1])
    assert found["ratings"] == len(lines_of(folder, "ratings"))
    assert abs(sum(found["soft_label"]) - 1) < 1e-9
    assert found["errors"] == []
    assert found["biases"]
    assert found["records"]
    for name, records in found["records"].items():
        table, split = name.rsplit("-", 1)
        assert records == pq.read_metadata(folder / "data" / table / f"{split}.parquet").num_rows


def test_documents_say_what_the_study_says_and_mark_the_rest_as_open(tmp_path: Path) -> None:
    from labelwright.server.releasing.actions.data_sheet import answer_sheet, get_sheet

    study = worked_through()
    given = {"licence": "cc-by-4.0", "authors": "Lee, Ann, Example University", "personal_data": "no"}
    answer_sheet(study, given | {"ethics_review": "Board <b>7</b>"}, "me", NOW)
    assert "licence" not in get_sheet(study).open
    folder = released(study, tmp_path / "out")
    heds = json.loads((folder / "heds.json").read_text())
    said = {entry["number"]: entry["data"] for entry in heds.values()}
    assert said["3.2.1"] == {"": "4"}
    assert said["5.1"] == {"": "Board <b>7</b>"}
    assert said["4.3.4"] == {"Usefulness": "1 = Not useful; 2 = Somewhat useful; 3 = Very useful"}
    assert said["3.2.3"] == {"": "[open: not stated by the authors]"}
    # Of two choices, the one that was given.
    assert heds["heds-ethics-personal_data-1"]["data"] == {"": True}
    assert not any(name.startswith("heds-ethics-special_category_data") for name in heds)
    citation = yaml.safe_load((folder / "CITATION.cff").read_text())
    assert citation["license"] == "CC-BY-4.0"
    assert citation["authors"] == [
        {"family-names": "Lee", "given-names": "Ann", "affiliation": "Example University"}
    ]
    readme = (folder / "README.md").read_text()
    assert "Board &lt;b&gt;7&lt;/b&gt;" in readme
    assert "license: cc-by-4.0" in readme
    # The pages of the task are there in any case, and pictures if the machine has a browser.
    assert list((folder / "task").glob("task-*.html"))
    assert bool(shutil.which("chromium")) == bool(list((folder / "task").glob("*.png")))


def test_nothing_of_a_rater_who_withdrew_their_data_is_published(tmp_path: Path) -> None:
    from labelwright.server.store.models import Assignment, Rater, Withdrawal

    study = worked_through()
    leaving = Rater.objects.filter(study=study).earliest("id")
    Withdrawal.objects.create(rater=leaving, study=study, data_use="left_out", at=NOW)
    folder = released(study, tmp_path / "out")
    assert leaving.pseudonym not in {json.loads(line)["rater"] for line in lines_of(folder, "ratings")}
    record = (folder / "record" / "answer.jsonl").read_text().splitlines()
    kept = {json.loads(line)["assignment_id"] for line in record}
    theirs = set(Assignment.objects.filter(rater=leaving).values_list("pk", flat=True))
    assert kept
    assert not kept & theirs


def test_a_worker_writes_the_release_as_one_file(tmp_path: Path) -> None:
    from labelwright.server.releasing.actions.files import get_releases, request_release
    from labelwright.server.releasing.actions.personal_data import OpenHits, get_hits, request_scan
    from labelwright.server.results.actions.export_files import get_export_path, get_exports
    from labelwright.server.store.worker import run_waiting

    study = worked_through()
    request_scan(study, "me", NOW)
    run_waiting("exports")
    assert len(get_hits(study, undecided=True)) == 4
    with pytest.raises(OpenHits):
        request_release(study, "me", NOW)
    decide_all(study, HitDecision.LEAVE_OUT)
    first, second = request_release(study, "me", NOW), request_release(study, "me", NOW)
    assert first.pk == second.pk
    run_waiting("exports")
    (made,) = get_releases(study)
    assert (made.state, get_exports(study)) == ("ready", [])
    with zipfile.ZipFile(get_export_path(study, made.pk)) as packed:
        packed.extractall(tmp_path)
    check_sums(tmp_path / "tiny-release")


def test_a_changed_release_and_a_study_that_is_there_are_not_imported(tmp_path: Path) -> None:
    from labelwright.release.checksums import ChangedFile
    from labelwright.server.operations.moving.importing import BadRelease, import_release

    folder = released(worked_through(), tmp_path / "out")
    with pytest.raises(BadRelease, match='already has the study "tiny"'):
        import_release(folder, None, "me", NOW)
    with (folder / "record" / "answer.jsonl").open("a") as file:
        file.write("{}\n")
    with pytest.raises(ChangedFile, match=r"record/answer\.jsonl"):
        import_release(folder, None, "me", NOW)
    with pytest.raises(BadRelease, match="not a release"):
        import_release(tmp_path, None, "me", NOW)
