"""The report as a whole: its answers, its tree, and what it says about things that are not known."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from labelwright.analysis import Labels, NotLabels, rank_systems
from labelwright.report import Facts, Report, ReportInput, make_report, render_html, write_report
from tests.unit.report.made_studies import CONDITIONS, made_input, made_rows

SECTIONS = (
    *(
        "design",
        "raters",
        "systems",
        "labels",
        "agreement",
        "consistency",
        "shift",
        "time",
        "quality",
        "cost",
    ),
    *("confidence", "feedback", "versions", "plan", "audit", "limits", "repeat"),
)


@cache
def made() -> Report:
    return make_report(made_input(), seed=5)


def section_of(report: Report, key: str) -> dict[str, Any]:
    return next(part for part in report.tree["sections"] if part["key"] == key)


def table_of(report: Report, key: str) -> dict[str, Any]:
    blocks = [block for part in report.tree["sections"] for block in part["blocks"]]
    return next(block for block in blocks if block["type"] == "table" and block["key"] == key)


def answer_of(report: Report, key: str) -> str:
    return " ".join(next(line["answer"] for line in report.tree["answers"] if line["key"] == key))


def rounded(value: Any) -> Any:
    """Numbers with nine digits, because sums in another order differ in the last ones."""
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return round(value, 9) if isinstance(value, float) else value


def test_page_one_names_the_better_system_and_the_size_of_the_difference():
    assert answer_of(made(), "better") == "beta is better than alpha."
    # The same test as in the library, on the ratings that count.
    rows = made_rows()
    kept = {
        name: [v for v, out in zip(values, rows["excluded"], strict=True) if not out]
        for name, values in rows.items()
    }
    [pair] = rank_systems(Labels.read(kept), dialogue="dialogue").differences
    [found] = made().tree["decision"]["questions"][0]["pairs"]
    assert found["p"] == pytest.approx(pair.p)
    assert found["difference"]["value"] == pytest.approx(pair.value)
    assert f"{-pair.value:.2f}" in answer_of(made(), "difference")


def test_page_one_counts_what_was_excluded():
    rows = made_rows()
    assert answer_of(made(), "excluded").startswith(
        f"{sum(rows['excluded'])} of {len(rows['item'])} judgments"
    )


def test_equal_systems_are_not_called_better():
    found = make_report(made_input(effect=0.0, seed=4), seed=5)
    assert answer_of(found, "better").startswith("Neither ")
    assert found.tree["decision"]["questions"][0]["winner"] is None


def test_every_section_is_there_and_the_tree_is_json():
    assert tuple(part["key"] for part in made().tree["sections"]) == SECTIONS
    assert json.loads(made().json()) == made().tree
    assert Report.parse(made().json()).tree == made().tree


def test_the_same_seed_gives_the_same_report_whatever_the_order_of_the_rows():
    rows = made_rows()
    order = np.random.default_rng(9).permutation(len(rows["item"]))
    mixed = {name: [values[i] for i in order] for name, values in rows.items()}
    again = make_report(ReportInput("A made study", Labels.read(mixed)), seed=5)
    for key in ("systems", "before-after", "shift", "exclusion", "agreement-usefulness-1"):
        assert rounded(table_of(again, key)["rows"]) == rounded(table_of(made(), key)["rows"]), key


def test_what_is_not_known_is_said():
    for key in ("raters", "cost", "feedback", "versions", "plan"):
        assert any(block["type"] == "unknown" for block in section_of(made(), key)["blocks"]), key


def test_figures_come_before_and_after_exclusion():
    rows = made_rows()
    found = table_of(made(), "before-after")["rows"]
    [pair] = rank_systems(Labels.read(rows), dialogue="dialogue").differences
    [row] = [row for row in found if row["figure"] == "Difference of systems"]
    assert row["before"]["value"] == pytest.approx(pair.value)
    assert row["change"] == pytest.approx(row["after"]["value"] - row["before"]["value"])
    assert {row["of"] for row in found if row["figure"] == "Fleiss' κ"} == set(CONDITIONS)


def test_planned_results_are_marked_and_missing_ones_are_departures():
    facts = Facts.model_validate(
        {
            "plan": {
                "digest": "ab" * 32,
                "fixed_at": "2026-11-08T09:00:00Z",
                "main": {"kind": "systems", "across": "system", "aspect": "usefulness"},
                "secondary": [
                    {"kind": "shift", "across": "condition", "aspect": "relevance"},
                    {"kind": "agreement", "text": "Agreement per condition"},
                ],
                "departures": [{"what": "One rater fewer than planned", "why": "nobody else signed up"}],
            }
        }
    )
    found = make_report(made_input(facts), seed=5)
    assert table_of(found, "system-differences")["planned"] is True
    assert table_of(found, "time-saved")["planned"] is False
    assert table_of(found, "repeat")["planned"] is None
    departures = [row["what"] for row in table_of(found, "departures")["rows"]]
    assert departures[0] == "One rater fewer than planned"
    assert "not planned" in render_html(found)
    assert table_of(made(), "system-differences")["planned"] is None


def test_conditions_with_different_codes_are_not_compared_and_page_one_says_why():
    rows = made_rows()
    rows["label"] = [
        label + 1 if condition == "C_7" else label
        for label, condition in zip(rows["label"], rows["condition"], strict=True)
    ]
    found = make_report(ReportInput("Mixed", Labels.read(rows)), seed=1)
    assert "different codes" in section_of(found, "shift")["blocks"][0]["text"]
    assert [each["kind"] for each in found.tree["audit"]["findings"]].count("mixed_codes") == 1
    assert "different codes" in render_html(found).split("<nav")[0]
    assert table_of(found, "agreement-usefulness-1")["rows"][2]["fleiss_kappa"]["value"] is not None


def test_ratings_without_raters_systems_or_conditions_still_have_a_report():
    rows = {"item": ["a", "a", "b", "b", "c", "c"], "label": ["no", "no", "yes", "no", "yes", "yes"]}
    found = make_report(ReportInput("Bare", Labels.read(rows)), seed=1)
    assert "name no systems" in answer_of(found, "better")
    # Two of three items have equal labels.
    assert "66.7%" in answer_of(found, "agreement")
    assert "<main>" in render_html(found)


def test_no_ratings_are_refused():
    with pytest.raises(NotLabels):
        make_report(ReportInput("Empty", Labels.read({"item": [], "rater": [], "label": []})), seed=1)


HOSTILE = '=HYPERLINK("http://evil.example");<script>alert(1)</script>\x07\u202e&{x}_\\input{y}'


def test_formulas_markup_and_control_characters_arrive_harmless(tmp_path):
    facts = Facts.model_validate(
        {"feedback": [{"text": HOSTILE, "themes": [HOSTILE]}], "authors": [HOSTILE], "limits": [HOSTILE]}
    )
    rows = made_rows(systems=(HOSTILE, f"{HOSTILE} 2"), dialogues=4)
    rows["aspect"] = [HOSTILE] * len(rows["aspect"])
    rows["condition"] = [f"{HOSTILE} {name}" for name in rows["condition"]]
    write_report(make_report(ReportInput(HOSTILE, Labels.read(rows), facts), seed=1), tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "alert(1)" in page
    assert not {"\x07", "\u202e"} & set(page)
    for path in (tmp_path / "tables").glob("*.csv"):
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))):
            for cell in row:
                assert not cell.startswith(("=", "+", "@")), path
                assert ";=" not in cell
                assert not {"\x07", "\u202e"} & set(cell)
    for path in (tmp_path / "tables").glob("*.tex"):
        text = path.read_text(encoding="utf-8")
        assert "\\input" not in text
        assert "&{" not in text.replace("\\&", "")
    assert (tmp_path / "figures").glob("*.pdf")
