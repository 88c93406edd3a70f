"""The model of Bradley and Terry (1952) with Davidson's ties (1970), and how it is fitted.

The log odds that the first of two systems beats the second are the difference of their log strengths, plus a
coefficient times each covariate. Two equal systems tie with probability tie / (2 + tie).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.linalg import helmert
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import softmax

from labelwright.agreement import Floats, Ints
from labelwright.analysis.clusters import Clusters

_ROUNDS, _TOLERANCE = 100, 1e-10
# A log odds this large means that the data do not limit a parameter.
_WITHOUT_LIMIT = 25.0


@dataclass(frozen=True, eq=False)
class NumberedComparisons:
    """Comparisons as numbers, without those that the model leaves out."""

    names: tuple[str, ...]
    first: Ints
    second: Ints
    share: Floats
    """1 if the first won, 0.5 for a tie, 0 if the second won."""
    weight: Floats
    covariates: Floats
    """Comparisons x covariates, in units of `units`."""
    units: Floats
    clusters: Clusters

    @property
    def tied(self) -> Any:
        """Which comparisons are ties."""
        return self.share == 0.5


def why_unlimited(compared: NumberedComparisons) -> str | None:
    """Why no finite strengths can be estimated (Ford 1957: every group must have lost to the rest)."""
    if not len(compared.first):
        return "there are no comparisons."
    if compared.tied.all():
        return "every comparison is a tie."
    groups = connected_groups(compared, "weak")
    if len(groups) > 1:
        listed = "; ".join(", ".join(group) for group in groups)
        return f"the systems fall into {len(groups)} groups that were never compared ({listed})."
    groups = connected_groups(compared, "strong")
    if len(groups) > 1:
        listed = "; ".join(", ".join(group) for group in groups)
        return f"some systems never lost to the others, so their strength has no upper limit ({listed})."
    return None


def connected_groups(compared: NumberedComparisons, connection: Literal["weak", "strong"]) -> list[list[str]]:
    """Systems that are connected by comparisons, or by wins in both directions. A tie is both."""
    size = len(compared.names)
    won = np.zeros((size, size))
    np.add.at(won, (compared.first, compared.second), compared.share)
    np.add.at(won, (compared.second, compared.first), 1 - compared.share)
    found, group = connected_components(csr_array(won), connection=connection)
    return [[compared.names[i] for i in np.flatnonzero(group == each)] for each in range(found)]


@dataclass(frozen=True, eq=False)
class PairFit:
    """Estimates and how far each comparison moves them."""

    logs: Floats
    """Log strengths, with mean 0."""
    covariates: Floats
    tie: float
    influence: Floats
    """Comparisons x (log strengths, then covariates)."""


def _design(compared: NumberedComparisons) -> Floats:
    """Comparisons x parameters: contrasts of log strengths, then covariates."""
    contrasts = helmert(len(compared.names)).T
    return np.hstack([contrasts[compared.first] - contrasts[compared.second], compared.covariates])


def fit_pairs(compared: NumberedComparisons) -> PairFit | None:
    """The most likely parameters, by Newton's method; None if they have no limit."""
    found = _most_likely(_collapsed(compared))
    if found is None:
        return None
    design, ties = _design(compared), bool(compared.tied.any())
    size = design.shape[1]
    residual, tie_residual = _residuals(compared, design, found, ties=ties)
    scores = np.hstack([residual[:, None] * design, *([tie_residual[:, None]] if ties else [])])
    moved = scores @ np.linalg.pinv(_derivatives(compared, design, found, ties=ties)[1])
    contrasts = helmert(len(compared.names)).T
    strengths = contrasts.shape[1]
    return PairFit(
        contrasts @ found[:strengths],
        found[strengths:size],
        math.exp(found[-1]) if ties else 0.0,
        np.hstack([moved[:, :strengths] @ contrasts.T, moved[:, strengths:size]]),
    )


def _collapsed(compared: NumberedComparisons) -> NumberedComparisons:
    """Equal comparisons as one with the sum of their weights, so that a million take hardly longer than a hundred."""
    facts = np.column_stack([compared.first, compared.second, compared.share, compared.covariates])
    distinct, number = np.unique(facts, axis=0, return_inverse=True)
    return replace(
        compared,
        first=distinct[:, 0].astype(np.int64),
        second=distinct[:, 1].astype(np.int64),
        share=distinct[:, 2],
        covariates=distinct[:, 3:],
        weight=np.bincount(number.ravel(), compared.weight).astype(float),
    )


def _most_likely(compared: NumberedComparisons) -> Floats | None:
    """Contrasts of log strengths, covariates and, if there are ties, the logarithm of their parameter."""
    design, ties = _design(compared), bool(compared.tied.any())
    found = np.zeros(design.shape[1] + ties)
    for _ in range(_ROUNDS):
        gradient, bend = _derivatives(compared, design, found, ties=ties)
        step = np.linalg.lstsq(bend, gradient, rcond=None)[0]
        # A long step overshoots where the likelihood is flat.
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        found = found + step
        if np.abs(found).max() > _WITHOUT_LIMIT:
            return None
        if np.abs(step).max() < _TOLERANCE:
            return np.asarray(found)
    return None


def _chances(design: Floats, found: Floats, *, ties: bool) -> tuple[Floats, Floats]:
    """The chance that the first wins and the chance of a tie, of every comparison."""
    log_odds = design @ found[: design.shape[1]]
    each = [log_odds, np.zeros_like(log_odds), *([found[-1] + log_odds / 2] if ties else [])]
    chances = softmax(np.stack(each), axis=0)
    return chances[0], chances[2] if ties else np.zeros_like(log_odds)


def _residuals(
    compared: NumberedComparisons, design: Floats, found: Floats, *, ties: bool
) -> tuple[Floats, Floats]:
    wins, tie = _chances(design, found, ties=ties)
    return compared.weight * (compared.share - wins - tie / 2), compared.weight * (compared.tied - tie)


def _derivatives(
    compared: NumberedComparisons, design: Floats, found: Floats, *, ties: bool
) -> tuple[Floats, Floats]:
    """The first derivative of the log likelihood, and the negative of the second."""
    wins, tie = _chances(design, found, ties=ties)
    expected = wins + tie / 2
    residual = compared.weight * (compared.share - expected)
    spread = compared.weight * (wins + tie / 4 - expected**2)
    bend = design.T @ (design * spread[:, None])
    gradient = design.T @ residual
    if not ties:
        return gradient, bend
    shared = design.T @ (compared.weight * (tie / 2 - expected * tie))
    own = float(compared.weight @ (tie * (1 - tie)))
    tied = float(compared.weight @ (compared.tied - tie))
    return np.append(gradient, tied), np.block([[bend, shared[:, None]], [shared[None, :], own]])


def with_half_wins(compared: NumberedComparisons) -> NumberedComparisons:
    """The comparisons, and half a win and half a loss for every pair that met."""
    met = np.unique(np.sort(np.stack([compared.first, compared.second]), axis=0), axis=1)
    n = met.shape[1]
    extra = np.arange(2 * n) + len(compared.first)
    return NumberedComparisons(
        compared.names,
        np.concatenate([compared.first, met[0], met[0]]),
        np.concatenate([compared.second, met[1], met[1]]),
        np.concatenate([compared.share, np.ones(n), np.zeros(n)]),
        np.concatenate([compared.weight, np.full(2 * n, 0.5)]),
        np.vstack([compared.covariates, np.zeros((2 * n, compared.covariates.shape[1]))]),
        compared.units,
        Clusters(np.concatenate([compared.clusters.item, extra]), None),
    )
