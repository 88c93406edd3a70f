"""Budgets: the most that a study, a batch or a rater may cost, fees included. The database keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import IntegrityError, transaction

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.paying.queries import budgets as queries
from labelwright.server.paying.queries import money
from labelwright.server.store.models import Batch, PaymentBudget, Rater, StudyRow
from labelwright.server.store.versions import study_of

Scope = PaymentBudget.Scope


class BadBudget(LabelwrightError):
    """A budget that cannot be set."""

    code: ClassVar[str] = "bad_budget"


@dataclass(frozen=True, slots=True)
class BudgetOf:
    """What a budget is for: the study, a batch or a rater; or every batch or rater, if none is named."""

    scope: Scope
    batch: int | None = None
    """The number of a batch."""
    rater: str = ""
    """The pseudonym of a rater."""


def currency_of(study: StudyRow) -> str:
    """The currency in which a study pays now."""
    return study_of(study.versions.latest("n").pk).pool.pay.currency


@transaction.atomic
def set_budget(study: StudyRow, of: BudgetOf, cents: int | None, who: str, now: datetime) -> None:
    """Sets a limit, or takes it away with None; raises BadBudget if more is released already. For those who may pay."""
    if cents is not None and not 0 <= cents < 2**53:
        raise BadBudget("this is not an amount for a budget.", expected="0.00 or more.")
    currency = currency_of(study)
    batch, rater = _batch(study, of), _rater(study, of)
    try:
        with transaction.atomic():
            queries.set_limit(study.pk, of.scope, batch, rater, currency, cents)
            if of.scope != Scope.STUDY and batch is None and rater is None:
                queries.set_every_limit(study.pk, of.scope, currency, cents)
    except IntegrityError as error:
        raise BadBudget(
            "more than this is already released.", do="Set a higher limit, or take a payment run back first."
        ) from error
    subject = of.rater or (f"batch {of.batch}" if of.batch is not None else of.scope)
    log_change(study.pk, who, "budget", subject, now, after={"cents": cents, "currency": currency})


def get_budgets(study: StudyRow) -> list[money.BudgetLine]:
    """The budgets of a study that have a limit, and that of the study."""
    return money.budgets(study.pk, list(Scope))


def _batch(study: StudyRow, of: BudgetOf) -> int | None:
    if of.scope != Scope.BATCH or of.batch is None:
        return None
    found = Batch.objects.filter(study=study, number=of.batch).order_by("-pk").first()
    if found is None:
        raise BadBudget(f"the study has no batch {of.batch}.")
    return int(found.pk)


def _rater(study: StudyRow, of: BudgetOf) -> int | None:
    if of.scope != Scope.RATER or not of.rater:
        return None
    found = Rater.objects.filter(study=study, pseudonym=of.rater).first()
    if found is None:
        raise BadBudget(f"the study has no rater {of.rater}.")
    return int(found.pk)
