"""SQL of the page Money: sums by state, condition and rater, and payments that somebody has to look up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import AssignmentState, BatchState, CallState, PlaceState
from labelwright.server.paying.queries.ledger import (
    AUTHORISED,
    CONFIRMED,
    OF_STUDY,
    PLANNED,
    REVERSED,
    SENT,
    TASK,
)
from labelwright.server.paying.queries.runs import HELD
from labelwright.server.store.rows import literal, records, value
from labelwright.server.web.desk.tables import TableQuery


@dataclass(frozen=True, slots=True)
class StateSum:
    """The payments of one kind in one state."""

    state: str
    """A state of the ledger, or `held` for planned payments that wait for a check or a review."""
    kind: str
    currency: str
    n: int
    cents: int
    fee_cents: int


def sums_by_state(study: int) -> list[StateSum]:
    """What has become of all payments of a study."""
    return records(
        StateSum,
        f"""SELECT CASE WHEN p.state = {PLANNED} AND {HELD} THEN 'held' ELSE p.state END AS state, p.kind, p.currency,
                   count(*) AS n, sum(p.cents)::bigint AS cents, sum(p.fee_cents)::bigint AS fee_cents
            FROM payment p WHERE p.study_id = %s GROUP BY 1, 2, 3""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class ExpectedWork:
    """Tasks that are not done yet, by the pool that sets their pay."""

    pool: str
    at_work: bool
    n: int


