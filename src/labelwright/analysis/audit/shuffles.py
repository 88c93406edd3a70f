"""Shuffles: agreement within items, compared with labels that are shuffled over all items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labelwright.agreement import Floats, Ints
from labelwright.seeds import generator

# If the first runs all agree less, more runs would not change the conclusion.
_FIRST_RUNS, _MORE_RUNS = 99, 400


@dataclass(frozen=True, eq=False)
class ShuffledAgreement:
    """The observed agreement of ratings of one item, and that of shuffled labels."""

    observed: float
    shuffled: Floats

    @property
    def expected(self) -> float:
        """The mean over shuffles."""
        return float(self.shuffled.mean())

    @property
    def p(self) -> float:
        """The chance of at least the observed agreement."""
        return float((1 + (self.shuffled >= self.observed - 1e-12).sum()) / (1 + len(self.shuffled)))

    @property
    def deviation(self) -> float:
        """The distance from the mean of the shuffles in standard deviations."""
        spread = float(self.shuffled.std())
        return (self.observed - self.expected) / spread if spread > 0 else 0.0


def shuffle_labels(item: Ints, code: Ints, numbers: Floats | None = None) -> ShuffledAgreement | None:
    """Agreement within items: pairs with the same code or, if numbers are given, the variance between items.

    None if no item has two ratings, or all labels are the same.
    """
    paired = np.bincount(item)[item] > 1 if len(item) else np.zeros(0, dtype=bool)
    item, code = item[paired], code[paired]
    if not len(item) or np.ptp(code) == 0:
        return None
    item = np.unique(item, return_inverse=True)[1].astype(np.int64)
    sizes = np.bincount(item)
    draw = generator(0, "audit", "shuffles")

    def value(codes: Ints) -> float:
        return _same(item, codes, sizes) if numbers is None else _between(item, numbers[codes], sizes)

    observed = value(code)
    shuffled = [value(draw.permutation(code)) for _ in range(_FIRST_RUNS)]
    if max(shuffled) >= observed:
        shuffled += [value(draw.permutation(code)) for _ in range(_MORE_RUNS)]
    return ShuffledAgreement(observed, np.array(shuffled))


def _same(item: Ints, code: Ints, sizes: Ints) -> float:
    """The share of pairs with the same label, each item counting alike."""
    width = int(code.max()) + 1
    counts = np.bincount(item * width + code, minlength=len(sizes) * width)
    pairs = (counts * (counts - 1)).reshape(len(sizes), width).sum(axis=1)
    return float((pairs / (sizes * (sizes - 1))).mean())


def _between(item: Ints, numbers: Floats, sizes: Ints) -> float:
    """The share of the variance that lies between items."""
    centred = numbers - numbers.mean()
    return float((np.bincount(item, centred) ** 2 / sizes).sum() / (centred**2).sum())
