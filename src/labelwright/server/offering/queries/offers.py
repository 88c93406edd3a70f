"""The hot path, first half: finding a place and leasing it. One short transaction, no count.

The transaction belongs to `offering.actions.leases`; every function here is one statement in it.
Locks are taken in the order offers of the study (shared), rater, assignment, place, rater_count, offered, so that there
is no deadlock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from labelwright.crowd import (
    AssignmentState,
    BatchState,
    CountScope,
    DataUse,
    MemberState,
    PaidState,
    PlaceState,
    StudyState,
)
from labelwright.server.access.queries import Visitor
from labelwright.server.store.locks import SHARE_OFFERS
from labelwright.server.store.models import Offered
from labelwright.server.store.rows import Statement, literal, record, records, records_of_each, run, value

OPEN_PLACE = literal(PlaceState.OPEN)
OPEN_BATCH = literal(BatchState.OPEN)
OPEN_STUDY = literal(StudyState.OPEN)

MOST_VISITS = 10
"""Visits to one assignment that are kept, so that endless reloading does not fill the disk."""


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest assignment of a rater in a slot."""

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
    """A condition of a batch that has, or had, places for this rater's group."""

    batch: int
    version: int
    number: int
    """The batch's position in the calendar."""
    name: str
    offered: int
    state: str = BatchState.OPEN
    """The state of the batch."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How much a rater has done in a scope."""

    scope: str
    key: str
    n: int
    last_rank: int


@dataclass(frozen=True, slots=True)
class Situation:
    """What an offer needs to know before it searches."""

    latest: Latest | None
    conditions: list[OpenCondition]
    counts: dict[tuple[str, str], Counted]
    """By scope and key."""

    def n(self, scope: CountScope, key: str = "") -> int:
        """How much the rater has done in a scope."""
        counted = self.counts.get((scope, key))
        return counted.n if counted else 0

    def last_rank(self, condition: str) -> int:
        """The rank of the place that the rater last took in a condition."""
        counted = self.counts.get((CountScope.CONDITION, condition))
        return counted.last_rank if counted else -1


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """An open place, locked by this transaction."""

    place: int
    task: int
    rank: int


@dataclass(frozen=True, slots=True)
class Count:
    """One count that an offer adds to, with the cap that the database enforces."""

    scope: CountScope
    key: str
    cap: int | None
    last_rank: int = -1
    step: int = 1


@dataclass(frozen=True, slots=True)
class Take:
    """A place to take, and the counts that it adds to."""

    found: FoundPlace
    condition: OpenCondition
    counts: list[Count]
    conditions_cap: int | None
    also_spoils: bool
    """Whether the task can spoil others."""
    gold: bool = False
    """Whether the place was made for this rater, to meet a gold task; it does not count for balance."""


@dataclass(frozen=True, slots=True)
class _Locked:
    locked: int


_CONDITIONS = f"""SELECT o.batch_id AS batch, b.version_id AS version, b.number, o.condition AS name,
                         sum(o.n)::bigint AS offered
                  FROM study s
                  JOIN batch b ON b.study_id = s.id
                  JOIN offered o ON o.batch_id = b.id AND o.pool_id = %(pool)s AND o.rater_group = %(group)s
                  WHERE s.id = %(study)s AND s.state = {OPEN_STUDY} AND b.state = {OPEN_BATCH}
                    AND EXISTS (SELECT 1 FROM member m
                                WHERE m.pool_id = %(pool)s AND m.rater_id = %(rater)s AND m.state = %(active)s)
                  GROUP BY o.batch_id, b.version_id, b.number, o.condition"""


def lock_situation(visitor: Visitor, slot: int = 0) -> Situation:
    """The newest assignment of a rater in a slot, the conditions of the open batches and the rater's counts, in one round trip.

    The offers of the study are locked first, so that none is committed after the study was paused. Then the
    rater is locked, so that other requests of the same rater wait; raters do not wait for each other. Each statement sees what was committed when it began, so the data are
    newer than the lock. The newest assignment is locked too; an open one, if there is any,
    is always the newest. The offers counted for each condition are a few small rows.
    """
    _, latest, conditions, counted = records_of_each(
        # Not FOR UPDATE: that would also wait for the foreign keys of this rater's other rows.
        Statement(
            _Locked,
            f"SELECT 1 AS locked FROM {SHARE_OFFERS}, rater r WHERE r.id = %s FOR NO KEY UPDATE OF r",
            [visitor.study, visitor.rater],
        ),
        Statement(
            Latest,
            """SELECT id AS assignment, state, place_id AS place, version_id AS version,
                      (SELECT p.condition FROM place p WHERE p.id = place_id AND p.study_id = assignment.study_id)
                        AS condition,
                      offered_at, lease_until, free_for FROM assignment
               WHERE rater_id = %s AND study_id = %s AND slot = %s ORDER BY id DESC LIMIT 1 FOR NO KEY UPDATE""",
            [visitor.rater, visitor.study, slot],
        ),
        Statement(
            OpenCondition,
            _CONDITIONS,
            {
                "pool": visitor.pool,
                "group": visitor.group,
                "study": visitor.study,
                "rater": visitor.rater,
                "active": MemberState.ACTIVE,
            },
        ),
        Statement(
            Counted, "SELECT scope, key, n, last_rank FROM rater_count WHERE rater_id = %s", [visitor.rater]
        ),
    )
    return Situation(
        latest[0] if latest else None, conditions, {(count.scope, count.key): count for count in counted}
    )


