"""A limit on joins by open links from one network, counted in the database across all servers.

Only a keyed hash of the network is stored, for one hour.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import ClassVar

from labelwright.server.store.locks import lock_named
from labelwright.server.store.models import Joining
from labelwright.server.store.secrets import fingerprint
from labelwright.server.web.errors import RaterError

MOST_JOINS = 30
"""New members by open links, per network and hour."""
COUNTED = timedelta(hours=1)


class TooManyJoins(RaterError):
    """One network has brought too many new members."""

    code: ClassVar[str] = "too_many_joins"
    status: ClassVar[HTTPStatus] = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self) -> None:
        super().__init__(
            "You have not joined yet: too many people have joined from your network in the last hour.",
            "Try again in an hour.",
        )


def count_join(network: str, now: datetime) -> None:
    """Counts one more member from a network; raises TooManyJoins. Call it in the transaction that adds the member.

    Locks the network, so that concurrent joins are counted one by one, on any number of servers.
    """
    hashed = fingerprint("network", network)
    lock_named(hashed)
    if Joining.objects.filter(network=hashed, at__gt=now - COUNTED).count() >= MOST_JOINS:
        raise TooManyJoins
    Joining.objects.create(network=hashed, at=now)


def delete_old_joins(now: datetime) -> int:
    """Deletes joins that no longer count; returns how many. Called by a periodic job, safe to run twice."""
    return Joining.objects.filter(at__lte=now - COUNTED).delete()[0]
