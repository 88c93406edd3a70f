"""Power: how often a comparison of two systems would find a difference, from the spread in a pilot study."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from labelwright.analysis.clusters import ClusteredVariance
from labelwright.analysis.ranking.systems import ScoredRatings, system_influences


@dataclass(frozen=True)
class PlannedPower:
    """What a study of a given size would find."""

    error: float
    """The standard error of the difference that the study would have."""
    freedom: float
    power: float
    """The share of such studies that would call the difference certain."""


def predict_power(
    pilot: ScoredRatings,
    difference: float,
    *,
    dialogues: int,
    raters: int | None = None,
    level: float = 0.95,
    comparisons: int = 1,
) -> PlannedPower:
    """The power to find a difference of mean scores between the first two systems of a pilot.

    The study has the pilot's number of ratings per item and of items per dialogue. Its variance between dialogues
    shrinks with their number, and that between raters with theirs; without `raters`, it has as many as the
    pilot. `comparisons` is the size of the family, of which the hardest correction is assumed.
    """
    clusters = pilot.clusters()
    _, influence, present = system_influences(pilot)
    variance = ClusteredVariance.of(influence, clusters, present)
    contrast = np.zeros(influence.shape[1])
    contrast[:2] = 1, -1
    by_item, items = variance.items.variance(contrast)
    total = by_item * items / dialogues
    parts = total**2 / (dialogues - 1)
    if variance.raters is not None and variance.both is not None:
        by_rater, people = variance.raters.variance(contrast)
        wanted = people if raters is None else raters
        between = max(by_rater - variance.both.variance(contrast)[0], 0.0) * people / wanted
        own = between + variance.both.variance(contrast)[0] * items / dialogues
        total += between
        parts += own**2 / (wanted - 1)
    error, freedom = float(np.sqrt(total)), float(total**2 / parts)
    limit = scipy.stats.t.ppf(1 - (1 - level) / 2 / comparisons, freedom)
    shift = difference / error
    found = scipy.stats.nct.sf(limit, freedom, shift) + scipy.stats.nct.cdf(-limit, freedom, shift)
    return PlannedPower(error, freedom, float(found))
