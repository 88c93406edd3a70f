"""Confirmations: what whoever pays says about the payments of a pay list, and what a person says about one of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import LedgerState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.paying.actions import confirm, give_back
from labelwright.server.paying.actions.calls import settle_call
from labelwright.server.paying.queries import ledger
from labelwright.server.paying.queries import runs as queries
from labelwright.server.paying.queries.runs import ListedPayment
from labelwright.server.store.models import StudyRow

PAID = {"paid", "yes", "confirmed", "sent", "completed", "done"}
NOT_PAID = {"failed", "no", "refused", "returned", "not paid", "rejected", "cancelled"}
CONFIRMED = "confirmed by the pay list"
FAILED = "not paid, says the pay list"


class BadConfirmations(LabelwrightError):
    """A file that is no list of confirmations."""

    code: ClassVar[str] = "bad_confirmations"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What somebody says about one payment."""

    payment: str
    paid: bool
    amount: str = ""
    """In units of the currency, such as 1.50; empty if the file does not say."""


@dataclass(slots=True)
class Reconciled:
    """How a list of confirmations and the ledger compare."""

    confirmed: int = 0
    failed: int = 0
    repeated: int = 0
    """Already known; nothing changed."""
    differences: list[str] = field(default_factory=list)
    """What does not agree, and was not changed. Somebody has to look."""


def read_confirmations(text: str) -> list[Confirmation]:
    """The confirmations of a CSV file: the pay list with a column `status` that says paid or failed.

    Raises BadConfirmations. Lines without a status are left out, because nobody has said anything about them.

    >>> read_confirmations("payment,status,amount\\n7C21-98AF-0D12-A9B3,paid,0.40\\n")
    [Confirmation(payment='7C21-98AF-0D12-A9B3', paid=True, amount='0.40')]
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), dialect=_dialect(text))
    columns = {name.strip().lower(): name for name in reader.fieldnames or () if name}
    if not {"payment", "status"} <= columns.keys():
        raise BadConfirmations(
            "the file has no columns `payment` and `status`.",
            do="Add a column `status` to the pay list, with `paid` or `failed` in each line.",
        )
    return [found for n, row in enumerate(reader, start=2) if (found := _read(n, row, columns))]


def _dialect(text: str) -> type[csv.Dialect]:
    heading = text.split("\n", 1)[0]
    return csv.excel if heading.count(",") >= heading.count(";") else _Semicolons


class _Semicolons(csv.excel):
    """As spreadsheets write it where the decimal sign is a comma."""

    delimiter = ";"


def _read(line: int, row: dict[str, str | None], columns: dict[str, str]) -> Confirmation | None:
    status = (row.get(columns["status"]) or "").strip().lower()
    if not status:
        return None
    if status not in PAID | NOT_PAID:
        raise BadConfirmations(
            f'line {line}: the status is "{status[:40]}".', expected="paid, failed, or nothing."
        )
    amount = (row.get(columns.get("amount", "")) or "").strip().replace(",", ".")
    return Confirmation((row.get(columns["payment"]) or "").strip().upper(), status in PAID, amount)


def reconcile(study: StudyRow, said: Sequence[Confirmation], who: str, now: datetime) -> Reconciled:
    """Takes confirmations over into the ledger; what does not agree is reported and changes nothing.

    The same list again changes nothing. For those who may pay.
    """
    result = Reconciled()
    with transaction.atomic():
        known = {
            each.code: each for each in queries.payments_by_code(study.pk, [each.payment for each in said])
        }
        paid: list[int] = []
        failed: list[int] = []
        for each in said:
            payment = known.get(each.payment)
            problem = _problem(each, payment)
            if problem:
                result.differences.append(problem)
            elif payment is None or _is_known(each, payment):
                result.repeated += 1
            else:
                (paid if each.paid else failed).append(payment.id)
        result.confirmed = confirm(study.pk, paid, who, CONFIRMED, now)
        result.failed = give_back(study.pk, failed, who, FAILED, now)
        after = {
            "confirmed": result.confirmed,
            "failed": result.failed,
            "differences": len(result.differences),
        }
        log_change(study.pk, who, "pay_reconcile", "pay list", now, after=after)
    return result


def _is_known(said: Confirmation, payment: ListedPayment) -> bool:
    state = LedgerState(payment.state)
    return state == LedgerState.CONFIRMED if said.paid else state != LedgerState.SENT


def _problem(said: Confirmation, payment: ListedPayment | None) -> str | None:
    """Why a confirmation cannot be taken over; None if it can."""
    name = said.payment[:40]
    if payment is None:
        return f"{name}: this study has no such payment."
    if said.amount and _cents(said.amount) != payment.cents:
        ours = f"{payment.cents // 100}.{payment.cents % 100:02}"
        return f"{name}: the list says {said.amount[:20]}, but the payment is {ours} {payment.currency}."
    state = LedgerState(payment.state)
    if said.paid and state not in (LedgerState.SENT, LedgerState.CONFIRMED):
        return f"{name}: the list says that it was paid, but it was never on a pay list that counts; it is {state}."
    if not said.paid and state == LedgerState.CONFIRMED:
        return f"{name}: the list says that it failed, but it is already confirmed."
    return None


def _cents(amount: str) -> int | None:
    try:
        exact = Decimal(amount) * 100
        return int(exact) if exact == exact.to_integral_value() else None
    except (InvalidOperation, ValueError, OverflowError):
        return None


@transaction.atomic
def settle(study: StudyRow, code: str, *, paid: bool, who: str, now: datetime) -> None:
    """What a person found out about one sent payment. If it was not paid, it is planned again. For those who may pay.

    Raises BadConfirmations for a payment that is not sent.
    """
    found = queries.payments_by_code(study.pk, [code.strip().upper()])
    if not found or found[0].state != LedgerState.SENT:
        raise BadConfirmations("this payment does not wait for a decision.", do="Reload the page.")
    # A call can make several payments at once; what is true of one is true of all.
    payments = settle_call(study.pk, found[0].id, paid=paid, now=now)
    if paid:
        confirm(study.pk, payments, who, "a person says it was paid", now)
    else:
        give_back(study.pk, payments, who, "a person says it was not paid", now)
    log_change(study.pk, who, "pay_settle", found[0].code, now, after={"paid": "yes" if paid else "no"})


def get_imbalances(study: StudyRow) -> list[ledger.Imbalance]:
    """Every difference between ledger, payments and budgets; there is none unless something is broken."""
    return ledger.imbalances(study.pk)
