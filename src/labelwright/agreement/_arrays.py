"""Array types used by the measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
"""An array of numbers."""
Ints: TypeAlias = NDArray[np.int64]
"""An array of whole numbers, such as codes or positions."""
Code: TypeAlias = int | float | str
"""A label as the data hold it."""
Column: TypeAlias = Sequence[Any] | NDArray[Any]


def divide(above: Floats, below: Floats) -> Floats:
    """The quotient, or nan (without a warning) where it is undefined.

    >>> divide(np.array([1.0, 2.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    above, below = np.asarray(above, float), np.asarray(below, float)
    safe = np.abs(below) > 1e-12
    return np.asarray(np.where(safe, above / np.where(safe, below, 1.0), np.nan))


def sum_by(group: Ints, values: Floats, groups: int) -> Floats:
    """The sum of the values of each group.

    >>> sum_by(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 3)
    array([1., 0., 5.])
    """
    return np.asarray(np.bincount(group, values, groups), dtype=float)
