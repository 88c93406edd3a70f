"""The places of a version: kept, moved, opened and closed, after `layout.lay_out` has compared them.

Locks are taken in the order of all other transactions: place, offered. Places are opened before others are
closed: an offer skips locked places, so that they are locked for a short time only. Leased places are never closed, and
their raters may finish.
"""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import PlaceState
from labelwright.server.store.models import Offered
from labelwright.server.store.rows import column, literal, records, run
from labelwright.server.studies.queries.layout import FIXED, OFFERABLE

RANK_BITS = 40
"""Ranks of one batch come before those of the next; no batch has more places than fit into these bits."""
OPEN = literal(PlaceState.OPEN)
CLOSED = literal(PlaceState.CLOSED)
LEASED = literal(PlaceState.LEASED)


def open_places(study: int) -> None:
    """Opens the places that are wanted and not there yet: first those that were closed earlier, then new ones.

    New places come after those that the batch has, and are offered in the seeded order.
    """
    run(
        f"""UPDATE place p SET state = {OPEN}, batch_id = b.batch, closing = false
            FROM (SELECT d.id, d.plan, s.needed - s.offerable AS missing,
                         row_number() OVER (PARTITION BY d.plan, d.content, d.rater_group ORDER BY d.ordinal) AS n
                  FROM placed d JOIN standing s USING (plan, content, rater_group)
                  WHERE d.state = {CLOSED} AND d.in_pool) c
            JOIN laid_batch b USING (plan)
            WHERE p.id = c.id AND c.n <= c.missing""",
    )
    run(
        f"""WITH most AS (SELECT plan, max(n) AS n FROM standing GROUP BY 1),
            last AS (SELECT b.plan, max(p.rank) AS rank FROM laid_batch b JOIN place p ON p.batch_id = b.batch GROUP BY 1),
            numbered AS (SELECT content, rater_group, max(ordinal) + 1 AS ordinal FROM placed GROUP BY 1, 2),
            reopened AS (
              SELECT plan, content, rater_group, count(*) AS n FROM placed
              WHERE state = {CLOSED} AND in_pool GROUP BY 1, 2, 3),
            missing AS (
              SELECT s.*, coalesce(d.ordinal, 0) AS first_ordinal, s.needed - s.offerable - coalesce(r.n, 0) AS missing
              FROM standing s LEFT JOIN numbered d USING (content, rater_group)
              LEFT JOIN reopened r USING (plan, content, rater_group))
            INSERT INTO place (study_id, task_id, ordinal, batch_id, pool_id, rater_group, condition, rank, state)
            SELECT %(study)s, k.task,
                   m.first_ordinal - 1 + row_number() OVER (
                     PARTITION BY m.content, m.rater_group ORDER BY m.plan, nth),
                   b.batch, b.pool, m.rater_group, m.condition,
                   coalesce(last.rank + 1, b.number << {RANK_BITS}) + m.rank * most.n + nth, {OPEN}
            FROM missing m JOIN known k USING (content) JOIN laid_batch b ON b.plan = m.plan
            JOIN most ON most.plan = m.plan LEFT JOIN last ON last.plan = m.plan
            CROSS JOIN LATERAL generate_series(0, m.missing - 1) AS nth
            ORDER BY m.condition, m.rank, nth""",
        {"study": study},
    )


def close_places() -> None:
    """Closes open places of kept tasks that are no longer wanted, and moves the others into their batch.

    Leased places beyond the wanted number close when their rater returns them.
    """
    run(
        f"""UPDATE place p SET state = {CLOSED}
            FROM (SELECT d.id, d.in_pool, coalesce(s.needed, 0) AS needed, row_number() OVER (
                           PARTITION BY d.plan, d.content, d.rater_group, d.in_pool ORDER BY d.ordinal) AS n
                  FROM placed d LEFT JOIN standing s USING (plan, content, rater_group)
                  WHERE d.state IN {OFFERABLE}) c
            WHERE p.id = c.id AND p.state IN {OFFERABLE} AND (c.n > c.needed OR NOT c.in_pool)""",
    )
    run(
        f"""UPDATE place p SET batch_id = b.batch FROM placed d JOIN laid_batch b USING (plan)
            WHERE p.id = d.id AND p.state IN {OFFERABLE} AND p.batch_id <> b.batch""",
    )
    run(
        f"""UPDATE place p SET closing = NOT p.closing
            FROM (SELECT d.id, coalesce(s.n, 0) - coalesce(s.filled, 0) AS left_over,
                         row_number() OVER (PARTITION BY d.plan, d.content, d.rater_group ORDER BY d.ordinal) AS n
                  FROM placed d LEFT JOIN standing s USING (plan, content, rater_group)
                  WHERE d.state = {LEASED}) c
            WHERE p.id = c.id AND p.closing <> (c.n > c.left_over)""",
    )
    run(
        f"""UPDATE place p SET closing = false FROM placed d
            WHERE p.id = d.id AND p.closing AND p.state = {literal(PlaceState.FILLED)}"""
    )


