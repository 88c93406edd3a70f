"""Effects of conditions, on studies small enough to work out by hand or simulated with a known effect."""

from __future__ import annotations

import math

import numpy as np
import pytest

from labelwright.agreement import Bootstrap, Ratings
from labelwright.analysis import (
    Labels,
    agreement_by_item,
    consistency,
    correlate_with_agreement,
    distributions,
    normalised_scores,
    positivity_shift,
    replicate_agreement,
    time_saved,
)
from labelwright.analysis.comparing.conditions import same_label
from labelwright.analysis.comparing.differences import difference_of_ratings, equalise_ratings
from labelwright.analysis.correlation import rank_correlation
from labelwright.scales import Point, Scale

ROWS = {
    "item": ["a", "a", "a", "b", "b", "b", "c", "c", "c", "a", "a", "a", "b", "b", "b", "d", "d", "d"],
    "rater": ["x", "y", "z"] * 6,
    "condition": ["C_0"] * 9 + ["C_7"] * 9,
    "label": [0, 0, 1, 2, 2, 2, 0, 1, 2, 0, 0, 0, 1, 1, 2, 2, 2, 2],
    "seconds": [10.0] * 9 + [30.0] * 9,
}


def test_distribution_per_condition() -> None:
    one, other = distributions(Labels.read(ROWS))
    assert (one.where, one.ratings, one.majority, one.no_majority) == (
        {"condition": "C_0"},
        (3, 2, 4),
        (1, 0, 1),
        1,
    )
    assert other.shares == pytest.approx((3 / 9, 2 / 9, 4 / 9))


def test_consistency_pairs_items_and_counts_the_others() -> None:
    # Common items a (0, 0: same) and b (2, 1: not); c and d are each in one condition.
    [found] = consistency(Labels.read(ROWS), reference="C_7")
    estimate = found.against_reference()["C_0"]
    assert (estimate.value, estimate.items, estimate.left_out) == (0.5, 2, {"item in one condition only": 2})
    assert "50.0" in repr(found)
    assert "<table>" in found._repr_html_()


def test_no_label_is_never_the_same_label() -> None:
    assert same_label({"a": -1}, {"a": -1}, None).value == 0


def test_replicates_of_a_condition_agree_as_often_as_simulated_ones_do() -> None:
    # A population of items whose probability of code 1 is Beta(1, 1), five raters: two replicates are drawn
    # from the truth, and the estimate may use only the first.
    draw = np.random.default_rng(2)
    p = draw.beta(1, 1, size=3000)
    first, second = (draw.binomial(5, p) for _ in range(2))
    truth = float(((first > 2) == (second > 2)).mean())
    label = [int(k < ones) for ones in first for k in range(5)]
    estimated = replicate_agreement(Ratings.of(np.repeat(np.arange(3000), 5), label))
    assert estimated == pytest.approx(truth, abs=0.02)


def test_replicates_of_items_of_a_few_kinds_agree_as_often_as_simulated_ones_do() -> None:
    # Raters name the true of three codes with probability 0.733, so a majority of three is right in 0.824 of items,
    # one given other code in 0.048; two replicates agree on 0.824^2 + 2 x 0.048^2 = 0.684.
    draw = np.random.default_rng(4)
    truth = draw.integers(3, size=1500)
    label = np.where(draw.random((1500, 3)) < 0.6, truth[:, None], draw.integers(3, size=(1500, 3)))
    assert replicate_agreement(Ratings.of(np.repeat(np.arange(1500), 3), label.ravel())) == pytest.approx(
        0.684, abs=0.03
    )


def test_perfect_agreement_has_perfect_replicates() -> None:
    assert replicate_agreement(Ratings.of([0, 0, 1, 1], [0, 0, 1, 1])) == 1
    assert math.isnan(replicate_agreement(Ratings.of([0, 1], [0, 1])))


def test_positivity_shift_and_time_saved() -> None:
    labels = Labels.read(ROWS)
    # Scores 0, 0.5, 1: a moves from 1/6 to 0, b from 1 to 2/3.
    shift = positivity_shift(labels).get("C_0", "C_7")
    assert shift.value == pytest.approx((-1 / 6 - 1 / 3) / 2)
    assert (shift.items, shift.left_out) == (2, {"item only in C_0": 1, "item only in C_7": 1})
    assert shift.restriction.startswith("2 common items; left out: 1 × item only in C_0")
    # Item a has one 1 among six ratings, and moves by -1/6 or +1/6, each with chance 1/2. Item b has a 1 twice: both
    # in one condition (chance 2 x 3/15, moved by -1/3 or 1/3), or one in each (0). As far as 1/6 + 1/3 in either
    # direction: 2 x (1/2 x 1/5) = 1/5.
    assert (shift.test.p, shift.test.exact) == (pytest.approx(0.2), True)
    saved = time_saved(labels, reference="C_7").get("C_7", "C_0")
    assert saved.value == 20
    # Both items have three times 10 s and three times 30 s; only the two extreme of the 20 splits of each are as far.
    assert saved.test.p == pytest.approx(2 / 400)


