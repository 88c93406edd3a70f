"""Places that are given up and taken again: return, expiry, late submission, data that are left out.

Off the hot path: whatever many rows are changed here are locked first, in one order.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from labelwright.server.store.rows import rows, run


def is_free(place: int) -> bool:
    """Whether a place could be taken again: open, in an open batch."""
    return bool(
        rows(
            """SELECT 1 FROM place p JOIN batch b ON b.id = p.batch_id
               WHERE p.id = %s AND p.state = 'open' AND b.state = 'open'""",
            [place],
        )
    )


def take_back(place: int) -> bool:
    """Whether a place whose lease ran out is still free; then it is held again."""
    return bool(
        rows(
            """UPDATE place p SET state = 'leased' FROM batch b
               WHERE p.id = %s AND p.state = 'open' AND b.id = p.batch_id AND b.state = 'open'
               RETURNING 1""",
            [place],
        )
    )


def reopen(assignment: int, until: datetime, free_for: timedelta) -> None:
    """Gives an expired assignment its lease back; the caller holds its place again."""
    run(
        "UPDATE assignment SET state = 'open', lease_until = %s, free_for = %s WHERE id = %s",
        [until, free_for, assignment],
    )


def extend(assignment: int, until: datetime) -> None:
    """Moves the end of a lease."""
    run("UPDATE assignment SET lease_until = %s WHERE id = %s", [until, assignment])


def release(assignments: list[int], state: str) -> None:
    """Ends open assignments without answers and opens their places to others."""
    run("UPDATE assignment SET state = %s WHERE id = ANY(%s)", [state, assignments])
    run(
        """UPDATE place SET state = 'open' FROM assignment a
           WHERE a.id = ANY(%s) AND place.id = a.place_id""",
        [assignments],
    )
    count(assignments, -1)


def give_up(assignment: int) -> None:
    """Ends an expired assignment for good; its place is open to others already."""
    run("UPDATE assignment SET state = 'returned' WHERE id = %s", [assignment])


def open_filled(place: int) -> None:
    """Opens a place whose data are not used."""
    run("UPDATE place SET state = 'open' WHERE id = %s AND state = 'filled'", [place])


def fill_again(place: int) -> bool:
    """Whether a place that was opened for others is still free; then it is filled again."""
    return run("UPDATE place SET state = 'filled' WHERE id = %s AND state = 'open'", [place]) == 1


def count_return(study: int, rater: int, cap: int) -> int:
    """How often the rater has given work back, this time included.

    Whoever has reached the cap is offered nothing, so it is exceeded only where a new version of the
    study lowered it since the offer; then the database refuses (IntegrityError).
    """
    return int(
        rows(
            """INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
               VALUES (%s, %s, 'returns', '', 1, %s, -1)
               ON CONFLICT (rater_id, scope, key) DO UPDATE
               SET n = rater_count.n + 1, cap = excluded.cap
               RETURNING n""",
            [study, rater, cap],
        )[0][0]
    )


def returns_of(rater: int) -> int:
    """How often a rater has given work back."""
    found = rows("SELECT n FROM rater_count WHERE rater_id = %s AND scope = 'returns'", [rater])
    return int(found[0][0]) if found else 0


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


_COUNTED = """
    SELECT k.rater_id, k.scope, k.key, count(*) AS n
    FROM assignment a JOIN place p ON p.id = a.place_id
    CROSS JOIN LATERAL (VALUES (a.rater_id, 'condition', p.condition), (a.rater_id, 'tasks', ''),
                               (a.rater_id, 'batch', p.batch_id::text),
                               (a.rater_id, 'day', to_char(a.offered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')))
      AS k(rater_id, scope, key)
    WHERE a.id = ANY(%(ids)s) GROUP BY 1, 2, 3"""


def count(assignments: Iterable[int], step: int) -> None:
    """Counts assignments for (+1) or against (-1) their raters' caps and their conditions' balance."""
    listed = list(assignments)
    ids: dict[str, object] = {"ids": listed}
    # Locked in one order before anything is changed, so that two callers cannot wait for each other.
    rows(
        """SELECT 1 FROM rater_count WHERE rater_id IN (SELECT rater_id FROM assignment WHERE id = ANY(%(ids)s))
           ORDER BY rater_id, scope, key FOR NO KEY UPDATE""",
        ids,
    )
    run(
        f"""UPDATE rater_count c SET n = c.n + %(step)s * d.n FROM ({_COUNTED}) d
           WHERE c.rater_id = d.rater_id AND c.scope = d.scope AND c.key = d.key""",  # noqa: S608  a literal
        ids | {"step": step},
    )
    run(
        """UPDATE rater_count c SET n = d.n
           FROM (SELECT rater_id, count(*) FILTER (WHERE n > 0) AS n FROM rater_count
                 WHERE scope = 'condition'
                   AND rater_id IN (SELECT rater_id FROM assignment WHERE id = ANY(%(ids)s)) GROUP BY 1) d
           WHERE c.rater_id = d.rater_id AND c.scope = 'conditions' AND c.key = '' AND c.n <> d.n""",
        ids,
    )
    count_offered(listed, step)


def could_count(assignment: int) -> bool:
    """Whether no cap of its rater keeps an assignment from being counted (see `count`); nothing is locked."""
    return bool(
        rows(
            f"""SELECT NOT EXISTS (
                  SELECT 1 FROM ({_COUNTED}) d JOIN rater_count c USING (rater_id, scope, key) WHERE c.n + d.n > c.cap)
                AND NOT EXISTS (
                  SELECT 1 FROM assignment a JOIN place p ON p.id = a.place_id
                  JOIN rater_count met
                    ON met.rater_id = a.rater_id AND met.scope = 'conditions' AND met.n + 1 > met.cap
                  JOIN rater_count own
                    ON own.rater_id = a.rater_id AND own.scope = 'condition' AND own.key = p.condition AND own.n = 0
                  WHERE a.id = ANY(%(ids)s))""",  # noqa: S608  a literal
            {"ids": [assignment]},
        )[0][0]
    )


def count_offered(assignments: Iterable[int], step: int) -> None:
    """Counts the places of assignments as offered (+1) or not (-1), for balance alone."""
    ids = list(assignments)
    rows(
        """SELECT 1 FROM offered o WHERE slot = 0 AND (batch_id, pool_id, rater_group, condition) IN (
             SELECT p.batch_id, p.pool_id, p.rater_group, p.condition
             FROM assignment a JOIN place p ON p.id = a.place_id WHERE a.id = ANY(%s))
           ORDER BY id FOR NO KEY UPDATE""",
        [ids],
    )
    run(
        """UPDATE offered o SET n = o.n + %(step)s * d.n
           FROM (SELECT p.batch_id, p.pool_id, p.rater_group, p.condition, count(*) AS n
                 FROM assignment a JOIN place p ON p.id = a.place_id
                 WHERE a.id = ANY(%(ids)s) GROUP BY 1, 2, 3, 4) d
           WHERE o.batch_id = d.batch_id AND o.pool_id = d.pool_id AND o.rater_group = d.rater_group
             AND o.condition = d.condition AND o.slot = 0""",
        {"ids": ids, "step": step},
    )
