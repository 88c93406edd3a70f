"""The mean of one value per item, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from labelwright.agreement._arrays import Floats
from labelwright.agreement.bootstrap import Bootstrap, replicate_features
from labelwright.agreement.estimate import UNDEFINED, Estimate
from labelwright.agreement.intervals import notes_on
from labelwright.agreement.pseudo_items import PseudoItems
from labelwright.seeds import generator

_DRAWN_AT_ONCE = 20_000_000


def mean_estimate(
    name: str,
    values: Sequence[float] | Floats,
    definition: str,
    bootstrap: Bootstrap | None,
    *,
    ratings: int = 0,
    left_out: Mapping[str, int] | None = None,
    notes: tuple[str, ...] = (),
    bounds: tuple[float, float] | None = None,
) -> Estimate:
    """The unweighted mean over items; items without a value (nan) are left out.

    `bounds` are the lowest and the highest value that an item can have. With them, the interval allows for values
    that a small sample missed; without, it only knows those that occurred.

    >>> mean_estimate("score", [0.0, 1.0, 1.0], "mean score", None).value.__round__(3)
    0.667
    """
    every = np.asarray(values, dtype=float)
    defined = every[np.isfinite(every)]
    reasons = dict(left_out or {})
    if len(every) > len(defined):
        reasons["item without a value"] = len(every) - len(defined)
    value = float(defined.mean()) if len(defined) else UNDEFINED
    interval = None
    if bootstrap is not None and len(defined) > 1:
        interval = bootstrap.over_items.interval_around(value, _replicated_means(defined, bounds, bootstrap))
    return Estimate(
        name,
        value,
        definition,
        interval=interval,
        items=len(defined),
        ratings=ratings,
        left_out=reasons,
        undefined=None if len(defined) else "no item has a value",
        notes=(*notes, *notes_on(value, interval, len(defined), bootstrap)),
    )


def _replicated_means(values: Floats, bounds: tuple[float, float] | None, bootstrap: Bootstrap) -> Floats:
    """The mean in every replicate, with half a pseudo-item at the lowest and at the highest value."""
    distinct, items = np.unique(values, return_counts=True)
    ends = np.array(bounds or (distinct[0], distinct[-1]))
    pseudo = PseudoItems(np.stack([np.ones(2), ends], axis=1), np.full(2, 0.5), len(distinct))
    features = np.stack([np.ones(len(distinct)), distinct], axis=1)
    return replicate_features(features, items, pseudo, lambda sums: sums[..., 1] / sums[..., 0], bootstrap)


def resampled_means(values: Floats, bootstrap: Bootstrap) -> Floats:
    """The mean over resampled items, once per replicate. Columns are resampled together.

    Draws distinct values instead of items, so that a million items with few values are fast.
    """
    rows = values.reshape(len(values), -1)
    distinct, items = np.unique(rows, axis=0, return_counts=True)
    draw = generator(bootstrap.seed, "bootstrap", "items")
    step = max(1, _DRAWN_AT_ONCE // len(distinct))
    means = []
    for start in range(0, bootstrap.replicates, step):
        many = min(step, bootstrap.replicates - start)
        weights = draw.multinomial(len(rows), items / len(rows), size=many)
        means.append(weights @ distinct / len(rows))
    return np.concatenate(means).reshape(-1, *values.shape[1:])
