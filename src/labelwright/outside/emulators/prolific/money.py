"""The balance of the emulated workspace: locked when a study is published, spent when work is approved."""

from __future__ import annotations

import csv
import io
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

from labelwright.outside.emulators.prolific.model import (
    UNDECIDED,
    BonusSet,
    ProlificRefusal,
    ProlificSettings,
    ProlificState,
    ProlificStudy,
    ProlificSubmission,
    StudyStatus,
    SubmissionStatus,
    new_id,
)


def fee_of(settings: ProlificSettings, cents: int) -> tuple[int, int]:
    """The fee on an amount, and the VAT on the fee, in cents.

    >>> fee_of(ProlificSettings(fee_percent=33.3, vat_percent=20), 240)
    (80, 16)
    """
    fee = _rounded(Decimal(cents) * Decimal(str(settings.fee_percent)) / 100)
    return fee, _rounded(Decimal(fee) * Decimal(str(settings.vat_percent)) / 100)


def cost_of(settings: ProlificSettings, reward: int, places: int) -> int:
    """What places cost, with fee and VAT."""
    fee, vat = fee_of(settings, reward)
    return (reward + fee + vat) * places


def locked(state: ProlificState) -> int:
    """The cents that published studies hold for places that are not decided yet."""
    return sum(
        cost_of(state.settings, study.reward, _undecided_places(state, study))
        for study in state.studies.values()
    )


def _undecided_places(state: ProlificState, study: ProlificStudy) -> int:
    if study.status in {StudyStatus.UNPUBLISHED, StudyStatus.SCHEDULED}:
        return 0
    submissions = state.of_study(study.id)
    if study.stopped:
        return sum(each.status in UNDECIDED for each in submissions)
    return study.places - sum(each.status is SubmissionStatus.APPROVED for each in submissions)


def spent(state: ProlificState) -> int:
    """The cents that left the workspace, with fees."""
    return sum(each["cents"] + each["fee"] + each["vat"] for each in state.entries)


def available(state: ProlificState) -> int:
    """The cents that a new study or bonus may use."""
    return state.settings.balance_cents - spent(state) - locked(state)


def balance(state: ProlificState) -> dict[str, Any]:
    """The answer of `workspaces/{id}/balance/`."""
    total = state.settings.balance_cents - spent(state)
    free = available(state)
    return {
        "currency_code": state.settings.currency,
        "total_balance": total,
        "available_balance": free,
        "balance_breakdown": {"rewards": total, "fees": 0, "vat": 0},
        "available_balance_breakdown": {"rewards": free, "fees": 0, "vat": 0},
    }


def pay_reward(state: ProlificState, submission: ProlificSubmission) -> None:
    """Writes the reward of an approved submission into the ledger."""
    _write(state, "reward", submission, state.studies[submission.study].reward, submission.id)


def _write(state: ProlificState, kind: str, submission: ProlificSubmission, cents: int, cause: str) -> None:
    fee, vat = fee_of(state.settings, cents)
    state.entries.append(
        {
            "at": state.clock.now().isoformat(),
            "kind": kind,
            "submission": submission.id,
            "participant": submission.participant,
            "cents": cents,
            "fee": fee,
            "vat": vat,
            "cause": cause,
        }
    )


def set_up_bonuses(state: ProlificState, told: dict[str, Any]) -> dict[str, Any]:
    """Checks a list of bonuses and keeps it; no money moves."""
    study = state.find_study(str(told.get("study_id")))
    text = told.get("csv_bonuses")
    if not isinstance(text, str) or not text.strip():
        raise ProlificRefusal({"csv_bonuses": ["This field is required."]})
    rows = [_bonus_row(line) for line in csv.reader(io.StringIO(text)) if line]
    submissions = {name: _paid_submission(state, study, name) for name, _ in rows}
    strangers = sorted(name for name, found in submissions.items() if found is None)
    if strangers:
        raise ProlificRefusal({"csv_bonuses": [f"These ids did not take part: {', '.join(strangers)}"]})
    cents = [(found.id, amount) for name, amount in rows if (found := submissions[name])]
    fees = [fee_of(state.settings, amount) for _, amount in cents]
    made = BonusSet(new_id(), study.id, cents, sum(fee for fee, _ in fees), sum(vat for _, vat in fees))
    state.bonuses[made.id] = made
    return _bonus_answer(made)


def _bonus_row(line: list[str]) -> tuple[str, int]:
    """An id and cents; the amounts of this list are in whole units with decimals."""
    cells = [cell.strip() for cell in line]
    cents = _cents(cells[1]) if len(cells) == 2 else None
    if cents is None:
        raise ProlificRefusal({"csv_bonuses": [f"Not an id and an amount: {','.join(line)}"]})
    return cells[0], cents


def _cents(amount: str) -> int | None:
    """The cents of an amount in whole units; None if it is not a positive number of cents."""
    try:
        cents = Decimal(amount) * 100
    except InvalidOperation:
        return None
    whole = cents.is_finite() and cents > 0 and cents == cents.to_integral_value()
    return int(cents) if whole else None


def _paid_submission(state: ProlificState, study: ProlificStudy, name: str) -> ProlificSubmission | None:
    """A submission of the study, by its id or its participant's."""
    for each in state.of_study(study.id):
        if name in {each.id, each.participant} and each.status is not SubmissionStatus.RESERVED:
            return each
    return None


def _bonus_answer(made: BonusSet) -> dict[str, Any]:
    return {
        "id": made.id,
        "study": made.study,
        "amount": made.amount,
        "fees": made.fees,
        "vat": made.vat,
        "total_amount": made.amount + made.fees + made.vat,
    }


def pay_bonuses(state: ProlificState, name: str) -> None:
    """Pays a set of bonuses after a while. Every call pays again, as in the real service."""
    made = state.bonuses.get(name)
    if made is None:
        raise ProlificRefusal("Not found.", 404)
    if available(state) < made.amount + made.fees + made.vat:
        raise ProlificRefusal("Insufficient balance.")
    made.times_paid += 1
    state.clock.after(state.settings.paying_seconds, lambda: _pay_set(state, made))


def _pay_set(state: ProlificState, made: BonusSet) -> None:
    for name, cents in made.rows:
        submission = state.submissions[name]
        submission.bonuses.append(cents)
        _write(state, "bonus", submission, cents, made.id)


def _rounded(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_HALF_UP))
