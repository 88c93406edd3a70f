"""How many people of one network join by open links: counted in the database, for all servers together.

Of a network only a keyed hash is stored, and that for an hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from labelwright.server.actions.errors import TooManyJoins
from labelwright.server.store.locks import lock_named
from labelwright.server.store.models import Joining
from labelwright.server.store.secrets import fingerprint

MOST_JOINS = 30
"""New members by open links, per network and hour."""
COUNTED = timedelta(hours=1)


def count_join(network: str, now: datetime) -> None:
    """Counts one more of a network; raises TooManyJoins. In the transaction that makes the member.

    Locks the network, so that any number at once, at any number of servers, are counted one by one.
    """
    hashed = fingerprint("network", network)
    lock_named(hashed)
    if Joining.objects.filter(network=hashed, at__gt=now - COUNTED).count() >= MOST_JOINS:
        raise TooManyJoins
    Joining.objects.create(network=hashed, at=now)


def forget_joins(now: datetime) -> int:
    """Deletes what counts no more; how many. Called by a periodic job, safe to run twice."""
    return Joining.objects.filter(at__lte=now - COUNTED).delete()[0]
