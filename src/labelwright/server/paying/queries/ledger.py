"""SQL of the ledger: payments are added once, moved from state to state, and counted in the budgets.

Locks are taken in the order assignment, payment, budget. Whoever changes a budget locks that of the study first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from labelwright.crowd import COMMITTED, LedgerState, PaidState, PaymentKind
from labelwright.crowd.ledger import states_before
from labelwright.server.store.models import PaymentBudget
from labelwright.server.store.rows import literal, records, run

# Sixteen random digits: in a million payments, two are the same with a probability of 3 in 100 million; the database
# would refuse the second.
_CODE = r"""regexp_replace(upper(substr(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 1, 16)),
                           '(....)(....)(....)(....)', '\1-\2-\3-\4')"""
PLANNED, AUTHORISED, SENT, CONFIRMED, REVERSED = (literal(state) for state in LedgerState)
TASK = literal(PaymentKind.TASK)
OF_STUDY = f"'{PaymentBudget.Scope.STUDY}'"


@dataclass(frozen=True, slots=True)
class NewPayment:
    """A payment to plan."""

    key: str
    kind: PaymentKind
    rater: int
    assignment: int | None
    batch: int | None
    platform: str
    cents: int
    fee_cents: int
    currency: str
    reason: str = ""


def add_payments(study: int, payments: Iterable[NewPayment], who: str, now: datetime) -> int:
    """Plans payments; those that are there already stay as they are. Returns how many are new."""
    return run(
        f"""WITH added AS (
              INSERT INTO payment (study_id, key, code, kind, rater_id, assignment_id, batch_id, platform, cents,
                                   fee_cents, currency, reason, state, round, made_at, changed_at)
              SELECT %(study)s, n.key, {_CODE}, n.kind, n.rater, n.assignment, n.batch, n.platform, n.cents,
                     n.fee_cents, n.currency, n.reason, {PLANNED}, 0, %(now)s, %(now)s
              FROM jsonb_to_recordset(%(payments)s::jsonb) AS n(
                key text, kind text, rater bigint, assignment bigint, batch bigint, platform text, cents bigint,
                fee_cents bigint, currency text, reason text)
              ON CONFLICT DO NOTHING RETURNING id, cents, fee_cents, currency)
            INSERT INTO ledger_line (study_id, payment_id, state, cents, fee_cents, currency, who, why, at)
            SELECT %(study)s, id, {PLANNED}, cents, fee_cents, currency, %(who)s, '', %(now)s FROM added""",
        {
            "study": study,
            "payments": json.dumps([asdict(each) for each in payments]),
            "who": who,
            "now": now,
        },
    )


@dataclass(frozen=True, slots=True)
class Moved:
    """A payment that has just reached another state."""

    id: int
    before: str
    assignment: int | None
    rater: int


def move(
    study: int, payments: Sequence[int], to: LedgerState, who: str, why: str, now: datetime
) -> list[Moved]:
    """Moves payments to a state, with a line each, and the budgets with them; those that cannot reach it stay.

    Raises IntegrityError if a budget would be exceeded. In the caller's transaction.
    """
    moved = records(
        Moved,
        f"""WITH old AS (SELECT id, state FROM payment
                         WHERE study_id = %(study)s AND id = ANY(%(ids)s) AND state = ANY(%(from)s)
                         ORDER BY id FOR UPDATE),
            moved AS (UPDATE payment p SET state = %(to)s::text, changed_at = %(now)s,
                             round = round + (%(to)s::text = {AUTHORISED})::int
                      FROM old WHERE p.id = old.id AND p.study_id = %(study)s
                      RETURNING p.id, old.state AS before, p.assignment_id, p.rater_id, p.cents, p.fee_cents, p.currency),
            lines AS (INSERT INTO ledger_line (study_id, payment_id, state, cents, fee_cents, currency, who, why, at)
                      SELECT %(study)s, id, %(to)s::text, cents, fee_cents, currency, %(who)s, %(why)s, %(now)s FROM moved)
            SELECT id, before, assignment_id AS assignment, rater_id AS rater FROM moved ORDER BY id""",
        {
            "study": study,
            "ids": list(payments),
            "from": states_before(to),
            "to": to,
            "who": who,
            "why": why,
            "now": now,
        },
    )
    taken = [each.id for each in moved if to in COMMITTED and each.before not in COMMITTED]
    given_back = [each.id for each in moved if to not in COMMITTED and each.before in COMMITTED]
    for changed, sign in ((taken, 1), (given_back, -1)):
        if changed:
            _count(study, changed, sign)
    return moved


_SUMS = """sums AS (
  SELECT 'study' AS scope, NULL::bigint AS batch_id, NULL::bigint AS rater_id, currency, sum(cents + fee_cents) AS cents
  FROM payment WHERE study_id = %(study)s AND id = ANY(%(ids)s) GROUP BY currency
  UNION ALL
  SELECT 'batch', batch_id, NULL, currency, sum(cents + fee_cents)
  FROM payment WHERE study_id = %(study)s AND id = ANY(%(ids)s) AND batch_id IS NOT NULL GROUP BY batch_id, currency
  UNION ALL
  SELECT 'rater', NULL, rater_id, currency, sum(cents + fee_cents)
  FROM payment WHERE study_id = %(study)s AND id = ANY(%(ids)s) GROUP BY rater_id, currency)"""


def lock_budgets(study: int, payments: Sequence[int]) -> None:
    """Makes the budgets that payments count in, and locks that of the study, until the transaction ends."""
    values = {"study": study, "ids": list(payments)}
    run(
        f"""WITH {_SUMS}
            INSERT INTO payment_budget (study_id, scope, batch_id, rater_id, currency, limit_cents, committed_cents)
            SELECT %(study)s, s.scope, s.batch_id, s.rater_id, s.currency, d.limit_cents, 0 FROM sums s
            LEFT JOIN payment_budget d ON d.study_id = %(study)s AND d.scope = s.scope AND d.currency = s.currency
              AND d.batch_id IS NULL AND d.rater_id IS NULL
            ORDER BY 1, 2 DESC, 3, 4, 5
            ON CONFLICT DO NOTHING""",
        values,
    )
    run(
        f"""SELECT 1 FROM payment_budget WHERE study_id = %(study)s AND scope = {OF_STUDY} ORDER BY id FOR UPDATE""",
        values,
    )


def _count(study: int, payments: Sequence[int], sign: int) -> None:
    lock_budgets(study, payments)
    run(
        f"""WITH {_SUMS}
            UPDATE payment_budget b SET committed_cents = b.committed_cents + %(sign)s * s.cents::bigint
            FROM sums s WHERE b.study_id = %(study)s AND b.scope = s.scope AND b.currency = s.currency
              AND b.batch_id IS NOT DISTINCT FROM s.batch_id AND b.rater_id IS NOT DISTINCT FROM s.rater_id""",
        {"study": study, "ids": list(payments), "sign": sign},
    )


def mark_paid(assignments: Sequence[int]) -> None:
    """Notes in the work itself that it is paid."""
    run(
        f"UPDATE assignment SET paid_state = {literal(PaidState.PAID)} WHERE id = ANY(%s)",
        [list(assignments)],
    )


def lock_work_of(study: int, payments: Sequence[int]) -> None:
    """Locks the work that payments are for."""
    run(
        """SELECT 1 FROM assignment WHERE id IN (
             SELECT assignment_id FROM payment WHERE study_id = %s AND id = ANY(%s) AND assignment_id IS NOT NULL)
           ORDER BY id FOR NO KEY UPDATE""",
        [study, list(payments)],
    )


@dataclass(frozen=True, slots=True)
class TaskPayment:
    """The payment of a task."""

    id: int
    study: int
    state: str


def payment_of(assignment: int) -> list[TaskPayment]:
    """The payment of a task, if it has one; locked until the transaction ends."""
    return records(
        TaskPayment,
        f"""SELECT id, study_id AS study, state FROM payment WHERE assignment_id = %s AND kind = {TASK}
            FOR UPDATE""",
        [assignment],
    )


@dataclass(frozen=True, slots=True)
class Imbalance:
    """A place where the ledger, the payments and the budgets do not agree."""

    what: str
    of: str
    ledger_cents: int
    kept_cents: int


def imbalances(study: int) -> list[Imbalance]:
    """Every difference between the newest lines, the states of payments, and what the budgets count; empty if all is well."""
    values: dict[str, Any] = {"study": study, "committed": list(COMMITTED)}
    return records(
        Imbalance,
        """WITH newest AS (SELECT DISTINCT ON (payment_id) payment_id, state, cents, fee_cents FROM ledger_line
                           WHERE study_id = %(study)s ORDER BY payment_id, id DESC),
           wrong AS (SELECT 'payment' AS what, p.code AS of, coalesce(n.cents + n.fee_cents, 0) AS ledger_cents,
                            p.cents + p.fee_cents AS kept_cents
                     FROM payment p LEFT JOIN newest n ON n.payment_id = p.id
                     WHERE p.study_id = %(study)s AND (n.state, n.cents, n.fee_cents)
                           IS DISTINCT FROM (p.state, p.cents, p.fee_cents)),
           counted AS (
             SELECT 'study' AS scope, NULL::bigint AS batch_id, NULL::bigint AS rater_id, p.currency, n.cents, n.fee_cents
             FROM payment p JOIN newest n ON n.payment_id = p.id AND n.state = ANY(%(committed)s)
             UNION ALL
             SELECT 'batch', p.batch_id, NULL, p.currency, n.cents, n.fee_cents
             FROM payment p JOIN newest n ON n.payment_id = p.id AND n.state = ANY(%(committed)s)
             WHERE p.batch_id IS NOT NULL
             UNION ALL
             SELECT 'rater', NULL, p.rater_id, p.currency, n.cents, n.fee_cents
             FROM payment p JOIN newest n ON n.payment_id = p.id AND n.state = ANY(%(committed)s)),
           sums AS (SELECT scope, batch_id, rater_id, currency, sum(cents + fee_cents)::bigint AS cents
                    FROM counted GROUP BY 1, 2, 3, 4),
           budgets AS (SELECT scope, batch_id, rater_id, currency, committed_cents FROM payment_budget
                       WHERE study_id = %(study)s)
           SELECT what, of, ledger_cents, kept_cents FROM wrong
           UNION ALL
           SELECT 'budget', coalesce(s.scope, b.scope), coalesce(s.cents, 0), coalesce(b.committed_cents, 0)
           FROM sums s FULL JOIN budgets b ON s.scope = b.scope AND s.currency = b.currency
             AND coalesce(s.batch_id, 0) = coalesce(b.batch_id, 0) AND coalesce(s.rater_id, 0) = coalesce(b.rater_id, 0)
           WHERE coalesce(s.cents, 0) <> coalesce(b.committed_cents, 0)""",
        values,
    )
