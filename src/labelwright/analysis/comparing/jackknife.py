"""Jackknife: the standard error of any value, from leaving out one item (or dialogue) at a time.

Both conditions of a comparison leave out the same item, so the error takes into account that they share
their items. The number of degrees of freedom is estimated too (Satterthwaite 1946): where a few items carry
most of the variation, as with rare codes, the standard error is uncertain, and intervals have to be wider.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from labelwright.agreement import UNDEFINED, Floats, Interval, Ints, Significance

FEW_DEGREES = 8.0
"""With fewer degrees of freedom than this, intervals of uneven labels cover less often than they say."""
MOST_UNITS = 200
"""Above this number, units are left out in groups, because more of them would not make the error more certain."""


@dataclass(frozen=True)
class Jackknife:
    """A value with its standard error."""

    value: float
    error: float
    """nan if the value is undefined without some unit; 0 if no unit makes a difference."""
    freedom: float
    """The degrees of freedom of the standard error."""
    units: int

    @classmethod
    def of(cls, value: float, without: Floats) -> Jackknife:
        """From the value of all units and the values without each unit.

        >>> Jackknife.of(2.0, np.array([2.5, 2.0, 1.5])).error.__round__(4)
        0.5774
        """
        units = len(without)
        errors, freedoms = jackknife_errors(np.array([value]), without[None, :])
        return cls(value, float(errors[0]), float(freedoms[0]), units)

    @property
    def certain(self) -> bool:
        """Whether there is a standard error to build on."""
        return math.isfinite(self.error) and self.error > 1e-12

    def interval(self, level: float, over: str) -> Interval | None:
        """The t interval; None if the standard error is undefined or 0, which would not be certainty."""
        if not self.certain:
            return None
        reach = float(stdtrit(self.freedom, (1 + level) / 2)) * self.error
        return Interval(self.value - reach, self.value + reach, level, over, self.units, 0)

    def test(self) -> Significance:
        """The t test of a difference of 0, two-sided."""
        method = "t test, jackknife standard error"
        if not self.certain:
            return Significance(method, UNDEFINED, UNDEFINED)
        statistic = self.value / self.error
        return Significance(method, float(2 * stdtr(self.freedom, -abs(statistic))), statistic)

    def equivalence(self, margin: float) -> Significance:
        """Tests whether the value lies within the margin on both sides of 0 (two one-sided t tests, Schuirmann 1987)."""
        method = f"equivalence within {margin:g}, two one-sided t tests"
        if not self.certain:
            return Significance(method, UNDEFINED, UNDEFINED)
        statistic = (margin - abs(self.value)) / self.error
        return Significance(method, float(stdtr(self.freedom, -statistic)), statistic)

    def minus(self, other: Jackknife) -> Jackknife:
        """The difference from an independent value."""
        variances = np.array([self.error**2, other.error**2])
        total = float(variances.sum())
        parts = float((variances**2 / np.array([self.freedom, other.freedom])).sum())
        freedom = total**2 / parts if parts else 1.0
        return Jackknife(self.value - other.value, math.sqrt(total), freedom, self.units + other.units)


def jackknife_errors(values: Floats, without: Floats) -> tuple[Floats, Floats]:
    """Standard errors and degrees of freedom of several values; `without` has one column per unit."""
    units = without.shape[1]
    if units < 2:
        return np.full(len(values), np.nan), np.ones(len(values))
    pseudo = units * values[:, None] - (units - 1) * without
    squares = (pseudo - pseudo.mean(axis=1, keepdims=True)) ** 2
    errors = np.sqrt(squares.sum(axis=1) / (units - 1) / units)
    return errors, _degrees(squares)


def _degrees(squares: Floats) -> Floats:
    """Satterthwaite's degrees of freedom, 2 / (relative variance of the variance), from the kurtosis."""
    n = squares.shape[1]
    if n < 4:
        return np.full(len(squares), float(n - 1))
    spread = np.maximum(squares.mean(axis=1), 1e-100)
    excess = (squares**2).mean(axis=1) / spread**2 - 3
    corrected = 3 + (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * excess + 6)
    relative = np.maximum((corrected - (n - 3) / (n - 1)) / n, 1e-9)
    return np.asarray(np.clip(np.nan_to_num(2 / relative, nan=1.0), 1.0, n - 1.0))


def grouped(units: Ints, random: np.random.Generator) -> Ints:
    """Numbers of units from 0, put together at random into at most `MOST_UNITS` groups of equal size."""
    distinct, number = np.unique(units, return_inverse=True)
    if len(distinct) <= MOST_UNITS:
        return np.asarray(number, dtype=np.int64)
    return np.asarray(random.permutation(len(distinct))[number] % MOST_UNITS, dtype=np.int64)
