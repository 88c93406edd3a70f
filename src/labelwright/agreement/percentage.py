"""Percentage agreement: how often two raters of the same item give the same code."""

from __future__ import annotations

import numpy as np

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.counts import Sums
from labelwright.agreement.measures import count_measure


@count_measure(
    "percentage",
    "Share of an item's pairs of ratings with the same code, mean over items with at least two ratings.",
)
def percentage(sums: Sums) -> Floats:
    """Observed agreement without chance correction."""
    return divide(np.trace(sums.pairs, axis1=-2, axis2=-1), sums.items)
