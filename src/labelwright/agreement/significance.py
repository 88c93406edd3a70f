"""Significance tests for agreement and for differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from labelwright.agreement._arrays import Floats
from labelwright.agreement.measures import Measure
from labelwright.agreement.pairs import PairTables
from labelwright.agreement.ratings import Ratings
from labelwright.seeds import generator


@dataclass(frozen=True)
class Significance:
    """The result of one test."""

    method: str
    p: float
    """The p-value; nan where undefined."""
    statistic: float
    runs: int | None = None
    seed: int | None = None
    p_holm: float | None = None
    """The p-value corrected for the family of tests (Holm 1979); set by `correct_tests`."""
    p_bh: float | None = None
    """The smallest false discovery rate at which the test is significant (Benjamini and Hochberg 1995)."""
    exact: bool = False
    """Whether every permutation was counted, rather than a random sample of them."""

    def __repr__(self) -> str:
        corrected = "" if self.p_holm is None else f", Holm {_p(self.p_holm)}"
        return f"{self.method}: p {_p(self.p)}{corrected}"


def _p(value: float) -> str:
    return "undefined" if np.isnan(value) else "< 0.001" if value < 0.001 else f"= {value:.3f}"


def permutation_test(ratings: Ratings, measure: Measure, runs: int = 1000, seed: int = 0) -> Significance:
    """Tests whether agreement is higher than if raters assigned their codes to items at random.

    Each rater's (or position's) codes are shuffled over the items they judged. The test is
    one-sided, and p is (1 + runs at least as high) / (1 + runs), so it is never 0.
    """
    observed = measure(ratings, None).value
    draw = generator(seed, "permutation")
    home = np.argsort(ratings.rater, kind="stable")
    higher = defined = 0
    for _ in range(runs):
        shuffled = np.empty_like(ratings.code)
        shuffled[home] = ratings.code[np.lexsort((draw.random(len(home)), ratings.rater))]
        value = measure(replace(ratings, code=shuffled), None).value
        defined += not np.isnan(value)
        higher += value >= observed - 1e-12
    p = float("nan") if np.isnan(observed) or not defined else (1 + higher) / (1 + defined)
    return Significance(f"permutation of {measure.name}", p, observed, runs, seed)


def chi_squared_tests(ratings: Ratings) -> list[Significance]:
    """Pearson's chi-squared test of independence for every pair of raters, as reported in the context study.

    Uses no continuity correction and leaves out codes that neither rater of a pair used. The test
    measures association, not agreement, and needs about five ratings per cell: prefer `permutation_test`.
    The pairs are one family, corrected together.
    """
    return correct_tests([_chi_squared(table) for table in PairTables.of_ratings(ratings).tables])


def _chi_squared(table: Floats) -> Significance:
    used = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(used.shape) < 2:
        return Significance("chi-squared", float("nan"), float("nan"))
    found = stats.chi2_contingency(used, correction=False)
    return Significance("chi-squared", float(found.pvalue), float(found.statistic))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values with Holm's correction (Holm 1979). nan stays nan and is not counted as a test.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=float)
    order = [int(i) for i in np.argsort(values) if not np.isnan(values[i])]
    corrected = np.full(len(values), np.nan)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * float(values[i])))
        corrected[i] = largest
    return [float(value) for value in corrected]


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for the false discovery rate. nan stays nan and is not counted as a test.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    values = np.asarray(p_values, dtype=float)
    order = [int(i) for i in np.argsort(values) if not np.isnan(values[i])]
    corrected = np.full(len(values), np.nan)
    smallest = 1.0
    for rank in range(len(order), 0, -1):
        smallest = min(smallest, len(order) / rank * float(values[order[rank - 1]]))
        corrected[order[rank - 1]] = smallest
    return [float(value) for value in corrected]


def correct_tests(tests: Sequence[Significance]) -> list[Significance]:
    """The tests with the corrections of Holm and of Benjamini and Hochberg over all of them."""
    p_values = [test.p for test in tests]
    corrected = zip(tests, holm(p_values), benjamini_hochberg(p_values), strict=True)
    return [replace(test, p_holm=family, p_bh=discovery) for test, family, discovery in corrected]


def paired_permutation_test(differences: Sequence[float], runs: int = 10_000, seed: int = 0) -> Significance:
    """Tests whether paired differences have mean 0 by flipping their signs at random. Two-sided.

    With up to 12 pairs, all sign patterns are tried and p is exact.

    >>> paired_permutation_test([1.0, 1.0, 1.0, 1.0]).p
    0.125
    """
    values = np.asarray(differences, dtype=float)
    values = values[np.isfinite(values)]
    if not len(values):
        return Significance("paired permutation", float("nan"), float("nan"))
    exact = len(values) <= 12
    signs = _all_signs(len(values)) if exact else _random_signs(len(values), runs, seed)
    means = np.abs(signs @ values) / len(values)
    higher = int((means >= abs(values.mean()) - 1e-12).sum())
    p = higher / len(means) if exact else (1 + higher) / (1 + len(means))
    return Significance("paired permutation", p, float(values.mean()), len(means), None if exact else seed)


def _all_signs(size: int) -> Floats:
    bits = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
    return np.asarray(2.0 * bits - 1)


def _random_signs(size: int, runs: int, seed: int) -> Floats:
    return np.asarray(2.0 * generator(seed, "signs").integers(0, 2, size=(runs, size)) - 1)