def expected_work(study: int) -> list[ExpectedWork]:
    """The places of open batches that somebody is at work on, or that are still open."""
    return records(
        ExpectedWork,
        f"""SELECT l.name AS pool, p.state = {literal(PlaceState.LEASED)} AS at_work, count(*) AS n
            FROM place p JOIN pool l ON l.id = p.pool_id JOIN batch b ON b.id = p.batch_id AND b.state <> {literal(BatchState.CLOSED)}
            WHERE p.study_id = %s
              AND p.state IN ({literal(PlaceState.LEASED)}, {literal(PlaceState.OPEN)}, {literal(PlaceState.WAITING)})
            GROUP BY 1, 2""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class ConditionMoney:
    """What a condition costs, and what raters earn in it per hour: the median and the middle half."""

    condition: str
    currency: str
    tasks: int
    unpaid: int
    cents: int
    fee_cents: int
    hourly: float | None
    low: float | None
    high: float | None


def money_by_condition(study: int) -> list[ConditionMoney]:
    """The pay of tasks by condition. Hourly pay is that of measured times; tasks without a time are left out of it."""
    return records(
        ConditionMoney,
        f"""WITH paid AS (
             SELECT l.condition, p.currency, p.state, p.cents, p.fee_cents, a.rater_id,
                    CASE WHEN a.seconds > 0 THEN p.cents * 3600 / a.seconds END AS hourly
             FROM payment p JOIN assignment a ON a.id = p.assignment_id JOIN place l ON l.id = a.place_id
             WHERE p.study_id = %s AND p.kind = {TASK})
           SELECT condition, currency, count(*) AS tasks, count(*) FILTER (WHERE state = {REVERSED}) AS unpaid,
                  coalesce(sum(cents) FILTER (WHERE state <> {REVERSED}), 0)::bigint AS cents,
                  coalesce(sum(fee_cents) FILTER (WHERE state <> {REVERSED}), 0)::bigint AS fee_cents,
                  percentile_cont(0.5) WITHIN GROUP (ORDER BY hourly) AS hourly,
                  percentile_cont(0.25) WITHIN GROUP (ORDER BY hourly) AS low,
                  percentile_cont(0.75) WITHIN GROUP (ORDER BY hourly) AS high
           FROM paid GROUP BY 1, 2 ORDER BY 1, 2""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class RaterMoney:
    """What a rater has earned."""

    rater: str
    currency: str
    tasks: int
    rewards: int
    bonuses: int
    owed: int
    total: int
    hourly: float | None


_BY_RATER = f"""SELECT r.pseudonym AS rater, p.currency, count(*) FILTER (WHERE p.kind = {TASK}) AS tasks,
         coalesce(sum(p.cents) FILTER (WHERE p.kind = {TASK} AND p.state IN ({SENT}, {CONFIRMED})), 0)::bigint AS rewards,
         coalesce(sum(p.cents) FILTER (WHERE p.kind <> {TASK} AND p.state IN ({SENT}, {CONFIRMED})), 0)::bigint AS bonuses,
         coalesce(sum(p.cents) FILTER (WHERE p.state IN ({PLANNED}, {AUTHORISED})), 0)::bigint AS owed,
         coalesce(sum(p.cents) FILTER (WHERE p.state <> {REVERSED}), 0)::bigint AS total,
         sum(p.cents) FILTER (WHERE a.seconds > 0) * 3600 / nullif(sum(a.seconds) FILTER (WHERE a.seconds > 0), 0)
           AS hourly
       FROM payment p JOIN rater r ON r.id = p.rater_id LEFT JOIN assignment a ON a.id = p.assignment_id
       WHERE p.study_id = %(study)s GROUP BY 1, 2"""


def money_by_rater(study: int, asked: TableQuery) -> list[RaterMoney]:
    """What raters have earned, as a table asks for it."""
    return records(
        RaterMoney,
        f"""SELECT * FROM ({_BY_RATER}) earned
            WHERE %(pattern)s::text IS NULL OR rater ILIKE %(pattern)s {asked.order_by}""",
        {"study": study, "pattern": asked.pattern},
    )


def count_paid_raters(study: int) -> int:
    """Raters with a payment."""
    return int(value("SELECT count(DISTINCT rater_id) FROM payment WHERE study_id = %s", [study]))


@dataclass(frozen=True, slots=True)
class OpenPayment:
    """A payment that was sent and is not confirmed."""

    id: int
    code: str
    rater: str
    kind: str
    condition: str
    cents: int
    currency: str
    sent_at: datetime
    said: str
    unknown: bool
    """Whether the platform gave no answer; otherwise the pay list was handed out."""


def unresolved(study: int, listed_before: datetime, most: int) -> list[OpenPayment]:
    """Payments whose outcome nobody knows, and those of pay lists that nobody confirmed in time; the oldest first."""
    return records(
        OpenPayment,
        f"""SELECT p.id, p.code, r.pseudonym AS rater, p.kind, coalesce(l.condition, '') AS condition, p.cents, p.currency,
                   coalesce(c.sent_at, p.changed_at) AS sent_at, coalesce(c.said, '') AS said,
                   c.id IS NOT NULL AS unknown
            FROM payment p JOIN rater r ON r.id = p.rater_id LEFT JOIN platform_call c ON c.id = p.call_id
            LEFT JOIN assignment a ON a.id = p.assignment_id LEFT JOIN place l ON l.id = a.place_id
            WHERE p.study_id = %(study)s AND p.state = {SENT}
              AND (c.state = {literal(CallState.UNKNOWN)} OR c.id IS NULL AND p.changed_at < %(before)s)
            ORDER BY p.changed_at, p.id LIMIT %(most)s""",
        {"study": study, "before": listed_before, "most": most},
    )


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """A budget as people see it."""

    scope: str
    of: str
    """The number of a batch, the pseudonym of a rater, or empty for the study and for each new batch or rater."""
    currency: str
    limit: int | None
    committed: int


def budgets(study: int, scopes: Sequence[str]) -> list[BudgetLine]:
    """The budgets of these scopes that have a limit, and that of the study."""
    return records(
        BudgetLine,
        f"""SELECT g.scope, coalesce(b.number::text, r.pseudonym, '') AS of, g.currency, g.limit_cents AS limit,
                  g.committed_cents AS committed
           FROM payment_budget g LEFT JOIN batch b ON b.id = g.batch_id LEFT JOIN rater r ON r.id = g.rater_id
           WHERE g.study_id = %(study)s AND g.scope = ANY(%(scopes)s)
             AND (g.limit_cents IS NOT NULL OR g.scope = {OF_STUDY})
           ORDER BY g.scope DESC, g.batch_id NULLS FIRST, g.rater_id NULLS FIRST, g.currency""",
        {"study": study, "scopes": list(scopes)},
    )


def auto_approvals(study: int, before: datetime) -> int:
    """Undecided work that its platform approves without asking before this time."""
    return int(
        value(
            f"""SELECT count(*) FROM assignment WHERE study_id = %s AND decide_by < %s
                AND state = {literal(AssignmentState.SUBMITTED)}""",
            [study, before],
        )
    )
