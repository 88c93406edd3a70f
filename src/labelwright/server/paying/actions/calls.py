"""Calls to platforms: written before they are made, sent by one sender at a time, and never blindly sent again.

A sender takes a call, which is committed before the platform hears anything, makes it, and records the answer. If the
sender dies in between, the lease ends and the outcome is unknown: it is settled by reading the platform, by sending a
call again that has no second effect, or by a person. Locks are taken in the order call, assignment, payment, budget.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from labelwright.crowd import CallState, LedgerState, PaymentKind
from labelwright.crowd.platform import PLATFORMS, CallAnswer, CallKind, DuePayment, OutgoingCall
from labelwright.server.access.actions.audit import AUTOMATIC
from labelwright.server.paying.actions import confirm, give_back, mark_sent
from labelwright.server.paying.queries import calls as queries
from labelwright.server.paying.queries.calls import StoredCall
from labelwright.server.store.models import Payment
from labelwright.server.store.secrets import unseal

LEASE = timedelta(minutes=3)
"""Longer than any call takes, so that a lease ends only after its sender died."""
LOOKS_FOR = timedelta(hours=1)
"""How long an unknown outcome is looked up automatically."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=1), timedelta(seconds=60)
NEVER = datetime(9999, 1, 1, tzinfo=UTC)
SENT, PAID, REFUSED = "sent to the platform", "confirmed by the platform", "refused by the platform"
STOPPED = "a payment was stopped"


class SenderTask(enum.StrEnum):
    """What a sender does with a call."""

    SEND = "send"
    LOOK = "look"


@dataclass(frozen=True, slots=True)
class TakenCall:
    """A call that this sender holds."""

    id: int
    platform: str
    attempt: int
    task: SenderTask
    outgoing: OutgoingCall


def plan_call(
    study: int, platform: str, kind: str, key: str, request: Mapping[str, object], now: datetime
) -> bool:
    """Plans a call without payments, such as a publication; returns whether it is new. In the caller's transaction."""
    return queries.add_call(study, platform, kind, key, request, now) is not None


def plan_pay_calls(study: int, platform: str, payments: Sequence[int], now: datetime) -> None:
    """Plans the calls that make released payments; in the transaction that releases them."""
    due = [
        DuePayment(each.id, each.code, each.round, PaymentKind(each.kind), each.rater, each.session, each.cents,
                   each.currency, each.reason)
        for each in queries.payments_to_make(study, payments)
    ]  # fmt: skip
    for call in PLATFORMS[platform].pay_calls(due):
        made = queries.add_call(study, platform, call.kind, call.key, call.request, now)
        assert made is not None, f"the call {call.key} was planned before"
        queries.attach(study, made, call.payments)


def plan_rejections(study: int, platform: str, now: datetime) -> int:
    """Plans the calls that reject work there which reviewers rejected here; returns how many are new.

    Only whole visits are rejected. Made with a payment run, so that a verdict can be taken back before.
    """
    if not any(kind.name == "reject" for kind in PLATFORMS[platform].calls):
        return 0
    return sum(
        plan_call(
            study,
            platform,
            "reject",
            f"reject|{each.session}",
            {"raters": [each.rater], "sessions": [each.session], "verdict": each.verdict},
            now,
        )
        for each in queries.rejected_sessions(study, platform)
    )


def take_call(now: datetime) -> TakenCall | None:
    """The next call that is due, held by this sender from now on; None if none is due.

    A call that was planned counts as sent, and its payments too, before anything leaves. A call whose sender died is
    only looked up. In a transaction of its own.
    """
    while True:
        with transaction.atomic():
            call = queries.lock_due(now)
            if call is None:
                return None
            taken = _take(call, now)
            if taken is not None:
                return taken


def _take(call: StoredCall, now: datetime) -> TakenCall | None:
    """None if there is nothing to do about the call now."""
    if call.state == CallState.PLANNED:
        if not _send_payments(call, now):
            return None
        queries.change_call(call.id, CallState.SENDING, now, now + LEASE, sent=True)
        return TakenCall(call.id, call.platform, call.attempts + 1, SenderTask.SEND, _outgoing(call))
    if not _kind(call).readable or (call.sent_at or now) + LOOKS_FOR < now:
        said = "no answer" if call.state == CallState.SENDING else None
        queries.change_call(call.id, CallState.UNKNOWN, now, NEVER, said=said)
        return None
    queries.change_call(call.id, CallState.UNKNOWN, now, now + LEASE)
    return TakenCall(call.id, call.platform, call.attempts + 1, SenderTask.LOOK, _outgoing(call))


