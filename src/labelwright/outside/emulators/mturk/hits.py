"""HITs of the emulated Mechanical Turk: types, creation, expiration, extension, states."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from typing import Any

from labelwright.outside.emulators.mturk import money
from labelwright.outside.emulators.mturk.model import (
    Hit,
    HitStatus,
    HitType,
    MturkRefusal,
    MturkState,
    SlotStatus,
    Told,
    amount,
    epoch,
    new_mturk_id,
)

APPROVAL_SECONDS = 2_592_000
"""Thirty days: when work is approved by itself, if nothing else was asked for."""
FORGOTTEN_DAYS = 120
DECIDED = {SlotStatus.APPROVED, SlotStatus.REJECTED}


def cents_of(text: str) -> int:
    """An amount as requests carry it, in cents.

    >>> cents_of("0.4"), cents_of("2"), cents_of("1.05")
    (40, 200, 105)
    """
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(f"{part:0<2}")


def hit_type(state: MturkState, told: Told) -> HitType:
    """The type with these values; the same values give the same type."""
    values = (
        cents_of(told["Reward"]),
        told["AssignmentDurationInSeconds"],
        told.get("AutoApprovalDelayInSeconds", APPROVAL_SECONDS),
        told["Title"],
        told["Description"],
        told.get("Keywords", ""),
        told.get("QualificationRequirements", []),
    )
    digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest().upper()
    name = f"3{digest[:29]}"
    return state.types.setdefault(name, HitType(name, *values))


def create_type(state: MturkState, told: Told) -> Told:
    """The answer of CreateHITType."""
    return {"HITTypeId": hit_type(state, told).id}


def create_hit(state: MturkState, told: Told) -> Told:
    """The answer of CreateHIT, which makes its type on the way."""
    return _create(state, told, hit_type(state, told))


def create_hit_with_type(state: MturkState, told: Told) -> Told:
    """The answer of CreateHITWithHITType."""
    kind = state.types.get(told["HITTypeId"])
    if kind is None:
        raise MturkRefusal("HITTypeDoesNotExist", f"HITType {told['HITTypeId']} does not exist.")
    return _create(state, told, kind)


def _create(state: MturkState, told: Told, kind: HitType) -> Told:
    _check_hit_token(state, told.get("UniqueRequestToken"))
    most = told.get("MaxAssignments", 1)
    money.check_funds(state, money.cost_of(kind, most, large=most >= money.LARGE))
    now = state.clock.now()
    hit = Hit(
        new_mturk_id(),
        kind,
        most,
        now,
        now + dt.timedelta(seconds=told["LifetimeInSeconds"]),
        told.get("Question", ""),
        told.get("RequesterAnnotation", ""),
        born_large=most >= money.LARGE,
        last_activity=now,
    )
    state.hits[hit.id] = hit
    if token := told.get("UniqueRequestToken"):
        state.tokens["hit", token] = (now, hit.id)
    return {"HIT": describe(state, hit)}


def _check_hit_token(state: MturkState, token: str | None) -> None:
    """A token that was used within a day is refused, with the HIT that it made."""
    at, made = state.tokens.get(("hit", token or ""), (None, ""))
    if at and state.clock.now() - at < dt.timedelta(hours=state.settings.token_hours):
        raise MturkRefusal("HitAlreadyExists", f"The HIT with id {made} already exists.")


def status(state: MturkState, hit: Hit) -> HitStatus:
    """The state of a HIT, from its assignments and the time."""
    slots = state.of_hit(hit.id)
    running = sum(slot.status is SlotStatus.HELD for slot in slots)
    handed_in = sum(slot.status in {SlotStatus.SUBMITTED, *DECIDED} for slot in slots)
    expired = hit.expires <= state.clock.now()
    if hit.disposed or _forgotten(state, hit):
        return HitStatus.DISPOSED
    if handed_in >= hit.most or (expired and not running):
        return HitStatus.REVIEWING if hit.reviewing else HitStatus.REVIEWABLE
    if expired or running + handed_in >= hit.most:
        return HitStatus.UNASSIGNABLE
    return HitStatus.ASSIGNABLE


def _forgotten(state: MturkState, hit: Hit) -> bool:
    last = max(hit.last_activity or hit.created, min(hit.expires, state.clock.now()))
    return state.clock.now() - last > dt.timedelta(days=FORGOTTEN_DAYS)


def describe(state: MturkState, hit: Hit) -> Told:
    """A HIT as answers show it."""
    slots = state.of_hit(hit.id)
    pending = sum(slot.status is SlotStatus.HELD for slot in slots)
    handed_in = sum(slot.status in {SlotStatus.SUBMITTED, *DECIDED} for slot in slots)
    return {
        "HITId": hit.id,
        "HITTypeId": hit.type.id,
        "HITGroupId": f"3G{hit.type.id[2:]}",
        "CreationTime": epoch(hit.created),
        "Title": hit.type.title,
        "Description": hit.type.description,
        "Keywords": hit.type.keywords,
        "Question": hit.question,
        "HITStatus": status(state, hit).value,
        "MaxAssignments": hit.most,
        "Reward": amount(hit.type.reward_cents),
        "AutoApprovalDelayInSeconds": hit.type.approval_seconds,
        "Expiration": epoch(hit.expires),
        "AssignmentDurationInSeconds": hit.type.assignment_seconds,
        "RequesterAnnotation": hit.annotation,
        "QualificationRequirements": hit.type.requirements,
        "HITReviewStatus": "NotReviewed",
        "NumberOfAssignmentsPending": pending,
        "NumberOfAssignmentsAvailable": hit.most - pending - handed_in,
        "NumberOfAssignmentsCompleted": sum(slot.status in DECIDED for slot in slots),
    }


def get_hit(state: MturkState, told: Told) -> Told:
    """The answer of GetHIT."""
    return {"HIT": describe(state, state.find_hit(told["HITId"]))}


def list_hits(state: MturkState, told: Told) -> Told:
    """The answer of ListHITs, newest first."""
    return page(told, "HITs", [describe(state, hit) for hit in reversed(state.hits.values())])


def list_reviewable(state: MturkState, told: Told) -> Told:
    """The answer of ListReviewableHITs."""
    wanted = told.get("Status", HitStatus.REVIEWABLE.value)
    kind = told.get("HITTypeId")
    found = [
        describe(state, hit)
        for hit in state.hits.values()
        if status(state, hit).value == wanted and kind in {None, hit.type.id}
    ]
    return page(told, "HITs", found)


def page(told: Told, name: str, rows: list[Told]) -> Told:
    """A page of a list; the token of the next page is the number of its first row."""
    start, size = int(told.get("NextToken", "0") or 0), told.get("MaxResults", 10)
    shown = rows[start : start + size]
    more = {"NextToken": str(start + size)} if start + size < len(rows) else {}
    return {**more, "NumResults": len(shown), name: shown}


def add_assignments(state: MturkState, told: Told) -> Told:
    """The answer of CreateAdditionalAssignmentsForHIT."""
    hit, more = state.find_hit(told["HITId"]), told["NumberOfAdditionalAssignments"]
    check_token(state, "add", told.get("UniqueRequestToken"))
    if hit.most < money.LARGE <= hit.most + more:
        raise MturkRefusal(
            "InvalidMaximumAssignmentsIncrease",
            "A HIT created with fewer than 10 assignments cannot have 10 or more.",
        )
    money.check_funds(state, money.cost_of(hit.type, more, large=hit.born_large))
    hit.most += more
    hit.last_activity = state.clock.now()
    remember_token(state, "add", told.get("UniqueRequestToken"))
    return {}


def check_token(state: MturkState, operation: str, token: str | None) -> None:
    """Refuses a token that was used before, for ever."""
    if token and (operation, token) in state.tokens:
        request = state.tokens[operation, token][1]
        raise MturkRefusal("DuplicateRequest", f"The request token was already used by request {request}.")


def remember_token(state: MturkState, operation: str, token: str | None) -> None:
    """Keeps the token of a request that took effect."""
    if token:
        state.tokens[operation, token] = (state.clock.now(), new_mturk_id())


def expire(state: MturkState, told: Told) -> Told:
    """The answer of UpdateExpirationForHIT; the same second again gives the odd error of the service."""
    hit = state.find_hit(told["HITId"])
    at = dt.datetime.fromtimestamp(float(told["ExpireAt"]), dt.UTC)
    check = ("expire", f"{hit.id}{int(at.timestamp())}")
    if check in state.tokens:
        raise MturkRefusal(
            "DuplicateRequest", f'The idempotency token "{hit.id}{at:%Y-%m-%d}" has already been processed.'
        )
    state.tokens[check] = (state.clock.now(), hit.id)
    hit.expires = at
    return {}


def review(state: MturkState, told: Told) -> Told:
    """The answer of UpdateHITReviewStatus."""
    hit, back = state.find_hit(told["HITId"]), bool(told.get("Revert", False))
    expected = HitStatus.REVIEWING if back else HitStatus.REVIEWABLE
    if status(state, hit) is not expected:
        raise MturkRefusal("InvalidHITState", f"This HIT is in an invalid state: {status(state, hit)}")
    hit.reviewing = not back
    return {}


def delete_hit(state: MturkState, told: Told) -> Told:
    """The answer of DeleteHIT, possible once everything is decided."""
    hit = state.find_hit(told["HITId"])
    undecided = any(slot.status is SlotStatus.SUBMITTED for slot in state.of_hit(hit.id))
    if status(state, hit) not in {HitStatus.REVIEWABLE, HitStatus.REVIEWING} or undecided:
        raise MturkRefusal("InvalidHITState", f"This HIT is in an invalid state: {status(state, hit)}")
    hit.disposed = True
    return {}


def balance(state: MturkState, _told: dict[str, Any]) -> Told:
    """The answer of GetAccountBalance."""
    if state.settings.sandbox:
        return {"AvailableBalance": "10000.00", "OnHoldBalance": "0.00"}
    return {"AvailableBalance": amount(money.available(state)), "OnHoldBalance": amount(money.held(state))}