def close_left(batches: list[int]) -> None:
    """Closes the open places of batches that a version leaves behind; leased ones close when they are returned."""
    if not batches:
        return
    run(f"UPDATE place SET state = {CLOSED} WHERE batch_id = ANY(%s) AND state IN {OFFERABLE}", [batches])
    run(
        f"UPDATE place SET closing = true WHERE batch_id = ANY(%s) AND state = {LEASED} AND NOT closing",
        [batches],
    )


_LEFT = "NOT p.gold AND NOT EXISTS (SELECT 1 FROM known k WHERE k.task = p.task_id)"
"""A place of a task that the layout does not keep. Gold tasks are no part of the layout and stay with their batch."""


def batches_with_left_places(batches: list[int]) -> list[int]:
    """Those of the batches that have places of tasks that the layout does not keep."""
    return column(
        f"SELECT DISTINCT p.batch_id FROM place p WHERE p.batch_id = ANY(%s) AND {_LEFT} ORDER BY 1",
        [batches],
    )


def lock_leased(batches: list[int]) -> None:
    """Locks the leased places that are going to be moved or marked, in the order in which leases that end lock them."""
    run(
        f"""SELECT 1 FROM place p WHERE p.state = {LEASED} AND (
              p.batch_id = ANY(%s) AND {_LEFT}
              OR p.id IN (SELECT d.id FROM placed d LEFT JOIN standing s USING (plan, content, rater_group)
                          WHERE d.state = {LEASED} AND coalesce(s.fixed, 1) > coalesce(s.n, 0)))
            ORDER BY p.id FOR NO KEY UPDATE""",
        [batches],
    )


def move_left_places(batch: int, to: int) -> None:
    """Moves the places of tasks that the layout does not keep into another batch."""
    run(f"UPDATE place p SET batch_id = %s WHERE p.batch_id = %s AND {_LEFT}", [to, batch])


def move_offers(batch: int, to: int) -> None:
    """Moves the count of what was offered in a batch along with the places that were moved to another one."""
    run(
        f"""WITH moved AS (
              SELECT study_id, pool_id, rater_group, condition, count(*) AS n FROM place
              WHERE batch_id = %(to)s AND state IN {FIXED} GROUP BY 1, 2, 3, 4),
            there AS (
              INSERT INTO offered (study_id, batch_id, pool_id, rater_group, condition, slot, n)
              SELECT study_id, %(to)s, pool_id, rater_group, condition, 0, n FROM moved)
            UPDATE offered o SET n = o.n - moved.n FROM moved
            WHERE o.batch_id = %(batch)s AND o.slot = 0 AND o.pool_id = moved.pool_id
              AND o.rater_group = moved.rater_group AND o.condition = moved.condition""",
        {"to": to, "batch": batch},
    )


def name_batch(plan: int, batch: int, pool: int) -> None:
    """Says in which batch and for which pool the places of a planned batch are."""
    run("UPDATE laid_batch SET batch = %s, pool = %s WHERE plan = %s", [batch, pool, plan])


def count_offers(study: int) -> None:
    """Makes the rows that count what is offered, and removes those of conditions that a batch no longer has."""
    run(
        """DELETE FROM offered o USING laid_batch b WHERE o.batch_id = b.batch AND NOT EXISTS (
             SELECT 1 FROM wanted w WHERE w.plan = b.plan AND w.condition = o.condition
               AND w.rater_group = o.rater_group AND b.pool = o.pool_id)"""
    )
    run(
        """INSERT INTO offered (study_id, batch_id, pool_id, rater_group, condition, slot, n)
           SELECT %s, b.batch, b.pool, w.rater_group, w.condition, slot, 0
           FROM (SELECT DISTINCT plan, rater_group, condition FROM wanted) w JOIN laid_batch b USING (plan),
                generate_series(0, %s) AS slot
           ON CONFLICT DO NOTHING""",
        [study, Offered.SLOTS - 1],
    )


@dataclass(frozen=True, slots=True)
class _Wanted:
    batch: int
    condition: str
    n: int


def count_wanted(batches: list[int]) -> dict[int, dict[str, int]]:
    """The wanted ratings of batches by condition, in one pass over the places, however many batches there are."""
    counted = records(
        _Wanted,
        f"""SELECT batch_id AS batch, condition, count(*) AS n FROM place
            WHERE batch_id = ANY(%s) AND state <> {CLOSED} AND NOT gold GROUP BY 1, 2""",
        [batches],
    )
    wanted: dict[int, dict[str, int]] = {}
    for each in counted:
        wanted.setdefault(each.batch, {})[each.condition] = each.n
    return wanted
