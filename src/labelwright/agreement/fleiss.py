"""Fleiss' kappa (Fleiss 1971, "Measuring nominal scale agreement among many raters")."""

from __future__ import annotations

import numpy as np

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.counts import Sums
from labelwright.agreement.measures import count_measure


@count_measure(
    "fleiss_kappa",
    "Fleiss' kappa: agreement beyond chance, where chance means drawing codes from the pooled distribution. "
    "If items have different numbers of ratings, each item has the same weight (Gwet 2014). Items with one "
    "rating are left out, of chance agreement too (irrCAC counts them there).",
)
def fleiss_kappa(sums: Sums) -> Floats:
    """Chance-corrected agreement for unordered codes and interchangeable raters."""
    observed = sums.observed(np.eye(len(sums.codes)))
    chance = (sums.prevalence**2).sum(axis=-1)
    return divide(observed - chance, 1 - chance)
