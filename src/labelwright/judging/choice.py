"""Choice: which items people should rate next, and whether more are needed at all.

The interval of a combined estimate depends on how far people's scores are from the model's. Items on which it is
likely to be wrong teach more, so they get a higher chance (as in Zrnic and Candes, "Active statistical
inference", 2024). Every item keeps a chance above 0, and all chances are recorded, so that the estimate stays valid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from labelwright.agreement import Floats
from labelwright.analysis.errors import NotLabels
from labelwright.judging.comparison import Gathered
from labelwright.judging.estimates import Evidence, estimate_mean
from labelwright.seeds import rank

EQUAL_SHARE = 0.25
"""The part of the chances that is the same for all items, because what is known about errors may be wrong."""
# The weight, in items, of the error that all labels of the model have in common.
_POOLED = 5.0


@dataclass(frozen=True)
class NextItem:
    """An item to rate, with the probability that it is rated at all, in this draw or an earlier one."""

    item: str
    probability: float


@dataclass(frozen=True)
class Choice:
    """What to rate next: nothing if the answer is certain enough, and by chance nothing if hardly anything is needed."""

    items: tuple[NextItem, ...]
    probabilities: tuple[NextItem, ...]
    """For every item, to be recorded before anybody rates."""
    half_width: float
    wanted: float
    needed: int
    """How many more rated items are expected to reach the wanted half width."""

    @property
    def certain_enough(self) -> bool:
        """Whether the interval is as narrow as wanted."""
        return self.half_width <= self.wanted

    @property
    def sentence(self) -> str:
        """The answer in words."""
        if self.certain_enough:
            return (
                f"The answer is certain enough: the interval reaches {self.half_width:.2f} to each side, and "
                f"{self.wanted:.2f} was asked for. No more items need to be rated."
            )
        return (
            f"The interval reaches {self.half_width:.2f} to each side; {self.wanted:.2f} was asked for. About "
            f"{self.needed:,} more rated items are expected to suffice."
        )


@dataclass(frozen=True)
class DrawnBefore:
    """What earlier draws have done."""

    probability: Mapping[str, float]
    """For each item, how probable it was that people got it."""
    given: Collection[str]
    """The items that people got, also if they gave no label."""
    round: str
    """Different for each draw, so that each has random numbers of its own."""


def choose_next(
    gathered: Gathered,
    wanted: float,
    *,
    many: int | None = None,
    seed: int = 0,
    most: int = 10_000,
    item_of: Callable[[str], str] = str,
    before: DrawnBefore | None = None,
    equal_share: float = EQUAL_SHARE,
) -> Choice:
    """The items to rate next for an interval of the mean score that reaches `wanted` to each side.

    `many` is how many to draw; by default as many as are expected to be needed. Names with the same `item_of`, such as
    an item in several conditions or the items of a task, are drawn together and count as one. Without `before`, every item
    was drawn with the same chance, or with that of the evidence. With an `equal_share` of 1, all have the same chance.
    """
    evidence = gathered.evidence
    found = estimate_mean(evidence)
    half = found.combined.spread.half_width()
    rated = evidence.ratings_of > 0
    needed = needed_items(found.labelled, half, wanted)
    names, at = np.unique([item_of(name) for name in gathered.names], return_inverse=True)
    items: list[str] = names.tolist()
    given = _highest(rated.astype(float), at) > 0
    if before:
        given |= np.array([item in before.given for item in items])
    expected = math.ceil(needed * len(items) / evidence.items) if many is None else many
    size = min(expected, int((~given).sum()), most)
    if not size:
        return Choice((), (), half, wanted, needed)
    chances = draw_chances(_pooled(expected_errors(evidence, found.weight), at), ~given, size, equal_share)
    earlier = (
        np.array([before.probability[item] for item in items])
        if before
        else _highest(_earlier(evidence, rated), at)
    )
    every = tuple(map(NextItem, items, (1 - (1 - earlier) * (1 - chances)).tolist()))
    drawn = _draw(items, np.where(given, 0.0, chances), seed, before.round if before else str(rated.sum()))
    return Choice(tuple(every[place] for place in drawn), every, half, wanted, needed)


def needed_items(labelled: int, half: float, wanted: float) -> int:
    """How many more rated items are needed, besides those that are labelled, if a variance falls with their number.

    The part of the variance that comes from the model's labels of all items stays.

    >>> needed_items(100, 0.2, 0.1), needed_items(100, 0.1, 0.1)
    (300, 0)
    """
    if half <= wanted or not half > 0:
        return 0
    if wanted <= 0:
        raise NotLabels("an interval always reaches somewhere.", expected="a half width above 0.")
    return math.ceil(labelled * ((half / wanted) ** 2 - 1))


def expected_errors(evidence: Evidence, weight: float) -> Floats:
    """For each item, how far people's score is expected to be from the model's, from items with the same label."""
    rated = evidence.ratings_of > 0
    rest = evidence.item_score - weight * evidence.model
    squared = (rest - np.nanmean(rest[rated])) ** 2
    overall = float(squared[rated].mean())
    found = np.full(evidence.items, overall)
    for label in np.unique(evidence.model):
        alike = evidence.model == label
        seen = squared[alike & rated]
        found[alike] = (seen.sum() + _POOLED * overall) / (len(seen) + _POOLED)
    return np.asarray(np.sqrt(found))


def draw_chances(errors: Floats, free: np.ndarray, size: int, equal_share: float = EQUAL_SHARE) -> Floats:
    """The chance of each item, higher for a higher expected error, so that `size` free items are drawn on average.

    Items that are not free have the chance that they would have had, which their probability is made of.

    >>> draw_chances(np.array([1.0, 3.0]), np.array([True, True]), 1).round(3).tolist()
    [0.312, 0.688]
    """
    wanted = errors / errors[free].mean() if errors[free].any() else np.ones(len(errors))
    relative = (1 - equal_share) * wanted + equal_share
    factor = size / free.sum()
    # A chance above 1 is certain, so the others must be raised until as many as wanted are drawn on average.
    for _ in range(50):
        chances = np.minimum(factor * relative, 1.0)
        factor *= size / chances[free].sum()
    return np.asarray(chances)


def _highest(values: Floats, at: np.ndarray) -> Floats:
    """The highest value of each item."""
    found = np.zeros(int(at.max()) + 1)
    np.maximum.at(found, at, values)
    return found


def _pooled(errors: Floats, at: np.ndarray) -> Floats:
    """The expected error of what is drawn together, whose cost is the number of its labels."""
    return np.asarray(np.sqrt(np.bincount(at, errors**2) / np.bincount(at)))


def _draw(names: Sequence[str], chances: Floats, seed: int, turn: str) -> list[int]:
    """Each item by itself: drawn if its pseudo-random number is below its chance."""
    numbers = np.array([rank(seed, "next items", turn, name) / 2**63 for name in names])
    return np.flatnonzero(numbers < chances).tolist()


def _earlier(evidence: Evidence, rated: np.ndarray) -> Floats:
    if evidence.probability is not None:
        return evidence.probability
    return np.full(evidence.items, rated.mean())
