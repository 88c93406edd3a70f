"""The audit of published label files: what it finds in them, and errors planted in them."""

from __future__ import annotations

import csv
from functools import cache

import numpy as np
import pytest

from labelwright.analysis.audit import AuditReport, audit_sets
from labelwright.analysis.audit.reading import split_rows
from tests.reproduction.published import DATA, needs_data
from tests.unit.analysis.audit_files import Columns, facts_of, text_table
from tests.unit.analysis.audit_mutations import MUTATIONS, Mutation

pytestmark = needs_data

# The planted errors that need neither conditions nor times, which these files do not have.
CASES = [
    (name, planted)
    for name, words in (("lesion", False), ("cebab_stars", False), ("cebab_aspects", True), ("framing", True))
    for planted in MUTATIONS
    if planted.needs <= ({"words", "short"} if words else {"order", "short"})
]


@cache
def _people(name: str) -> Columns:
    """The labels of people in a file of the data pack."""
    with (DATA / "model-judges" / f"{name}.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["model"] == "0"]
    whole = all(row["label"].isdigit() for row in rows)
    return {
        "item": [row["item"] for row in rows],
        "rater": [row["rater"] for row in rows],
        "label": [int(row["label"]) if whole else row["label"] for row in rows],
    }


def _audited(columns: Columns) -> AuditReport:
    return audit_sets(split_rows(text_table(columns), "file"))


@pytest.mark.parametrize(
    ("name", "planted"), [pytest.param(*case, id=f"{case[0]}: {case[1].name}") for case in CASES]
)
def test_errors_planted_in_published_labels_are_found(name: str, planted: Mutation) -> None:
    columns = _people(name)
    assert planted.needs <= facts_of(columns)
    found = _audited(planted.change(columns, planted.strengths[-1], np.random.default_rng(5)))
    assert {finding.kind for finding in found} & set(planted.kinds)


@pytest.mark.parametrize("name", ["lesion", "cebab_stars", "cebab_aspects", "framing", "wax", "10k_prompts"])
def test_published_labels_have_no_wrong_finding(name: str) -> None:
    assert [str(finding) for finding in _audited(_people(name)) if finding.severity == "wrong"] == []


def test_one_rater_of_the_stars_is_random() -> None:
    # The other nine raters have correlations from 0.80 to 0.89; w40 has -0.08 over 240 items.
    [finding] = _audited(_people("cebab_stars")).of("random_rater")
    assert finding.where == "rater w40"
    assert "is -0.08 over 240 shared items, where +0.84 is usual" in finding.what


def test_two_raters_of_the_aspects_agree_on_every_item() -> None:
    finding, *_ = _audited(_people("cebab_aspects")).of("copied_rater")
    assert finding.where == "raters w27 and w14"
    assert finding.severity == "doubtful"
    assert "agree on 115 of 115 shared items, where 86% is usual" in finding.what
