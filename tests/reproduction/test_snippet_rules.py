"""Our length and overlap rules on the rows of the snippet study flag exactly what the published figures say."""

from __future__ import annotations

import re

from tests.reproduction.published import needs_data, published, recomputed
from tests.reproduction.snippet_rules import PAGE, checked_rows, with_table

pytestmark = needs_data


def test_length_and_overlap_flag_exactly_the_published_rows() -> None:
    rows, expected = checked_rows(), recomputed("cast.qc.flags")
    assert len(rows) == published("cast.qc.flags")["rows"]
    empty = [row for row in rows if row.empty]
    assert len(empty) == expected["empty_rows_all_flagged_too_long"] == 676
    assert {row.stored for row in empty} == {"too long"}
    long = [row for row in rows if row.long]
    assert len(long) == expected["rows_with_one_span_over_half"]
    both = [row for row in long if row.stored == "too long"]
    assert len(both) == expected["of_these_with_one_span_over_half"]
    alone = [row for row in rows if row.alone]
    assert len(alone) == expected["rows_overlapping_no_other_worker"] == 230
    assert not any(row.empty or row.stored == "nothing" for row in alone)


def test_the_page_shows_where_the_stored_flags_differ_from_the_stated_rule() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page)
    rows = checked_rows()
    agreement = [row for row in rows if row.stored == "agreement"]
    long = [row for row in rows if row.long]
    said = {
        "334 rows": len(long),
        "and 16 for agreement": sum(row.stored == "agreement" for row in long),
        "left 66 without": sum(row.stored == "nothing" for row in long),
        "flagged: 220 for": sum(row.alone for row in agreement),
        "68 rows are flagged for agreement": sum(not row.alone for row in agreement),
        "26 of these": sum(row.outside and not row.alone for row in agreement),
        "finds 956 rows": sum(row.outside for row in rows),
        "661 of them": sum(row.outside and row.stored == "nothing" for row in rows),
    }
    assert said == {words: int(re.findall(r"\d+", words)[0]) for words in said}
    assert all(words in page for words in said)
