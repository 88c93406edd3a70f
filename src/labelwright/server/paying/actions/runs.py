"""Payment runs: a person releases what can be paid now, within the budgets, and hands the pay list to whoever pays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import LedgerState, PaymentKind
from labelwright.crowd.platform import PLATFORMS, PayRoute
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.receipts import receipt_of
from labelwright.server.paying.actions import give_back, mark_sent
from labelwright.server.paying.actions.calls import plan_pay_calls, plan_rejections, withdraw_calls
from labelwright.server.paying.actions.planning import plan_payments
from labelwright.server.paying.queries import ledger
from labelwright.server.paying.queries import runs as queries
from labelwright.server.paying.queries.runs import ListedPayment, Payable, RunLine
from labelwright.server.people.actions.arrivals import get_panel_ids
from labelwright.server.store.models import Payment, PaymentRun, StudyRow

BLOCK = 1000
LISTED = "on the pay list"
WITHDRAWN = "payment run taken back"


class NoSuchRun(LabelwrightError):
    """A run that the study does not have, or that has no pay list."""

    code: ClassVar[str] = "no_such_run"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"the study has no payment run {number} with a pay list.", do="Release payments first."
        )


class RunListed(LabelwrightError):
    """A run whose pay list was handed out."""

    code: ClassVar[str] = "run_listed"

    def __init__(self) -> None:
        super().__init__(
            "the pay list of this run was already handed out.",
            do="Confirm its payments, or mark those as not paid that failed.",
        )


@dataclass(frozen=True, slots=True)
class Released:
    """What a run released."""

    run: int | None
    """Its number; None if nothing could be released."""
    payments: int
    cents: int
    """Fees included."""
    currency: str
    over_budget: int
    """Payments that a budget does not allow; they stay planned."""


def release(study: StudyRow, who: str, now: datetime, only: Sequence[int] | None = None) -> list[Released]:
    """Releases every payment that waits for nobody and fits the budgets, one run for each platform; plans first.

    `only` limits it to some payments. For those who may pay.
    """
    plan_payments(study, now)
    paid = Payment.objects.filter(study=study).order_by()
    for platform in sorted(set(paid.values_list("platform", flat=True))):
        with transaction.atomic():
            plan_rejections(study.pk, platform, now)
    planned = paid.filter(state=LedgerState.PLANNED)
    names = sorted(set(planned.values_list("platform", flat=True)))
    return [_release_on(study, platform, who, now, only) for platform in names]


def _release_on(
    study: StudyRow, platform: str, who: str, now: datetime, only: Sequence[int] | None
) -> Released:
    made: PaymentRun | None = None
    payments = cents = over = after = 0
    currency = ""
    while True:
        with transaction.atomic():
            block = queries.lock_payable(study.pk, after, BLOCK, platform, only)
            if not block:
                break
            after, currency = block[-1].id, block[0].currency
            ledger.lock_budgets(study.pk, [each.id for each in block])
            fitting = list(_fitting(block, queries.budgets_left(study.pk)))
            over += len(block) - len(fitting)
            if not fitting:
                continue
            made = made or _make_run(study, platform, who, now)
            ids = [each.id for each in fitting]
            ledger.move(study.pk, ids, LedgerState.AUTHORISED, who, "", now)
            queries.put_into_run(study.pk, ids, made.pk)
            if PLATFORMS[platform].pay_route == PayRoute.CALLS:
                plan_pay_calls(study.pk, platform, ids, now)
            payments, cents = payments + len(ids), cents + sum(each.total for each in fitting)
    if made:
        after_log = {"payments": payments, "cents": cents, "currency": currency}
        log_change(study.pk, who, "pay_run", f"run {made.number}", now, after=after_log)
    return Released(made.number if made else None, payments, cents, currency, over)


def _fitting(block: Iterable[Payable], left: Iterable[queries.Left]) -> Iterable[Payable]:
    """Those of the payments that fit the budgets, in their order; a smaller one may fit where a larger one does not."""
    rest = {(each.scope, each.batch, each.rater, each.currency): each.left for each in left}
    for payment in block:
        limits = [
            key
            for key in (
                ("study", None, None, payment.currency),
                ("batch", payment.batch, None, payment.currency),
                ("rater", None, payment.rater, payment.currency),
            )
            if key in rest
        ]
        if all(rest[key] >= payment.total for key in limits):
            for key in limits:
                rest[key] -= payment.total
            yield payment


def _make_run(study: StudyRow, platform: str, who: str, now: datetime) -> PaymentRun:
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    number = queries.next_number(study.pk)
    return PaymentRun.objects.create(study=study, number=number, platform=platform, made_by=who, made_at=now)


def get_runs(study: StudyRow, most: int = 20) -> list[RunLine]:
    """The newest runs."""
    return queries.newest_runs(study.pk, most)


def withdraw_run(study: StudyRow, number: int, who: str, now: datetime) -> int:
    """Takes a run back whose pay list nobody has; returns how many payments are planned again. Raises RunListed."""
    with transaction.atomic():
        run = _lock_run(study, number)
        if run.listed_at is not None:
            raise RunListed
        released = Payment.objects.filter(study=study, run=run, state=LedgerState.AUTHORISED)
        ids = list(released.values_list("pk", flat=True))
        withdraw_calls(study.pk, ids, WITHDRAWN, now)
        given = give_back(study.pk, ids, who, WITHDRAWN, now)
        log_change(study.pk, who, "pay_withdraw", f"run {number}", now, after={"payments": given})
    return given


@dataclass(frozen=True, slots=True)
class PayLine:
    """One line of a pay list."""

    payment: str
    """What the confirmation calls it; whoever pays must not pay the same one twice."""
    rater: str
    kind: str
    receipt: str
    decision: str
    amount: str
    currency: str
    reason: str
    state: str
    run: int
    id: str = ""
    """The panel's id of the rater, only if somebody asked for it."""


