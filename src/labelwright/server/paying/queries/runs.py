"""SQL of payment runs: what can be paid now, what fits the budgets, and lists of payments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from labelwright.crowd import AssignmentState, PaymentKind
from labelwright.server.paying.queries.ledger import CONFIRMED, PLANNED, TASK
from labelwright.server.store.models import CaseKind, CaseState
from labelwright.server.store.rows import literal, records, run, value

_UNDER_REVIEW = f"""(
  s.state = {literal(AssignmentState.SUBMITTED)} AND (
    s.unflagged
    OR EXISTS (SELECT 1 FROM review_case c WHERE c.assignment_id = s.id AND c.state = '{CaseState.OPEN}'
                 AND c.kind <> '{CaseKind.SECOND}')
    OR EXISTS (SELECT 1 FROM case_change c WHERE c.study_id = s.study_id
                 AND (c.assignment_id = s.id OR c.assignment_id IS NULL))))"""
"""Whether work waits for a quality rule or for a reviewer."""
HELD = f"""(CASE WHEN p.kind = {TASK}
        THEN EXISTS (SELECT 1 FROM assignment s WHERE s.id = p.assignment_id AND {_UNDER_REVIEW})
      WHEN p.kind = {literal(PaymentKind.BATCH_BONUS)}
        THEN EXISTS (SELECT 1 FROM assignment s JOIN place l ON l.id = s.place_id
                     WHERE s.rater_id = p.rater_id AND l.batch_id = p.batch_id AND {_UNDER_REVIEW})
      ELSE false END)"""
"""Whether a payment waits until work is checked or reviewed."""


@dataclass(frozen=True, slots=True)
class Payable:
    """A payment that can be released now."""

    id: int
    rater: int
    batch: int | None
    currency: str
    total: int


def lock_payable(
    study: int, after: int, most: int, platform: str, only: Sequence[int] | None = None
) -> list[Payable]:
    """The next planned payments that wait for nobody, locked; another run takes others."""
    return records(
        Payable,
        f"""SELECT p.id, p.rater_id AS rater, p.batch_id AS batch, p.currency, p.cents + p.fee_cents AS total
            FROM payment p
            WHERE p.study_id = %(study)s AND p.state = {PLANNED} AND p.id > %(after)s AND p.platform = %(platform)s
              AND (%(only)s::bigint[] IS NULL OR p.id = ANY(%(only)s)) AND NOT {HELD}
            ORDER BY p.id LIMIT %(most)s FOR UPDATE OF p""",
        {
            "study": study,
            "after": after,
            "most": most,
            "platform": platform,
            "only": None if only is None else list(only),
        },
    )


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a budget with a limit."""

    scope: str
    batch: int | None
    rater: int | None
    currency: str
    left: int


def budgets_left(study: int) -> list[Left]:
    """What is left of the budgets with a limit; the caller has locked that of the study."""
    return records(
        Left,
        """SELECT scope, batch_id AS batch, rater_id AS rater, currency, limit_cents - committed_cents AS left
           FROM payment_budget WHERE study_id = %s AND limit_cents IS NOT NULL""",
        [study],
    )


def put_into_run(study: int, payments: Sequence[int], run_id: int) -> None:
    """Notes the run of payments."""
    run(
        "UPDATE payment SET run_id = %s WHERE study_id = %s AND id = ANY(%s)",
        [run_id, study, list(payments)],
    )


def next_number(study: int) -> int:
    """The number of the next run; the caller has locked the study."""
    return int(value("SELECT coalesce(max(number), 0) + 1 FROM payment_run WHERE study_id = %s", [study]))


@dataclass(frozen=True, slots=True)
class ListedPayment:
    """A payment of a run, as a pay list shows it."""

    id: int
    code: str
    pseudonym: str
    kind: str
    public_id: UUID | None
    """Of the assignment, for the receipt."""
    approved: bool
    batch: int | None
    cents: int
    fee_cents: int
    currency: str
    reason: str
    state: str
    run: int
    at: datetime


_LISTED = f"""SELECT p.id, p.code, r.pseudonym, p.kind, a.public_id,
                    coalesce(a.state = {literal(AssignmentState.APPROVED)}, false) AS approved, b.number AS batch,
                    p.cents, p.fee_cents, p.currency, p.reason, p.state, coalesce(u.number, 0) AS run, p.changed_at AS at
             FROM payment p JOIN rater r ON r.id = p.rater_id LEFT JOIN payment_run u ON u.id = p.run_id
             LEFT JOIN assignment a ON a.id = p.assignment_id LEFT JOIN batch b ON b.id = p.batch_id
             WHERE p.study_id = %(study)s"""


def payments_of_run(study: int, run_id: int) -> list[ListedPayment]:
    """The payments of a run, rater by rater."""
    return records(
        ListedPayment,
        f"{_LISTED} AND p.run_id = %(run)s ORDER BY r.pseudonym, p.id",
        {"study": study, "run": run_id},
    )


def all_payments(study: int) -> list[ListedPayment]:
    """Every payment of a study, rater by rater."""
    return records(ListedPayment, f"{_LISTED} ORDER BY r.pseudonym, p.id", {"study": study})


def payments_by_code(study: int, codes: Sequence[str]) -> list[ListedPayment]:
    """Payments by what pay lists call them."""
    return records(
        ListedPayment, f"{_LISTED} AND p.code = ANY(%(codes)s)", {"study": study, "codes": list(codes)}
    )


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run with its sums."""

    id: int
    number: int
    platform: str
    made_by: str
    made_at: datetime
    listed_at: datetime | None
    tasks: int
    bonuses: int
    cents: int
    currency: str
    waiting: int
    """Payments that are not confirmed."""


_RUNS = f"""SELECT u.id, u.number, u.platform, u.made_by, u.made_at, u.listed_at,
                  count(p.id) FILTER (WHERE p.kind = {TASK}) AS tasks, count(p.id) FILTER (WHERE p.kind <> {TASK}) AS bonuses,
                  coalesce(sum(p.cents + p.fee_cents), 0)::bigint AS cents, coalesce(min(p.currency), '') AS currency,
                  count(p.id) FILTER (WHERE p.state <> {CONFIRMED}) AS waiting
           FROM payment_run u LEFT JOIN payment p ON p.run_id = u.id AND p.study_id = u.study_id
           WHERE u.study_id = %(study)s"""


def newest_runs(study: int, most: int) -> list[RunLine]:
    """The newest runs."""
    return records(
        RunLine,
        f"{_RUNS} GROUP BY u.id, u.study_id ORDER BY u.number DESC LIMIT %(most)s",
        {"study": study, "most": most},
    )
