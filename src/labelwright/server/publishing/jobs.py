"""Jobs of publishing: publications that a platform has made are opened, and all that can change are read."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from django.db import connection

from labelwright.crowd.platform import PlatformSilent
from labelwright.server.publishing.actions.connection import get_reading
from labelwright.server.publishing.actions.events import forget_events
from labelwright.server.publishing.actions.participants import grant_members
from labelwright.server.publishing.actions.publications import carry_on
from labelwright.server.publishing.actions.readings import record_reading, take_due
from labelwright.server.store.queue import despite_outages, periodic

log = logging.getLogger(__name__)
# Six fields, the last of them seconds.
EVERY_5_SECONDS = "* * * * * */5"
EVERY_HOUR = "17 * * * *"


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def read_next(now: datetime, clock: Callable[[], datetime] = utc_now) -> int:
    """Reads one publication that is due; returns how many there were, 0 or 1. A silent platform is read again later."""
    due = take_due(now)
    if due is None:
        return 0
    # Others need the connection to the database more than a job that waits for a platform.
    connection.close()
    # What the platform says is at least as old as this.
    asked = clock()
    try:
        reading = get_reading(due.platform, due.external)
    except PlatformSilent as silent:
        log.warning("publication %d was not read: %s", due.id, silent)
        return 1
    despite_outages(partial(record_reading, due.id, reading, asked))
    return 1


@periodic("read_publications", EVERY_5_SECONDS)
def read(now: datetime) -> int:
    """Opens what platforms have made, adds raters who qualified, and reads one publication that is due."""
    carry_on(now)
    grant_members(now)
    return read_next(now)


@periodic("forget_platform_events", EVERY_HOUR)
def forget(now: datetime) -> int:
    """Deletes events that are old."""
    forget_events(now)
    return 0
