"""Planned payments: one for each task that is owed, for each batch completed in time, and for each bonus that a person gives."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from labelwright.crowd import PaymentKind
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import AUTOMATIC, log_change
from labelwright.server.paying.actions.amounts import fee_cents
from labelwright.server.paying.queries import planning as queries
from labelwright.server.paying.queries.ledger import NewPayment, add_payments
from labelwright.server.paying.queries.planning import CompletedInTime, OwedTask
from labelwright.server.store.models import Member, Payment, Rater, StudyRow
from labelwright.server.store.versions import study_of

BLOCK = 1000
SHORTEST_REASON = 5
HOURS = 24
"""In which a batch must be completed for its bonus, if neither pay nor calendar says otherwise."""
MOST_BONUS_CENTS = 1_000_000


class BadBonus(LabelwrightError):
    """A bonus that cannot be given."""

    code: ClassVar[str] = "bad_bonus"


@dataclass(frozen=True, slots=True)
class Planned:
    """How many payments were planned."""

    tasks: int
    batch_bonuses: int


def plan_tasks(assignments: Sequence[int], now: datetime) -> int:
    """Plans the pay of submitted work; in the transaction that checks it. Work that has a payment keeps it."""
    return _plan(queries.owed_among(assignments), now)


def plan_payments(study: StudyRow, now: datetime) -> Planned:
    """Plans everything that a study owes and has not planned yet: tasks, also of earlier releases, and batch bonuses.

    Run again, it plans nothing twice. Each block is a transaction.
    """
    tasks, after = 0, 0
    while block := queries.owed_in(study.pk, after, BLOCK):
        after = block[-1].assignment
        with transaction.atomic():
            tasks += _plan(block, now)
    return Planned(tasks, _plan_batch_bonuses(study, now))


def _plan(owed: Iterable[OwedTask], now: datetime) -> int:
    by_study: dict[int, list[NewPayment]] = defaultdict(list)
    for task in owed:
        payment = _task_payment(task)
        if payment:
            by_study[task.study].append(payment)
    return sum(add_payments(study, payments, AUTOMATIC, now) for study, payments in by_study.items())


def _task_payment(task: OwedTask) -> NewPayment | None:
    pool = study_of(task.version).pool_of(task.pool)
    if not pool.pay.cents:
        return None
    return NewPayment(
        f"{PaymentKind.TASK}|{task.public_id}",
        PaymentKind.TASK,
        task.rater,
        task.assignment,
        task.batch,
        pool.platform,
        pool.pay.cents,
        fee_cents(pool, pool.pay.cents),
        pool.pay.currency,
    )


@transaction.atomic
def _plan_batch_bonuses(study: StudyRow, now: datetime) -> int:
    completed = queries.completed_batches(study.pk)
    payments = [payment for each in completed if (payment := _batch_bonus(each))]
    return add_payments(study.pk, payments, AUTOMATIC, now) if payments else 0


def _batch_bonus(done: CompletedInTime) -> NewPayment | None:
    study = study_of(done.version)
    pool, bonus = study.pool, study.pool.pay.batch_bonus
    if bonus is None:
        return None
    hours = bonus.within_hours or (study.batches.bonus_hours if study.batches else HOURS)
    if done.completed_at - done.opened_at > timedelta(hours=hours):
        return None
    return NewPayment(
        f"{PaymentKind.BATCH_BONUS}|{done.batch}|{done.rater}",
        PaymentKind.BATCH_BONUS,
        done.rater,
        None,
        done.batch,
        pool.platform,
        bonus.cents,
        fee_cents(pool, bonus.cents, PaymentKind.BATCH_BONUS),
        pool.pay.currency,
    )


@transaction.atomic
def give_bonus(
    study: StudyRow, rater: Rater, cents: int, reason: str, bonus: UUID, who: str, now: datetime
) -> Payment:
    """Plans a bonus for one rater. `bonus` is an id of the caller: sent again, it plans nothing twice.

    For those who may pay. Raises BadBonus.
    """
    reason = " ".join(reason.split())
    if not 0 < cents <= MOST_BONUS_CENTS:
        raise BadBonus("this is not an amount for a bonus.", expected="0.01 to 10,000.00.")
    if len(reason) < SHORTEST_REASON or len(reason) > 500:
        raise BadBonus("the bonus has no reason.", expected="5 to 500 characters, which the rater reads.")
    member = Member.objects.filter(study=study, rater=rater).order_by("number").select_related("pool").first()
    pool = study_of(study.versions.latest("n").pk).pool_of(member.pool.name if member else "")
    key = f"{PaymentKind.BONUS}|{bonus}"
    payment = NewPayment(
        key, PaymentKind.BONUS, rater.pk, None, None, pool.platform, cents,
        fee_cents(pool, cents, PaymentKind.BONUS), pool.pay.currency, reason,
    )  # fmt: skip
    if add_payments(study.pk, [payment], who, now):
        after = {"cents": cents, "currency": pool.pay.currency, "reason": reason}
        log_change(study.pk, who, "bonus", rater.pseudonym, now, after=after)
    found = Payment.objects.get(study=study, key=key)
    if (found.rater_id, found.cents) != (rater.pk, cents):
        raise BadBonus("another bonus has this id.", do="Give every bonus an id of its own.")
    return found
