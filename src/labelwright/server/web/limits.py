"""How often one network may try what does not work.

Counted in each process: a guess is hopeless anyway, and leaves no row behind. What makes rows is counted in the
database, for all processes: see `actions.joins`.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_NETWORKS = 10_000
"""The oldest are forgotten, so that a flood from everywhere fills no memory."""


class Limiter:
    """Lets a network do something so many times within so many seconds.

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
        """Whether this try is within the limit; it counts either way."""
        network, now = network_of(address), self._clock()
        with self._lock:
            tries = [at for at in self._tries.pop(network, []) if at > now - self._seconds]
            # One more than the limit says all that there is to say.
            self._tries[network] = [*tries[-self._most :], now]
            if len(self._tries) > MOST_NETWORKS:
                self._tries.popitem(last=False)
            return len(tries) < self._most


def network_of(address: str) -> str:
    """The network of an address: one person has many addresses of version 6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped:
        # A server that listens for both versions writes those of version 4 so, all in one network of version 6.
        parsed = parsed.ipv4_mapped
    prefix = 32 if parsed.version == 4 else 64
    return str(ipaddress.ip_network((parsed.packed, prefix), strict=False))
