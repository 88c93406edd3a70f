"""Studies on Prolific: made from an order, opened, paused and stopped, and read with all their submissions.

Every change is an absolute one, so a call whose answer was lost is looked up, and can be sent again. A study holds our
name of the publication in its `metadata`; a lost one is found by it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

from labelwright.crowd.ledger import CallState
from labelwright.crowd.panel import PanelOutcome, PanelPart
from labelwright.crowd.platform import CallAnswer, OutgoingCall, PlatformSilent
from labelwright.crowd.publication import (
    CostPreview,
    PlatformVisit,
    PublicationOrder,
    PublicationReading,
    VisitState,
    order_of,
)
from labelwright.outside.platforms.prolific.http import ProlificHttp

LONGEST_TITLE = 120
OPEN = {"ACTIVE", "PUBLISHING", "SCHEDULED"}
OVER = {"AWAITING REVIEW", "COMPLETED"}
STATES = {
    "RESERVED": VisitState.AT_WORK,
    "ACTIVE": VisitState.AT_WORK,
    "AWAITING REVIEW": VisitState.SUBMITTED,
    "PROCESSING": VisitState.SUBMITTED,
    "APPROVED": VisitState.APPROVED,
    "PARTIALLY APPROVED": VisitState.APPROVED,
    "REJECTED": VisitState.REJECTED,
    "RETURNED": VisitState.RETURNED,
    # Its capacity is free again, and nobody decides on it.
    "SCREENED OUT": VisitState.RETURNED,
    "TIMED-OUT": VisitState.TIMED_OUT,
}
TRANSITIONS: Mapping[str, tuple[str, set[str], set[str]]] = {
    "open": ("PUBLISH", {"UNPUBLISHED"}, OPEN | OVER | {"PAUSED"}),
    "pause": ("PAUSE", {"ACTIVE"}, {"PAUSED"}),
    "resume": ("START", {"PAUSED"}, OPEN | OVER),
    "stop": ("STOP", {"ACTIVE", "PAUSED"}, OVER),
}
"""Calls by kind: the action of Prolific, the states in which it can be sent, and those that show its effect."""
CODES = {
    PanelOutcome.COMPLETED: ("COMPLETED", {"action": "MANUALLY_REVIEW"}),
    PanelOutcome.SCREENED_OUT: (
        "SCREENED_OUT",
        {"action": "REQUEST_RETURN", "return_reason": "The study does not suit you."},
    ),
    PanelOutcome.FULL: (
        "OTHER",
        {"action": "REQUEST_RETURN", "return_reason": "There was no task left when you came."},
    ),
}
"""The type of a completion code, and what Prolific does with it."""


class ProlificStudies:
    """The part of the API that is about studies."""

    def __init__(self, http: ProlificHttp, settings: Mapping[str, str]) -> None:
        self._http = http
        self._workspace = settings.get("LABELWRIGHT_PROLIFIC_WORKSPACE", "")
        self._project = settings.get("LABELWRIGHT_PROLIFIC_PROJECT", "")

    def send(self, call: OutgoingCall) -> CallAnswer:
        """Looks first, so that a call whose effect is there already is not made again."""
        seen = self.find(call)
        if seen.state != CallState.PLANNED:
            # Nothing was sent, so nothing can have happened, and it is looked at again.
            return CallAnswer(CallState.PLANNED, seen.said) if seen.state == CallState.UNKNOWN else seen
        if call.kind == "create":
            order = order_of(call.request)
            return self._http.change("POST", "studies/", study_of_order(order, self._project))
        if call.kind == "places":
            told = {"total_available_places": call.request["places"]}
            return self._http.change("PATCH", f"studies/{call.request['publication']}/", told)
        action, _, _ = TRANSITIONS[call.kind]
        path = f"studies/{call.request['publication']}/transition/"
        return self._http.change("POST", path, {"action": action})

    def find(self, call: OutgoingCall) -> CallAnswer:
        """What became of a call."""
        try:
            if call.kind == "create":
                return self._find_created(call.request["name"])
            seen = self._http.read(f"studies/{call.request['publication']}/")
        except PlatformSilent as silent:
            return CallAnswer(CallState.UNKNOWN, str(silent))
        if call.kind == "places":
            there = int(seen.get("total_available_places") or 0)
            state = CallState.CONFIRMED if there >= call.request["places"] else CallState.PLANNED
            return CallAnswer(state, f"the study has {there} places")
        _, before, after = TRANSITIONS[call.kind]
        status = str(seen.get("status"))
        state = CallState.CONFIRMED if status in after else CallState.REFUSED
        if status in before:
            state = CallState.PLANNED
        elif status not in OPEN | OVER | {"PAUSED", "UNPUBLISHED"}:
            state = CallState.UNKNOWN
        return CallAnswer(state, f"the study is {status}")

    def _find_created(self, name: str) -> CallAnswer:
        """A study with our name; the oldest, if somebody copied it."""
        for study in self._http.listed("studies/"):
            if _name_of(study) == name:
                return CallAnswer(CallState.CONFIRMED, "the study is there", {"id": study["id"]})
        return CallAnswer(CallState.PLANNED, "there is no such study")

    def read(self, external: str) -> PublicationReading:
        """A study with every submission."""
        study = self._http.read(f"studies/{external}/")
        status = str(study.get("status"))
        return PublicationReading(
            status=status,
            is_open=status in OPEN,
            places=int(study.get("total_available_places") or 0),
            visits=tuple(self._visits(external)),
        )

    def _visits(self, external: str) -> Iterator[PlatformVisit]:
        for row in self._http.listed(f"studies/{external}/submissions/"):
            yield PlatformVisit(
                session=str(row.get("id")),
                person=str(row.get("participant_id")),
                state=STATES.get(str(row.get("status")), VisitState.UNKNOWN),
                began_at=_time(row.get("started_at")),
                ended_at=_time(row.get("completed_at")),
                code=str(row.get("study_code") or ""),
            )

    def preview_cost(self, order: PublicationOrder) -> CostPreview:
        """What Prolific would charge, fees and tax included."""
        told = {"reward": order.pay.cents, "total_available_places": order.places}
        found = self._http.ask("study-cost-calculator/", told)
        pay = order.pay.cents * order.places
        balance = self._http.read(f"workspaces/{self._workspace}/balance/") if self._workspace else {}
        currency = found.get("currency_code") or balance.get("currency_code") or order.pay.currency
        try:
            total = int(found["total_cost"])
        except (KeyError, TypeError, ValueError):
            raise PlatformSilent(
                "Prolific did not say what the study would cost.", do="Try again in a minute."
            ) from None
        return CostPreview(pay, total - pay, str(currency), balance.get("available_balance"))


def study_of_order(order: PublicationOrder, project: str = "") -> dict[str, Any]:
    """The body that makes a study."""
    minutes = max(1, math.ceil(order.minutes))
    return {
        "name": order.title[:LONGEST_TITLE],
        "internal_name": order.name,
        "description": order.description,
        "external_study_url": _address(order),
        "prolific_id_option": "url_parameters",
        "completion_codes": list(_codes(order.panel)),
        "total_available_places": order.places,
        "estimated_completion_time": minutes,
        "maximum_allowed_time": longest_minutes(minutes),
        "reward": order.pay.cents,
        "metadata": json.dumps({"publication": order.name}),
        **({"project": project} if project else {}),
        **order.wishes,
    }


def longest_minutes(minutes: int) -> int:
    """The time after which Prolific ends a visit: four times the usual time, at least half an hour, as it allows.

    >>> longest_minutes(5), longest_minutes(60)
    (30, 240)
    """
    return max(4 * minutes, 30, math.ceil(2 + 2 * minutes + 2 * math.sqrt(minutes)))


def code_of(way: str) -> str:
    """The completion code in a way back: the parameter `cc` of an address, or the code itself.

    >>> code_of("https://app.prolific.com/submissions/complete?cc=C7K2"), code_of("C7K2")
    ('C7K2', 'C7K2')
    """
    return (parse_qs(urlsplit(way).query).get("cc") or [""])[0] if "://" in way else way


def _codes(panel: PanelPart) -> Iterator[dict[str, Any]]:
    seen = set()
    for outcome, (kind, action) in CODES.items():
        code = code_of(panel.way_back(outcome) or "")
        if code and code not in seen:
            seen.add(code)
            yield {"code": code, "code_type": kind, "actor": "participant", "actions": [action]}


def _address(order: PublicationOrder) -> str:
    panel = order.panel
    asked = f"{panel.person}={{{{%PROLIFIC_PID%}}}}&{panel.session}={{{{%SESSION_ID%}}}}"
    return f"{order.address}{'&' if '?' in order.address else '?'}{asked}"


def _name_of(study: Mapping[str, Any]) -> str:
    try:
        told = json.loads(study.get("metadata") or "{}")
    except (TypeError, ValueError):
        return ""
    return str(told.get("publication", "")) if isinstance(told, dict) else ""


def _time(text: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else None
