"""Rankings of systems."""

from __future__ import annotations

import numpy as np
import pytest

from labelwright.agreement import Bootstrap, UnknownOption
from labelwright.analysis import Labels, bradley_terry, rank_systems, ranking_stability


def _labels(gap: dict[str, float], conditions: tuple[str, ...] = ("C",), *, shared: bool = False) -> Labels:
    """40 items of three ratings per system and condition; a system's labels are 1 with probability `gap`."""
    draw = np.random.default_rng(4)
    rows: dict[str, list[object]] = {"item": [], "system": [], "condition": [], "label": []}
    for condition in conditions:
        for system, p in gap.items():
            for item in range(40):
                for _ in range(3):
                    rows["item"].append(f"{'' if shared else system}{item}")
                    rows["system"].append(system)
                    rows["condition"].append(condition)
                    rows["label"].append(int(draw.random() < p))
    return Labels.read(rows)


def test_a_clearly_better_system_comes_first_in_every_replicate() -> None:
    found = rank_systems(_labels({"good": 0.8, "poor": 0.2}))
    assert found.order == ("good", "poor")
    assert found.systems[0].share_best == 1
    assert (found.systems[1].rank_low, found.systems[1].rank_high) == (2, 2)
    assert "good" in repr(found)


def test_equal_systems_share_ranks() -> None:
    found = rank_systems(_labels({"one": 0.5, "two": 0.5}), Bootstrap(500))
    assert (found.systems[0].rank_low, found.systems[0].rank_high) == (1, 2)


def test_shared_items_are_resampled_together() -> None:
    # The same two items under both systems, one always scored 0.5 higher: apart, the intervals overlap;
    # together, the better system is better in every replicate.
    rows = {"item": ["a", "b"] * 2, "system": ["s", "s", "t", "t"], "label": [0, 2, 1, 3]}
    found = rank_systems(Labels.read(rows), Bootstrap(200))
    assert found.order == ("t", "s")
    assert found.systems[0].share_best == 1


def test_stability_says_whether_the_order_holds_under_every_condition() -> None:
    stable = ranking_stability(_labels({"good": 0.8, "poor": 0.2}, ("C_0", "C_7")), bootstrap=Bootstrap(200))
    assert stable.kept["good", "poor"] == 1
    assert stable.tau["C_0", "C_7"] == pytest.approx(1)
    tossed = ranking_stability(
        _labels({"one": 0.5, "two": 0.5}, ("C_0", "C_3", "C_7")), bootstrap=Bootstrap(200)
    )
    assert tossed.kept["one", "two"] < 0.9
    assert "C_3: " in repr(tossed)


def test_bradley_terry_of_two_systems_is_the_share_of_wins() -> None:
    # a beats b in 3 of 4: strengths 0.75 and 0.25.
    best, other = bradley_terry(["a"] * 4, ["b"] * 4, ["a", "a", "a", "b"], Bootstrap(100))
    assert (best.system, best.strength) == ("a", pytest.approx(0.75))
    assert other.strength == pytest.approx(0.25)
    assert best.interval is not None


def test_a_tie_is_half_a_win_for_each() -> None:
    found = bradley_terry(["a", "a"], ["b", "b"], [None, None], None)
    assert [each.strength for each in found] == pytest.approx([0.5, 0.5])


def test_a_system_that_never_lost_has_a_finite_strength() -> None:
    best, *_ = bradley_terry(["a", "a", "b"], ["b", "c", "c"], ["a", "a", "b"], None)
    assert 0.4 < best.strength < 1


def test_a_winner_that_did_not_play_is_an_error() -> None:
    with pytest.raises(UnknownOption, match="not one of the two systems"):
        bradley_terry(["a"], ["b"], ["c"], None)