def test_a_shift_of_nothing_is_undefined() -> None:
    rows = {"item": ["a", "b"], "condition": ["C_0", "C_7"], "label": [1, 2]}
    scale = Scale(points=(Point(code=1, name="low"), Point(code=2, name="high")))
    shift = positivity_shift(Labels.read(rows, scale=scale)).get()
    assert math.isnan(shift.value)
    assert math.isnan(shift.test.p)
    assert "no item has ratings in both" in repr(shift)


def test_scores_of_a_scale_win_over_places() -> None:
    scale = Scale(
        points=(
            Point(code=0, name="No recommendation"),
            Point(code=1, name="No", score=0),
            Point(code=2, name="Yes", score=1),
        )
    )
    labels = Labels.read(
        {"item": ["a", "a", "b"], "category": ["k", "k", "l"], "label": [0, 2, 1]}, scale=scale
    )
    found = normalised_scores(labels, bootstrap=None)
    assert (found.get(category="k").value, found.get(category="l").value) == (1, 0)


def test_relation_finds_a_rank_correlation() -> None:
    confidence = {str(i): float(i) for i in range(20)}
    agreement = {str(i): float(i**2) for i in range(19)}
    estimate, test = rank_correlation(confidence, agreement, "confidence", Bootstrap(100))
    assert estimate.value == pytest.approx(1)
    assert estimate.left_out == {"item with only one of the two values": 1}
    assert test.p < 0.001
    assert rank_correlation({"a": 1.0}, {"a": 1.0}, "x")[0].undefined is not None


def test_agreement_by_item() -> None:
    assert agreement_by_item(Labels.read(ROWS).where(condition="C_0")) == pytest.approx(
        {"a": 1 / 3, "b": 1, "c": 0}
    )


def _simulated(items: int, raters: int, right: float, seed: int) -> tuple[Ratings, list[str]]:
    draw = np.random.default_rng(seed)
    truth = np.random.default_rng(0).integers(2, size=items)
    label = np.where(draw.random((items, raters)) < right, truth[:, None], 1 - truth[:, None])
    names = [f"i{n:04d}" for n in range(items)]
    return Ratings.of(np.repeat(names, raters), label.ravel(), codes=(0, 1)), names


@pytest.mark.parametrize("measure", ["fleiss_kappa", "cohen_kappa"])
def test_a_clear_difference_is_told_apart_and_none_is_not(measure: str) -> None:
    good, again, poor = (_simulated(120, 3, right, seed) for right, seed in ((0.9, 1), (0.9, 2), (0.65, 3)))
    clear = difference_of_ratings(poor, good, measure, bootstrap=Bootstrap(200))
    same = difference_of_ratings(good, again, measure, bootstrap=Bootstrap(200))
    assert clear.significant
    assert clear.test.p < 0.01
    assert clear.value == pytest.approx(clear.values[1] - clear.values[0])
    assert clear.paired
    assert not same.significant
    assert same.test.p > 0.05


def test_sets_with_other_items_are_resampled_apart() -> None:
    one, names = _simulated(60, 3, 0.9, 1)
    found = difference_of_ratings((one, names), (one, [f"other {name}" for name in names]), "percentage")
    assert not found.paired
    assert "left out separately" in found.definition


def test_different_numbers_of_raters_are_brought_to_the_smaller() -> None:
    three, five = _simulated(60, 3, 0.8, 1), _simulated(60, 5, 0.8, 2)
    found = difference_of_ratings(three, five, "fleiss_kappa", bootstrap=Bootstrap(60))
    assert found.ratings_per_item == 3
    assert "at 3 ratings per item" in found.definition


def test_equal_n_leaves_out_items_with_fewer_ratings() -> None:
    ratings = Ratings.of(["a", "a", "a", "b", "b", "c"], [0, 1, 2, 0, 1, 0])
    found = equalise_ratings(ratings, 2, seed=1)
    assert np.bincount(found.item).tolist() == [2, 2]
    assert found.left_out == {"item with fewer than 2 ratings": 1}


def test_confident_raters_agree_more() -> None:
    # Items 0 to 9: sure and equal ratings; items 10 to 19: unsure and different ones.
    rows = {
        "item": [i for i in range(20) for _ in range(2)],
        "label": [1, 1] * 10 + [0, 1] * 10,
        "confidence": ["high", "high"] * 10 + ["low", "?"] * 10,
    }
    estimate, test = correlate_with_agreement(
        Labels.read(rows), "confidence", {"low": 1.0, "high": 3.0}, Bootstrap(50)
    )
    assert estimate.value == pytest.approx(1)
    assert estimate.name == "confidence_against_agreement"
    assert test.p < 0.001
