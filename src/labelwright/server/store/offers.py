"""The hot path, first half: how a place is found and handed out. One short transaction, no count.

The transaction is owned by `actions.assignment`; every function here is one statement in it.
Locks are taken in the order rater, assignment, place, rater_count, offered, so that nobody waits in a ring.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from labelwright.server.store.rows import rows, rows_of_each, run

SLOTS = 8
"""Rows over which the count of a condition is spread; offers wait for each other only within one."""
MOST_VISITS = 10
"""Visits to one assignment that are known at a time, so that reloading a page without end fills no disk."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """A rater in a pool who asks for work."""

    study: int
    pool: int
    rater: int
    group: str
    number: int
    """The rater's ordinal in the pool: the same in every run, which an id is not."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest assignment of a rater."""

    assignment: int
    state: str
    place: int
    version: int
    condition: str
    offered_at: datetime
    lease_until: datetime
    free_for: timedelta


@dataclass(frozen=True, slots=True)
class OpenCondition:
    """A condition of an open batch that has, or had, places for this rater's group."""

    batch: int
    version: int
    number: int
    """The batch's place in the calendar."""
    name: str
    offered: int


@dataclass(frozen=True, slots=True)
class Counted:
    """What a rater has done in a scope."""

    n: int
    last_rank: int


@dataclass(frozen=True, slots=True)
class Look:
    """All that an offer needs to know before it searches."""

    latest: Latest | None
    conditions: list[OpenCondition]
    counts: dict[tuple[str, str], Counted]
    """By scope and key."""

    def n(self, scope: str, key: str = "") -> int:
        """How much the rater has done in a scope."""
        counted = self.counts.get((scope, key))
        return counted.n if counted else 0

    def last_rank(self, condition: str) -> int:
        """The rank of the place that the rater last took in a condition."""
        counted = self.counts.get(("condition", condition))
        return counted.last_rank if counted else -1


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """An open place, locked by this transaction."""

    place: int
    task: int
    rank: int


@dataclass(frozen=True, slots=True)
class Count:
    """One count that an offer adds to, with the cap that the database holds it to."""

    scope: str
    key: str
    cap: int | None
    last_rank: int = -1


@dataclass(frozen=True, slots=True)
class Take:
    """A place that is taken, with what that counts towards."""

    found: FoundPlace
    condition: OpenCondition
    counts: list[Count]
    conditions_cap: int | None
    also_spoils: bool
    """Whether tasks of this study can spoil more than themselves."""


def lock_and_look(seeker: Seeker) -> Look:
    """The newest assignment of a rater, the conditions of the open batches and the rater's counts, in one round trip.

    The rater is locked first, so that other requests of the same rater wait; raters do not
    wait for each other. Each statement sees what was committed when it began, so what is read
    is newer than the lock. The newest assignment is locked too; an open one, if there is any,
    is always the newest. What was offered of each condition is a few small rows.
    """
    _, latest, conditions, counts = rows_of_each(
        # Not FOR UPDATE: that would also wait for the foreign keys of this rater's other rows.
        ("SELECT 1 FROM rater WHERE id = %s FOR NO KEY UPDATE", [seeker.rater]),
        (
            """SELECT id, state, place_id, version_id, (SELECT condition FROM place WHERE id = place_id),
                      offered_at, lease_until, free_for FROM assignment
               WHERE rater_id = %s ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE""",
            [seeker.rater],
        ),
        (
            """SELECT o.batch_id, b.version_id, b.number, o.condition, sum(o.n)::bigint
               FROM batch b
               JOIN offered o ON o.batch_id = b.id AND o.pool_id = %s AND o.rater_group = %s
               WHERE b.study_id = %s AND b.state = 'open'
                 AND EXISTS (SELECT 1 FROM member m
                             WHERE m.pool_id = %s AND m.rater_id = %s AND m.state = 'active')
               GROUP BY o.batch_id, b.version_id, b.number, o.condition""",
            [seeker.pool, seeker.group, seeker.study, seeker.pool, seeker.rater],
        ),
        ("SELECT scope, key, n, last_rank FROM rater_count WHERE rater_id = %s", [seeker.rater]),
    )
    return Look(
        Latest(*latest[0]) if latest else None,
        [OpenCondition(*row) for row in conditions],
        {(scope, key): Counted(n, last_rank) for scope, key, n, last_rank in counts},
    )


def find_place(
    seeker: Seeker, condition: OpenCondition, last_rank: int, *, behind: bool, lock: bool = True
) -> FoundPlace | None:
    """The next open place of a condition that shows this rater nothing twice, locked unless it is only looked at.

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
           {"FOR UPDATE OF p SKIP LOCKED" if lock else ""}""",  # noqa: S608  what stands in braces are literals
        [condition.batch, seeker.pool, seeker.group, condition.name, last_rank, seeker.rater],
    )
    return FoundPlace(*found[0]) if found else None


def conditions_laid(seeker: Seeker, version: int) -> list[tuple[OpenCondition, str]]:
    """Every condition of a version's batches for this rater's group, with the state of the batch. Locks nothing."""
    found = rows(
        """SELECT o.batch_id, b.version_id, b.number, o.condition, sum(o.n)::bigint, b.state
           FROM batch b JOIN offered o ON o.batch_id = b.id AND o.pool_id = %s AND o.rater_group = %s
           WHERE b.study_id = %s AND b.version_id = %s
           GROUP BY o.batch_id, b.version_id, b.number, o.condition, b.state""",
        [seeker.pool, seeker.group, seeker.study, version],
    )
    return [(OpenCondition(*row), state) for *row, state in found]


