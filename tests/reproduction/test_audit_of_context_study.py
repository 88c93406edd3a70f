"""Audit finds by itself, in the published context-study files, what their README and published-figures.json list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labelwright.analysis.audit import AuditReport, audit
from tests.reproduction.published import DATA, needs_data, recomputed

pytestmark = needs_data


@pytest.fixture(scope="module")
def found() -> AuditReport:
    return audit(sorted((DATA / "siro-context").glob("*/*.json")))


def test_codes_differ_in_both_aspects(found: AuditReport) -> None:
    by_aspect = {finding.where: finding for finding in found.of("mixed_codes")}
    assert set(by_aspect) == {"relevance", "usefulness"}
    assert {finding.severity for finding in by_aspect.values()} == {"wrong"}
    assert "Usefulness/C_0, Usefulness/C_7: 1, 2, 3" in by_aspect["usefulness"].evidence["codes"]
    assert "recode Usefulness/C_0 (and Usefulness/C_7) by {1: 0, 2: 1, 3: 2}" in by_aspect["usefulness"].do


def test_items_are_not_the_same_in_all_files(found: AuditReport) -> None:
    # README: 37 items are common to all 12 files; one is replaced in three files, three more in Relevance C_3.
    [finding] = found.of("items_differ")
    assert "only 37 items are in all 12 sets; the largest set has 41" in finding.what
    assert finding.evidence["items missing from most other sets"] == {
        "Relevance/C_0": 1,
        "Relevance/C_3": 4,
        "Usefulness/C_0": 1,
    }


def test_ids_and_order_cannot_pair_items(found: AuditReport) -> None:
    assert found.of("ids_differ")
    moved = {finding.where: finding.what for finding in found.of("item_order")}
    # README: all 41 moved in Relevance C_7; ten places differ in Relevance C_3, three of them by replaced items.
    assert moved["Relevance/C_7"].startswith("41 of 41")
    assert moved["Relevance/C_3"].startswith("7 of 41")
    assert len(moved) == 2


def test_positions_are_not_raters(found: AuditReport) -> None:
    assert found.of("positions")[0].where == "all sets"
    assert found.of("running_number")


def test_one_pair_is_not_significant(found: AuditReport) -> None:
    [finding] = found.of("chance_pair")
    assert finding.where == "Usefulness/C_7"
    assert f"largest p = {recomputed('siro.chi2')['largest_p']:.2f}" in finding.what


def test_items_without_majority(found: AuditReport) -> None:
    expected = recomputed("siro.majority.distribution")
    [finding] = found.of("no_majority")
    assert finding.evidence == {
        f"{name.split(' ')[0].title()}/{name.split(' ')[1]}": counts["none"]
        for name, counts in sorted(expected.items())
        if counts["none"]
    }


def test_placeholders_and_misspelling(found: AuditReport) -> None:
    assert {(finding.where, finding.what.split('"')[1]) for finding in found.of("placeholder")} == {
        ("Relevance/C_3", "confidence"),
        ("Relevance/C_3", "judgment-influence"),
    }
    assert "userr-preference" in found.of("misspelled_field")[0].what


def test_times_are_short(found: AuditReport) -> None:
    expected = recomputed("siro.pay.time")
    what = found.of("fast_ratings")[0].what
    assert f"the median is {expected['median_s']} and the mean {expected['mean_task_duration_s']}" in what


def test_planted_blanks_and_duplicates_are_reported_and_not_refused(tmp_path: Path) -> None:
    items = json.loads((DATA / "siro-context" / "Usefulness" / "C_3.json").read_text(encoding="utf-8"))
    first, second, *rest = items
    items[first]["usefulness"][0] = ""
    items[rest[0]]["usefulness"][1] = "N/A"
    items["again"] = items[second]
    path = tmp_path / "usefulness" / "C_3.json"
    path.parent.mkdir()
    path.write_text(json.dumps(items))
    mutated = audit([path])
    assert "2 of 126 labels are blank or placeholders" in mutated.of("blank_labels")[0].what
    assert mutated.of("duplicated_items")[0].what == "1 items have the same text as another."


def test_a_copied_condition_is_found_without_rater_ids(tmp_path: Path) -> None:
    # Both conditions use the codes 0 to 2; the second becomes a copy of the first.
    source = DATA / "siro-context" / "Usefulness" / "C_3.json"
    for name in ("C_3", "C_0-sum"):
        (tmp_path / f"{name}.json").write_bytes(source.read_bytes())
    [finding] = audit(sorted(tmp_path.glob("*.json")), label="usefulness").of("copied_condition")
    assert "have the same labels on 41 of 41 shared items" in finding.what


def test_conditions_cannot_be_ranked_by_agreement(found: AuditReport) -> None:
    by_aspect = {finding.where: finding for finding in found.of("difference_contains_zero")}
    assert "15 of 15 pairs" in by_aspect["usefulness"].what
    assert found.of("too_few_items")[0].where == "all sets"
