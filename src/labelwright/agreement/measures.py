"""Measures by name: the extension point through which analysis finds every one of them.

A measure is registered under the word that study files and the command line use. Another
package adds one by the same decorators and an entry point in the group `labelwright.measures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from labelwright.agreement.arrays import Floats
from labelwright.agreement.bootstrap import Bootstrap, replicate, resample_ratings, reweighted_sums
from labelwright.agreement.counts import Counts, Sums
from labelwright.agreement.errors import UnknownMeasure
from labelwright.agreement.estimate import UNDEFINED, Estimate, Interval
from labelwright.agreement.pairs import PairTables
from labelwright.agreement.ratings import Ratings
from labelwright.errors import did_you_mean

POSITIONS_NOTE = "Positions, not raters: the data do not say who gave which rating."

DEFAULT = Bootstrap()


@runtime_checkable
class Measure(Protocol):
    """What a measure must do to be found by its name."""

    @property
    def name(self) -> str:
        """The registered name."""

    @property
    def definition(self) -> str:
        """What is computed, in words that a paper can quote."""

    @property
    def needs_raters(self) -> bool:
        """Whether counts per item are not enough."""

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = DEFAULT) -> Estimate:
        """The value for these ratings, with its interval unless `bootstrap` is None."""


@dataclass(frozen=True)
class CountMeasure:
    """A measure that is a function of counts per item."""

    name: str
    definition: str
    of: Callable[[Sums], Floats]
    needs_raters: bool = False

    def __call__(self, ratings: Ratings | Counts, bootstrap: Bootstrap | None = DEFAULT) -> Estimate:
        """The value with its interval; raters are resampled only where they are known."""
        counts = ratings if isinstance(ratings, Counts) else Counts.of_ratings(ratings)
        value = float(self.of(counts.sums())) if counts.items else UNDEFINED
        known = isinstance(ratings, Ratings) and not ratings.positions
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=self._interval(ratings, counts, bootstrap) if counts.items else None,
            items=counts.items,
            ratings=counts.ratings,
            raters=ratings.raters if isinstance(ratings, Ratings) and known else None,
            left_out=counts.left_out,
            undefined=why_undefined(counts) if np.isnan(value) else None,
            notes=_notes_on(counts, bootstrap, known=known),
        )

    def _interval(
        self, ratings: Ratings | Counts, counts: Counts, bootstrap: Bootstrap | None
    ) -> Interval | None:
        if bootstrap is None:
            return None
        if bootstrap.raters and isinstance(ratings, Ratings) and not ratings.positions:
            drawn = (reweighted_sums(ratings, *weights) for weights in resample_ratings(ratings, bootstrap))
            # Of few raters the same one may be drawn every time, and then no item has a pair left.
            return bootstrap.interval(np.array([float(self.of(s)) if s.items else UNDEFINED for s in drawn]))
        over_items = Bootstrap(bootstrap.replicates, bootstrap.seed, bootstrap.level)
        return over_items.interval(replicate(counts, over_items, self.of))


@dataclass(frozen=True)
class PairMeasure:
    """A measure of two raters' table of codes, averaged over all pairs of raters."""

    name: str
    definition: str
    of: Callable[[Floats], Floats]
    """From tables of codes x codes (any axes in front) to values, nan where undefined."""
    needs_raters: bool = True

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = DEFAULT) -> Estimate:
        """The mean over pairs that have a value; the others are reported in `left_out`."""
        pairs = PairTables.of_ratings(ratings)
        values = self.of(pairs.tables)
        defined = np.isfinite(values)
        value = float(values[defined].mean()) if defined.any() else UNDEFINED
        reasons = {**ratings.left_out, **pairs.left_out}
        if len(values) - defined.sum():
            reasons["pair of raters without a value"] = int(len(values) - defined.sum())
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=None if bootstrap is None else self._interval(ratings, pairs, bootstrap),
            items=pairs.items,
            ratings=pairs.ratings,
            raters=None if ratings.positions else ratings.raters,
            left_out=reasons,
            undefined=_why_no_pair(pairs) if not defined.any() else None,
            notes=(POSITIONS_NOTE,) if ratings.positions else (),
            parts={"pairs": float(defined.sum())},
        )

    def _interval(self, ratings: Ratings, pairs: PairTables, bootstrap: Bootstrap) -> Interval | None:
        if ratings.items < 2:
            return None
        how = (
            bootstrap
            if not ratings.positions
            else Bootstrap(bootstrap.replicates, bootstrap.seed, bootstrap.level)
        )
        values = []
        for items, raters in resample_ratings(ratings, how):
            drawn = self.of(pairs.reweighted(items))
            weight = pairs.weight(raters) * np.isfinite(drawn)
            total = weight.sum()
            values.append(float(weight @ np.nan_to_num(drawn) / total) if total else UNDEFINED)
        return how.interval(np.array(values))


