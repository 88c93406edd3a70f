"""Calls about payments and budgets."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest, QueryDict
from ninja import Path, Router

from labelwright.client.models import (
    BonusPlanned,
    BonusRequest,
    BudgetListed,
    BudgetRequest,
    ConfirmationsRequest,
    LedgerDifference,
    MoneyParts,
    MoneyStatus,
    OpenPaymentListed,
    PayListRequest,
    PaymentListed,
    PaymentRunListed,
    PaymentsPlanned,
    PaymentsReconciled,
    RunReleased,
)
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.paying.actions.budgets import BudgetOf, Scope, get_budgets, set_budget
from labelwright.server.paying.actions.confirmations import (
    Confirmation,
    get_imbalances,
    reconcile,
    settle,
)
from labelwright.server.paying.actions.money import get_money
from labelwright.server.paying.actions.planning import give_bonus, plan_payments
from labelwright.server.paying.actions.runs import hand_out, release
from labelwright.server.people.actions.roster import get_rater
from labelwright.server.store.models import StudyRow

router = Router(tags=["money"])
RunNumber = Annotated[int, Path(ge=1, le=1_000_000)]


def _pay(request: HttpRequest, public_id: str) -> tuple[StudyRow, str]:
    user = user_of_token(request)
    return access_study(user, public_id, Permission.PAY), user.get_username()


@router.get("/studies/{public_id}/money", operation_id="get_money", response={200: MoneyStatus, **PROBLEMS})
def status(request: HttpRequest, public_id: str) -> MoneyStatus:
    """What a study costs, its newest payment runs, and payments whose outcome nobody knows."""
    row = access_study(user_of_token(request), public_id, Permission.SEE_RATERS)
    found = get_money(row, QueryDict(), datetime.now(UTC))
    return MoneyStatus(
        parts=[MoneyParts(**_known(asdict(parts)), left=parts.left) for parts in found.parts],
        runs=[
            PaymentRunListed(
                run=run.number,
                made_at=run.made_at,
                made_by=run.made_by,
                payments=run.tasks + run.bonuses,
                cents=run.cents,
                currency=run.currency,
                not_confirmed=run.waiting,
            )
            for run in found.runs
        ],
        unresolved=[
            OpenPaymentListed(
                payment=each.code,
                rater=each.rater,
                cents=each.cents,
                currency=each.currency,
                sent_at=each.sent_at,
                said=each.said,
            )
            for each in found.unresolved
        ],
    )


def _known(parts: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in parts.items() if name in MoneyParts.model_fields}


@router.post(
    "/studies/{public_id}/payments", operation_id="plan_payments", response={200: PaymentsPlanned, **PROBLEMS}
)
def plan(request: HttpRequest, public_id: str) -> PaymentsPlanned:
    """Plan everything that is owed. Sent again, it plans nothing twice."""
    row, _ = _pay(request, public_id)
    return PaymentsPlanned(**asdict(plan_payments(row, datetime.now(UTC))))


@router.post(
    "/studies/{public_id}/payment-runs",
    operation_id="run_payments",
    response={200: list[RunReleased], **PROBLEMS},
)
def run(request: HttpRequest, public_id: str) -> list[RunReleased]:
    """Release everything that waits for nobody and fits the budgets, one run for each platform."""
    row, who = _pay(request, public_id)
    return [RunReleased(**asdict(each)) for each in release(row, who, datetime.now(UTC))]


@router.post(
    "/studies/{public_id}/payment-runs/{run_number}/list",
    operation_id="get_pay_list",
    response={200: list[PaymentListed], **PROBLEMS},
)
def pay_list(
    request: HttpRequest, public_id: str, run_number: RunNumber, sent: PayListRequest
) -> list[PaymentListed]:
    """Hand out the pay list of a run. Its payments count as sent from then on; asked again, it is the same list."""
    row, who = _pay(request, public_id)
    lines = hand_out(row, run_number, who, datetime.now(UTC), with_ids=sent.with_ids)
    return [PaymentListed(**asdict(line)) for line in lines]


@router.post(
    "/studies/{public_id}/confirmations",
    operation_id="reconcile_payments",
    response={200: PaymentsReconciled, **PROBLEMS},
)
def confirmations(request: HttpRequest, public_id: str, sent: ConfirmationsRequest) -> PaymentsReconciled:
    """Take confirmations over into the ledger, and check that everything agrees to the cent."""
    row, who = _pay(request, public_id)
    now = datetime.now(UTC)
    for one in sent.settled:
        settle(row, one.payment, paid=one.paid, who=who, now=now)
    said = [Confirmation(one.payment.strip().upper(), one.paid, one.amount) for one in sent.confirmations]
    found = reconcile(row, said, who, now)
    return PaymentsReconciled(
        confirmed=found.confirmed,
        failed=found.failed,
        repeated=found.repeated,
        differences=found.differences,
        imbalances=[LedgerDifference(**asdict(each)) for each in get_imbalances(row)],
    )


@router.put(
    "/studies/{public_id}/budgets", operation_id="set_budget", response={200: list[BudgetListed], **PROBLEMS}
)
def budgets(request: HttpRequest, public_id: str, sent: BudgetRequest) -> list[BudgetListed]:
    """Set a budget; the answer lists all of them. The database refuses to exceed a budget, fees included."""
    row, who = _pay(request, public_id)
    of = BudgetOf(Scope(sent.scope), sent.batch, sent.rater)
    set_budget(row, of, sent.limit_cents, who, datetime.now(UTC))
    return [
        BudgetListed(
            scope=line.scope,
            of=line.of,
            currency=line.currency,
            limit_cents=line.limit,
            released_cents=line.committed,
        )
        for line in get_budgets(row)
    ]


@router.post(
    "/studies/{public_id}/raters/{rater}/bonuses",
    operation_id="give_bonus",
    response={200: BonusPlanned, **PROBLEMS},
)
def bonus(request: HttpRequest, public_id: str, rater: str, sent: BonusRequest) -> BonusPlanned:
    """Plan a bonus for one rater. It is paid with the next payment run."""
    row, who = _pay(request, public_id)
    given = give_bonus(row, get_rater(row, rater), sent.cents, sent.reason, sent.id, who, datetime.now(UTC))
    return BonusPlanned(payment=given.code, cents=given.cents, currency=given.currency)
