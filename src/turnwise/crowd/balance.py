"""Balance: which condition a rater is offered next."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise import seeds


def order_conditions(offered: Mapping[str, int], mine: Mapping[str, int], seed: int, rater: int) -> list[str]:
    """The conditions in the order in which they are tried for this rater.

    The one with the fewest ratings offered comes first; among equals the one that
    this rater had least; then a seeded order of the rater's own.

    >>> order_conditions({"C0": 3, "C3": 2}, {}, seed=1, rater=1)
    ['C3', 'C0']
    >>> order_conditions({"C0": 2, "C3": 2}, {"C0": 1}, seed=1, rater=1)
    ['C3', 'C0']
    """
    return sorted(offered, key=lambda name: (offered[name], mine.get(name, 0), seeds.rank(seed, name, rater)))
