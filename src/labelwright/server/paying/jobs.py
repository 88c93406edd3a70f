"""Jobs of paying: calls to platforms are sent, and those without an answer are looked up."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from functools import partial

from django.db import connection

from labelwright.crowd import CallState
from labelwright.crowd.platform import PLATFORMS, CallAnswer, Connection
from labelwright.errors import LabelwrightError
from labelwright.server.paying.actions.calls import SenderTask, TakenCall, record_answer, take_call
from labelwright.server.store.queue import despite_outages, periodic

log = logging.getLogger(__name__)
# Six fields, the last of them seconds.
EVERY_5_SECONDS = "* * * * * */5"
Connect = Callable[[str], Connection]


def connect(platform: str) -> Connection:
    """A connection to a platform, with the credentials of the environment."""
    return PLATFORMS[platform].connect(os.environ)


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def send_next(now: datetime, connect: Connect = connect, clock: Callable[[], datetime] = utc_now) -> int:
    """Sends or looks up one call that is due; returns how many there were, 0 or 1."""
    taken = take_call(now)
    if taken is None:
        return 0
    # Others need the connection to the database more than a job that waits for a platform.
    connection.close()
    answer = _make(taken, connect)
    log.info("%s %s: %s", taken.platform, taken.outgoing.kind, answer.state)
    despite_outages(partial(record_answer, taken, answer, clock()))
    return 1


def _make(taken: TakenCall, connect: Connect) -> CallAnswer:
    """What is known of a call after it was made or looked up. Without a connection, nothing was sent."""
    sends = taken.task == SenderTask.SEND
    try:
        to = connect(taken.platform)
    except LabelwrightError as error:
        return CallAnswer(CallState.PLANNED if sends else CallState.UNKNOWN, str(error))
    with closing(to):
        return to.send(taken.outgoing) if sends else to.find(taken.outgoing)


@periodic("send_calls", EVERY_5_SECONDS)
def send(now: datetime) -> int:
    """Sends one call that is due."""
    return send_next(now)