def with_open_places(seeker: Seeker, conditions: list[OpenCondition]) -> list[OpenCondition]:
    """Those conditions that have an open place for anybody of this rater's group: one look for many batches."""
    found = rows(
        """SELECT c.batch, c.name FROM unnest(%s::bigint[], %s::text[]) AS c(batch, name)
           WHERE EXISTS (SELECT 1 FROM place p
                         WHERE p.batch_id = c.batch AND p.pool_id = %s AND p.rater_group = %s
                           AND p.condition = c.name AND p.state = 'open')""",
        [[c.batch for c in conditions], [c.name for c in conditions], seeker.pool, seeker.group],
    )
    there = set(found)
    return [condition for condition in conditions if (condition.batch, condition.name) in there]


_ALSO_SEEN = """also AS (
          INSERT INTO exposure (study_id, rater_id, spoil_key)
          SELECT DISTINCT %(study)s::bigint, %(rater)s::bigint, spoilt FROM task_item, unnest(also_spoils) AS spoilt
          WHERE task_id = %(task)s ON CONFLICT DO NOTHING),"""


def lease_place(seeker: Seeker, take: Take, *, visit_hash: bytes, now: datetime, until: datetime) -> int:
    """The id of a new assignment at the place: all that an offer writes, in one statement.

    The database refuses it (IntegrityError) where a cap or an exposure forbids it. A condition that
    the rater had none of counts as one more condition.
    """
    made = rows(
        f"""WITH taken AS (UPDATE place SET state = 'leased' WHERE id = %(place)s),
        made AS (
          INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at,
                                  lease_until, visit_hash, paid_state, data_use, unflagged)
          VALUES (%(study)s, %(version)s, %(place)s, %(task)s, %(rater)s, 'open', %(now)s,
                  %(until)s, %(visit)s, 'none', 'none', false)
          RETURNING id),
        seen AS (
          INSERT INTO exposure (study_id, rater_id, spoil_key)
          SELECT DISTINCT %(study)s::bigint, %(rater)s::bigint, spoil_key FROM task_item WHERE task_id = %(task)s),
        {_ALSO_SEEN if take.also_spoils else ""}
        counted AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          SELECT %(study)s, %(rater)s, c.scope, c.key, 1, c.cap, c.last_rank
          FROM unnest(%(scopes)s::text[], %(keys)s::text[], %(caps)s::bigint[], %(ranks)s::bigint[])
            AS c(scope, key, cap, last_rank)
          ON CONFLICT (rater_id, scope, key) DO UPDATE
          SET n = rater_count.n + 1, cap = excluded.cap, last_rank = excluded.last_rank
          RETURNING scope, n),
        met AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          SELECT %(study)s, %(rater)s, 'conditions', '', 1, %(conditions_cap)s, -1
          FROM counted WHERE scope = 'condition' AND n = 1
          ON CONFLICT (rater_id, scope, key) DO UPDATE SET n = rater_count.n + 1, cap = excluded.cap),
        balanced AS (
          UPDATE offered SET n = n + 1
          WHERE batch_id = %(batch)s AND pool_id = %(pool)s AND rater_group = %(group)s
            AND condition = %(condition)s AND slot = pg_backend_pid() %% %(slots)s),
        opened AS (
          INSERT INTO visit (token_hash, study_id, assignment_id, opened_at)
          SELECT %(visit)s, %(study)s, id, %(now)s FROM made)
        SELECT id FROM made""",  # noqa: S608  the part in braces is a literal
        _lease_values(seeker, take) | {"visit": visit_hash, "now": now, "until": until},
    )
    return int(made[0][0])


def _lease_values(seeker: Seeker, take: Take) -> dict[str, object]:
    """Who takes which place, and what is counted, under the names of the statement."""
    return {
        "place": take.found.place,
        "task": take.found.task,
        "study": seeker.study,
        "version": take.condition.version,
        "batch": take.condition.batch,
        "condition": take.condition.name,
        "pool": seeker.pool,
        "group": seeker.group,
        "rater": seeker.rater,
        "scopes": [count.scope for count in take.counts],
        "keys": [count.key for count in take.counts],
        "caps": [count.cap for count in take.counts],
        "ranks": [count.last_rank for count in take.counts],
        "conditions_cap": take.conditions_cap,
        "slots": SLOTS,
    }


def open_visit(assignment: int, *, visit_hash: bytes, now: datetime, until: datetime) -> None:
    """Another visit to an assignment; the older visits turn read-only, and all but a few are forgotten.

    A lease that has run out goes on until the time that is given, where that is later.
    """
    run(
        """WITH newest AS (
             UPDATE assignment SET visit_hash = %(visit)s,
               lease_until = CASE WHEN lease_until < %(now)s THEN greatest(lease_until, %(until)s) ELSE lease_until END
             WHERE id = %(assignment)s RETURNING id, study_id),
           forgotten AS (
             DELETE FROM visit WHERE token_hash IN (
               SELECT token_hash FROM visit WHERE assignment_id = %(assignment)s
               ORDER BY opened_at DESC, token_hash OFFSET %(others)s))
           INSERT INTO visit (token_hash, study_id, assignment_id, opened_at)
           SELECT %(visit)s, study_id, id, %(now)s FROM newest""",
        {
            "visit": visit_hash,
            "assignment": assignment,
            "now": now,
            "until": until,
            "others": MOST_VISITS - 1,
        },
    )