_FIND = f"""SELECT p.id AS place, p.task_id AS task, p.rank FROM place p
           WHERE p.batch_id = %s AND p.pool_id = %s AND p.rater_group = %s AND p.condition = %s
             AND p.study_id = %s AND p.state = {OPEN_PLACE} AND p.rank {{side}} %s
             AND NOT EXISTS (
               SELECT 1 FROM task_item t
               JOIN exposure e ON e.rater_id = %s AND e.spoil_key = t.spoil_key
               WHERE t.task_id = p.task_id)
           ORDER BY p.rank LIMIT 1 """
_LOCK = "FOR UPDATE OF p SKIP LOCKED"


def find_place(
    visitor: Visitor, condition: OpenCondition, last_rank: int, *, behind: bool, lock: bool = True
) -> FoundPlace | None:
    """The next open place of a condition that shows this rater nothing twice, locked unless `lock` is False.

    Places behind the rater's last one come first; the earlier ones were skipped before and are
    tried again only when nothing is left behind.
    """
    return record(
        FoundPlace,
        _FIND.format(side=">" if behind else "<=") + (_LOCK if lock else ""),
        [
            condition.batch,
            visitor.pool,
            visitor.group,
            condition.name,
            visitor.study,
            last_rank,
            visitor.rater,
        ],
    )


def study_state(study: int) -> StudyState:
    """The state of a study at this moment."""
    return StudyState(value("SELECT state FROM study WHERE id = %s", [study]))


def all_conditions(visitor: Visitor, version: int) -> list[OpenCondition]:
    """Every condition of a version's batches for this rater's group, whatever the batch's state. Locks nothing."""
    return records(
        OpenCondition,
        """SELECT o.batch_id AS batch, b.version_id AS version, b.number, o.condition AS name,
                  sum(o.n)::bigint AS offered, b.state
           FROM batch b JOIN offered o ON o.batch_id = b.id AND o.pool_id = %s AND o.rater_group = %s
           WHERE b.study_id = %s AND b.version_id = %s
           GROUP BY o.batch_id, b.version_id, b.number, o.condition, b.state""",
        [visitor.pool, visitor.group, visitor.study, version],
    )


def has_waiting_places(visitor: Visitor, conditions: list[OpenCondition]) -> bool:
    """Whether places for this rater's group wait for a text that is being generated."""
    batches = [condition.batch for condition in conditions if condition.state != BatchState.CLOSED]
    return bool(
        value(
            f"""SELECT EXISTS (SELECT 1 FROM place WHERE batch_id = ANY(%s) AND pool_id = %s AND rater_group = %s
                                 AND study_id = %s AND state = {literal(PlaceState.WAITING)})""",
            [batches, visitor.pool, visitor.group, visitor.study],
        )
    )


@dataclass(frozen=True, slots=True)
class NewestWork:
    """The version and condition of a rater's newest assignment."""

    version: int
    condition: str


def newest_work(rater: int) -> NewestWork | None:
    """The newest work of a rater, if there is any."""
    return record(
        NewestWork,
        """SELECT a.version_id AS version, t.condition FROM assignment a JOIN task t ON t.id = a.task_id
           WHERE a.rater_id = %s ORDER BY a.id DESC LIMIT 1""",
        [rater],
    )


@dataclass(frozen=True, slots=True)
class _BatchCondition:
    batch: int
    name: str


def with_open_places(visitor: Visitor, conditions: list[OpenCondition]) -> list[OpenCondition]:
    """The conditions that have an open place for anybody in this rater's group: one query for many batches."""
    found = records(
        _BatchCondition,
        f"""SELECT c.batch, c.name FROM unnest(%s::bigint[], %s::text[]) AS c(batch, name)
           WHERE EXISTS (SELECT 1 FROM place p
                         WHERE p.batch_id = c.batch AND p.pool_id = %s AND p.rater_group = %s AND p.study_id = %s
                           AND p.condition = c.name AND p.state = {OPEN_PLACE})""",
        [
            [c.batch for c in conditions],
            [c.name for c in conditions],
            visitor.pool,
            visitor.group,
            visitor.study,
        ],
    )
    with_places = {(each.batch, each.name) for each in found}
    return [condition for condition in conditions if (condition.batch, condition.name) in with_places]


