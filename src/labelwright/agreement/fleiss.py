"""Fleiss' kappa (Fleiss 1971, "Measuring nominal scale agreement among many raters")."""

from __future__ import annotations

import numpy as np

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.counts import Sums
from labelwright.agreement.measures import count_measure


@count_measure(
    "fleiss_kappa",
    "Fleiss' kappa: agreement beyond that of raters who draw codes from the pooled distribution. "
    "Where items have different numbers of ratings, each item counts once (Gwet 2014).",
)
def fleiss_kappa(sums: Sums) -> Floats:
    """Agreement beyond chance, codes unordered, raters interchangeable."""
    observed = sums.observed(np.eye(len(sums.codes)))
    chance = (sums.prevalence**2).sum(axis=-1)
    return divide(observed - chance, 1 - chance)
