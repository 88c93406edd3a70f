"""Strengths of systems that were compared in pairs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from labelwright.agreement import UnknownOption
from labelwright.agreement.errors import UnequalLengths
from labelwright.analysis import Comparisons, NotLabels, bradley_terry, preferences, rank_preferences


def compared(*games: tuple[str, str, str | None], **columns: Any) -> Comparisons:
    first, second, winner = zip(*games, strict=True)
    return Comparisons(first, second, winner, **columns)


def many(**results: int) -> Comparisons:
    """Comparisons of the first letter with the second, won by the third (`t` for a tie), each so many times."""
    games = [
        (name[0], name[1], None if name[2] == "t" else name[2])
        for name, n in results.items()
        for _ in range(n)
    ]
    return compared(*games, item=tuple(map(str, range(len(games)))))


def test_two_systems_have_the_odds_of_their_wins() -> None:
    # a beats b three times out of four: odds of 3 to 1.
    found = bradley_terry(many(aba=3, abb=1))
    assert [(each.system, each.comparisons, each.wins) for each in found] == [("a", 4, 3), ("b", 4, 1)]
    assert [each.strength for each in found] == pytest.approx([0.75, 0.25])
    assert found.get("a").interval is not None


def test_ties_do_not_move_the_odds_of_wins_and_losses() -> None:
    # Davidson: wins and losses of two systems have the odds of their strengths, however many ties there are. As half
    # wins, the six ties would shrink 3 to 1 to 6 to 4.
    found = bradley_terry(many(aba=3, abb=1, abt=6))
    assert found.get("a").strength == pytest.approx(0.75)
    # P(tie) = tie sqrt(ab) / (a + b + tie sqrt(ab)) = 0.6 with a = 0.75, b = 0.25: tie = 1.5 / sqrt(0.1875).
    assert found.tie == pytest.approx(1.5 / math.sqrt(0.1875))
    assert (found.get("b").ties, bradley_terry(many(aba=1, abb=1)).tie) == (6, 0)


def test_both_bad_is_a_rate_of_its_own() -> None:
    games = [("a", "b", "a")] * 3 + [("a", "b", "b")] + [("a", "b", None)] * 4
    bad = compared(*games, both_bad=(False,) * 4 + (True,) * 4, item=tuple("ijklmnop"))
    found = bradley_terry(bad)
    assert (found.get("a").strength, found.get("a").comparisons, found.tie) == (pytest.approx(0.75), 4, 0)
    rate = found.get("a").both_bad
    assert rate is not None
    assert (rate.value, rate.items) == (0.5, 8)
    assert "4 of 8 comparisons call both systems bad; they are left out of the strengths." in found.notes
    assert found.cells()[0][-1] == "both bad"
    tied = bradley_terry(bad, both_bad="tie")
    assert tied.get("a").ties == 4
    assert "they count as ties." in repr(tied)
    with pytest.raises(UnknownOption, match="left out or tie"):
        bradley_terry(bad, both_bad="win")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("games", "reason"),
    [
        (many(aba=4, aca=1, acc=1), "some systems never lost to the others"),
        (many(aba=3, abb=2, cdc=1, cdd=1), "2 groups that were never compared (a, b; c, d)"),
        (many(abt=5), "every comparison is a tie"),
    ],
)
def test_what_has_no_finite_strength_is_reported_and_not_ranked(games: Comparisons, reason: str) -> None:
    found = bradley_terry(games)
    assert found.unranked is not None
    assert reason in found.unranked
    assert f"Not ranked: {found.unranked}" in repr(found)
    assert {(each.rank, each.rank_low, each.rank_high, each.interval) for each in found} == {(None,) * 4}
    assert found.winner is None


def test_added_half_wins_are_reported() -> None:
    found = bradley_terry(many(aba=2))
    # Two wins, and half a win each: 2.5 to 0.5.
    assert found.get("a").strength == pytest.approx(2.5 / 3)
    assert "Half a win and half a loss were added" in repr(found)
    apart = bradley_terry(many(aba=1, abb=1, cdc=1, cdd=1))
    assert all(math.isnan(each.strength) for each in apart)
    assert "Half a win" not in repr(apart)


def test_no_comparisons_are_no_ranking() -> None:
    found = bradley_terry(Comparisons((), (), ()))
    assert (len(found), found.unranked) == (0, "there are no comparisons.")
    assert "Not ranked: there are no comparisons." in repr(found)
    only_bad = bradley_terry(compared(("a", "b", None), both_bad=(True,)))
    assert (only_bad.order, only_bad.unranked) == (("a", "b"), "there are no comparisons.")


def test_equal_systems_have_equal_ranks() -> None:
    found = bradley_terry(many(aba=24, abb=24, bcb=36, bcc=12, aca=36, acc=12))
    assert [(each.system, each.rank) for each in found] == [("a", 1), ("b", 1), ("c", 3)]
    assert found.get("a").rank_high == 2


def test_ratings_of_one_item_are_not_six_items() -> None:
    # Ten items, in seven of which all six raters prefer a. Taken one by one, 42 of 60 would be certain; ten items
    # with 7 to 3 are not (p = 0.34 by their signs).
    games = [("a", "b", "a" if item < 7 else "b") for item in range(10) for _ in range(6)]
    items = tuple(str(item) for item in range(10) for _ in range(6))
    assert bradley_terry(compared(*games)).winner == "a"
    found = bradley_terry(compared(*games, item=items, rater=tuple("uvwxyz") * 10))
    assert found.winner is None
    assert found.get("a").strength == pytest.approx(0.7)
    assert "There are 6 raters, too few to speak for others: intervals are about these raters." in found.notes


def test_raters_with_their_own_tastes_make_intervals_wider() -> None:
    # 12 raters who always prefer the same system, 8 of them a, on 60 items with 3 raters each.
    draw = np.random.default_rng(3)
    who = [rater for _ in range(60) for rater in draw.permutation(12)[:3]]
    games = [("a", "b", "a" if rater < 8 else "b") for rater in who]
    item = tuple(str(n // 3) for n in range(180))
    alone, both = (
        bradley_terry(compared(*games, item=item, **columns))
        for columns in ({}, {"rater": tuple(map(str, who))})
    )
    assert alone.winner == "a"
    assert both.winner is None
    interval = both.get("a").interval
    assert interval is not None
    assert interval.over == "items and raters"


def test_comparisons_use_design_weights() -> None:
    weighted = compared(("a", "b", "a"), ("a", "b", "b"), weight=(3.0, 1.0), item=("i", "j"))
    found = bradley_terry(weighted)
    assert found.get("a").strength == pytest.approx(0.75)
    assert "Items count by their design weights" in found.notes[-1]


def test_a_covariate_takes_its_share_of_the_preference() -> None:
    # In the first four, a is longer by 1 and wins 3 of 4; in the others, lengths are equal and each wins half.
    games = [("a", "b", winner) for winner in "aaabaabb"]
    length = (1.0,) * 4 + (0.0,) * 4
    found = bradley_terry(compared(*games, item=tuple("ijklmnop"), covariates={"length": length}))
    # Equal lengths: log odds 0. One longer: log 3.
    assert found.get("a").strength == pytest.approx(0.5)
    assert found.covariates["length"].value == pytest.approx(math.log(3))
    assert found.covariates["length"].interval is not None
    assert "length 1.099" in repr(found)


def test_a_covariate_that_decides_everything_is_reported() -> None:
    games = [("a", "b", "a"), ("a", "b", "b")] * 4
    found = bradley_terry(compared(*games, covariates={"length": (1.0, -1.0) * 4}))
    assert (
        found.unranked
        == "a covariate separates the winners from the losers, so its coefficient has no limit."
    )


def test_comparisons_come_from_an_export() -> None:
    rows = [
        {"item": "d1", "rater": "x", "question": "better", "label": label, "weight": 0.5}
        | {"candidates": '["alpha", "beta", "gamma"]'}
        for label in (-2, 0, 1, 9, None)
    ]
    lengths = {"length": {"d1": [10, 4, 1]}}
    found = preferences(rows, "better", pair=(0, 2), covariates=lengths)
    assert found.winner == ("alpha", None, "gamma", None)
    assert found.both_bad == (False, False, False, True)
    assert (found.item, found.rater, found.weight) == (("d1",) * 4, ("x",) * 4, (0.5,) * 4)
    assert found.covariates == {"length": (9.0,) * 4}
    with pytest.raises(NotLabels, match="'length' has no value for each candidate of item d1"):
        preferences(rows, "better", pair=(0, 2), covariates={"length": {"d1": [10]}})
    ranked = [{"item": "d", "question": "order", "value": [1, 2, 1], "candidates": list("abc")}]
    orders = rank_preferences(ranked, "order", {"length": {"d": [5, 3, 9]}})
    assert (orders.winner, orders.covariates["length"]) == (("a", None, "c"), (2.0, -4.0, -6.0))
    assert (orders.rater, orders.weight) == ((), (1.0,) * 3)


def test_columns_of_comparisons_have_equal_lengths() -> None:
    for columns in ({"item": ("i", "j")}, {"covariates": {"x": (1.0, 2.0)}}):
        with pytest.raises(UnequalLengths):
            compared(("a", "b", "a"), **columns)
    with pytest.raises(UnknownOption, match="not one of the two systems"):
        bradley_terry(compared(("a", "b", "c")))
