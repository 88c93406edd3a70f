"""Bootstrap: how much a value would vary with other items.

Each replicate gives the items random weights that add up to their number (Bayesian bootstrap: Rubin 1981,
Annals of Statistics 9), after a few pseudo-items were added: items on which everybody agrees, and items on
which raters are divided. Without them a sample of twenty items that happens to miss a rare code, or every
disagreement, says that such items do not exist, and the interval is too narrow. Together they weigh as much
as one and a half items, in the spirit of Jeffreys' prior for a proportion. docs/explanation/intervals.md tells more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from labelwright.agreement._arrays import Floats, Ints
from labelwright.agreement.counts import Counts, Sums
from labelwright.agreement.errors import UnknownOption
from labelwright.agreement.estimate import Interval
from labelwright.agreement.pseudo_items import PseudoItems, fewer_items
from labelwright.seeds import generator

# Replicates are drawn in groups so that units x replicates fit into memory.
_DRAWN_AT_ONCE = 20_000_000


@dataclass(frozen=True)
class Bootstrap:
    """How to make intervals: the number of replicates, the seed, and over what.

    Over items (the default), the interval answers how the value would vary with other items rated by
    these raters. Over raters, it answers how it would vary with other raters of these items; over both,
    with other raters and other items. The last two need ten known raters or more: fewer say too little
    about raters who were not asked, so that only items are resampled, and the result says so.
    """

    replicates: int = 1000
    seed: int = 0
    level: float = 0.95
    raters: bool = False
    items: bool = True

    def __post_init__(self) -> None:
        if not self.items and not self.raters:
            raise UnknownOption(
                "an interval over neither items nor raters is empty.", do="Resample items, raters or both."
            )

    @property
    def over(self) -> str:
        """What the interval is over: "items", "raters" or "items and raters"."""
        return " and ".join(["items"] * self.items + ["raters"] * self.raters)

    @property
    def over_items(self) -> Bootstrap:
        """The same over items alone."""
        return replace(self, items=True, raters=False)

    def interval(self, values: Floats) -> Interval | None:
        """The percentile interval of the replicates; None if fewer than two have a value."""
        defined = values[np.isfinite(values)]
        if len(defined) < 2:
            return None
        tail = (1 - self.level) / 2
        low, high = np.quantile(defined, [tail, 1 - tail])
        undefined = len(values) - len(defined)
        return Interval(float(low), float(high), self.level, self.over, self.replicates, self.seed, undefined)

    def interval_around(self, value: float, values: Floats) -> Interval | None:
        """The interval of smoothed replicates, widened to hold the value; None if nothing varies.

        Replicates with pseudo-items do not reach perfect agreement, which may well be the value.
        """
        found = self.interval(values)
        if found is None or np.isnan(value) or found.high - found.low < 1e-12:
            return None
        return replace(found, low=min(found.low, value), high=max(found.high, value))


def draw_weights(
    units: Floats, pseudo: PseudoItems, bootstrap: Bootstrap, width: int = 1
) -> Iterator[Floats]:
    """Random weights of units and then of pseudo-items, one row per replicate, several replicates at a time.

    `units` says how often each different unit occurs. The weights of all of them are drawn at once, so that the cost
    does not depend on the number of items. `width` is the number of values computed per replicate, which
    limits how many replicates fit into memory.
    """
    draw = generator(bootstrap.seed, "bootstrap", "items")
    number = units.sum()
    shape = np.concatenate([units, pseudo.mass]) * (number / (number + fewer_items(pseudo.values)))
    step = max(1, _DRAWN_AT_ONCE // max(len(shape), width))
    for start in range(0, bootstrap.replicates, step):
        weights = draw.standard_gamma(shape, size=(min(step, bootstrap.replicates - start), len(shape)))
        yield weights * (number / weights.sum(axis=1, keepdims=True))


def replicate_features(
    features: Floats,
    multiplicity: Ints,
    pseudo: PseudoItems,
    value: Callable[[Floats], Floats],
    bootstrap: Bootstrap,
) -> Floats:
    """A function of the sum of features over units, in every replicate; empty for fewer than two units."""
    if multiplicity.sum() < 2:
        return np.empty(0)
    every = np.concatenate([features, pseudo.features])
    drawn = draw_weights(multiplicity.astype(float), pseudo, bootstrap, every.shape[1])
    return np.concatenate([np.atleast_1d(value(weights @ every)) for weights in drawn])


def replicate_counts(counts: Counts, value: Callable[[Sums], Floats], bootstrap: Bootstrap) -> Floats:
    """The value of a count measure in every replicate; items of one cluster are weighted together."""
    units, composition = counts.units
    if units.sum() < 2:
        return np.empty(0)
    pseudo = counts.pseudo_items()
    found = []
    for weights in draw_weights(units.astype(float), pseudo, bootstrap, pseudo.features.shape[1]):
        real, added = weights[:, : len(units)], weights[:, len(units) :]
        patterns = real if composition is None else real @ composition
        found.append(
            np.atleast_1d(
                value(Sums.unpacked(counts.codes, counts.totals(patterns) + added @ pseudo.features))
            )
        )
    return np.concatenate(found)
