"""Intraclass correlation and tests of significance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from labelwright.agreement import (
    Bootstrap,
    Ratings,
    chi_squared_tests,
    correct_tests,
    get_measure,
    holm,
    paired_permutation_test,
    permutation_test,
)
from labelwright.agreement.significance import Significance

# Shrout and Fleiss (1979), Table 2: six targets, four judges; Table 4 gives the six coefficients.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)
PUBLISHED = {"icc1": 0.17, "icc2": 0.29, "icc3": 0.71, "icc1k": 0.44, "icc2k": 0.62, "icc3k": 0.91}


def _shrout_fleiss() -> Ratings:
    return Ratings.of(np.repeat(np.arange(6), 4), SHROUT_FLEISS.ravel(), rater=np.tile(np.arange(4), 6))


@pytest.mark.parametrize("form", PUBLISHED)
def test_icc_of_the_published_table(form: str) -> None:
    found = get_measure(form)(_shrout_fleiss(), Bootstrap(200))
    assert found.value == pytest.approx(PUBLISHED[form], abs=0.005)
    assert found.interval is not None
    assert found.interval.low <= found.value <= found.interval.high


def test_two_way_icc_needs_every_rater_on_every_item() -> None:
    found = get_measure("icc2")(Ratings.of([0, 0, 1, 1], [1, 2, 3, 4], rater=["x", "y", "x", "z"]))
    assert (math.isnan(found.value), found.undefined) == (
        True,
        "not every rater judged every item exactly once",
    )


def test_one_way_icc_takes_any_number_of_ratings() -> None:
    found = get_measure("icc1")(Ratings.of([0, 0, 0, 1, 1, 2], [1, 1, 1, 5, 5, 3]))
    assert (found.value, found.items) == (pytest.approx(1), 2)


def test_agreement_of_honest_raters_is_told_from_chance() -> None:
    draw = np.random.default_rng(5)
    truth = draw.integers(2, size=60)
    label = np.where(draw.random((60, 3)) < 0.8, truth[:, None], draw.integers(2, size=(60, 3)))
    ratings = Ratings.of(np.repeat(np.arange(60), 3), label.ravel())
    assert permutation_test(ratings, get_measure("fleiss_kappa"), runs=200).p == pytest.approx(1 / 201)
    assert max(test.p for test in chi_squared_tests(ratings)) < 0.001


def test_agreement_of_guessing_raters_is_rarely_significant() -> None:
    # Under the null p is uniform: of 100 studies about 5 fall below 0.05; more than 13 is rare (0.0004).
    draw = np.random.default_rng(6)
    low = 0
    for study in range(100):
        ratings = Ratings.of(np.repeat(np.arange(20), 2), draw.integers(3, size=40), codes=(0, 1, 2))
        low += permutation_test(ratings, get_measure("percentage"), runs=99, seed=study).p <= 0.05
    assert low <= 13


def test_chi_squared_by_hand() -> None:
    # Table [[20, 5], [10, 15]]: 50 (20 x 15 - 5 x 10)^2 / (25 x 25 x 30 x 20) = 8.333.
    first = [0] * 25 + [1] * 25
    second = [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15
    ratings = Ratings.of(np.tile(np.arange(50), 2), first + second, rater=["x"] * 50 + ["y"] * 50)
    [found] = chi_squared_tests(ratings)
    assert found.statistic == pytest.approx(8.3333, abs=0.0001)


def test_holm_leaves_out_what_is_undefined() -> None:
    assert holm([0.02, float("nan"), 0.01])[0] == pytest.approx(0.02)
    assert math.isnan(holm([0.02, float("nan"), 0.01])[1])
    assert correct_tests([Significance("t", 0.01, 0), Significance("t", 0.04, 0)])[0].p_holm == pytest.approx(
        0.02
    )


def test_paired_permutation_with_many_pairs_is_seeded() -> None:
    differences = np.random.default_rng(0).normal(0.5, 1, 40).tolist()
    one, again = paired_permutation_test(differences, seed=1), paired_permutation_test(differences, seed=1)
    assert one == again
    assert one.p < 0.05
    assert math.isnan(paired_permutation_test([]).p)
