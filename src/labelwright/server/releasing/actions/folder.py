"""The folder of a release: data, documents and the record, written in one go."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

from labelwright.errors import LabelwrightError
from labelwright.release.card import write_card
from labelwright.release.checksums import write_sums
from labelwright.release.citation import write_citation
from labelwright.release.croissant import describe_in_croissant
from labelwright.release.data_sheet import SheetAnswers
from labelwright.release.facts import ReleaseFacts
from labelwright.release.heds import fill_heds
from labelwright.release.personal_data import Cleaner
from labelwright.release.splits import SplitBy
from labelwright.server.releasing.actions.data_sheet import get_sheet
from labelwright.server.releasing.actions.facts import get_facts
from labelwright.server.releasing.actions.personal_data import get_cleaner, scan_texts
from labelwright.server.releasing.actions.pictures import write_pictures
from labelwright.server.releasing.actions.record import FOLDER, QUESTIONNAIRE, Tell, write_record
from labelwright.server.releasing.actions.tables import TableSources, write_tables
from labelwright.server.releasing.queries.record import snapshot
from labelwright.server.results.actions.export import get_scales
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.study import Study


class FolderInUse(LabelwrightError):
    """A folder that already holds something."""

    code: ClassVar[str] = "folder_in_use"


def write_release(study: StudyRow, folder: Path, now: datetime, tell: Tell = lambda _: None) -> ReleaseFacts:
    """Writes the release of a study into a new folder, which appears when it is complete.

    Searches its texts for personal data first, and raises OpenHits while somebody has to decide.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderInUse(
            f'the folder "{folder}" is not empty.', do="Give a folder that does not exist, or empty it."
        )
    scan_texts(study, now)
    cleaner, sheet = get_cleaner(study), get_sheet(study)
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        facts = _write(study, part, cleaner, sheet, now, tell)
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return facts


def _write(
    row: StudyRow, folder: Path, cleaner: Cleaner, sheet: SheetAnswers, now: datetime, tell: Tell
) -> ReleaseFacts:
    study = study_of(row.versions.latest("n").pk)
    published = sheet["questionnaire"] == "publish"
    with snapshot() as database:
        split = SplitBy(sheet["split"])
        sources = TableSources(row, database, cleaner, tell, split, study.seed, questionnaire=published)
        tables = write_tables(folder / "data", sources)
        withheld = frozenset() if published else frozenset({QUESTIONNAIRE})
        write_record(database, row, folder / FOLDER, cleaner, tell, withheld=withheld)
    _write_json(folder / "scales.json", get_scales(row))
    _write_study(row, study, folder / "study")
    pictures = write_pictures(row, folder / "task", cleaner, now)
    facts = get_facts(row, tables, sheet, pictures, now)
    (folder / "README.md").write_text(write_card(facts), encoding="utf-8")
    (folder / "CITATION.cff").write_text(write_citation(facts), encoding="utf-8")
    _write_json(folder / "heds.json", fill_heds(facts))
    _write_json(folder / "croissant.json", describe_in_croissant(facts, folder))
    write_sums(folder)
    return facts


def _write_study(row: StudyRow, study: Study, folder: Path) -> None:
    """The study file of every version, and the guidelines and prompts of the newest."""
    folder.mkdir()
    for version in row.versions.order_by("n"):
        (folder / f"study-{version.n}.yaml").write_text(version.text, encoding="utf-8")
    guidelines = {
        name: f"# {design.title}, version {design.guidelines.version}\n\n{design.guidelines.text}\n"
        + "".join(f"\n## {case.case}\n\n{case.decision}\n" for case in design.guidelines.hard_cases)
        for name, design in study.designs.items()
        if design.guidelines
    }
    for name, text in guidelines.items():
        (folder / f"guidelines-{name}.md").write_text(text, encoding="utf-8")
    if study.context.model:
        prompts = {kind: study.context.prompt(kind).text for kind in ("need", "summary")}
        told = {"model": study.context.model.name, "parameters": study.context.model.parameters, **prompts}
        _write_json(folder / "prompts.json", told)


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
