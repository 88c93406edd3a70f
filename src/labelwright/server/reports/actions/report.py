"""The report of a study: asked for on a page or by the API, made by the worker, and kept until the next one."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.db import transaction
from django.db.models import QuerySet

from labelwright.errors import LabelwrightError
from labelwright.release import Format, write_rows
from labelwright.report import Report, ReportInput, make_report, read_export_input, write_report
from labelwright.report.preferences import AskedComparison, read_preferences
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.reports.actions.facts import get_facts
from labelwright.server.reports.actions.marked_texts import get_span_sets
from labelwright.server.reports.queries.facts import data_basis
from labelwright.server.results.actions.export import COLUMNS, get_answers, get_scales
from labelwright.server.store.models import ReportFile, StudyReport, StudyRow, User
from labelwright.server.store.queue import DEFAULT, defer_once
from labelwright.server.store.rows import planned_for_values
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound
from labelwright.study import Study

State = StudyReport.State
PAGE, NUMBERS, ARCHIVE = "report.html", "report.json", "report.zip"
FILES = (PAGE, NUMBERS, ARCHIVE)
MOST_SEED = 2**32
COMPARED = (
    "item", "rater", "question", "aspect", "label", "value", "candidates", "weight", "data_use", "role", "rater_kind",
)  # fmt: skip
"""The columns of the answers that comparisons of candidates are made from."""
Tell = Callable[[str], None]
"""Is told what is being done, in one phrase."""


class ReportFailed(LabelwrightError):
    """A report that ended without files."""

    code: ClassVar[str] = "report_failed"


@dataclass(frozen=True, slots=True)
class ReportStatus:
    """The newest report of a study; without one, every field is empty."""

    study: StudyRow
    report: StudyReport | None
    sizes: dict[str, int]
    """The bytes of each stored file."""
    outdated: bool
    """Whether the data have changed since the stored files were made."""


def get_status(study: StudyRow) -> ReportStatus:
    """How far the report is, and whether the stored one is older than the data."""
    report = StudyReport.objects.filter(study=study).first()
    sizes = dict(ReportFile.objects.filter(study=study).values_list("name", "bytes"))
    outdated = bool(report and report.made_at and report.basis != data_basis(study.pk))
    return ReportStatus(study, report, sizes, outdated)


@transaction.atomic
def request_report(user: User, public_id: str, now: datetime) -> StudyReport:
    """Asks the worker for a report, for editors; one that is under way goes on. Locks the study.

    The files of the report before stay until the new ones are ready.
    """
    study = access_study(user, public_id, Permission.EDIT)
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    found = StudyReport.objects.filter(study=study).first()
    if found and found.state in (State.WAITING, State.MAKING):
        return found
    values = {
        "state": State.WAITING, "asked_by": user.get_username(), "asked_at": now, "step": "", "error": "",
    }  # fmt: skip
    made, _ = StudyReport.objects.update_or_create(study=study, defaults=values)
    log_change(study.pk, user.get_username(), "report", study.name, now)
    defer_once("make_report", DEFAULT, f"report/{study.pk}", study=study.pk)
    return made


def get_file(study: StudyRow, name: str) -> bytes:
    """A file of the newest report; raises NotFound."""
    found = ReportFile.objects.filter(study=study, name=name).first()
    if found is None:
        raise NotFound
    return bytes(found.content)


def run_report(study: int, now: datetime) -> None:
    """Makes the report that somebody asked for, and stores its files. Run twice, it makes the same report again."""
    waiting = StudyReport.objects.filter(study_id=study, state__in=[State.WAITING, State.MAKING])
    found = waiting.select_related("study").first()
    if found is None:
        return
    waiting.update(state=State.MAKING)
    try:
        basis = data_basis(study)
        with tempfile.TemporaryDirectory(prefix="labelwright-report-") as made:
            folder = Path(made)
            write_study_report(found.study, folder / "report", now, lambda step: _tell(waiting, step))
            _store(waiting, folder, basis, now)
    except LabelwrightError as error:
        waiting.update(state=State.FAILED, error=str(error), step="")
    except Exception:
        # The worker logs the error; the page says that there is no report.
        waiting.update(
            state=State.FAILED, error="Something went wrong on our side. Try again later.", step=""
        )
        raise


def _tell(waiting: QuerySet[StudyReport], step: str) -> None:
    waiting.update(step=step)


def write_study_report(study: StudyRow, folder: Path, now: datetime, tell: Tell) -> Report:
    """Writes the report of a study with all its files into a folder. Reads every answer, so only jobs and commands call it."""
    with tempfile.TemporaryDirectory(prefix="labelwright-ratings-") as made:
        given = read_input(study, Path(made), now, tell)
        tell("Computing figures")
        report = make_report(given, study_of(study.versions.latest("n").pk).seed % MOST_SEED)
        tell("Drawing figures and tables")
        write_report(report, folder)
    return report


def read_input(study: StudyRow, folder: Path, now: datetime, tell: Tell) -> ReportInput:
    """The ratings and the facts of a study; the ratings stay in a file of the folder, and never wholly in memory."""
    tell("Reading the ratings")
    path, file = folder / "answers.parquet", study_of(study.versions.latest("n").pk)
    if not write_rows(path, Format.PARQUET, COLUMNS, get_answers(study), private=True):
        raise ReportFailed("nobody has submitted work yet, so there is nothing to report.")
    path.with_suffix(".scales.json").write_text(json.dumps(get_scales(study)), encoding="utf-8")
    tell("Collecting facts about the study")
    with planned_for_values():
        facts, spans = get_facts(study, now), get_span_sets(study)
    given = read_export_input(path, file.title, facts)
    compared = read_preferences(_rows_of(path, asked := asked_comparisons(file)), asked)
    return replace(given, wordings=wordings_of(file), spans=spans, preferences=compared)


def asked_comparisons(file: Study) -> list[AskedComparison]:
    """The questions that compare candidates of an item."""
    wordings = wordings_of(file)
    found: dict[str, AskedComparison] = {}
    for design in file.designs.values():
        for question in design.questions:
            sides = question.sides()
            if sides is None and not question.ranks_candidates:
                continue
            aspect = question.aspect or ""
            name = wordings.get(" ".join(filter(None, (aspect, question.name))), f"“{question.text}”")
            pair = None if sides is None else (min(sides.codes), max(sides.codes))
            found[question.name] = AskedComparison(question.name, name, aspect, pair)
    return list(found.values())


def _rows_of(path: Path, asked: Sequence[AskedComparison]) -> list[dict[str, Any]]:
    """The answers to some questions, with the columns that comparisons need."""
    if not asked:
        return []
    wanted = pc.field("question").isin([each.question for each in asked])
    found: list[dict[str, Any]] = pq.read_table(path, columns=list(COMPARED), filters=wanted).to_pylist()
    return found


def wordings_of(file: Study) -> dict[str, str]:
    """What each judgment is called in sentences, by its aspect and its name in the labels of an export.

    An aspect that one question measures is called by its title, and a question among several by its text.
    """
    judged = {
        column.name: column for design in file.designs.values() for column in design.judgments(file.scales)
    }
    measured = Counter(column.aspect for column in judged.values())
    found = {}
    for column in judged.values():
        name = ".".join(step for step in column.name.split(".") if step != "*")
        title = file.aspects[column.aspect].title
        # As a report names a question: by what sets it apart, without repetition.
        key = " ".join(dict.fromkeys((column.aspect, name)))
        found[key] = title if measured[column.aspect] == 1 else f"“{column.text}”"
    return found


@transaction.atomic
def _store(waiting: QuerySet[StudyReport], folder: Path, basis: dict[str, int], now: datetime) -> None:
    """Replaces the files of the report before; nothing is stored if the study was deleted in the meantime."""
    report = waiting.select_for_update(of=("self",)).first()
    if report is None:
        return
    contents = {
        PAGE: (folder / "report" / PAGE).read_bytes(),
        NUMBERS: (folder / "report" / NUMBERS).read_bytes(),
        ARCHIVE: zipped(folder / "report", report.study.name),
    }
    ReportFile.objects.filter(study=report.study_id).delete()
    ReportFile.objects.bulk_create(
        ReportFile(study_id=report.study_id, name=name, content=content, bytes=len(content))
        for name, content in contents.items()
    )
    report.state, report.step, report.error = State.READY, "", ""
    report.made_at, report.basis, report.judgments = now, basis, basis["judgments"]
    report.save()


def zipped(folder: Path, name: str) -> bytes:
    """All files of a folder in one archive, in which they are in a folder of this name."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, f"{name}-report/{path.relative_to(folder)}")
        file.seek(0)
        return file.read()
