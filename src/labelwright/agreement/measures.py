"""Measures by name: the extension point through which the analysis finds all measures.

A measure is registered under the name that study files and the command line use. Other packages add
measures with the same decorators and an entry point in the group `labelwright.measures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from labelwright.agreement._arrays import Floats
from labelwright.agreement.bootstrap import Bootstrap, replicate_counts
from labelwright.agreement.counts import Counts, Sums
from labelwright.agreement.errors import NoOrder, UnknownMeasure
from labelwright.agreement.estimate import UNDEFINED, Estimate, Interval
from labelwright.agreement.intervals import (
    RaterSpread,
    by_design,
    complete_agreement_note,
    make_interval,
    notes_on,
    spread_of_counts,
)
from labelwright.agreement.pairs import PairTables, few_shared_note, mean_over_pairs
from labelwright.agreement.ratings import OUTSIDE, Ratings
from labelwright.registry import Registry

POSITIONS_NOTE = "Positions, not raters: the data do not identify who gave which rating."
PAIRS_OF_POSITIONS = (
    POSITIONS_NOTE,
    "The value depends on the order of rows, because pairs of positions take the place of pairs of raters; alpha does not.",
)

_NEARLY_ALL = 0.8
_POOLED = (
    "Intervals are wide where several items belong together and nearly all ratings have the same code: with 30 items "
    "in 4 conditions and 90% of one code, they held the true value in 99.2% of simulated data sets."
)
MANY_ITEMS = 100
"""From this number of items on, no interval needs a caution of its own."""
DEFAULT_BOOTSTRAP = Bootstrap()
"""The intervals of measures, if nothing else is asked for."""


@runtime_checkable
class Measure(Protocol):
    """The interface of a measure."""

    @property
    def name(self) -> str:
        """The registered name."""

    @property
    def definition(self) -> str:
        """How the value is computed, in words that a paper can quote."""

    @property
    def needs_raters(self) -> bool:
        """Whether the measure needs individual ratings, because counts per item are not enough."""

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP) -> Estimate:
        """The estimate for these ratings, with an interval unless `bootstrap` is None."""


@dataclass(frozen=True)
class CountMeasure:
    """A measure that is computed from counts per item."""

    name: str
    definition: str
    of: Callable[[Sums], Floats]
    needs_raters: bool = False
    needs_order: bool = False
    """Whether the order of the codes matters. Codes outside the order are then left out."""
    few_items_note: str = ""
    """What to say about the interval with fewer items than `MANY_ITEMS`, if it falls short there."""

    def __call__(
        self, ratings: Ratings | Counts, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP
    ) -> Estimate:
        """The estimate with its interval. Raters are resampled only if they are known."""
        if self.needs_order:
            return measure_in_order(self, ratings, lambda ordered: self._estimate(ordered, bootstrap))
        return self._estimate(ratings, bootstrap)

    def _estimate(self, ratings: Ratings | Counts, bootstrap: Bootstrap | None) -> Estimate:
        counts = ratings if isinstance(ratings, Counts) else Counts.of_ratings(ratings)
        value = float(self.of(counts.sums())) if counts.items else UNDEFINED
        interval, notes = self._interval(value, ratings, counts, bootstrap)
        known = isinstance(ratings, Ratings) and not ratings.positions
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=interval,
            items=counts.items,
            ratings=counts.ratings,
            raters=ratings.raters if isinstance(ratings, Ratings) and known else None,
            left_out=counts.left_out,
            undefined=why_undefined(counts) if np.isnan(value) else None,
            notes=_notes_on(counts) + notes,
        )

    def _interval(
        self, value: float, ratings: Ratings | Counts, counts: Counts, bootstrap: Bootstrap | None
    ) -> tuple[Interval | None, tuple[str, ...]]:
        if bootstrap is None or not counts.items:
            return None, ()
        chosen, notes = by_design(bootstrap, ratings)

        def spread() -> RaterSpread:
            assert isinstance(ratings, Ratings), "raters are resampled only if they are known"
            return spread_of_counts(ratings, self.of)

        found = make_interval(value, lambda: replicate_counts(counts, self.of, chosen), spread, chosen)
        units = int(counts.units[0].sum())
        notes += notes_on(value, found, units, bootstrap) + complete_agreement_note(value, found)
        notes += _pooled_note(counts)
        return found, (*notes, self.few_items_note) if self.few_items_note and units < MANY_ITEMS else notes


@dataclass(frozen=True)
class PairMeasure:
    """A measure of the code table of two raters, averaged over all pairs of raters."""

    name: str
    definition: str
    of: Callable[[Floats], Floats]
    """Computes values from tables of codes x codes with any leading axes; nan where undefined."""
    needs_raters: bool = True
    needs_order: bool = False

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP) -> Estimate:
        """The mean over pairs with a value; the other pairs are reported in `left_out`."""
        if self.needs_order:
            return measure_in_order(self, ratings, lambda ordered: self._estimate(ordered, bootstrap))
        return self._estimate(ratings, bootstrap)

    def _estimate(self, ratings: Ratings, bootstrap: Bootstrap | None) -> Estimate:
        pairs = PairTables.of_ratings(ratings)
        values = self.of(pairs.tables)
        defined = np.isfinite(values)
        value = float(mean_over_pairs(values, pairs.shared))
        reasons = {**ratings.left_out, **pairs.left_out}
        if len(values) - defined.sum():
            reasons["pair of raters without a value"] = int(len(values) - defined.sum())
        interval, notes = self._interval(value, ratings, pairs, bootstrap)
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=interval,
            items=pairs.items,
            ratings=pairs.ratings,
            raters=None if ratings.positions else ratings.raters,
            left_out=reasons,
            undefined=_why_no_pair(pairs) if not defined.any() else None,
            notes=(PAIRS_OF_POSITIONS if ratings.positions else ())
            + few_shared_note(pairs.shared, pairs.items)
            + notes,
            parts={"pairs": float(defined.sum()), "shared_items": pairs.mean_shared},
        )

    def _interval(
        self, value: float, ratings: Ratings, pairs: PairTables, bootstrap: Bootstrap | None
    ) -> tuple[Interval | None, tuple[str, ...]]:
        if bootstrap is None or not pairs.items:
            return None, ()
        chosen, notes = by_design(bootstrap, ratings)
        found = make_interval(
            value, lambda: pairs.replicate(self.of, chosen), lambda: pairs.spread(self.of), chosen
        )
        return found, notes + notes_on(value, found, pairs.units, bootstrap) + complete_agreement_note(
            value, found
        )


def measure_in_order(
    measure: Measure, ratings: Ratings | Counts, estimate: Callable[[Any], Estimate]
) -> Estimate:
    """The estimate from the ratings that have a place in the order; undefined, with the reason, if there is none."""
    try:
        ordered = ratings.in_order()
    except NoOrder as without:
        note = f"{measure.name} is undefined: {without}"
        return Estimate(measure.name, UNDEFINED, measure.definition, undefined=without.what, notes=(note,))
    found = estimate(ordered)
    if dropped := ordered.left_out.get(OUTSIDE, 0):
        note = f"{measure.name} leaves out {dropped:,} ratings outside the order of the scale."
        return replace(found, notes=(*found.notes, note))
    return found


def _pooled_note(counts: Counts) -> tuple[str, ...]:
    """Says that intervals are wide where items belong together and nearly all ratings have the same code."""
    given = counts.patterns.T @ counts.multiplicity
    return (_POOLED,) if counts.clusters is not None and given.max() >= _NEARLY_ALL * given.sum() else ()


def _notes_on(counts: Counts) -> tuple[str, ...]:
    if len(counts.ratings_per_item) > 1:
        numbers = ", ".join(map(str, counts.ratings_per_item))
        return (f"Items have different numbers of ratings ({numbers}).",)
    return ()


def why_undefined(counts: Counts) -> str:
    """The reason why a coefficient has no value for these counts."""
    if not counts.items:
        return "no item has two ratings"
    if (counts.distribution > 0).sum() == 1:
        return "all ratings have the same code, so agreement cannot be distinguished from chance"
    return "chance agreement is 1, so there is no room for agreement beyond chance"


def _why_no_pair(pairs: PairTables) -> str:
    if not len(pairs.tables):
        return "no two raters judged the same item"
    return "every pair of raters used only one code, so agreement cannot be distinguished from chance"


MEASURES: Registry[Measure] = Registry(
    "measure",
    "labelwright.measures",
    "what `register_measure`, `@count_measure` or `@pair_measure` returned",
    unknown=UnknownMeasure,
)
"""Every measure by name, including those of installed packages."""
AnyMeasure = TypeVar("AnyMeasure", bound=Measure)


def register_measure(measure: AnyMeasure) -> AnyMeasure:
    """Registers a measure under its name."""
    if not isinstance(measure, Measure):
        raise TypeError(f"{measure!r:.80} lacks an attribute of a measure: name, definition or needs_raters")
    computed = getattr(measure, "of", type(measure))
    MEASURES.register(measure.name, measure, source=measure, module=computed.__module__)
    return measure


def count_measure(
    name: str, definition: str, *, few_items_note: str = "", needs_order: bool = False
) -> Callable[[Callable[[Sums], Floats]], CountMeasure]:
    """Registers a function of sums over items as a measure.

    The function must support leading axes (replicates) and return nan where it has no value.
    `needs_order` says that it uses the order of the codes, or treats them as numbers.
    """
    return lambda of: register_measure(
        CountMeasure(name, definition, of, needs_order=needs_order, few_items_note=few_items_note)
    )


def pair_measure(
    name: str, definition: str, *, needs_order: bool = False
) -> Callable[[Callable[[Floats], Floats]], PairMeasure]:
    """Registers a function of the code table of two raters as a measure, averaged over pairs."""
    return lambda of: register_measure(PairMeasure(name, definition, of, needs_order=needs_order))


def measure_names() -> tuple[str, ...]:
    """The names of all registered measures, including those of other packages."""
    return tuple(MEASURES.names())


def get_measure(name: str) -> Measure:
    """The measure with this name; raises UnknownMeasure."""
    return MEASURES[name]


def measure_ratings(
    ratings: Ratings | Counts, wanted: Iterable[str], bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP
) -> dict[str, Estimate]:
    """Computes several measures of the same ratings. From counts, only count measures have a value."""
    found = [get_measure(name) for name in wanted]
    return {chosen.name: _apply(chosen, ratings, bootstrap) for chosen in found}


def _apply(chosen: Measure, ratings: Ratings | Counts, bootstrap: Bootstrap | None) -> Estimate:
    if isinstance(ratings, Counts) and not isinstance(chosen, CountMeasure):
        reason = "this measure needs individual ratings, but the data are counts per item"
        return Estimate(chosen.name, UNDEFINED, chosen.definition, undefined=reason)
    return chosen(ratings, bootstrap)  # type: ignore[arg-type]
