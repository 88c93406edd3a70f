"""SQL of people: members, roster, qualification and messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any

from labelwright.crowd.states import STORED, BatchState, PlaceState, StudyState
from labelwright.server.store.models import Mail, Message, Pool
from labelwright.server.store.rows import column, record, records, run, value


def set_groups(pool: Pool, groups: Mapping[str, int]) -> None:
    """Puts the raters of a pool into groups of these sizes, by their numbers; the others into none."""
    edges = [0, *accumulate(groups.values())]
    run(
        """UPDATE member m SET rater_group = n.name
           FROM (SELECT rater_id, coalesce(g.name, '') AS name FROM member
                 LEFT JOIN unnest(%s::text[], %s::int[], %s::int[]) AS g(name, first, beyond)
                   ON number >= g.first AND number < g.beyond
                 WHERE pool_id = %s) n
           WHERE m.pool_id = %s AND m.rater_id = n.rater_id AND m.rater_group <> n.name""",
        [list(groups), edges[:-1], edges[1:], pool.pk, pool.pk],
    )


def taken_names(study: int, names: Sequence[str]) -> set[str]:
    """Those of the names that raters of a study have."""
    return set(
        column(
            "SELECT pseudonym FROM rater WHERE study_id = %s AND pseudonym = ANY(%s)", [study, list(names)]
        )
    )


def choose_waiting(now: datetime) -> int:
    """Chooses people who left an address, as many in each pool as there are open places; returns how many."""
    return run(
        """UPDATE waiting_address w SET chosen = true
           FROM (SELECT id, row_number() OVER (PARTITION BY pool_id ORDER BY id) AS turn FROM waiting_address
                 WHERE NOT chosen) t,
                (SELECT o.id AS pool_id, count(*) AS places FROM pool o
                 JOIN study s ON s.id = o.study_id AND s.state = %(study)s
                 JOIN batch b ON b.study_id = s.id AND b.state = %(batch)s
                 JOIN place p ON p.batch_id = b.id AND p.pool_id = o.id AND p.state = %(place)s
                 WHERE o.id IN (SELECT pool_id FROM waiting_address WHERE NOT chosen) GROUP BY 1) free
           WHERE w.id = t.id AND free.pool_id = w.pool_id AND t.turn <= free.places AND w.given_at <= %(now)s""",
        {"study": StudyState.OPEN, "batch": BatchState.OPEN, "place": PlaceState.OPEN, "now": now},
    )


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A rater in a pool."""

    pool_id: int
    number: int
    """In the pool, in the order in which raters joined it."""
    pseudonym: str
    pool: str
    state: str
    qualified: bool | None
    score: float | None
    submitted: int
    flags: int


def members_after(study: int, pool: str | None, last: tuple[int, int] | None, limit: int) -> list[RosterLine]:
    """The next members of a study or of a pool, after the one with this pool and number."""
    # The members are chosen first, so that figures are looked up for these only.
    return records(
        RosterLine,
        """WITH page AS MATERIALIZED (
             SELECT m.*, p.name AS pool, r.pseudonym
             FROM member m JOIN pool p ON p.id = m.pool_id JOIN rater r ON r.id = m.rater_id
             WHERE m.study_id = %(study)s AND p.study_id = %(study)s AND r.study_id = %(study)s
               AND (%(pool)s::text IS NULL OR p.name = %(pool)s)
               AND (m.pool_id, m.number) > (%(last_pool)s, %(last_number)s)
             ORDER BY m.pool_id, m.number LIMIT %(limit)s)
           SELECT m.pool_id, m.number, m.pseudonym, m.pool, m.state, m.qualified, m.score, w.submitted, w.flags
           FROM page m
           CROSS JOIN LATERAL (
             SELECT count(*) FILTER (WHERE a.submitted_at IS NOT NULL) AS submitted,
                    (SELECT count(*) FROM flag f WHERE f.assignment_id = ANY(array_agg(a.id))) AS flags
             FROM assignment a JOIN place p ON p.id = a.place_id
             WHERE a.rater_id = m.rater_id AND p.pool_id = m.pool_id) w
           ORDER BY m.pool_id, m.number""",
        {
            "study": study,
            "pool": pool,
            "last_pool": last[0] if last else -1,
            "last_number": last[1] if last else -1,
            "limit": limit,
        },
    )


@dataclass(frozen=True, slots=True)
class QualifyingAnswers:
    """What an applicant submitted about one item of a qualification."""

    rater: int
    item_key: str
    submitted_at: datetime
    reply: str
    answers: dict[str, tuple[Any, int | None]]
    """Value and code by question."""
    version: int
    item: int


@dataclass(frozen=True, slots=True)
class _QualifyingRow:
    rater: int
    item_key: str
    submitted_at: datetime
    reply: str
    answers: str
    version: int
    item: int


