"""A state machine over payments, runs, confirmations, reversals and budgets, against a model in plain Python."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.studies import NOW, dialogues, parse, study_text

pytestmark = pytest.mark.postgres

RATERS = 3
EXAMPLES = int(os.environ.get("LABELWRIGHT_TEST_EXAMPLES", "25"))
"""More of them for a long look: LABELWRIGHT_TEST_EXAMPLES=500 with `-o timeout=3600`."""
WHICH = st.integers(0, 2**16)
CENTS = st.integers(1, 300)
FEE_PERCENT = 30
GONE = ("sent", "confirmed")
RELEASED = ("authorised", *GONE)


@dataclass
class Paid:
    """A payment of the model: who gets it, what it costs with its fee, where it is, and in which run."""

    rater: int
    total: int
    state: str = "planned"
    run: int = 0


class LedgerMachine(RuleBasedStateMachine):
    """People give bonuses, set budgets, release, take back, hand out lists and confirm, in any order and repeatedly."""

    @initialize()
    def load(self) -> None:
        from django.db import connection

        from labelwright.server.people.actions.joining import make_links
        from labelwright.server.people.actions.pools import get_pool
        from labelwright.server.store.models import Rater
        from labelwright.server.studies.actions.loading import load_study

        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE study, payment, ledger_line, payment_budget, payment_run CASCADE")
        pay = {"cents": 40, "fee_percent": FEE_PERCENT, "least_fee_cents": 2}
        text = study_text(pools={"own": {"platform": "link", "raters": RATERS, "pay": pay}})
        self.study = load_study(parse(text), text, dialogues(1), NOW, opened=True).study
        make_links(self.study, get_pool(self.study, "own"), RATERS, 60, NOW)
        self.raters = list(Rater.objects.filter(study=self.study).order_by("id"))
        self.model: dict[int, Paid] = {}
        self.limits: dict[tuple[str, int | None], int | None] = {}
        self.listed: set[int] = set()
        self.runs = 0
        self.now = NOW

    def tick(self) -> Any:
        self.now += timedelta(seconds=1)
        return self.now

    @rule(which=WHICH, cents=CENTS, again=st.booleans())
    def bonus(self, which: int, cents: int, again: bool) -> None:
        from labelwright.server.paying.actions.planning import give_bonus

        rater = which % RATERS
        number = len(self.model) + 1
        for _ in range(2 if again else 1):
            made = give_bonus(
                self.study, self.raters[rater], cents, "A reason.", UUID(int=number), "owner", self.tick()
            )
        # The fee is 30%, rounded half up in whole numbers, and at least 2.
        self.model[made.pk] = Paid(rater, cents + max(2, (cents * FEE_PERCENT + 50) // 100))

    @rule(which=st.integers(0, RATERS), cents=st.none() | st.integers(0, 900))
    def budget(self, which: int, cents: int | None) -> None:
        from labelwright.server.paying.actions.budgets import BadBudget, BudgetOf, Scope, set_budget

        rater = which - 1 if which else None
        of = (
            BudgetOf(Scope.STUDY)
            if rater is None
            else BudgetOf(Scope.RATER, rater=self.raters[rater].pseudonym)
        )
        try:
            set_budget(self.study, of, cents, "owner", self.tick())
        except BadBudget:
            assert cents is not None
            assert cents < self.committed(rater)
        else:
            assert cents is None or cents >= self.committed(rater)
            self.limits[("rater", rater)] = cents

    def committed(self, rater: int | None) -> int:
        return sum(
            each.total
            for each in self.model.values()
            if each.state in RELEASED and rater in (None, each.rater)
        )

    def fits(self, payment: Paid) -> bool:
        limits = [(self.limits.get(("rater", key)), key) for key in (None, payment.rater)]
        return all(limit is None or self.committed(key) + payment.total <= limit for limit, key in limits)

    @rule()
    def release(self) -> None:
        from labelwright.server.paying.actions.runs import release

        found = release(self.study, "owner", self.tick())
        freed = []
        for key, payment in sorted(self.model.items()):
            if payment.state == "planned" and self.fits(payment):
                payment.state = "authorised"
                freed.append(key)
        for key in freed:
            self.model[key].run = self.runs + 1
        self.runs += bool(freed)
        assert sum(each.payments for each in found) == len(freed)
        assert sum(each.cents for each in found) == sum(self.model[key].total for key in freed)

    @rule(which=WHICH)
    def hand_out(self, which: int) -> None:
        from labelwright.server.paying.actions.runs import hand_out

        if not self.runs:
            return
        run = which % self.runs + 1
        lines = hand_out(self.study, run, "owner", self.tick())
        if run not in self.listed:
            for payment in self.model.values():
                if payment.run == run and payment.state == "authorised":
                    payment.state = "sent"
            self.listed.add(run)
        assert len(lines) == sum(each.run == run and each.state in GONE for each in self.model.values())

    @rule(which=WHICH)
    def withdraw(self, which: int) -> None:
        from labelwright.server.paying.actions.runs import RunListed, withdraw_run

        if not self.runs:
            return
        run = which % self.runs + 1
        try:
            withdraw_run(self.study, run, "owner", self.tick())
        except RunListed:
            assert run in self.listed
            return
        assert run not in self.listed
        for payment in self.model.values():
            if payment.run == run and payment.state == "authorised":
                payment.state = "planned"

    @rule(which=WHICH, paid=st.booleans(), times=st.integers(1, 2))
    def confirm(self, which: int, paid: bool, times: int) -> None:
        from labelwright.server.paying.actions.confirmations import Confirmation, reconcile
        from labelwright.server.store.models import Payment

        if not self.model:
            return
        key = sorted(self.model)[which % len(self.model)]
        said = Confirmation(Payment.objects.get(pk=key).code, paid)
        for _ in range(times):
            reconcile(self.study, [said, said], "owner", self.tick())
            payment = self.model[key]
            if payment.state == "sent":
                payment.state = "confirmed" if paid else "planned"

    @invariant()
    def agrees(self) -> None:
        from labelwright.server.paying.actions.confirmations import get_imbalances
        from labelwright.server.store.models import Payment

        if not hasattr(self, "model"):
            return
        stored = {row.pk: row.state for row in Payment.objects.filter(study=self.study)}
        assert stored == {key: each.state for key, each in self.model.items()}
        assert get_imbalances(self.study) == []
        for rater in (None, *range(RATERS)):
            limit = self.limits.get(("rater", rater))
            assert limit is None or self.committed(rater) <= limit

    @invariant()
    def is_paid_once(self) -> None:
        from labelwright.server.store.models import LedgerLine

        lines = defaultdict(int)
        for payment in LedgerLine.objects.filter(state="confirmed").values_list("payment_id", flat=True):
            lines[payment] += 1
        assert all(n == 1 for n in lines.values())


def test_payments_follow_the_model(database: str):
    run_state_machine_as_test(LedgerMachine, settings=settings(max_examples=EXAMPLES, stateful_step_count=25))
