"""Seeded and counterbalanced orders, to balance order effects over the raters of a pool."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from labelwright import seeds


def counterbalanced(count: int, row: int) -> tuple[int, ...]:
    """One row of a Williams square: the numbers 0 to count - 1 in a counterbalanced order.

    Over the rows 0 to count - 1, each number is equally often at each position and follows each
    other number equally often. With an odd count, this takes the rows 0 to 2 * count - 1. Further
    rows repeat the square. (E. J. Williams, 1949, Aust. J. Sci. Res. A 2, 149-168.)

    >>> [counterbalanced(4, row) for row in range(4)]
    [(0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)]
    >>> counterbalanced(3, 0), counterbalanced(3, 3)
    ((0, 1, 2), (2, 1, 0))
    """
    zigzag = [(step + 1) // 2 if step % 2 else (count - step // 2) % count for step in range(count)]
    square, shift = divmod(row, count) if count else (0, 0)
    ordered = tuple((place + shift) % count for place in zigzag)
    return ordered[::-1] if count % 2 and square % 2 else ordered


def counterbalanced_names(names: Iterable[str], seed: int, number: int) -> list[str]:
    """Names in a seeded order that is counterbalanced by the number of the rater.

    The number is the rater's ordinal in the pool, so the order is the same on every server.
    """
    base = _seeded(frozenset(names), seed)
    return [base[place] for place in counterbalanced(len(base), number)]


@lru_cache(maxsize=1024)
def _seeded(names: frozenset[str], seed: int) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (seeds.rank(seed, "condition", name), name)))


def order_candidates(seed: int, item_key: str, rater_number: int, count: int) -> tuple[int, ...]:
    """The order in which an item's candidates are shown to a rater, as positions in the item.

    The order is seeded by item and counterbalanced by the rater's number, so it never changes.

    >>> sorted(order_candidates(7, "d1", 0, 3))
    [0, 1, 2]
    >>> order_candidates(7, "d1", 0, 3) == order_candidates(7, "d1", 6, 3)
    True
    """
    base = sorted(range(count), key=lambda place: seeds.rank(seed, "candidate", item_key, place))
    return tuple(base[place] for place in counterbalanced(count, rater_number))
