"""Bootstrap: how much a measure would vary with other items or other raters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from labelwright.agreement._arrays import Floats
from labelwright.agreement.counts import Counts, Sums, features_of
from labelwright.agreement.estimate import Interval
from labelwright.agreement.ratings import Ratings
from labelwright.seeds import generator

# Replicates are drawn in groups so that patterns x replicates fit into memory.
_DRAWN_AT_ONCE = 20_000_000


@dataclass(frozen=True)
class Bootstrap:
    """How to resample: the number of replicates, the seed, and whether raters are resampled too.

    Resampling raters as well shows how results would vary with another pool. It needs known
    raters, not positions, and gives wider intervals (pigeonhole bootstrap: Owen 2007,
    "The pigeonhole bootstrap", Annals of Applied Statistics 1).
    """

    replicates: int = 1000
    seed: int = 0
    level: float = 0.95
    raters: bool = False

    @property
    def over(self) -> str:
        """What is resampled."""
        return "items and raters" if self.raters else "items"

    def interval(self, values: Floats) -> Interval | None:
        """The percentile interval of the replicates; None if fewer than two have a value."""
        defined = values[np.isfinite(values)]
        if len(defined) < 2:
            return None
        tail = (1 - self.level) / 2
        low, high = np.quantile(defined, [tail, 1 - tail])
        undefined = len(values) - len(defined)
        return Interval(float(low), float(high), self.level, self.over, self.replicates, self.seed, undefined)


def resample_counts(counts: Counts, bootstrap: Bootstrap) -> Iterator[Sums]:
    """Sums over resampled items, several replicates at a time.

    Drawing N items of P distinct patterns is one multinomial draw, so the cost does
    not depend on the number of items.
    """
    draw = generator(bootstrap.seed, "bootstrap", "items")
    chance = counts.multiplicity / counts.items
    step = max(1, _DRAWN_AT_ONCE // len(chance))
    for start in range(0, bootstrap.replicates, step):
        many = min(step, bootstrap.replicates - start)
        yield counts.sums(draw.multinomial(counts.items, chance, size=many))


def resample_ratings(ratings: Ratings, bootstrap: Bootstrap) -> Iterator[tuple[Floats, Floats]]:
    """How often each item and each rater is drawn, one replicate at a time."""
    draw = generator(bootstrap.seed, "bootstrap", bootstrap.over)
    raters = int(ratings.rater.max(initial=-1)) + 1
    for _ in range(bootstrap.replicates):
        items = draw.multinomial(ratings.items, np.full(ratings.items, 1 / ratings.items))
        if bootstrap.raters:
            yield (
                items.astype(float),
                draw.multinomial(raters, np.full(raters, 1 / raters)).astype(float),
            )
        else:
            yield items.astype(float), np.ones(raters)


def reweighted_sums(ratings: Ratings, items: Floats, raters: Floats) -> Sums:
    """Sums in which each item and each rater counts as often as it was drawn.

    A rater drawn twice is not paired with their own copy, because that would be self-agreement.
    """
    size = len(ratings.codes)
    cell = ratings.item * size + ratings.code
    drawn = raters[ratings.rater]
    counts = np.bincount(cell, drawn, ratings.items * size).reshape(-1, size)
    own = np.bincount(cell, drawn**2, ratings.items * size).reshape(-1, size)
    total = counts.sum(axis=1)
    pairs_total = total**2 - own.sum(axis=1)
    kept = pairs_total > 1e-9
    pairs = counts[kept][:, :, None] * counts[kept][:, None, :]
    diagonal = np.arange(size)
    pairs[:, diagonal, diagonal] -= own[kept]
    features = features_of(counts[kept], pairs, total[kept], pairs_total[kept])
    return Sums.unpacked(ratings.codes, items[kept] @ features)


def replicate(counts: Counts, bootstrap: Bootstrap, value: Callable[[Sums], Floats]) -> Floats:
    """The value of a count measure in every replicate over items."""
    if counts.items < 2:
        return np.empty(0)
    return np.concatenate([np.atleast_1d(value(sums)) for sums in resample_counts(counts, bootstrap)])
