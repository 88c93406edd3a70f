"""Balance: the condition that a rater is offered next."""

from __future__ import annotations

from collections.abc import Mapping

from labelwright.crowd.orders import counterbalanced_names


def order_conditions(
    offered: Mapping[str, int], mine: Mapping[str, int], seed: int, number: int
) -> list[str]:
    """The order in which conditions are tried for the rater with this number in the pool.

    Conditions with the fewest offered ratings come first, then those that this rater had least
    often, then the order in the rater's row of a counterbalanced square.

    >>> order_conditions({"C0": 3, "C3": 2}, {}, seed=1, number=1)
    ['C3', 'C0']
    >>> order_conditions({"C0": 2, "C3": 2}, {"C0": 1}, seed=1, number=1)
    ['C3', 'C0']
    """
    own = counterbalanced_names(offered, seed, number)
    return sorted(own, key=lambda name: (offered[name], mine.get(name, 0)))
