"""Marked texts in a report."""

import pytest

from labelwright.report import ReportInput, make_report, render_html
from labelwright.report.spans import MarkedText, SpanSet
from tests.unit.report.test_report import answer_of, table_of


def test_marks_are_compared_with_each_other_and_with_those_of_experts():
    raters = SpanSet(
        "raters",
        {
            "a": MarkedText("one two three four", ([(0, 4)], [(2, 6)]), (10.0, 20.0), (30, 30), (1.0, 2.0)),
            "b": MarkedText("five", ([], []), (5.0, 6.0), (30, 30)),
            "a--1": MarkedText("two three", ([(0, 3)], [(0, 3)]), whole="a"),
        },
        2,
    )
    experts = SpanSet("experts", {"a": MarkedText("one two three four", ([(0, 7)],))})
    given = ReportInput("Marks", None, spans=(raters, experts), span_reference="experts")
    found = make_report(given, seed=1)
    row, *_ = table_of(found, "span-agreement")["rows"]
    # a: 2 of 6 characters are marked by both; b: nobody marked anything, which counts as 1; the part: the same.
    assert row["jaccard"]["value"] == pytest.approx((2 / 6 + 1 + 1) / 3)
    scores = table_of(found, "span-reference")["rows"][0]
    # In the part "two three", the expert's mark (0, 7) of the whole becomes "two", which both raters marked: F1 is 1.
    # In a, four of the expert's seven characters, all of them the expert's: F1 is 8/11 for both raters.
    assert scores["texts"] == 2
    assert scores["f1"]["value"] == pytest.approx((8 / 11 + 1) / 2)
    assert table_of(found, "span-effort")["rows"][0]["paid"] == pytest.approx(1.2)
    assert "marked the same characters" in answer_of(found, "agreement")
    assert "Marked text" in render_html(found)