def _notes_on(counts: Counts, bootstrap: Bootstrap | None, *, known: bool) -> tuple[str, ...]:
    notes = []
    if bootstrap is not None and bootstrap.raters and not known:
        notes.append("Raters are not known; only items were resampled.")
    if len(counts.ratings_per_item) > 1:
        numbers = ", ".join(map(str, counts.ratings_per_item))
        notes.append(f"Items have different numbers of ratings ({numbers}).")
    return tuple(notes)


def why_undefined(counts: Counts) -> str:
    """Why a coefficient has no value for these counts."""
    if not counts.items:
        return "no item has two ratings"
    if (counts.distribution > 0).sum() == 1:
        return "every rating is the same code, so agreement cannot be told from chance"
    return "chance agreement leaves nothing to measure against"


def _why_no_pair(pairs: PairTables) -> str:
    if not len(pairs.tables):
        return "no two raters judged the same item"
    return "every pair of raters gave one code only, so agreement cannot be told from chance"


_REGISTERED: dict[str, Measure] = {}
AnyMeasure = TypeVar("AnyMeasure", bound=Measure)


def register(measure: AnyMeasure) -> AnyMeasure:
    """Makes a measure known by its name; the last one registered under a name wins."""
    _REGISTERED[measure.name] = measure
    return measure


def count_measure(name: str, definition: str) -> Callable[[Callable[[Sums], Floats]], CountMeasure]:
    """Registers a function of sums over items as a measure.

    The function must take leading axes (replicates) and give nan where it has no value.
    """
    return lambda of: register(CountMeasure(name, definition, of))


def pair_measure(name: str, definition: str) -> Callable[[Callable[[Floats], Floats]], PairMeasure]:
    """Registers a function of two raters' table as a measure, averaged over pairs."""
    return lambda of: register(PairMeasure(name, definition, of))


def names() -> tuple[str, ...]:
    """Every registered measure, those of other packages included."""
    _load_others()
    return tuple(sorted(_REGISTERED))


def get(name: str) -> Measure:
    """The measure of that name."""
    if name not in _REGISTERED:
        _load_others()
    if name not in _REGISTERED:
        raise UnknownMeasure(
            f"measure {name!r} is not known.",
            expected=f"one of {', '.join(sorted(_REGISTERED))}.",
            do=did_you_mean(name, _REGISTERED),
        )
    return _REGISTERED[name]


def measure(
    ratings: Ratings | Counts, wanted: Iterable[str], bootstrap: Bootstrap | None = DEFAULT
) -> dict[str, Estimate]:
    """Several measures of the same ratings by their names; counts allow only count measures."""
    found = [get(name) for name in wanted]
    return {chosen.name: _apply(chosen, ratings, bootstrap) for chosen in found}


def _apply(chosen: Measure, ratings: Ratings | Counts, bootstrap: Bootstrap | None) -> Estimate:
    if isinstance(ratings, Counts) and not isinstance(chosen, CountMeasure):
        reason = "the data are counts per item, and this measure needs the single ratings"
        return Estimate(chosen.name, UNDEFINED, chosen.definition, undefined=reason)
    return chosen(ratings, bootstrap)  # type: ignore[arg-type]


def _load_others() -> None:
    for entry in entry_points(group="labelwright.measures"):
        if entry.name not in _REGISTERED:
            register(entry.load())
