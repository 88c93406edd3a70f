"""Pseudo-items: the few items that are added to a sample before it is resampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labelwright.agreement._arrays import Floats, Ints

# How much they weigh together, in items. Chosen by simulation: see docs/explanation/intervals.md.
UNANIMOUS, DISSENTING = 1.0, 0.5
# Of a scale with many codes, this many stand for all of them.
_MOST_CODES = 20


@dataclass(frozen=True, eq=False)
class PseudoItems:
    """What each pseudo-item adds to the sums over items, and how much it weighs."""

    features: Floats
    mass: Floats


def representative_codes(totals: Floats | Ints) -> Ints:
    """Positions of the codes that pseudo-items have: those that occur, or all if fewer than two occur.

    >>> representative_codes(np.array([5.0, 0.0, 2.0])).tolist()
    [0, 2]
    """
    used = np.flatnonzero(np.asarray(totals) > 0)
    if len(used) < 2:
        used = np.arange(len(totals))
    return used[np.unique(np.linspace(0, len(used) - 1, min(len(used), _MOST_CODES)).astype(np.int64))]


def masses(codes: int) -> Floats:
    """The weight of the unanimous pseudo-items of each code, then of those with a dissenting rating."""
    return np.repeat([UNANIMOUS / max(codes, 1), DISSENTING / max(codes, 1)], codes)


def pseudo_pairs(chosen: Ints, size: int, ratings: float) -> tuple[Floats, Floats]:
    """Shares of codes, and of ordered pairs of codes, in each pseudo-item.

    In a dissenting one, all ratings but one have its code, and the other one is equally likely any other code.
    """
    own = np.eye(size)[chosen]
    others = (np.isin(np.arange(size), chosen) - own) / max(len(chosen) - 1, 1)
    agreed = own[:, :, None] * own[:, None, :]
    split = own[:, :, None] * others[:, None, :]
    dissent = ((ratings - 2) * agreed + split + split.transpose(0, 2, 1)) / ratings
    shares = ((ratings - 1) * own + others) / ratings
    return np.concatenate([own, shares]), np.concatenate([agreed, dissent])


def pseudo_rows(chosen: Ints, ratings: int) -> tuple[Ints, Floats]:
    """Pseudo-items as rows of ratings, and the weight of each row.

    Every rating of a row may be the dissenting one, and it may have any other code.
    """
    unanimous = np.repeat(chosen[:, None], ratings, axis=1)
    code, other, place = (
        axis.ravel() for axis in np.meshgrid(chosen, chosen, np.arange(ratings), indexing="ij")
    )
    dissent = np.repeat(code[:, None], ratings, axis=1)
    dissent[np.arange(len(dissent)), place] = other
    dissent = dissent[code != other]
    mass = [
        np.full(len(unanimous), UNANIMOUS / max(len(unanimous), 1)),
        np.full(len(dissent), DISSENTING / max(len(dissent), 1)),
    ]
    return np.concatenate([unanimous, dissent]), np.concatenate(mass)
