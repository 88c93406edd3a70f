"""What a requester finds in a study's messages: who waits for an answer, every thread, every board. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from labelwright.server.store.models import Message, Study
from labelwright.server.store.rows import rows

MOST_THREADS = 200


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question of a rater that nobody answered."""

    message: int
    pseudonym: str
    item: int | None
    key: str | None
    text: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    """The messages with one rater, in one line."""

    pseudonym: str
    messages: int
    unread: int
    last_at: datetime
    last: str
    by_rater: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A pool's board, in one line."""

    pool: str
    members: int
    messages: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True)
class Inbox:
    """All of it."""

    waiting: list[Waiting]
    threads: list[Thread]
    boards: list[Board]
    discussed: int
    """Items that were talked about."""
    failed_mails: int


def get_inbox(study: Study) -> Inbox:
    """What waits first, then the threads with the newest on top."""
    return Inbox(
        waiting=[Waiting(*row) for row in rows(_WAITING, [study.pk, Message.Kind.QUESTION])],
        threads=[Thread(*row) for row in rows(_THREADS, [study.pk, MOST_THREADS])],
        boards=[Board(*row) for row in rows(_BOARDS, [study.pk])],
        discussed=rows(
            "SELECT count(*) FROM item WHERE study_id = %s AND discussed_at IS NOT NULL", [study.pk]
        )[0][0],
        failed_mails=rows("SELECT count(*) FROM mail WHERE study_id = %s AND state = 'failed'", [study.pk])[
            0
        ][0],
    )


_WAITING = """
SELECT m.id, r.pseudonym, i.id, i.key, m.text, m.sent_at
FROM message m JOIN rater r ON r.id = m.rater_id
LEFT JOIN message_item x ON x.message_id = m.id LEFT JOIN item i ON i.id = x.item_id
WHERE m.study_id = %s AND m.kind = %s AND NOT EXISTS (SELECT 1 FROM message a WHERE a.answers_id = m.id)
ORDER BY m.id
"""
_THREADS = """
SELECT r.pseudonym, count(*), count(*) FILTER (WHERE m.author = '' AND m.read_at IS NULL), max(m.sent_at),
       (array_agg(m.text ORDER BY m.id DESC))[1], (array_agg(m.author ORDER BY m.id DESC))[1] = ''
FROM message m JOIN rater r ON r.id = m.rater_id
WHERE m.study_id = %s GROUP BY r.pseudonym ORDER BY 4 DESC LIMIT %s
"""
_BOARDS = """
SELECT p.name, (SELECT count(*) FROM member b WHERE b.pool_id = p.id), count(m.id), max(m.sent_at)
FROM pool p LEFT JOIN message m ON m.pool_id = p.id AND NOT m.shown
WHERE p.study_id = %s GROUP BY p.id, p.name ORDER BY p.id
"""
