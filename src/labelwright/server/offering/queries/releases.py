"""Places that are released and taken again: return, expiry, late submission, excluded data.

Off the hot path: where many rows are changed, they are locked first, in one order.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from labelwright.crowd import AssignmentState, BatchState, CountScope, PlaceState, StudyState
from labelwright.server.store.changes import note_changed_work
from labelwright.server.store.rows import column, literal, run, value

OPEN_PLACE = literal(PlaceState.OPEN)
FILLED = literal(PlaceState.FILLED)
OPEN_BATCH = literal(BatchState.OPEN)
UNFINISHED = f"({literal(StudyState.OPEN)}, {literal(StudyState.PAUSED)})"
"""The states of a study in which raters can have lapsed work back. A pause ends nothing that has begun."""
RELEASED = f"CASE WHEN p.gold OR p.closing THEN {literal(PlaceState.CLOSED)} ELSE {OPEN_PLACE} END"
"""The state of a place that its rater no longer has."""
FREE = f"CASE WHEN p.gold THEN {literal(PlaceState.CLOSED)} ELSE {OPEN_PLACE} END"
"""The state of a place that can be taken again. That of a gold task waits for its own rater, and nobody else gets it."""


def is_free(place: int) -> bool:
    """Whether a place could be taken again: free, in an open batch of a study that is not closed."""
    return bool(
        column(
            f"""SELECT 1 FROM place p JOIN batch b ON b.id = p.batch_id JOIN study s ON s.id = b.study_id
               WHERE p.id = %s AND p.state = {FREE} AND b.state = {OPEN_BATCH} AND s.state IN {UNFINISHED}""",
            [place],
        )
    )


def take_back(place: int) -> bool:
    """Holds a place again whose lease ran out, if it is still free; returns whether it was."""
    return bool(
        run(
            f"""UPDATE place p SET state = {literal(PlaceState.LEASED)} FROM batch b JOIN study s ON s.id = b.study_id
               WHERE p.id = %s AND p.state = {FREE} AND b.id = p.batch_id AND b.state = {OPEN_BATCH}
                 AND s.state IN {UNFINISHED}""",
            [place],
        )
    )


def reopen(assignment: int, until: datetime, free_for: timedelta) -> None:
    """Gives an expired assignment its lease back; the caller holds its place again."""
    run(
        "UPDATE assignment SET state = %s, lease_until = %s, free_for = %s WHERE id = %s",
        [AssignmentState.OPEN, until, free_for, assignment],
    )


def extend(assignment: int, until: datetime) -> None:
    """Moves the end of a lease."""
    run("UPDATE assignment SET lease_until = %s WHERE id = %s", [until, assignment])


def release(assignments: list[int], state: AssignmentState) -> None:
    """Ends open assignments without answers and opens their places to others."""
    run("UPDATE assignment SET state = %s WHERE id = ANY(%s)", [state, assignments])
    # Locked in one order, so that this and the loading of a new version cannot wait for each other.
    run(
        """SELECT 1 FROM place WHERE id IN (SELECT place_id FROM assignment WHERE id = ANY(%s))
           ORDER BY id FOR NO KEY UPDATE""",
        [assignments],
    )
    run(
        f"""UPDATE place p SET state = {RELEASED} FROM assignment a
           WHERE a.id = ANY(%s) AND p.id = a.place_id""",
        [assignments],
    )
    count(assignments, -1)
    note_changed_work(assignments)


def give_up(assignment: int) -> None:
    """Ends an expired assignment for good; its place is open to others already."""
    run("UPDATE assignment SET state = %s WHERE id = %s", [AssignmentState.RETURNED, assignment])


def open_filled(place: int) -> None:
    """Opens a place whose data are excluded."""
    run(f"UPDATE place p SET state = {RELEASED} WHERE id = %s AND state = {FILLED}", [place])


def fill_again(place: int) -> bool:
    """Fills a place again that was opened for others or closed, if nobody has it; returns whether it was free."""
    free = f"({OPEN_PLACE}, {literal(PlaceState.CLOSED)})"
    return run(f"UPDATE place SET state = {FILLED} WHERE id = %s AND state IN {free}", [place]) == 1


def count_return(study: int, rater: int, cap: int) -> int:
    """How often the rater has returned work, including this time.

    A rater who has reached the cap gets no offers, so it is exceeded only if a new version of the
    study lowered it since the offer; then the database refuses (IntegrityError).
    """
    return int(
        value(
            """INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
               VALUES (%s, %s, %s, '', 1, %s, -1)
               ON CONFLICT (rater_id, scope, key, study_id) DO UPDATE
               SET n = rater_count.n + 1, cap = excluded.cap
               RETURNING n""",
            [study, rater, CountScope.RETURNS, cap],
        )
    )


def returns_of(rater: int) -> int:
    """How often a rater has returned work."""
    found = value("SELECT n FROM rater_count WHERE rater_id = %s AND scope = %s", [rater, CountScope.RETURNS])
    return int(found or 0)


def lock_lapsed(now: datetime, limit: int) -> list[int]:
    """Open assignments whose lease has run out, locked; those in use by a request are skipped."""
    return column(
        f"""SELECT id FROM assignment WHERE state = {literal(AssignmentState.OPEN)} AND lease_until < %s
           ORDER BY lease_until LIMIT %s FOR NO KEY UPDATE SKIP LOCKED""",
        [now, limit],
    )


_COUNTED = f"""
    SELECT k.rater_id, k.scope, k.key, count(*) AS n
    FROM assignment a JOIN place p ON p.id = a.place_id
    CROSS JOIN LATERAL (VALUES (a.rater_id, {literal(CountScope.CONDITION)}, p.condition),
                               (a.rater_id, {literal(CountScope.TASKS)}, ''),
                               (a.rater_id, {literal(CountScope.BATCH)}, p.batch_id::text),
                               (a.rater_id, {literal(CountScope.DAY)},
                                to_char(a.offered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')))
      AS k(rater_id, scope, key)
    WHERE a.id = ANY(%(ids)s) GROUP BY 1, 2, 3"""


def count(assignments: Iterable[int], step: int) -> None:
    """Counts assignments for (+1) or against (-1) their raters' caps and their conditions' balance."""
    listed = list(assignments)
    ids: dict[str, object] = {"ids": listed}
    # Locked in one order before anything is changed, so that two callers cannot wait for each other.
    run(
        """SELECT 1 FROM rater_count WHERE rater_id IN (SELECT rater_id FROM assignment WHERE id = ANY(%(ids)s))
           ORDER BY rater_id, scope, key FOR NO KEY UPDATE""",
        ids,
    )
    run(
        f"""UPDATE rater_count c SET n = c.n + %(step)s * d.n FROM ({_COUNTED}) d
           WHERE c.rater_id = d.rater_id AND c.scope = d.scope AND c.key = d.key""",
        ids | {"step": step},
    )
    run(
        f"""UPDATE rater_count c SET n = d.n
           FROM (SELECT rater_id, count(*) FILTER (WHERE n > 0) AS n FROM rater_count
                 WHERE scope = {literal(CountScope.CONDITION)}
                   AND rater_id IN (SELECT rater_id FROM assignment WHERE id = ANY(%(ids)s)) GROUP BY 1) d
           WHERE c.rater_id = d.rater_id AND c.scope = {literal(CountScope.CONDITIONS)} AND c.key = '' AND c.n <> d.n""",
        ids,
    )
    count_offered(listed, step)


def could_count(assignment: int) -> bool:
    """Whether counting an assignment again would keep within the rater's caps (see `count`); locks nothing."""
    return bool(
        value(
            f"""SELECT NOT EXISTS (
                  SELECT 1 FROM ({_COUNTED}) d JOIN rater_count c USING (rater_id, scope, key) WHERE c.n + d.n > c.cap)
                AND NOT EXISTS (
                  SELECT 1 FROM assignment a JOIN place p ON p.id = a.place_id
                  JOIN rater_count met
                    ON met.rater_id = a.rater_id AND met.scope = {literal(CountScope.CONDITIONS)} AND met.n + 1 > met.cap
                  JOIN rater_count own
                    ON own.rater_id = a.rater_id AND own.scope = {literal(CountScope.CONDITION)} AND own.key = p.condition AND own.n = 0
                  WHERE a.id = ANY(%(ids)s))""",
            {"ids": [assignment]},
        )
    )


def count_offered(assignments: Iterable[int], step: int) -> None:
    """Counts the places of assignments as offered (+1) or not (-1), for balance alone."""
    ids = list(assignments)
    run(
        """SELECT 1 FROM offered o WHERE slot = 0 AND (batch_id, pool_id, rater_group, condition) IN (
             SELECT p.batch_id, p.pool_id, p.rater_group, p.condition
             FROM assignment a JOIN place p ON p.id = a.place_id WHERE a.id = ANY(%s) AND NOT p.gold)
           ORDER BY id FOR NO KEY UPDATE""",
        [ids],
    )
    run(
        """UPDATE offered o SET n = o.n + %(step)s * d.n
           FROM (SELECT p.batch_id, p.pool_id, p.rater_group, p.condition, count(*) AS n
                 FROM assignment a JOIN place p ON p.id = a.place_id
                 WHERE a.id = ANY(%(ids)s) AND NOT p.gold GROUP BY 1, 2, 3, 4) d
           WHERE o.batch_id = d.batch_id AND o.pool_id = d.pool_id AND o.rater_group = d.rater_group
             AND o.condition = d.condition AND o.slot = 0""",
        {"ids": ids, "step": step},
    )
