"""The contract of measures, as a test suite that the author of a measure inherits.

from labelwright.testing.measures import MeasureContract

class TestMyMeasure(MeasureContract):
    measure = my_measure
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from labelwright.agreement import Bootstrap, Estimate, Measure, Ratings, get_measure

# Twelve items by three raters on three codes, with some disagreement.
_TABLE = [
    0,
    0,
    0,
    1,
    1,
    1,
    2,
    2,
    2,
    0,
    0,
    1,
    1,
    1,
    2,
    2,
    2,
    1,
    0,
    0,
    0,
    1,
    1,
    1,
    2,
    2,
    2,
    0,
    1,
    0,
    1,
    1,
    0,
    2,
    2,
    2,
]


def example(labels: Sequence[int] = tuple(_TABLE)) -> Ratings:
    """Ratings that every measure can be asked about."""
    item = np.repeat(np.arange(len(labels) // 3), 3)
    return Ratings.of(item, list(labels), rater=["x", "y", "z"] * (len(labels) // 3), codes=(0, 1, 2))


class MeasureContract:
    """Inherit and set `measure` (or its registered name); a missing ability is declared with its reason."""

    measure: ClassVar[Measure]
    cannot: ClassVar[dict[str, str]] = {}
    """Laws that do not hold for this measure, each with the reason: `{"perfect_is_one": "..."}`."""

    def value(self, ratings: Ratings) -> float:
        """The value without an interval."""
        return type(self).measure(ratings, None).value

    def test_is_found_by_its_name(self) -> None:
        """A study file names it, so the name must lead back to it."""
        assert get_measure(type(self).measure.name).name == type(self).measure.name

    def test_says_what_it_computes(self) -> None:
        """A paper must be able to quote the definition."""
        assert len(type(self).measure.definition) > 40

    def test_renaming_raters_changes_nothing(self) -> None:
        """The names of raters do not matter."""
        if "renaming_raters" not in type(self).cannot:
            ratings = example()
            renamed = replace(ratings, rater=2 - ratings.rater)
            assert math.isclose(self.value(renamed), self.value(ratings), rel_tol=1e-9)

    def test_permuting_rows_changes_nothing(self) -> None:
        """The order of rows does not matter."""
        ratings = example()
        order = np.random.default_rng(1).permutation(len(ratings.item))
        shuffled = replace(
            ratings, item=ratings.item[order], rater=ratings.rater[order], code=ratings.code[order]
        )
        assert math.isclose(self.value(shuffled), self.value(ratings), rel_tol=1e-9)

    def test_perfect_agreement_is_one(self) -> None:
        """Every item has three equal ratings, and all codes occur."""
        if "perfect_is_one" not in type(self).cannot:
            perfect = example([code for code in (0, 1, 2, 0, 1, 2) for _ in range(3)])
            assert math.isclose(self.value(perfect), 1, rel_tol=1e-9)

    def test_no_shared_item_is_undefined_with_its_reason(self) -> None:
        """A value without meaning must not look like a number."""
        alone = Ratings.of([0, 1, 2], [0, 1, 2], rater=["x", "y", "z"])
        found = type(self).measure(alone)
        assert math.isnan(found.value)
        assert found.undefined

    def test_the_interval_is_seeded_and_holds_the_value(self) -> None:
        """The same seed gives the same interval, in this run and on any machine."""
        first, again = (type(self).measure(example(), Bootstrap(200, seed=3)) for _ in range(2))
        assert isinstance(first, Estimate)
        assert first.interval is not None
        assert first.interval == again.interval
        assert first.interval.low <= first.value <= first.interval.high