_ALSO_SEEN = """also AS (
          INSERT INTO exposure (study_id, rater_id, spoil_key)
          SELECT DISTINCT %(study)s::bigint, %(rater)s::bigint, spoilt FROM task_item, unnest(also_spoils) AS spoilt
          WHERE task_id = %(task)s ON CONFLICT DO NOTHING),"""


_BALANCED = """balanced AS (
          UPDATE offered SET n = n + 1
          WHERE batch_id = %(batch)s AND pool_id = %(pool)s AND rater_group = %(group)s
            AND condition = %(condition)s AND slot = pg_backend_pid() %% %(slots)s),"""


_LEASE = f"""WITH taken AS (
          UPDATE place SET state = {literal(PlaceState.LEASED)} WHERE id = %(place)s AND study_id = %(study)s),
        made AS (
          INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at,
                                  lease_until, visit_hash, paid_state, data_use, unflagged, slot)
          VALUES (%(study)s, %(version)s, %(place)s, %(task)s, %(rater)s, {literal(AssignmentState.OPEN)}, %(now)s,
                  %(until)s, %(visit)s, {literal(PaidState.NONE)}, {literal(DataUse.NONE)}, false,
                  %(slot)s)
          RETURNING id),
        seen AS (
          INSERT INTO exposure (study_id, rater_id, spoil_key)
          SELECT DISTINCT %(study)s::bigint, %(rater)s::bigint, spoil_key FROM task_item WHERE task_id = %(task)s),
        {{also_seen}}
        counted AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          SELECT %(study)s, %(rater)s, c.scope, c.key, c.step, c.cap, c.last_rank
          FROM unnest(%(scopes)s::text[], %(keys)s::text[], %(steps)s::bigint[], %(caps)s::bigint[], %(ranks)s::bigint[])
            AS c(scope, key, step, cap, last_rank)
          ON CONFLICT (rater_id, scope, key, study_id) DO UPDATE
          SET n = rater_count.n + excluded.n, cap = excluded.cap, last_rank = excluded.last_rank
          RETURNING scope, n),
        met AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          SELECT %(study)s, %(rater)s, {literal(CountScope.CONDITIONS)}, '', 1, %(conditions_cap)s, -1
          FROM counted WHERE scope = {literal(CountScope.CONDITION)} AND n = 1
          ON CONFLICT (rater_id, scope, key, study_id) DO UPDATE SET n = rater_count.n + 1, cap = excluded.cap),
        {{balanced}}
        opened AS (
          INSERT INTO visit (token_hash, study_id, assignment_id, opened_at)
          SELECT %(visit)s, %(study)s, id, %(now)s FROM made)
        SELECT id FROM made"""
_LEASE_ONE = _LEASE.format(also_seen="", balanced=_BALANCED)
_LEASE_SPOILING = _LEASE.format(also_seen=_ALSO_SEEN, balanced=_BALANCED)
_LEASE_GOLD = _LEASE.format(also_seen=_ALSO_SEEN, balanced="")


def lease_place(
    visitor: Visitor, take: Take, *, visit_hash: bytes, now: datetime, until: datetime, slot: int
) -> int:
    """The id of a new assignment at the place: everything that an offer writes, in one statement.

    The database refuses it (IntegrityError) where a cap or an exposure forbids it. A condition that
    is new to the rater counts as one more condition.
    """
    statement = _LEASE_SPOILING if take.also_spoils else _LEASE_ONE
    return int(
        value(
            _LEASE_GOLD if take.gold else statement,
            _lease_values(visitor, take) | {"visit": visit_hash, "now": now, "until": until, "slot": slot},
        )
    )


def _lease_values(visitor: Visitor, take: Take) -> dict[str, object]:
    """The values of the statement, by name."""
    return {
        "place": take.found.place,
        "task": take.found.task,
        "study": visitor.study,
        "version": take.condition.version,
        "batch": take.condition.batch,
        "condition": take.condition.name,
        "pool": visitor.pool,
        "group": visitor.group,
        "rater": visitor.rater,
        "scopes": [count.scope for count in take.counts],
        "keys": [count.key for count in take.counts],
        "steps": [count.step for count in take.counts],
        "caps": [count.cap for count in take.counts],
        "ranks": [count.last_rank for count in take.counts],
        "conditions_cap": take.conditions_cap,
        "slots": Offered.SLOTS,
    }


def open_visit(assignment: int, *, visit_hash: bytes, now: datetime, until: datetime) -> None:
    """Opens another visit to an assignment; older visits become read-only, and all but a few are deleted.

    A lease that has run out is extended until the given time, if that is later.
    """
    run(
        """WITH newest AS (
             UPDATE assignment SET visit_hash = %(visit)s,
               lease_until = CASE WHEN lease_until < %(now)s THEN greatest(lease_until, %(until)s) ELSE lease_until END
             WHERE id = %(assignment)s RETURNING id, study_id),
           deleted AS (
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
