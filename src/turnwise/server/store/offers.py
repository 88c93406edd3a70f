"""The hot path, first half: how a place is found and handed out. One short transaction, no count.

The transaction is owned by `actions.assignment`; every function here is one statement in it.
Locks are taken in the order rater, assignment, place, rater_count, offered, so that nobody waits in a ring.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from turnwise.server.store.rows import rows, rows_of_each, run

SLOTS = 8
"""Rows over which the count of a condition is spread; offers wait for each other only within one."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """A rater in a pool who asks for work."""

    study: int
    pool: int
    rater: int
    group: str


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest assignment of a rater."""

    assignment: int
    state: str
    place: int
    version: int
    task: int


@dataclass(frozen=True, slots=True)
class OpenCondition:
    """A condition that has, or had, places for this rater."""

    batch: int
    version: int
    name: str
    offered: int
    mine: int
    """Ratings of this condition that the rater was offered."""
    last_rank: int
    tasks: int
    """Tasks that the rater was offered in all."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """An open place, locked by this transaction."""

    place: int
    task: int
    rank: int


def lock_and_look(seeker: Seeker) -> tuple[Latest | None, list[OpenCondition]]:
    """The newest assignment of a rater and the conditions of the open batches, in one round trip.

    The rater is locked first, so that other requests of the same rater wait; raters do not
    wait for each other. Each statement sees what was committed when it began, so what is read
    is newer than the lock. The newest assignment is locked too; an open one, if there is any,
    is always the newest. What was offered of each condition is a few small rows.
    """
    _, latest, conditions = rows_of_each(
        # Not FOR UPDATE: that would also wait for the foreign keys of this rater's other rows.
        ("SELECT 1 FROM rater WHERE id = %s FOR NO KEY UPDATE", [seeker.rater]),
        (
            """SELECT id, state, place_id, version_id, task_id FROM assignment
               WHERE rater_id = %s ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE""",
            [seeker.rater],
        ),
        (
            """SELECT o.batch_id, b.version_id, o.condition, sum(o.n)::bigint,
                      coalesce(max(c.n), 0), coalesce(max(c.last_rank), -1),
                      coalesce((SELECT n FROM rater_count WHERE rater_id = %s AND scope = 'tasks' AND key = ''), 0)
               FROM batch b
               JOIN offered o ON o.batch_id = b.id AND o.pool_id = %s AND o.rater_group = %s
               LEFT JOIN rater_count c
                 ON c.rater_id = %s AND c.scope = 'condition' AND c.key = o.condition
               WHERE b.study_id = %s AND b.closed_at IS NULL
                 AND EXISTS (SELECT 1 FROM member m
                             WHERE m.pool_id = o.pool_id AND m.rater_id = %s AND m.state = 'active')
               GROUP BY o.batch_id, b.version_id, o.condition""",
            [seeker.rater, seeker.pool, seeker.group, seeker.rater, seeker.study, seeker.rater],
        ),
    )
    return (Latest(*latest[0]) if latest else None), [OpenCondition(*row) for row in conditions]


def find_place(seeker: Seeker, condition: OpenCondition, *, behind: bool) -> FoundPlace | None:
    """The next open place of a condition that shows this rater nothing twice, locked.

    Behind the rater's last place first; the places before it were passed over
    then, and are looked at again only when nothing is left behind.
    """
    found = rows(
        f"""SELECT p.id, p.task_id, p.rank FROM place p
           WHERE p.batch_id = %s AND p.pool_id = %s AND p.rater_group = %s AND p.condition = %s
             AND p.state = 'open' AND p.rank {">" if behind else "<="} %s
             AND NOT EXISTS (
               SELECT 1 FROM task_item t
               JOIN exposure e ON e.rater_id = %s AND e.spoil_key = t.spoil_key
               WHERE t.task_id = p.task_id)
           ORDER BY p.rank LIMIT 1
           FOR UPDATE OF p SKIP LOCKED""",  # noqa: S608  the sign is one of two literals
        [condition.batch, seeker.pool, seeker.group, condition.name, condition.last_rank, seeker.rater],
    )
    return FoundPlace(*found[0]) if found else None


def lease_place(
    seeker: Seeker,
    found: FoundPlace,
    condition: OpenCondition,
    *,
    visit_hash: bytes,
    now: datetime,
    until: datetime,
    cap: int | None,
) -> int:
    """The id of a new assignment at the place: all that an offer writes, in one statement.

    The database refuses it (IntegrityError) where a cap or an exposure forbids it.
    """
    made = rows(
        """WITH taken AS (UPDATE place SET state = 'leased' WHERE id = %(place)s),
        made AS (
          INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at,
                                  lease_until, visit_hash, paid_state, data_use, unflagged)
          VALUES (%(study)s, %(version)s, %(place)s, %(task)s, %(rater)s, 'open', %(now)s,
                  %(until)s, %(visit)s, 'none', 'none', false)
          RETURNING id),
        seen AS (
          INSERT INTO exposure (study_id, rater_id, spoil_key)
          SELECT DISTINCT %(study)s::bigint, %(rater)s::bigint, spoil_key FROM task_item WHERE task_id = %(task)s),
        counted AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          VALUES (%(study)s, %(rater)s, 'condition', %(condition)s, 1, NULL, %(rank)s),
                 (%(study)s, %(rater)s, 'tasks', '', 1, %(cap)s, -1)
          ON CONFLICT (rater_id, scope, key) DO UPDATE
          SET n = rater_count.n + 1, cap = excluded.cap, last_rank = excluded.last_rank),
        balanced AS (
          UPDATE offered SET n = n + 1
          WHERE batch_id = %(batch)s AND pool_id = %(pool)s AND rater_group = %(group)s
            AND condition = %(condition)s AND slot = pg_backend_pid() %% %(slots)s),
        opened AS (
          INSERT INTO visit (token_hash, study_id, assignment_id, opened_at)
          SELECT %(visit)s, %(study)s, id, %(now)s FROM made)
        SELECT id FROM made""",
        {
            "place": found.place,
            "task": found.task,
            "rank": found.rank,
            "study": seeker.study,
            "version": condition.version,
            "batch": condition.batch,
            "condition": condition.name,
            "pool": seeker.pool,
            "group": seeker.group,
            "rater": seeker.rater,
            "visit": visit_hash,
            "now": now,
            "until": until,
            "cap": cap,
            "slots": SLOTS,
        },
    )
    return int(made[0][0])


def open_visit(assignment: int, *, visit_hash: bytes, now: datetime, until: datetime) -> None:
    """Another visit to an open assignment; the older visits turn read-only.

    A lease that has run out but was not yet taken away begins anew.
    """
    run(
        """WITH newest AS (
             UPDATE assignment SET visit_hash = %(visit)s,
               lease_until = CASE WHEN lease_until < %(now)s THEN %(until)s ELSE lease_until END
             WHERE id = %(assignment)s RETURNING id, study_id)
           INSERT INTO visit (token_hash, study_id, assignment_id, opened_at)
           SELECT %(visit)s, study_id, id, %(now)s FROM newest""",
        {"visit": visit_hash, "assignment": assignment, "now": now, "until": until},
    )


def take_back(place: int) -> bool:
    """Whether a place whose lease ran out is still free; then it is held again."""
    return bool(
        rows(
            """UPDATE place p SET state = 'leased' FROM batch b
               WHERE p.id = %s AND p.state = 'open' AND b.id = p.batch_id AND b.closed_at IS NULL
               RETURNING 1""",
            [place],
        )
    )


def reopen(assignment: int, until: datetime) -> None:
    """Gives an expired assignment its lease back; the caller holds its place again."""
    run("UPDATE assignment SET state = 'open', lease_until = %s WHERE id = %s", [until, assignment])


def release(assignments: list[int], state: str) -> None:
    """Ends open assignments without answers and opens their places to others."""
    run("UPDATE assignment SET state = %s WHERE id = ANY(%s)", [state, assignments])
    run(
        """UPDATE place SET state = 'open' FROM assignment a
           WHERE a.id = ANY(%s) AND place.id = a.place_id""",
        [assignments],
    )
    count(assignments, -1)


def lock_lapsed(now: datetime, limit: int) -> list[int]:
    """Open assignments whose lease has run out, locked; those in use by a request are passed over."""
    return [
        row[0]
        for row in rows(
            """SELECT id FROM assignment WHERE state = 'open' AND lease_until < %s
               ORDER BY lease_until LIMIT %s FOR NO KEY UPDATE SKIP LOCKED""",
            [now, limit],
        )
    ]


def count(assignments: Iterable[int], step: int) -> None:
    """Counts assignments for (+1) or against (-1) their raters' caps and their conditions' balance.

    Rows are taken in one order, so that two callers cannot wait for each other.
    """
    ids = list(assignments)
    run(
        """UPDATE rater_count c SET n = c.n + %(step)s * d.n
           FROM (SELECT k.rater_id, k.scope, k.key, count(*) AS n
                 FROM assignment a JOIN place p ON p.id = a.place_id
                 CROSS JOIN LATERAL (VALUES (a.rater_id, 'condition', p.condition),
                                            (a.rater_id, 'tasks', '')) AS k(rater_id, scope, key)
                 WHERE a.id = ANY(%(ids)s) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) d
           WHERE c.rater_id = d.rater_id AND c.scope = d.scope AND c.key = d.key""",
        {"ids": ids, "step": step},
    )
    run(
        """UPDATE offered o SET n = o.n + %(step)s * d.n
           FROM (SELECT p.batch_id, p.pool_id, p.rater_group, p.condition, count(*) AS n
                 FROM assignment a JOIN place p ON p.id = a.place_id
                 WHERE a.id = ANY(%(ids)s) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4) d
           WHERE o.batch_id = d.batch_id AND o.pool_id = d.pool_id AND o.rater_group = d.rater_group
             AND o.condition = d.condition AND o.slot = 0""",
        {"ids": ids, "step": step},
    )
