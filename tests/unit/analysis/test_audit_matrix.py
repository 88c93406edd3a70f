"""The audit finds every planted error at its weakest strength, and nothing wrong in 200 sound files."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from labelwright.analysis.audit import AuditReport, audit, audit_sets
from labelwright.analysis.audit.reading import split_rows
from tests.unit.analysis.audit_files import (
    Columns,
    Design,
    facts_of,
    random_design,
    sound_file,
    text_table,
    write,
)
from tests.unit.analysis.audit_mutations import MUTATIONS, Mutation

ROOT = Path(__file__).parents[3]
FILES = {
    "crowd, 1 to 5": Design(items=400, raters=12, conditions=2, times=True),
    "complete, words": Design(scale="words", points=3, items=200, raters=5, per_item=None, times=True),
    "slider": Design(
        scale="slider", items=100, raters=8, per_item=None, conditions=2, same_raters=True, times=True
    ),
    "yes or no, 90 to 10": Design(
        points=2, items=200, raters=6, per_item=None, frequent=0.8, conditions=2, same_raters=True
    ),
}


@cache
def _file(name: str) -> Columns:
    return sound_file(FILES[name], 3)


def _audited(columns: Columns) -> AuditReport:
    return audit_sets(split_rows(text_table(columns), "file"))


CASES = [
    pytest.param(name, planted, planted.strengths[-1], id=f"{name}: {planted.name}")
    for name in FILES
    for planted in MUTATIONS
    if planted.needs <= facts_of(sound_file(FILES[name], 3))
]


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_sound(name: str) -> None:
    found = [finding for finding in _audited(_file(name)) if finding.severity != "note"]
    # Agreement on rare labels is uncertain, which is true of a sound file too.
    assert {finding.kind for finding in found} <= {"too_few_items"}


@pytest.mark.parametrize(("name", "planted", "strength"), CASES)
def test_every_planted_error_is_found(name: str, planted: Mutation, strength: float) -> None:
    found = _audited(planted.change(_file(name), strength, np.random.default_rng(5)))
    assert {finding.kind for finding in found} & set(planted.kinds)


def test_there_are_at_least_25_mutations_and_each_fits_some_file() -> None:
    assert len(MUTATIONS) >= 25
    assert {planted.name for planted in MUTATIONS} == {case.values[1].name for case in CASES}


def test_nothing_is_wrong_in_200_sound_files() -> None:
    wrong, warned = [], 0
    for seed in range(200):
        found = _audited(sound_file(random_design(seed), seed))
        wrong += [f"{seed}: {finding}" for finding in found if finding.severity == "wrong"]
        warned += any(finding.kind in RATER_WARNINGS for finding in found)
    assert wrong == []
    # Each check of raters has a chance of at most 5% per file; 10 of 200 is that share of all five together.
    assert warned <= 10


RATER_WARNINGS = {
    "near_copies",
    "copied_rater",
    "random_rater",
    "constant_rater",
    "fast_rater",
    "equal_times",
}


def test_a_file_on_disk_gives_the_same_findings(tmp_path: Path) -> None:
    columns = _file("crowd, 1 to 5")
    for planted in MUTATIONS[:8]:
        changed = planted.change(columns, planted.strengths[0], np.random.default_rng(5))
        read = audit([write(changed, tmp_path / "file.csv")])
        assert [str(each) for each in read] == [str(each) for each in _audited(changed)]


def test_the_documentation_lists_every_mutation() -> None:
    page = (ROOT / "docs" / "reference" / "audit.md").read_text(encoding="utf-8")
    for planted in MUTATIONS:
        shares = " and ".join(f"{100 * share:g}%" for share in planted.strengths)
        kinds = " or ".join(f"`{kind}`" for kind in planted.kinds)
        assert f"| {planted.name} | {shares} of the {planted.of} | {kinds} |" in page
