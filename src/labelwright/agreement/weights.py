"""Weights for how close two codes of a scale are: from 1 for equal codes down to 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from labelwright.agreement._arrays import Code, Floats
from labelwright.agreement.errors import UnknownOption

Weighting: TypeAlias = Literal["plain", "linear", "quadratic", "ordinal"]


def closeness(codes: Sequence[Code], weighting: Weighting) -> Floats:
    """The weight of each pair of codes, by their positions on the scale.

    Quadratic weights are 1 - (i - j)^2 / (c - 1)^2, as in the Let's Go study. Ordinal weights
    are Gwet's, by the number of code pairs between the two (Gwet, Handbook of Inter-Rater
    Reliability, 4th edition, section 3.5).

    >>> closeness((0, 1, 2), "linear").tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    size = len(codes)
    place = np.arange(size)
    distance = np.abs(place[:, None] - place[None, :]).astype(float)
    longest = max(size - 1, 1)
    if weighting == "plain":
        return np.eye(size)
    if weighting == "linear":
        return np.asarray(1 - distance / longest)
    if weighting == "quadratic":
        return np.asarray(1 - (distance / longest) ** 2)
    if weighting == "ordinal":
        between = distance * (distance + 1) / 2
        return np.asarray(1 - between / max(between.max(initial=0), 1))
    raise UnknownOption(f"unknown weighting {weighting!r}.", expected="plain, linear, quadratic or ordinal.")
