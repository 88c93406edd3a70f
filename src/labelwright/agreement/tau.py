"""Kendall's tau-b (Kendall 1945, "The treatment of ties in ranking problems"), mean over pairs of raters."""

from __future__ import annotations

import numpy as np

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.measures import pair_measure


def tau_of_tables(tables: Floats) -> Floats:
    """Tau-b of each table of codes x codes in scale order; nan if a rater used only one code.

    >>> tau_of_tables(np.array([[2.0, 0.0], [0.0, 3.0]]))
    array(1.)
    """
    total = tables.sum(axis=(-1, -2))
    concordant = (tables * _strictly_above(tables)).sum(axis=(-1, -2))
    discordant = (tables * _strictly_above(tables[..., ::-1])[..., ::-1]).sum(axis=(-1, -2))
    untied_rows = total**2 - (tables.sum(axis=-1) ** 2).sum(axis=-1)
    untied_columns = total**2 - (tables.sum(axis=-2) ** 2).sum(axis=-1)
    return divide(2 * (concordant - discordant), np.sqrt(untied_rows * untied_columns))


def _strictly_above(tables: Floats) -> Floats:
    """For each cell, the number of items to which both raters gave a higher code."""
    reverse = (..., slice(None, None, -1), slice(None, None, -1))
    beyond = tables[reverse].cumsum(axis=-1).cumsum(axis=-2)[reverse]
    above = np.zeros_like(tables)
    above[..., :-1, :-1] = beyond[..., 1:, 1:]
    return above


kendall_tau_b = pair_measure(
    "kendall_tau_b",
    "Kendall's tau-b of every pair of raters over the items they share, with codes in scale order, "
    "mean over pairs weighted by the number of shared items; pairs without a value are left out.",
    needs_order=True,
)(tau_of_tables)
