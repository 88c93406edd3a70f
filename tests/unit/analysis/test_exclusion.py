"""Exclusion by condition: raters count as clusters, and nothing is claimed where nothing was excluded."""

from __future__ import annotations

import numpy as np

from labelwright.analysis import exclusion_by_condition


def test_a_rater_whose_work_is_all_excluded_is_one_case():
    """Of 12 raters with 20 tasks each, one of C0 loses everything: alone, that is no difference of conditions."""
    rater = [n // 20 for n in range(240)]
    condition = ["C7" if each % 2 else "C0" for each in rater]
    gone = [each == 0 for each in rater]
    found = exclusion_by_condition(condition, gone, range(240), rater)
    alone = exclusion_by_condition(condition, gone, range(240))
    assert not found.differing
    assert found.verdict == "No two conditions differ for certain in the share that was excluded."
    # Without the raters, its 20 tasks would count as 20 cases.
    assert [(pair.first, pair.second) for pair in alone.differing] == [("C0", "C7")]
    assert "raters are not known" in alone.notes[0]


def test_the_result_says_where_more_was_excluded():
    rng = np.random.default_rng(1)
    condition = ["C0"] * 300 + ["C7"] * 300
    gone = [bool(rng.random() < (0.5 if each == "C0" else 0.1)) for each in condition]
    found = exclusion_by_condition(
        condition, gone, [n % 100 for n in range(600)], [n % 30 for n in range(600)]
    )
    assert found.verdict.startswith("More of C0 than of C7 was excluded, by ")
    assert "C0" in repr(found)
    assert found.conditions[0].share.interval is not None


def test_nothing_excluded():
    found = exclusion_by_condition(["a", "b"] * 20, [False] * 40, range(40))
    assert (found.verdict, found.differing) == ("Nothing was excluded.", ())
