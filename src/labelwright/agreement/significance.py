"""Significance tests for agreement and for differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from scipy import sparse

from labelwright.agreement._arrays import Floats, Ints
from labelwright.agreement.counts import Sums, feature_width, weighted_features
from labelwright.agreement.measures import CountMeasure, Measure, get_measure
from labelwright.agreement.pairs import PairTables
from labelwright.agreement.ratings import Ratings
from labelwright.seeds import generator

# Runs are shuffled in groups so that their tables fit into memory.
_SHUFFLED_AT_ONCE = 10_000_000


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


def permutation_test(
    ratings: Ratings, measure: str | Measure, runs: int = 1000, seed: int = 0
) -> Significance:
    """Tests whether agreement is higher than if raters assigned their codes to items at random.

    Each rater's codes are shuffled over the items they judged. If only positions are known, all codes are
    shuffled over all ratings, because nobody knows whose they are. The test is one-sided, and p is
    (1 + runs at least as high) / (1 + runs), so it is never 0.
    """
    chosen = get_measure(measure) if isinstance(measure, str) else measure
    observed = chosen(ratings, None).value
    values = np.concatenate([_values(chosen, ratings, codes) for codes in _shuffled(ratings, runs, seed)])
    defined = np.isfinite(values)
    higher = int((values[defined] >= observed - 1e-12).sum())
    p = (1 + higher) / (1 + int(defined.sum())) if defined.any() and not np.isnan(observed) else float("nan")
    return Significance(f"permutation of {chosen.name}", p, observed, runs, seed)


def _shuffled(ratings: Ratings, runs: int, seed: int) -> Iterator[Ints]:
    """Shuffled codes of all ratings, one row per run, several runs at a time."""
    draw = generator(seed, "permutation")
    group = np.zeros_like(ratings.rater) if ratings.positions else ratings.rater
    home = np.argsort(group, kind="stable")
    step = max(1, _SHUFFLED_AT_ONCE // max(len(home) * len(ratings.codes), feature_width(len(ratings.codes))))
    for start in range(0, runs, step):
        # Sorting by group plus a random fraction shuffles inside each group.
        keys = group[home] + draw.random((min(step, runs - start), len(home)))
        codes = np.empty(keys.shape, dtype=np.int64)
        codes[:, home] = ratings.code[home][np.argsort(keys, axis=1)]
        yield codes


def _values(measure: Measure, ratings: Ratings, codes: Ints) -> Floats:
    """The value for each row of codes."""
    if not isinstance(measure, CountMeasure):
        return np.array([measure(replace(ratings, code=row), None).value for row in codes])
    size = len(ratings.codes)
    run = np.arange(len(codes))[:, None]
    cell = ((run * ratings.items + ratings.item) * size + codes).ravel()
    tables = np.bincount(cell, minlength=len(codes) * ratings.items * size).reshape(-1, size)
    item = np.arange(len(tables))
    runs = sparse.csr_matrix((np.ones(len(tables)), (item // ratings.items, item)))
    totals = weighted_features(tables, runs)
    return np.atleast_1d(measure.of(Sums.unpacked(ratings.codes, totals)))


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
    found = scipy.stats.chi2_contingency(used, correction=False)
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
