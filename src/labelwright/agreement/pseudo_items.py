"""Pseudo-items: the few items that are added to a sample before it is resampled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labelwright.agreement._arrays import Floats, Ints

# How much they weigh together, in items. Chosen by their coverage: see docs/explanation/intervals.md.
UNANIMOUS, DISSENTING = 0.75, 0.75
# Of a scale with many codes, this many stand for all of them.
_MOST_CODES = 20


@dataclass(frozen=True, eq=False)
class PseudoItems:
    """What each pseudo-item adds to the sums over items, and how much it weighs."""

    features: Floats
    mass: Floats
    values: int
    """How many different values or codes they have."""


def fewer_items(values: int) -> float:
    """By how many items fewer than there are the weights vary, as Student's t is wider than the normal distribution.

    With two codes, few values are possible at all, which makes intervals wide enough.
    """
    return 0.5 if values <= 2 else 3.0


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

    In a dissenting one, from one rating up to a third of them have another code, which is equally likely any other one.
    """
    own = np.eye(size)[chosen]
    others = (np.isin(np.arange(size), chosen) - own) / max(len(chosen) - 1, 1)
    agreed, elsewhere = own[:, :, None] * own[:, None, :], others[:, :, None] * np.eye(size)
    split = own[:, :, None] * others[:, None, :] + others[:, :, None] * own[:, None, :]
    shares, dissent = np.zeros_like(own), np.zeros_like(agreed)
    for n in _dissenters(ratings):
        rest = ratings - n
        shares += (rest * own + n * others) / ratings
        dissent += rest * (rest - 1) * agreed + n * (n - 1) * elsewhere + n * rest * split
    kinds = len(_dissenters(ratings))
    dissent /= kinds * ratings * (ratings - 1)
    return np.concatenate([own, shares / kinds]), np.concatenate([agreed, dissent])


def pseudo_rows(chosen: Ints, ratings: int) -> tuple[Ints, Floats]:
    """Pseudo-items as rows of ratings, and the weight of each row; the rows of each code follow one another.

    The dissenting ratings of a row are neighbours, at every place of the row, and may have any other code.
    """
    unanimous = np.repeat(chosen[:, None], ratings, axis=1)
    windows = [
        (np.arange(ratings) - place) % ratings < n for n in _dissenters(ratings) for place in range(ratings)
    ]
    codes = [(code, other) for code in chosen for other in chosen if code != other]
    dissent = np.array([np.where(window, other, code) for code, other in codes for window in windows])
    rows = np.concatenate([unanimous, dissent.reshape(-1, ratings)]).astype(np.int64)
    many = len(rows) - len(chosen)
    return rows, np.repeat([UNANIMOUS / len(chosen), DISSENTING / max(many, 1)], [len(chosen), many])


def _dissenters(ratings: float) -> range:
    """How many ratings dissent, in the different kinds of dissenting pseudo-items."""
    return range(1, max(int(ratings / 3), 1) + 1)
