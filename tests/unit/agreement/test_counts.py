"""Counts and what is measured from them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from labelwright.agreement import (
    Bootstrap,
    Counts,
    Ratings,
    UnknownCode,
    UnknownMeasure,
    measure_names,
    measure_ratings,
)
from labelwright.agreement.alpha import krippendorff_alpha
from labelwright.agreement.fleiss import fleiss_kappa
from labelwright.agreement.percentage import percentage

# Fleiss (1971), the table of 10 items and 14 raters that textbooks repeat: kappa = 0.210.
FLEISS_1971 = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_fleiss_kappa_of_the_textbook_table() -> None:
    counts = Counts.of_table(FLEISS_1971, codes=(1, 2, 3, 4, 5))
    assert fleiss_kappa(counts).value == pytest.approx(0.210, abs=0.0005)


def test_krippendorff_alpha_of_the_published_example() -> None:
    # Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), section C: 4 observers,
    # 12 units with missing data: nominal 0.743, ordinal 0.815, interval 0.849, ratio 0.797.
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    item = [unit for _ in observers for unit in range(12)]
    label = [value for observer in observers for value in observer]
    ratings = Ratings.of(item, label, rater=np.repeat(["A", "B", "C", "D"], 12))
    found = {
        level: krippendorff_alpha(ratings, level, None).value
        for level in ("nominal", "ordinal", "interval", "ratio")
    }
    assert found == pytest.approx(
        {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}, abs=0.0005
    )


def test_what_is_left_out_is_reported() -> None:
    ratings = Ratings.of(["a", "a", "b", "c", "c"], [1, None, 1, 2, 2])
    found = percentage(ratings)
    assert found.left_out == {"missing label": 1, "item with fewer than two ratings": 2}
    assert (found.items, found.ratings, found.raters) == (1, 2, None)


def test_one_code_only_is_undefined_and_says_why() -> None:
    found = measure_ratings(
        Counts.of_table([[3, 0], [3, 0]], codes=(0, 1)), ["fleiss_kappa", "alpha_nominal", "percentage"]
    )
    assert math.isnan(found["fleiss_kappa"].value)
    assert "same code" in str(found["alpha_nominal"].undefined)
    assert found["percentage"].value == 1
    assert found["fleiss_kappa"].record()["value"] is None


def test_no_item_with_two_ratings_is_undefined() -> None:
    found = percentage(Counts.of_table([[1, 0], [0, 1]], codes=(0, 1)))
    assert (math.isnan(found.value), found.undefined) == (True, "no item has two ratings")


def test_the_interval_covers_the_true_value_about_as_often_as_it_says() -> None:
    # 400 studies of 60 items, each item's two ratings equal with probability 0.7: percentage is
    # a mean of 60 coin throws, whose 95% percentile interval covers 0.7 in 93 to 95% of studies.
    draw = np.random.default_rng(3)
    covered = 0
    for study in range(400):
        equal = int(draw.binomial(60, 0.7))
        counts = Counts.of_patterns([[2, 0], [1, 1]], [equal, 60 - equal], (0, 1))
        interval = percentage(counts, Bootstrap(replicates=400, seed=study)).interval
        assert interval is not None
        covered += interval.low <= 0.7 <= interval.high
    assert 0.90 <= covered / 400 <= 0.98


def test_a_seed_gives_the_same_interval_whatever_the_order_of_patterns() -> None:
    one = Counts.of_patterns([[2, 0], [1, 1], [0, 2]], [5, 3, 4], (0, 1))
    other = Counts.of_patterns([[0, 2], [2, 0], [1, 1]], [4, 5, 3], (0, 1))
    assert fleiss_kappa(one, Bootstrap(seed=5)).interval == fleiss_kappa(other, Bootstrap(seed=5)).interval
    assert fleiss_kappa(one, Bootstrap(seed=5)).interval != fleiss_kappa(one, Bootstrap(seed=6)).interval


def test_resampling_raters_too_widens_the_interval_when_raters_differ() -> None:
    # Three raters of ten follow another rule; which raters are drawn then matters a lot.
    draw = np.random.default_rng(1)
    truth = draw.integers(2, size=200)
    label = [int(t) if rater < 7 else int(draw.integers(2)) for t in truth for rater in range(10)]
    ratings = Ratings.of(np.repeat(np.arange(200), 10), label, rater=np.tile(np.arange(10), 200))
    over_items = percentage(ratings, Bootstrap(200)).interval
    over_both = percentage(ratings, Bootstrap(200, raters=True)).interval
    assert over_items is not None
    assert over_both is not None
    assert over_both.over == "items and raters"
    assert over_both.high - over_both.low > 2 * (over_items.high - over_items.low)


def test_raters_are_not_resampled_where_only_positions_are_known() -> None:
    found = percentage(Ratings.of(["a", "a", "b", "b"], [1, 1, 1, 2]), Bootstrap(50, raters=True))
    assert found.interval is not None
    assert found.interval.over == "items"
    assert "The raters are not known, so only items were resampled." in found.notes


def test_a_label_outside_the_scale_is_an_error_that_names_the_scale() -> None:
    with pytest.raises(UnknownCode, match=r"label 3 is not a code of the scale\. Expected one of 0, 1, 2"):
        Ratings.of(["a"], [3], codes=(0, 1, 2))


def test_an_unknown_measure_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(UnknownMeasure, match='Did you mean "fleiss_kappa"'):
        measure_ratings(Counts.of_table([[2, 0]], (0, 1)), ["fleis_kapa"])


def test_every_measure_has_a_definition() -> None:
    from labelwright.agreement import get_measure

    assert all(len(get_measure(name).definition) > 40 for name in measure_names())


def test_numbers_and_names_of_items_are_numbered_in_the_same_order() -> None:
    # Two-digit names sort as numbers do; gaps in the numbers leave no empty items.
    items = [40, 12, 12, 99, 40, 12]
    numbered, named = (
        Ratings.of(each, [1, 2, 1, 1, 2, 2]) for each in (items, [str(item) for item in items])
    )
    assert numbered.item.tolist() == named.item.tolist() == [1, 0, 0, 2, 1, 0]
    assert numbered.items == named.items == 3
    assert Ratings.of([10**12, 5, 5], [0, 0, 1]).item.tolist() == [1, 0, 0]
