"""Prolific through its API: studies are published, submissions approved and rejected, and bonuses paid in two steps.

No call is repeated here. `pay/` pays again at every call, so a bonus is sent once, and its outcome is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any, ClassVar

import httpx

from labelwright.crowd.ledger import CallState, PaymentKind
from labelwright.crowd.platform import (
    CallAnswer,
    CallKind,
    DuePayment,
    HeardEvent,
    OutgoingCall,
    PayCall,
    PayRoute,
    Platform,
    platform,
)
from labelwright.crowd.pools import LinkPool
from labelwright.crowd.publication import (
    CostPreview,
    PublicationOrder,
    PublicationReading,
    PublishingConnection,
)
from labelwright.outside.platforms.prolific.events import SECRET, read_event
from labelwright.outside.platforms.prolific.http import ProlificHttp
from labelwright.outside.platforms.prolific.participants import ProlificParticipants
from labelwright.outside.platforms.prolific.studies import ProlificStudies, code_of

ADDRESS = "https://api.prolific.com"
SITE = "https://app.prolific.com"
LONGEST_REASON = 2000
SHORTEST_REASON = 100
CATEGORIES = (
    "TOO_QUICKLY", "TOO_SLOWLY", "FAILED_INSTRUCTIONS", "INCOMP_LONGITUDINAL", "FAILED_CHECK", "LOW_EFFORT",
    "MALINGERING", "NO_CODE", "BAD_CODE", "NO_DATA", "UNSUPP_DEVICE", "OTHER",
)  # fmt: skip
OVER = {"RETURNED", "TIMED-OUT", "REJECTED", "SCREENED OUT"}
"""States of a submission that nobody can approve any more."""
PENDING = {"RESERVED", "ACTIVE", "PROCESSING"}
STUDY_CALLS = ("create", "open", "places", "pause", "resume", "stop")
PEOPLE_CALLS = ("group", "grant", "message")


@platform
class ProlificPlatform(Platform):
    """Prolific. The reward of a study there is the pay of all tasks that one person does in it."""

    name: ClassVar[str] = "prolific"
    pay_route: ClassVar[PayRoute] = PayRoute.CALLS
    minimum_hourly_cents: ClassVar[Mapping[str, int]] = {"GBP": 600, "USD": 800}
    calls: ClassVar[tuple[CallKind, ...]] = (
        CallKind("approve", moves_money=True, repeatable=True),
        CallKind("reject", moves_money=True, repeatable=True),
        CallKind("bonus", moves_money=True, repeatable=False),
        *(CallKind(name, moves_money=False, repeatable=True) for name in STUDY_CALLS),
        CallKind("group", moves_money=False, repeatable=True),
        CallKind("grant", moves_money=False, repeatable=True),
        CallKind("message", moves_money=False, repeatable=False, readable=False),
        CallKind("ask_return", moves_money=False, repeatable=True),
    )
    publishes: ClassVar[bool] = True
    rejection_frees_place: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("LABELWRIGHT_PROLIFIC_TOKEN",)

    def connect(self, settings: Mapping[str, str]) -> PublishingConnection:
        """A connection with the token of the environment."""
        address = settings.get("LABELWRIGHT_PROLIFIC_ADDRESS", ADDRESS)
        return ProlificConnection(address, settings.get("LABELWRIGHT_PROLIFIC_TOKEN", ""), settings)

    def return_address(self, code: str, settings: Mapping[str, str]) -> str:
        """The page of Prolific that takes a completion code."""
        return f"{settings.get('LABELWRIGHT_PROLIFIC_SITE', SITE).rstrip('/')}/submissions/complete?cc={code}"

    def code_in(self, way: str) -> str:
        """The completion code in an address."""
        return code_of(way)

    def read_event(self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, str]) -> HeardEvent:
        """An event of a webhook, if its signature is right."""
        return read_event(headers, body, settings.get(SECRET, ""))

    def wishes(self, pool: LinkPool, group: str = "") -> Mapping[str, Any]:
        """Who may take part: those who qualified, if the pool asks for a qualification."""
        if not group:
            return {}
        return {"filters": [{"filter_id": "participant_group_allowlist", "selected_values": [group]}]}

    def pay_calls(self, payments: Sequence[DuePayment]) -> list[PayCall]:
        """One approval for the tasks of each session, and one call for each bonus."""
        tasks = sorted((p for p in payments if p.kind == PaymentKind.TASK), key=lambda p: (p.session, p.id))
        calls = [
            PayCall(
                "approve", f"approve|{due[0].code}|{due[0].round}", _request(due[0]), tuple(p.id for p in due)
            )
            for due in (list(group) for _, group in groupby(tasks, key=lambda p: p.session))
        ]
        bonuses = [p for p in payments if p.kind != PaymentKind.TASK]
        return calls + [
            PayCall("bonus", f"bonus|{p.code}|{p.round}", _request(p) | {"cents": p.cents}, (p.id,))
            for p in bonuses
        ]

    def rejection_problem(self, reason: str) -> str | None:
        """What a reason lacks: Prolific demands a category and at least 100 characters."""
        category, colon, text = reason.partition(":")
        if not colon or category.strip() not in CATEGORIES:
            return f"Prolific demands a category before the reason, such as LOW_EFFORT: … One of {', '.join(CATEGORIES)}."
        if len(text.strip()) < SHORTEST_REASON:
            return f"Prolific demands a reason of at least {SHORTEST_REASON} characters."
        return None


def _request(payment: DuePayment) -> dict[str, Any]:
    return {"raters": [payment.rater], "sessions": [payment.session]}


class ProlificConnection:
    """Calls the API, each time once."""

    def __init__(self, address: str, token: str, settings: Mapping[str, str] | None = None) -> None:
        self._http = ProlificHttp(address, token)
        self._studies = ProlificStudies(self._http, settings or {})
        self._people = ProlificParticipants(self._http, settings or {})

    def read(self, external: str) -> PublicationReading:
        """What Prolific says of a study, with every submission."""
        return self._studies.read(external)

    def preview_cost(self, order: PublicationOrder) -> CostPreview:
        """What a study would cost."""
        return self._studies.preview_cost(order)

    def send(self, call: OutgoingCall) -> CallAnswer:
        """Makes a call, once."""
        part = self._part(call)
        return part.send(call) if part else self._send(call)

    def find(self, call: OutgoingCall) -> CallAnswer:
        """What became of a call."""
        part = self._part(call)
        return part.find(call) if part else self._find(call)

    def _part(self, call: OutgoingCall) -> ProlificStudies | ProlificParticipants | None:
        """The part of the API that a call is about; None for submissions."""
        if call.kind in STUDY_CALLS:
            return self._studies
        return self._people if call.kind in PEOPLE_CALLS else None

    def _send(self, call: OutgoingCall) -> CallAnswer:
        """Reads the submission first: the address that brought the person can be forged, and only Prolific knows."""
        seen = self._submission(call)
        if isinstance(seen, CallAnswer):
            return seen
        if call.kind == "ask_return":
            return self._ask_return(call, seen)
        if seen["status"] in PENDING:
            return CallAnswer(CallState.PLANNED, f"the submission is {seen['status']}")
        if call.kind == "bonus":
            return self._pay_bonus(call, seen)
        known = _review_state(call.kind, seen["status"])
        if known != CallState.PLANNED:
            return CallAnswer(known, f"the submission is {seen['status']}")
        body = {"action": "APPROVE"} if call.kind == "approve" else _rejection(call.request)
        return self._post(f"submissions/{seen['id']}/transition/", body)

    def _find(self, call: OutgoingCall) -> CallAnswer:
        seen = self._submission(call)
        if isinstance(seen, CallAnswer):
            return CallAnswer(CallState.UNKNOWN, seen.said)
        if call.kind == "ask_return":
            return _return_state(seen)
        if call.kind == "bonus":
            shown = list(seen.get("bonus_payments") or []).count(call.request["cents"])
            # Other bonuses of the same amount are counted, so that none is taken for this one.
            if shown > call.request.get("others", 0):
                return CallAnswer(CallState.CONFIRMED, "the bonus is listed")
            return CallAnswer(CallState.UNKNOWN, "the bonus is not listed")
        state = _review_state(call.kind, seen["status"])
        return CallAnswer(state, f"the submission is {seen['status']}")

    def close(self) -> None:
        """Ends the connection."""
        self._http.close()

    def _pay_bonus(self, call: OutgoingCall, seen: dict[str, Any]) -> CallAnswer:
        cents = call.request["cents"]
        amount = f"{Decimal(cents) / 100:.2f}"
        set_up = self._post(
            "submissions/bonus-payments/",
            {"study_id": seen["study_id"], "csv_bonuses": f"{seen['id']},{amount}"},
        )
        if set_up.state != CallState.CONFIRMED:
            # A set-up that nobody pays costs nothing, so it can be made again.
            return set_up if set_up.state == CallState.REFUSED else CallAnswer(CallState.PLANNED, set_up.said)
        if set_up.facts.get("amount") != cents:
            return CallAnswer(CallState.REFUSED, "Prolific calculated another amount; nothing was paid")
        paid = self._post(f"bulk-bonus-payments/{set_up.facts['id']}/pay/", {})
        if paid.state == CallState.CONFIRMED:
            # Accepted is not paid: it counts when it is listed.
            return CallAnswer(
                CallState.UNKNOWN, "accepted by Prolific, not listed yet", {"bulk": set_up.facts["id"]}
            )
        return paid

    def _ask_return(self, call: OutgoingCall, seen: dict[str, Any]) -> CallAnswer:
        known = _return_state(seen)
        if known.state != CallState.PLANNED:
            return known
        body = {"request_return_reasons": [call.request["reason"]]}
        return self._post(f"submissions/{seen['id']}/request-return/", body)

    def _submission(self, call: OutgoingCall) -> dict[str, Any] | CallAnswer:
        """The submission of a call, or why nothing can be done: nothing was sent yet."""
        session = call.ids.get(f"session {call.request['sessions'][0]}", "")
        person = call.ids.get(call.request["raters"][0], "")
        if not session:
            return CallAnswer(CallState.REFUSED, "this rater did not come from Prolific")
        try:
            answer = self._http.get(f"submissions/{session}/")
        except httpx.HTTPError as error:
            return CallAnswer(CallState.PLANNED, f"Prolific did not answer: {type(error).__name__}")
        if answer.status_code != httpx.codes.OK:
            state = CallState.REFUSED if answer.status_code == httpx.codes.NOT_FOUND else CallState.PLANNED
            return CallAnswer(state, f"status {answer.status_code} for the submission")
        seen: dict[str, Any] = answer.json()
        if person != (seen.get("participant") or seen.get("participant_id")):
            return CallAnswer(CallState.REFUSED, "the submission belongs to another participant")
        return seen

    def _post(self, path: str, body: dict[str, Any]) -> CallAnswer:
        return self._http.change("POST", path, body)


def _return_state(seen: Mapping[str, Any]) -> CallAnswer:
    """Whether a participant was asked to return a submission. Only they can do it."""
    status = str(seen["status"])
    if seen.get("return_requested") or status == "RETURNED":
        return CallAnswer(CallState.CONFIRMED, "they were asked")
    state = CallState.PLANNED if status in ("ACTIVE", "AWAITING REVIEW") else CallState.REFUSED
    return CallAnswer(state, f"the submission is {status}")


def _review_state(kind: str, status: str) -> CallState:
    """What the status of a submission says about an approval or a rejection."""
    wanted, other = (
        ("APPROVED", OVER) if kind == "approve" else ("REJECTED", (OVER | {"APPROVED"}) - {"REJECTED"})
    )
    if status == wanted:
        return CallState.CONFIRMED
    if status in other:
        return CallState.REFUSED
    return CallState.PLANNED if status == "AWAITING REVIEW" else CallState.UNKNOWN


def _rejection(request: Mapping[str, Any]) -> dict[str, Any]:
    category, _, text = str(request["reason"]).partition(":")
    return {
        "action": "REJECT",
        "message": text.strip()[:LONGEST_REASON],
        "rejection_category": category.strip(),
    }
