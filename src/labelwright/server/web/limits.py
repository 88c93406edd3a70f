"""Limits failed attempts, such as invalid links, per network.

Each process counts for itself: guessing is hopeless anyway and creates no database rows. Attempts that create rows
are counted in the database, across all processes; see `people.actions.join_limit`.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_NETWORKS = 10_000
"""The oldest are dropped, so that a flood from many networks cannot fill the memory."""


class Limiter:
    """Allows each network at most `most` attempts within `seconds` seconds.

    >>> limiter = Limiter(2, 60, clock=lambda: 0.0)
    >>> [limiter.allows("192.0.2.7") for _ in range(3)], limiter.allows("198.51.100.1")
    ([True, True, False], True)
    >>> limiter.allows("::ffff:192.0.2.7"), limiter.allows("::ffff:203.0.113.9")
    (False, True)
    """

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._tries: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, address: str) -> bool:
        """Whether this attempt is within the limit; the attempt counts either way."""
        network, now = network_of(address), self._clock()
        with self._lock:
            tries = [at for at in self._tries.pop(network, []) if at > now - self._seconds]
            # Keeping one more than the limit is enough to decide.
            self._tries[network] = [*tries[-self._most :], now]
            if len(self._tries) > MOST_NETWORKS:
                self._tries.popitem(last=False)
            return len(tries) < self._most


def network_of(address: str) -> str:
    """The network of an address, because one person can have many IPv6 addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped:
        # A dual-stack server writes IPv4 addresses in this form, which would all be in one IPv6 network.
        parsed = parsed.ipv4_mapped
    prefix = 32 if parsed.version == 4 else 64
    return str(ipaddress.ip_network((parsed.packed, prefix), strict=False))