def _send_payments(call: StoredCall, now: datetime) -> bool:
    """Marks the payments of a call as sent; if one was stopped, the call is dropped and the others are planned again."""
    payments = Payment.objects.filter(study=call.study, call=call.id).order_by("pk").select_for_update()
    states = {row.pk: row.state for row in payments}
    if not set(states.values()) <= {LedgerState.AUTHORISED, LedgerState.SENT}:
        queries.settle_call(call.id, CallState.REFUSED, STOPPED, {}, now)
        give_back(call.study, [pk for pk, state in states.items() if state == LedgerState.AUTHORISED], AUTOMATIC, STOPPED, now)  # fmt: skip
        return False
    mark_sent(call.study, list(states), AUTOMATIC, SENT, now)
    return True


def record_answer(taken: TakenCall, answer: CallAnswer, now: datetime) -> None:
    """Records what is known of a call after sending it or looking it up; a call that somebody settled meanwhile stays."""
    with transaction.atomic():
        call = queries.lock_call(taken.id)
        if call is None or call.attempts != taken.attempt:
            return
        state = _known_state(call, taken.task, answer)
        if state in (CallState.CONFIRMED, CallState.REFUSED):
            _settle(call, answer, state, now)
        else:
            queries.change_call(call.id, state, now, now + _pause(call), said=answer.said[:300])


def _known_state(call: StoredCall, task: SenderTask, answer: CallAnswer) -> CallState:
    # A platform that does not list an effect may list it a moment later: only a call without a second effect goes again.
    if answer.state == CallState.PLANNED and task == SenderTask.LOOK and not _kind(call).repeatable:
        return CallState.UNKNOWN
    return answer.state


def _settle(call: StoredCall, answer: CallAnswer, state: CallState, now: datetime) -> None:
    payments = queries.payments_of(call.id)
    queries.settle_call(call.id, state, answer.said, answer.facts, now)
    if state == CallState.CONFIRMED:
        confirm(call.study, payments, AUTOMATIC, PAID, now)
    else:
        give_back(call.study, payments, AUTOMATIC, REFUSED, now)


def settle_call(study: int, payment: int, *, paid: bool, now: datetime) -> list[int]:
    """Ends the call that makes a payment as a person says; returns all payments of the call, or only this one.

    In the caller's transaction, before it locks payments.
    """
    of = queries.call_of(study, payment)
    call = queries.lock_call(of) if of is not None else None
    if call is None:
        return [payment]
    state = CallState.CONFIRMED if paid else CallState.REFUSED
    queries.settle_call(call.id, state, "decided by a person", {}, now)
    return queries.payments_of(call.id)


def withdraw_calls(study: int, payments: Sequence[int], why: str, now: datetime) -> None:
    """Drops the planned calls of payments that are taken back; in the caller's transaction."""
    for of in sorted({found for each in payments if (found := queries.call_of(study, each)) is not None}):
        call = queries.lock_call(of)
        if call is not None and call.state == CallState.PLANNED:
            queries.settle_call(call.id, CallState.REFUSED, why, {}, now)


def settle_by_person(study: int, call: int, *, happened: bool, now: datetime) -> dict[str, Any]:
    """Ends a call without payments as a person says; returns its request. In the caller's transaction."""
    state = CallState.CONFIRMED if happened else CallState.REFUSED
    queries.settle_call(call, state, "decided by a person", {"settled": True}, now)
    return queries.request_of(study, call)


def _kind(call: StoredCall) -> CallKind:
    return next(kind for kind in PLATFORMS[call.platform].calls if kind.name == call.kind)


def _pause(call: StoredCall) -> timedelta:
    """How long the next attempt waits: a second at first, then twice as long each time, up to a minute."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(call.attempts, 10)))


def _outgoing(call: StoredCall) -> OutgoingCall:
    """The call with the platform's ids, which only live in memory."""
    request = call.request
    ids = {
        each.rater: unseal(each.id_sealed)
        for each in queries.sealed_ids(call.study, request.get("raters", []))
    }
    for each in queries.sealed_sessions(call.study, request.get("sessions", [])):
        ids[f"session {each.session}"] = unseal(each.id_sealed)
    if "verdict" in request:
        request["reason"] = queries.reason_of(request["verdict"])
    if "message" in request:
        request["body"] = queries.text_of(request["message"])
    return OutgoingCall(call.kind, call.key, request | {"others": queries.other_bonuses(call.id)}, ids)