HEADINGS = (
    "payment",
    "rater",
    "kind",
    "receipt",
    "decision",
    "amount",
    "currency",
    "reason",
    "state",
    "run",
    "id",
)
"""The columns of a pay list."""


def hand_out(
    study: StudyRow, number: int, who: str, now: datetime, *, with_ids: bool = False
) -> list[PayLine]:
    """The pay list of a run. Its payments are marked as sent before anybody sees it; asked again, it is the same list.

    With `with_ids`, it holds the ids that the panel knows raters by; the audit log says so.

    For those who may pay. Runs of platforms that are paid by calls have no list (NoSuchRun).
    """
    with transaction.atomic():
        run = _lock_run(study, number)
        if PLATFORMS[run.platform].pay_route != PayRoute.LIST:
            raise NoSuchRun(number)
        if run.listed_at is None:
            released = Payment.objects.filter(study=study, run=run, state=LedgerState.AUTHORISED)
            sent = mark_sent(study.pk, list(released.values_list("pk", flat=True)), who, LISTED, now)
            run.listed_at = now
            run.save(update_fields=["listed_at"])
            log_change(study.pk, who, "pay_list", f"run {number}", now, after={"payments": sent})
        found = queries.payments_of_run(study.pk, run.pk)
        if with_ids:
            log_change(study.pk, who, "pay_ids", f"run {number}", now)
    lines = [pay_line(each) for each in found if each.state in (LedgerState.SENT, LedgerState.CONFIRMED)]
    ids = get_panel_ids(study, sorted({line.rater for line in lines})) if with_ids else {}
    return [replace(line, id=ids.get(line.rater, "")) for line in lines]


def get_payments(study: StudyRow) -> list[PayLine]:
    """Every payment of a study, for the export of the page Money. It hands nothing out."""
    return [pay_line(each) for each in queries.all_payments(study.pk)]


def pay_line(payment: ListedPayment) -> PayLine:
    """A payment as lists show it."""
    decision = "approved" if payment.approved else "not flagged"
    return PayLine(
        payment=payment.code,
        rater=payment.pseudonym,
        kind=payment.kind,
        receipt=receipt_of(payment.public_id) if payment.public_id else "",
        decision=decision if payment.kind == PaymentKind.TASK else "bonus",
        amount=f"{payment.cents // 100}.{payment.cents % 100:02}",
        currency=payment.currency,
        reason=payment.reason
        or (f"batch {payment.batch}" if payment.kind == PaymentKind.BATCH_BONUS else ""),
        state=payment.state,
        run=payment.run,
    )


def _lock_run(study: StudyRow, number: int) -> PaymentRun:
    run = PaymentRun.objects.select_for_update(of=("self",)).filter(study=study, number=number).first()
    if run is None:
        raise NoSuchRun(number)
    return run
