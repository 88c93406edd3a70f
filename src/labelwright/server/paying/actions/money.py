"""What a study costs: the budget in parts, conditions, raters, runs, and payments that somebody has to look up. Reads only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import QueryDict

from labelwright.crowd import LedgerState, Pay, PaymentKind
from labelwright.crowd.platform import PLATFORMS, PayProblem
from labelwright.server.paying.actions.amounts import fee_cents
from labelwright.server.paying.actions.budgets import Scope
from labelwright.server.paying.actions.runs import get_runs
from labelwright.server.paying.queries import money as queries
from labelwright.server.paying.queries.money import (
    BudgetLine,
    ConditionMoney,
    OpenPayment,
    RaterMoney,
    StateSum,
)
from labelwright.server.paying.queries.runs import RunLine
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk.tables import ShownTable, Table, TableColumn, Total
from labelwright.study import Study

HELD = "held"
LISTED_DAYS = 3
"""After how many days a pay list that nobody confirmed is pointed out."""
APPROVAL_DAYS = 3
MOST_OPEN = 50
RATERS = Table(
    key="earners",
    one="rater",
    many="raters",
    search="Find a rater",
    columns=(
        TableColumn("rater", "Rater", sort="rater", css="l"),
        TableColumn("tasks", "Tasks", sort="tasks", descending=True),
        TableColumn("rewards", "Rewards paid", sort="rewards", descending=True),
        TableColumn("bonuses", "Bonuses", sort="bonuses", descending=True),
        TableColumn("owed", "Owed", sort="owed", descending=True),
        TableColumn("total", "Total", sort="total", descending=True),
        TableColumn("hourly", "Hourly pay", sort="hourly"),
    ),
    default="-tasks",
    tie="rater",
    on_a_page=20,
)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a budget in one currency, fees included, in cents; together with `left` they add up to it."""

    currency: str
    paid: int = 0
    sent: int = 0
    approved: int = 0
    """Can be paid now, or is released and not on a list yet."""
    payable: int = 0
    """The part of `approved` that is not released."""
    held: int = 0
    at_work: int = 0
    open: int = 0
    bonuses: int = 0
    """Of what is paid and sent."""
    fees: int = 0
    """The same."""
    limit: int | None = None

    @property
    def left(self) -> int | None:
        """What nothing is planned for; negative if more is planned than the budget allows, None without a budget."""
        if self.limit is None:
            return None
        return self.limit - self.paid - self.sent - self.approved - self.held - self.at_work - self.open


@dataclass(frozen=True, slots=True)
class Money:
    """Everything that the page Money shows."""

    study: Study
    parts: list[Parts]
    budgets: list[BudgetLine]
    conditions: list[ConditionMoney]
    sums: list[StateSum]
    raters: ShownTable[RaterMoney]
    runs: list[RunLine]
    unresolved: list[OpenPayment]
    soon_approved: int
    """Undecided work that its platform approves within days."""

    @property
    def pay(self) -> Pay:
        """The pay of a task in the main pool."""
        return self.study.pool.pay

    @property
    def minimum(self) -> int:
        """The hourly pay that raters should reach, in cents; 0 if nobody set one."""
        demanded = PLATFORMS[self.study.pool.platform].minimum_hourly_cents
        return max(self.study.pool.pay.hourly_minimum_cents, demanded.get(self.pay.currency, 0))


def get_money(row: StudyRow, address: QueryDict, now: datetime) -> Money:
    """What a study costs; the caller has checked access."""
    study = study_of(row.versions.latest("n").pk)
    sums, limits = queries.sums_by_state(row.pk), queries.budgets(row.pk, list(Scope))
    wanted = RATERS.read(address)
    return Money(
        study=study,
        parts=_parts(study, sums, limits, queries.expected_work(row.pk)),
        budgets=limits,
        conditions=queries.money_by_condition(row.pk),
        sums=sums,
        raters=wanted.shown(
            queries.money_by_rater(row.pk, wanted),
            None if wanted.is_filtered else Total(queries.count_paid_raters(row.pk)),
        ),
        runs=get_runs(row),
        unresolved=queries.unresolved(row.pk, now - timedelta(days=LISTED_DAYS), MOST_OPEN),
        soon_approved=queries.auto_approvals(row.pk, now + timedelta(days=APPROVAL_DAYS)),
    )


def get_parts(row: StudyRow) -> list[Parts]:
    """The parts of the budget, once for each currency."""
    study = study_of(row.versions.latest("n").pk)
    limits = queries.budgets(row.pk, [Scope.STUDY])
    return _parts(study, queries.sums_by_state(row.pk), limits, queries.expected_work(row.pk))


def _parts(
    study: Study, sums: list[StateSum], limits: list[BudgetLine], expected: list[queries.ExpectedWork]
) -> list[Parts]:
    now_paid = study.pool.pay.currency
    currencies = sorted(
        {now_paid} | {each.currency for each in sums}, key=lambda name: (name != now_paid, name)
    )
    return [_part(study, currency, sums, limits, expected) for currency in currencies]


def _part(
    study: Study,
    currency: str,
    sums: list[StateSum],
    limits: list[BudgetLine],
    expected: list[queries.ExpectedWork],
) -> Parts:
    own = [each for each in sums if each.currency == currency]
    by_state: Mapping[str, int] = {
        state: sum(each.cents + each.fee_cents for each in own if each.state == state)
        for state in (*LedgerState, HELD)
    }
    gone = [each for each in own if each.state in (LedgerState.SENT, LedgerState.CONFIRMED)]
    limit = next(
        (each.limit for each in limits if each.scope == Scope.STUDY and each.currency == currency), None
    )
    return Parts(
        currency=currency,
        paid=by_state[LedgerState.CONFIRMED],
        sent=by_state[LedgerState.SENT],
        approved=by_state[LedgerState.PLANNED] + by_state[LedgerState.AUTHORISED],
        payable=by_state[LedgerState.PLANNED],
        held=by_state[HELD],
        at_work=_expected(study, currency, expected, at_work=True),
        open=_expected(study, currency, expected, at_work=False),
        bonuses=sum(each.cents for each in gone if each.kind != PaymentKind.TASK),
        fees=sum(each.fee_cents for each in gone),
        limit=limit,
    )


def _expected(study: Study, currency: str, expected: list[queries.ExpectedWork], *, at_work: bool) -> int:
    pools = [(study.pool_of(each.pool), each.n) for each in expected if each.at_work == at_work]
    return sum(
        (pool.pay.cents + fee_cents(pool, pool.pay.cents)) * n
        for pool, n in pools
        if pool.pay.currency == currency
    )


def get_pay_problem(study: Study, seconds: float | None) -> PayProblem | None:
    """Whether the main pool pays too little for tasks that take this long; None if it is enough, or nobody knows."""
    if not seconds:
        return None
    return PLATFORMS[study.pool.platform].pay_problem(study.pool, seconds / 60)