def qualifying_answers(
    batches: Sequence[int], pool: int, keys: Sequence[str], rater: int | None
) -> list[QualifyingAnswers]:
    """The submitted answers to a qualification, of every applicant or of one, in the order of submission."""
    found = records(
        _QualifyingRow,
        """SELECT s.rater_id AS rater, i.key AS item_key, s.submitted_at,
                  coalesce(i.payload -> 'passage' ->> 'text', d.turns -> i.target ->> 'text') AS reply,
                  coalesce((SELECT jsonb_object_agg(a.question, jsonb_build_array(a.value, a.code)) FROM answer a
                            WHERE a.assignment_id = s.id AND a.position = x.position), '{}')::text AS answers,
                  s.version_id AS version, i.id AS item
           FROM place t JOIN assignment s ON s.place_id = t.id JOIN task_item x ON x.task_id = t.task_id
           JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
           WHERE t.batch_id = ANY(%(batches)s) AND t.pool_id = %(pool)s AND i.key = ANY(%(keys)s)
             AND s.state = ANY(%(stored)s) AND (%(rater)s::bigint IS NULL OR s.rater_id = %(rater)s)
           ORDER BY s.id, x.position""",
        {
            "batches": list(batches),
            "pool": pool,
            "keys": list(keys),
            "stored": list(STORED),
            "rater": rater,
        },
    )
    return [
        QualifyingAnswers(
            row.rater,
            row.item_key,
            row.submitted_at,
            row.reply,
            {name: (pair[0], pair[1]) for name, pair in json.loads(row.answers).items()},
            row.version,
            row.item,
        )
        for row in found
    ]


@dataclass(frozen=True, slots=True)
class DiscussedItem:
    """An item that a message is about, in the work of a rater or in general."""

    item: int
    assignment: int | None = None


def submitted_items(study: int, rater: int, assignments: Sequence[int]) -> list[DiscussedItem]:
    """The items of a rater's submitted work, each once."""
    return records(
        DiscussedItem,
        """SELECT DISTINCT ON (x.item_id) x.item_id AS item, a.id AS assignment FROM assignment a
           JOIN task_item x ON x.task_id = a.task_id
           WHERE a.study_id = %s AND a.rater_id = %s AND a.id = ANY(%s) AND a.submitted_at IS NOT NULL
           ORDER BY x.item_id, a.id""",
        [study, rater, list(assignments)],
    )


def newest_item(rater: int, position: int) -> DiscussedItem | None:
    """The item at a position of the rater's newest task."""
    return record(
        DiscussedItem,
        """SELECT x.item_id AS item, a.id AS assignment
           FROM (SELECT id, task_id FROM assignment WHERE rater_id = %s ORDER BY id DESC LIMIT 1) a
           JOIN task_item x ON x.task_id = a.task_id AND x.position = %s""",
        [rater, position],
    )


@dataclass(frozen=True, slots=True)
class PublicAnswer:
    """An answered question about an item that every rater may read."""

    item: int
    question: str
    answer: str


def public_answers(items: Sequence[int]) -> list[PublicAnswer]:
    """The answered questions about items that all may read, without a trace of who asked."""
    return records(
        PublicAnswer,
        """SELECT x.item_id AS item, m.question_shown AS question, m.text AS answer
           FROM message_item x JOIN message m ON m.id = x.message_id
           WHERE x.item_id = ANY(%s) AND m.shown ORDER BY m.id""",
        [list(items)],
    )


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A rater's question that nobody has answered."""

    message: int
    pseudonym: str
    item: int | None
    key: str | None
    text: str
    sent_at: datetime


def unanswered_questions(study: int) -> list[UnansweredQuestion]:
    """The oldest first."""
    return records(
        UnansweredQuestion,
        """SELECT m.id AS message, r.pseudonym, i.id AS item, i.key, m.text, m.sent_at
           FROM message m JOIN rater r ON r.id = m.rater_id
           LEFT JOIN message_item x ON x.message_id = m.id LEFT JOIN item i ON i.id = x.item_id
           WHERE m.study_id = %s AND m.kind = %s
             AND NOT EXISTS (SELECT 1 FROM message a WHERE a.answers_id = m.id)
           ORDER BY m.id""",
        [study, Message.Kind.QUESTION],
    )


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """The messages with one rater, in one line."""

    pseudonym: str
    messages: int
    unread: int
    last_at: datetime
    last: str
    by_rater: bool


def threads(study: int, limit: int) -> list[ThreadLine]:
    """The thread with the newest message first."""
    return records(
        ThreadLine,
        """SELECT r.pseudonym, count(*) AS messages,
                  count(*) FILTER (WHERE m.author = '' AND m.read_at IS NULL) AS unread,
                  max(m.sent_at) AS last_at, (array_agg(m.text ORDER BY m.id DESC))[1] AS last,
                  (array_agg(m.author ORDER BY m.id DESC))[1] = '' AS by_rater
           FROM message m JOIN rater r ON r.id = m.rater_id
           WHERE m.study_id = %s GROUP BY r.pseudonym ORDER BY last_at DESC LIMIT %s""",
        [study, limit],
    )


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A pool's board, in one line."""

    pool: str
    members: int
    messages: int
    last_at: datetime | None


def boards(study: int) -> list[BoardLine]:
    """The boards of a study's pools."""
    return records(
        BoardLine,
        """SELECT p.name AS pool, (SELECT count(*) FROM member b WHERE b.pool_id = p.id) AS members,
                  count(m.id) AS messages, max(m.sent_at) AS last_at
           FROM pool p LEFT JOIN message m ON m.pool_id = p.id AND NOT m.shown
           WHERE p.study_id = %s GROUP BY p.id, p.name ORDER BY p.id""",
        [study],
    )


def count_discussed_items(study: int) -> int:
    """Items that were discussed with raters."""
    return int(value("SELECT count(*) FROM item WHERE study_id = %s AND discussed_at IS NOT NULL", [study]))


def count_failed_mails(study: int) -> int:
    """Mails that the mail server refused."""
    return int(
        value("SELECT count(*) FROM mail WHERE study_id = %s AND state = %s", [study, Mail.State.FAILED])
    )


def withdrawn(raters: Sequence[int]) -> set[int]:
    """Those of the raters who have left the study."""
    return set(column("SELECT rater_id FROM withdrawal WHERE rater_id = ANY(%s)", [list(raters)]))
