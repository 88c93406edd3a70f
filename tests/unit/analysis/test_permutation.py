"""Permutations within items, against a listing of every permutation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest
from scipy import stats

from labelwright.agreement import benjamini_hochberg
from labelwright.analysis.comparing import permutation
from labelwright.analysis.comparing.conditions import same_label_null
from labelwright.analysis.comparing.jackknife import Jackknife
from labelwright.analysis.comparing.permutation import (
    ItemNull,
    drawn_counts,
    shuffled_means,
    split_counts,
    sum_test,
)


def _listed(items: list[tuple[list[float], list[float]]]) -> np.ndarray:
    """The sum over items of the difference of means, in every permutation."""
    options = []
    for first, second in items:
        values, size = np.array(first + second), len(first)
        takes = [list(own) for own in combinations(range(len(values)), size)]
        rest = [[n for n in range(len(values)) if n not in own] for own in takes]
        options.append([values[b].mean() - values[a].mean() for a, b in zip(takes, rest, strict=True)])
    return np.array([sum(chosen) for chosen in product(*options)])


ITEMS = [
    ([0.0, 0.5, 1.0], [1.0, 1.0, 0.5]),
    ([0.0, 0.0], [0.5, 1.0, 0.0]),
    ([1.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
]


def test_the_exact_test_counts_every_permutation() -> None:
    sums = _listed(ITEMS)
    observed = sum(fmean(second) - fmean(first) for first, second in ITEMS)
    found = sum_test(
        [shuffled_means(*item) for item in ITEMS], observed, 100, np.random.default_rng(0), two_sided=True
    )
    assert found.exact
    assert found.p == pytest.approx((np.abs(sums) >= abs(observed) - 1e-9).mean(), abs=1e-12)


@pytest.fixture
def limit(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A limit so low that permutations are drawn at random."""
    permutation._shuffled_means.cache_clear()
    monkeypatch.setattr(permutation, request.param, 5)
    yield
    permutation._shuffled_means.cache_clear()


@pytest.mark.parametrize("limit", ["_MOST_SUMS", "_MOST_SPLITS"], indirect=True)
@pytest.mark.usefixtures("limit")
def test_random_permutations_come_close_and_count_the_observed_one() -> None:
    sums = _listed(ITEMS)
    observed = sum(fmean(second) - fmean(first) for first, second in ITEMS)
    items = [shuffled_means(*item) for item in ITEMS]
    found = sum_test(items, observed, 20_000, np.random.default_rng(0), two_sided=True)
    expected = (np.abs(sums) >= abs(observed) - 1e-9).mean()
    assert (found.exact, found.runs) == (False, 20_000)
    assert found.p == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 20_000))
    never = sum_test(items, 100.0, 99, np.random.default_rng(0), two_sided=True)
    assert never.p == 1 / 100


def test_many_items_are_exact_in_no_time() -> None:
    # 5,000 coins: a binomial distribution, here two standard deviations below its mean.
    coin = ItemNull(np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    found = sum_test([coin] * 5000, 2429.0, 10, np.random.default_rng(0), two_sided=False)
    assert found.p == pytest.approx(stats.binom.cdf(2429, 5000, 0.5), abs=1e-12)


def test_splits_are_hypergeometric() -> None:
    splits = split_counts((3, 2, 1), 3)
    assert splits is not None
    tables, chances = splits
    drawn = drawn_counts(
        np.array([[3, 0, 0], [1, 1, 1]]), np.array([[0, 2, 1], [2, 1, 0]]), 20_000, np.random.default_rng(1)
    )
    assert drawn.sum(axis=2).tolist() == [[3, 3]] * 20_000
    for item in range(2):
        observed = [(drawn[:, item] == table).all(axis=1).mean() for table in tables]
        assert observed == pytest.approx(chances.tolist(), abs=0.015)


@pytest.mark.parametrize(
    ("ties", "expected"),
    # Two 0s and two 1s, two for each condition: (0 0 | 1 1) or the reverse in 2 of 6 splits, otherwise a tie in both.
    [("none", 0), ("lowest", 2 / 3), ("highest", 2 / 3), ("random", 1 / 3), ("first", 1 / 3)],
)
def test_the_same_label_follows_the_tie_rule(ties, expected: float) -> None:
    assert same_label_null((2, 2), 2, ties).mean == pytest.approx(expected)


def test_items_with_many_ratings_are_drawn() -> None:
    few, many = same_label_null((6, 4), 5, "none"), same_label_null((600, 400, 1, 1, 1), 501, "none")
    assert isinstance(few, ItemNull)
    assert not isinstance(many, ItemNull)
    assert many.mean == pytest.approx(1, abs=0.01)
    assert set(many.draw(np.random.default_rng(0), 50)) <= {0.0, 1.0}


def test_false_discovery_rates() -> None:
    # Benjamini and Hochberg 1995: p x n / rank, made monotone from the largest down; nan is no test.
    assert benjamini_hochberg([0.04, 0.01, float("nan"), 0.5])[:2] == pytest.approx([0.06, 0.03])
    assert np.isnan(benjamini_hochberg([0.1, float("nan")])[1])


def test_degrees_of_freedom_fall_where_few_items_carry_the_variation() -> None:
    # For the mean, leaving out x from n values gives (n mean - x) / (n - 1).
    def of_mean(values: np.ndarray) -> Jackknife:
        return Jackknife.of(values.mean(), (values.sum() - values) / (len(values) - 1))

    even = np.tile([0.0, 1.0], 20)
    assert of_mean(even).error == pytest.approx(even.std(ddof=1) / np.sqrt(40))
    assert of_mean(even).freedom == 39
    rare = np.array([1.0, 1.0] + [0.0] * 38)
    assert of_mean(rare).freedom < 6
    assert np.isnan(Jackknife.of(1.0, np.array([1.0])).error)
