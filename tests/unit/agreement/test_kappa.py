"""Cohen's kappa and Kendall's tau over pairs of raters."""

from __future__ import annotations

import math

import numpy as np
import pytest

from labelwright.agreement import (
    Bootstrap,
    Counts,
    Ratings,
    cohen_kappa,
    drop_one_kappa,
    kendall_tau_b,
    measure_ratings,
)


def _two_raters(first: list[int], second: list[int], codes: tuple[int, ...] = (0, 1, 2)) -> Ratings:
    item = np.tile(np.arange(len(first)), 2)
    return Ratings.of(item, [*first, *second], rater=["x"] * len(first) + ["y"] * len(second), codes=codes)


def test_cohen_kappa_by_hand() -> None:
    # 20 both yes, 15 both no, 5 and 10 mixed: observed 0.7, chance 0.6 x 0.5 + 0.4 x 0.5 = 0.5, kappa 0.4.
    found = cohen_kappa(_two_raters([0] * 25 + [1] * 25, [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15))
    assert found.value == pytest.approx(0.4)


def test_quadratic_weights_forgive_near_misses() -> None:
    near = _two_raters([0, 1, 2, 0, 1, 2], [1, 1, 2, 0, 1, 1])
    plain, quadratic = cohen_kappa(near, "plain", None).value, cohen_kappa(near, "quadratic", None).value
    assert quadratic > plain


def test_pairs_are_averaged_and_undefined_ones_reported() -> None:
    # x and y agree fully (kappa 1); z gives one code only, so x-z and y-z have observed = chance = 0.5:
    # kappa 0 is a value. w shares one item with x, y and z, which both call 0: chance 1, no value.
    item = [0, 1, 2, 3] * 3 + [0]
    label = [0, 1, 0, 1] * 2 + [0] * 4 + [0]
    found = cohen_kappa(Ratings.of(item, label, rater=list("xxxxyyyyzzzzw")))
    assert found.value == pytest.approx(1 / 3)
    assert found.left_out == {"pair of raters without a value": 3}
    assert found.parts["pairs"] == 3


def test_a_rater_is_never_paired_with_themselves() -> None:
    found = cohen_kappa(Ratings.of([0, 0, 0], [1, 1, 2], rater=["x", "x", "y"]))
    assert found.left_out["pair of ratings by one rater"] == 1


def test_positions_are_said_not_to_be_raters() -> None:
    found = cohen_kappa(Ratings.of([0, 0, 1, 1], [1, 1, 2, 1]))
    assert found.raters is None
    assert "Positions, not raters" in found.notes[0]


def test_counts_alone_cannot_give_kappa_and_the_result_says_so() -> None:
    found = measure_ratings(Counts.of_table([[2, 0]], (0, 1)), ["cohen_kappa"])["cohen_kappa"]
    assert math.isnan(found.value)
    assert "needs individual ratings" in str(found.undefined)


def test_dropping_one_of_three_averages_the_three_pairs_of_positions() -> None:
    # A run's tables mix the three pairs of positions, so the mean over runs lies near their mean.
    draw = np.random.default_rng(0)
    truth = draw.integers(3, size=400)
    noisy = np.where(draw.random((400, 3)) < 0.7, truth[:, None], draw.integers(3, size=(400, 3)))
    ratings = Ratings.of(np.repeat(np.arange(400), 3), noisy.ravel().tolist(), codes=(0, 1, 2))
    found = drop_one_kappa(ratings, Bootstrap(100, seed=3))
    assert found.value == pytest.approx(cohen_kappa(ratings, bootstrap=None).value, abs=0.01)
    assert found.interval is not None
    assert found.interval.low < found.value < found.interval.high


def test_tau_b_falls_when_order_is_reversed() -> None:
    same = _two_raters([0, 1, 2, 2], [0, 1, 2, 2])
    reversed_ = _two_raters([0, 1, 2, 2], [2, 1, 0, 0])
    assert kendall_tau_b(same, None).value == pytest.approx(1)
    assert kendall_tau_b(reversed_, None).value == pytest.approx(-1)


def test_the_repr_reads_like_a_table_cell() -> None:
    found = cohen_kappa(_two_raters([0, 1, 2, 2, 1], [0, 1, 2, 1, 1]), bootstrap=Bootstrap(50, seed=7))
    assert repr(found).startswith("cohen_kappa 0.688 [")
    assert "95% over items, seed 7; 5 items, 10 ratings" in repr(found)
    assert "mean over pairs weighted by the number of shared items" in found._repr_html_()


def test_dropping_one_of_equal_ratings_is_undefined_without_a_warning() -> None:
    found = drop_one_kappa(Ratings.of(["a"] * 3 + ["b"] * 3, [1] * 6, codes=(0, 1)), Bootstrap(20))
    assert math.isnan(found.value)
    assert found.interval is None
    assert found.undefined is not None
