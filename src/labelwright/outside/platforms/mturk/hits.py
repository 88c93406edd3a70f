"""Publications as HITs: split so that none has ten assignments, found again by their annotation, extended or added to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from xml.sax.saxutils import escape

from labelwright.crowd.ledger import CallState
from labelwright.crowd.mturk import LARGE, MTurkPart, split
from labelwright.crowd.platform import CallAnswer, OutgoingCall
from labelwright.outside.platforms.mturk.marks import annotation, read_annotation, token
from labelwright.outside.platforms.mturk.service import MTurkFailure, MTurkService

SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
APPROVED_PERCENT, APPROVED_HITS, LOCALE = (
    "000000000000000000L0",
    "00000000000000000040",
    "00000000000000000071",
)
MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"
MASTERS_OF_SANDBOX = "2ARFPLSP75KLA8M8DH1HTEQVJT3SY6"
LEAST_SECONDS = 1800
"""A tight limit loses work and wins nothing."""
NOT_EXTENDABLE = ("invalidmaximumassignmentsincrease", "hittoooldforextension")
CLOCK_SECONDS = 120
"""How far the clocks of both sides may differ."""


class Publications:
    """The HITs of publications."""

    def __init__(self, service: MTurkService) -> None:
        self._service = service

    def hits_of(self, publication: str) -> list[dict[str, Any]]:
        """The HITs of a publication, in the order in which they were made."""
        found = {
            number: hit
            for hit in self._service.pages("list_hits", "HITs")
            if (number := read_annotation(hit.get("RequesterAnnotation", ""), publication)) is not None
        }
        return [found[number] for number in sorted(found)]

    def create(self, call: OutgoingCall) -> CallAnswer:
        """Makes the HITs of a publication that are not there."""
        request = call.request
        part = part_of(request["wishes"])
        known = {hit["RequesterAnnotation"] for hit in self.hits_of(request["name"])}
        fields = self._fields(request, part)
        for number, size in enumerate(split(int(request["places"]), part.assignments_per_hit)):
            if annotation(request["name"], number) not in known:
                self._make("create_hit", request["name"], number, {**fields, "MaxAssignments": size})
        return _created(request["name"])

    def find_created(self, call: OutgoingCall) -> CallAnswer:
        """Whether all HITs of a publication are there."""
        request = call.request
        part = part_of(request["wishes"])
        made = len(self.hits_of(request["name"]))
        if made >= len(split(int(request["places"]), part.assignments_per_hit)):
            return _created(request["name"])
        return CallAnswer(CallState.PLANNED, f"{made} HITs are there")

    def add_places(self, call: OutgoingCall) -> CallAnswer:
        """Brings a publication to a number of assignments in all: HITs with room are extended, then others are made."""
        publication, wanted = str(call.request["publication"]), int(call.request["places"])
        hits = self.hits_of(publication)
        if not hits:
            return CallAnswer(CallState.REFUSED, f"no such publication at {self._service.address}")
        missing = wanted - sum(hit["MaxAssignments"] for hit in hits)
        for hit in hits:
            missing -= self._extend(hit, missing, call.key)
        number = 1 + max(read_annotation(hit["RequesterAnnotation"], publication) or 0 for hit in hits)
        most = max(LARGE - 1, *(hit["MaxAssignments"] for hit in hits))
        for more, size in enumerate(split(max(0, missing), most)):
            self._make("create_hit_with_hit_type", publication, number + more, _like(hits[0], size))
        return CallAnswer(CallState.CONFIRMED, "", {"places": wanted})

    def find_places(self, call: OutgoingCall) -> CallAnswer:
        """Whether a publication has so many assignments."""
        there = sum(hit["MaxAssignments"] for hit in self.hits_of(str(call.request["publication"])))
        enough = there >= int(call.request["places"])
        return CallAnswer(CallState.CONFIRMED if enough else CallState.PLANNED, f"{there} assignments")

    def open(self, call: OutgoingCall) -> CallAnswer:
        """Lets people find a publication: HITs are open from the start, and stay so until they expire."""
        now = datetime.now(UTC)
        for hit in self.hits_of(str(call.request["publication"])):
            if hit["Expiration"] <= now:
                self._expire(hit, _next_end(hit, now))
        return CallAnswer(CallState.CONFIRMED)

    def find_open(self, call: OutgoingCall) -> CallAnswer:
        """Whether no HIT of a publication has expired."""
        return self._find_ends(call, expired=False)

    def stop(self, call: OutgoingCall) -> CallAnswer:
        """Lets nobody else accept work of a publication; whoever has accepted can finish."""
        now = datetime.now(UTC)
        for hit in self.hits_of(str(call.request["publication"])):
            if hit["Expiration"] > now:
                self._expire(hit, now)
        return CallAnswer(CallState.CONFIRMED)

    def find_stopped(self, call: OutgoingCall) -> CallAnswer:
        """Whether nobody can accept work of a publication any more."""
        return self._find_ends(call, expired=True)

    def _find_ends(self, call: OutgoingCall, *, expired: bool) -> CallAnswer:
        soon = datetime.now(UTC) + timedelta(seconds=CLOCK_SECONDS)
        others = sum(
            (hit["Expiration"] <= soon) is not expired
            for hit in self.hits_of(str(call.request["publication"]))
        )
        state = CallState.PLANNED if others else CallState.CONFIRMED
        return CallAnswer(state, f"{others} HITs are {'open' if expired else 'expired'}")

    def _fields(self, request: Mapping[str, Any], part: MTurkPart) -> dict[str, Any]:
        return {
            "Title": str(request["title"])[:128],
            "Description": (str(request.get("description", "")) or str(request["title"]))[:2000],
            "Reward": amount(int(request["cents"])),
            "AssignmentDurationInSeconds": max(LEAST_SECONDS, round(float(request["minutes"]) * 4 * 60)),
            "AutoApprovalDelayInSeconds": round(part.approval_days * 86_400),
            "LifetimeInSeconds": round(part.open_days * 86_400),
            "QualificationRequirements": self._requirements(part, str(request["wishes"].get("group", ""))),
            "Question": _question(str(request["address"])),
        }

    def _requirements(self, part: MTurkPart, group: str) -> list[dict[str, Any]]:
        """Who may work; people who may not do not even find the HIT."""
        masters = MASTERS_OF_SANDBOX if "sandbox" in self._service.address else MASTERS
        wanted: list[dict[str, Any]] = []
        if part.masters:
            wanted.append({"QualificationTypeId": masters, "Comparator": "Exists"})
        for kind, least in ((APPROVED_PERCENT, part.approved_percent), (APPROVED_HITS, part.approved_hits)):
            if least is not None:
                compared = {"Comparator": "GreaterThanOrEqualTo", "IntegerValues": [least]}
                wanted.append({"QualificationTypeId": kind, **compared})
        if part.countries:
            places = [{"Country": country} for country in part.countries]
            wanted.append({"QualificationTypeId": LOCALE, "Comparator": "In", "LocaleValues": places})
        for name in part.qualifications:
            found = find_type(self._service, name)
            if found is None:
                raise MTurkFailure(
                    "", CallState.REFUSED, "a qualification that the study needs does not exist"
                )
            wanted.append({"QualificationTypeId": found, "Comparator": "Exists"})
        if group:
            wanted.append({"QualificationTypeId": group, "Comparator": "Exists"})
        return [each | {"ActionsGuarded": "DiscoverPreviewAndAccept"} for each in wanted]

    def _make(self, operation: str, publication: str, number: int, fields: Mapping[str, Any]) -> None:
        mark = annotation(publication, number)
        try:
            self._service.write(
                operation,
                **fields,
                RequesterAnnotation=mark,
                UniqueRequestToken=token("h", publication, number),
            )
        except MTurkFailure as failure:
            if failure.code != "hitalreadyexists":
                raise
            self._check_is_ours(failure, mark)

    def _check_is_ours(self, failure: MTurkFailure, mark: str) -> None:
        """A token that was used before names the HIT that it made."""
        named = re.search(r"\b(?=[A-Z0-9]*\d)[A-Z0-9]{20,64}\b", failure.message)
        there = self._service.read("get_hit", HITId=named[0])["HIT"] if named else {}
        if there.get("RequesterAnnotation") != mark:
            raise MTurkFailure(
                "", CallState.REFUSED, "the token of this HIT was used for another one"
            ) from None

    def _extend(self, hit: Mapping[str, Any], missing: int, key: str) -> int:
        """Adds assignments to a HIT as far as it can have more; returns how many."""
        there = hit["MaxAssignments"]
        # A HIT that has fewer than ten can never have ten, because ten cost a higher fee.
        more = min(missing, LARGE - 1 - there) if there < LARGE else missing
        if more <= 0:
            return 0
        now = datetime.now(UTC)
        if hit["Expiration"] <= now:
            self._expire(hit, _next_end(hit, now))
        try:
            self._service.write(
                "create_additional_assignments_for_hit",
                HITId=hit["HITId"],
                NumberOfAdditionalAssignments=more,
                UniqueRequestToken=token("x", key, hit["HITId"]),
            )
        except MTurkFailure as failure:
            if failure.code in NOT_EXTENDABLE:
                return 0
            if failure.code != "repeated":
                raise
        return more

    def _expire(self, hit: Mapping[str, Any], at: datetime) -> None:
        try:
            whole = at.replace(microsecond=0)
            self._service.write("update_expiration_for_hit", HITId=hit["HITId"], ExpireAt=whole)
        except MTurkFailure as failure:
            if failure.code != "repeated":
                raise


def part_of(wishes: Mapping[str, Any]) -> MTurkPart:
    """The part of the pool in the wishes of an order; a group of qualified raters is beside it."""
    return MTurkPart.model_validate({name: value for name, value in wishes.items() if name != "group"})


def find_type(service: MTurkService, name: str) -> str | None:
    """The id of a qualification of ours by its name, on this service only; None if there is none."""
    found = service.pages(
        "list_qualification_types",
        "QualificationTypes",
        Query=name,
        MustBeRequestable=False,
        MustBeOwnedByCaller=True,
    )
    return next((str(each["QualificationTypeId"]) for each in found if each["Name"] == name), None)


def amount(cents: int) -> str:
    """An amount as requests carry it.

    >>> amount(40), amount(150), amount(5)
    ('0.40', '1.50', '0.05')
    """
    return f"{cents // 100}.{cents % 100:02}"


def cents_of(text: str) -> int:
    """An amount of the service, in cents.

    >>> cents_of("10000.00"), cents_of("0.4")
    (1000000, 40)
    """
    return int(Decimal(text) * 100)


def _question(address: str) -> str:
    """The question that shows our page in a frame."""
    return f'<ExternalQuestion xmlns="{SCHEMA}"><ExternalURL>{escape(address)}</ExternalURL><FrameHeight>0</FrameHeight></ExternalQuestion>'


def _like(hit: Mapping[str, Any], size: int) -> dict[str, Any]:
    """Another HIT of the same type, so that workers see one group."""
    seconds = round((hit["Expiration"] - hit["CreationTime"]).total_seconds())
    return {
        "HITTypeId": hit["HITTypeId"],
        "Question": hit["Question"],
        "LifetimeInSeconds": min(31_536_000, max(86_400, seconds)),
        "MaxAssignments": size,
    }


def _next_end(hit: Mapping[str, Any], now: datetime) -> datetime:
    """When a HIT that is opened again expires: after as long as it was open before, and a day at least."""
    before: timedelta = hit["Expiration"] - hit["CreationTime"]
    return now + min(timedelta(days=365), max(timedelta(days=1), before))


def _created(publication: str) -> CallAnswer:
    return CallAnswer(CallState.CONFIRMED, "", {"id": publication})
