"""Agreement of one rater with the others, in units of Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from labelwright.agreement._arrays import Code, Floats
from labelwright.agreement.alpha import nominal_distance, ordinal_distance
from labelwright.agreement.bootstrap import Bootstrap
from labelwright.agreement.estimate import Estimate
from labelwright.agreement.means import mean_estimate
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP

DEFINITION = (
    "One minus the mean distance between this rater's answer and the others' answers to the same item, over the "
    "distance that chance would give, which is that of Krippendorff's alpha over all raters. The mean over all raters, "
    "weighted by their ratings, is that alpha."
)


@dataclass(frozen=True, eq=False)
class ChanceDistance:
    """How far apart two answers to a question are, and how far apart chance would put them."""

    between: Mapping[tuple[Code, Code], float]
    """By two codes."""
    expected: float
    """The mean distance of two ratings of any items; 0 if there is no variation, so that agreement has no value."""

    @classmethod
    def of_totals(cls, totals: Mapping[Code, int], *, ordinal: bool) -> ChanceDistance:
        """The distances of a question, from how often each code was given to items with two ratings or more.

        The codes of an ordinal scale are in its order, and those without a place in it are left out.

        >>> found = ChanceDistance.of_totals({0: 3, 1: 3}, ordinal=False)
        >>> found.between[0, 1], found.expected
        (1.0, 0.6)
        """
        codes, given = list(totals), np.array(list(totals.values()), dtype=float)
        distance = ordinal_distance(given) if ordinal else nominal_distance(len(codes))
        ratings = float(given.sum())
        # Two different ratings, as in alpha: of n ratings, n (n - 1) ordered pairs.
        apart = float((given[:, None] * given[None, :] * distance).sum())
        between = {
            (one, other): float(distance[i, j])
            for i, one in enumerate(codes)
            for j, other in enumerate(codes)
        }
        return cls(between, apart / (ratings * (ratings - 1)) if ratings > 1 else 0.0)


def agreement_with_others(
    distances: Sequence[float] | Floats,
    chance: ChanceDistance,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """The agreement of one rater, from the mean distance to the others' answers on each item that others rated too.

    The interval is over items: for this rater and these others, and other items. What chance would give comes from all
    ratings and counts as known. Undefined (nan) without such an item, or if all ratings of the question are alike.

    >>> chance = ChanceDistance.of_totals({0: 3, 1: 3}, ordinal=False)
    >>> agreement_with_others([0, 0, 1], chance, bootstrap=None).value.__round__(4)
    0.4444
    """
    known = chance.expected > 0
    values = 1 - np.asarray(distances, dtype=float) / chance.expected if known else np.empty(0)
    lowest = 1 - max(chance.between.values(), default=0.0) / chance.expected if known else 0.0
    return mean_estimate(
        "agreement_with_others", values, DEFINITION, bootstrap, bounds=(lowest, 1.0), ratings=len(values)
    )
