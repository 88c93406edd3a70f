"""Events of platforms: each is heard once, and has what it is about read again. What it says itself is not used."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from labelwright.crowd.platform import BadEvent, HeardEvent
from labelwright.server.publishing.queries import publications as queries
from labelwright.server.store.models import PlatformEvent

OLDEST = timedelta(minutes=5)
KEPT = timedelta(days=30)
"""Longer than any platform repeats an event."""


@transaction.atomic
def hear(platform: str, event: HeardEvent, now: datetime) -> bool:
    """Notes an event, and has its publication read now, in one transaction; returns whether it is new.

    Raises BadEvent for an old one that was heard before: somebody sends it again. An old one that is new is welcome,
    because platforms repeat events for hours after an outage.
    """
    _, new = PlatformEvent.objects.get_or_create(
        platform=platform, event=event.id, defaults={"received_at": now}
    )
    if new:
        queries.read_soon(platform, now, event.publication)
    elif event.signed_at < (now - OLDEST).timestamp():
        raise BadEvent("the event is old, and was heard before.")
    return new


def forget_events(now: datetime) -> int:
    """Deletes what no platform sends again; returns how many."""
    return PlatformEvent.objects.filter(received_at__lt=now - KEPT).delete()[0]
