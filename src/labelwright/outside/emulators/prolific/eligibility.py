"""Who may take part: filters of a study, groups, and how often one participant may come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labelwright.outside.emulators.prolific.model import (
    HOLDS_PLACE,
    UNDECIDED,
    Participant,
    ProlificState,
    ProlificStudy,
    SubmissionStatus,
)

Selects = Callable[[ProlificState, Participant, list[str]], bool]


def _in_group(state: ProlificState, participant: Participant, groups: list[str]) -> bool:
    return any(participant.id in state.groups[each].members for each in groups if each in state.groups)


def _took_part(state: ProlificState, participant: Participant, studies: list[str]) -> bool:
    return any(
        each.participant == participant.id and each.study in studies for each in state.submissions.values()
    )


SELECTS: dict[str, Selects] = {
    "participant_group_allowlist": _in_group,
    "participant_group_blocklist": lambda *each: not _in_group(*each),
    "previous_studies_allowlist": _took_part,
    "previous_studies_blocklist": lambda *each: not _took_part(*each),
    "custom_allowlist": lambda _state, participant, ids: participant.id in ids,
    "custom_blocklist": lambda _state, participant, ids: participant.id not in ids,
    "current-country-of-residence": lambda _state, participant, ids: participant.country in ids,
}
RANGES: dict[str, Callable[[Participant], int]] = {
    "approval_rate": lambda participant: participant.approval_rate,
    "approval_numbers": lambda participant: participant.approved,
    "age": lambda participant: participant.age,
}


def check_filters(filters: object) -> dict[str, list[str]]:
    """The problems of a study's filters."""
    if not isinstance(filters, list):
        return {"filters": ["Expected a list."]}
    unknown = [
        str(each.get("filter_id") if isinstance(each, dict) else each)
        for each in filters
        if not isinstance(each, dict) or each.get("filter_id") not in {*SELECTS, *RANGES}
    ]
    return {"filters": [f"Unknown filter: {name}" for name in unknown]} if unknown else {}


def list_filters() -> list[dict[str, Any]]:
    """The filters as `filters/` lists them."""
    selects = [{"filter_id": name, "type": "select", "choices": {}} for name in SELECTS]
    return selects + [{"filter_id": name, "type": "range", "min": None, "max": None} for name in RANGES]


def fits(state: ProlificState, participant: Participant, filters: list[dict[str, Any]]) -> bool:
    """Whether a participant passes all filters."""
    return all(_passes(state, participant, each) for each in filters)


def _passes(state: ProlificState, participant: Participant, rule: dict[str, Any]) -> bool:
    name = rule["filter_id"]
    if name in SELECTS:
        return SELECTS[name](state, participant, list(rule.get("selected_values", ())))
    bounds = rule.get("selected_range") or {}
    value = RANGES[name](participant)
    lower, upper = bounds.get("lower"), bounds.get("upper")
    return (lower is None or value >= lower) and (upper is None or value <= upper)


def reason_against(state: ProlificState, study: ProlificStudy, participant: Participant) -> str | None:
    """Why a participant cannot reserve a place; None if they can."""
    if state.taken(study.id) >= study.places:
        return "The study is full."
    if not fits(state, participant, study.fields.get("filters", [])):
        return "This participant is not eligible."
    limits = study.fields.get("submissions_config") or {}
    most = limits.get("max_submissions_per_participant", 1)
    theirs = [each for each in state.of_study(study.id) if each.participant == participant.id]
    blocking = HOLDS_PLACE | {SubmissionStatus.REJECTED}
    # A submission that was returned or timed out counts in a study for one each: nobody comes back to it.
    used = len(theirs) if most == 1 else sum(each.status in blocking for each in theirs)
    if most != -1 and used >= most:
        return "This participant has no submission left."
    if any(each.status in {SubmissionStatus.RESERVED, SubmissionStatus.ACTIVE} for each in theirs):
        return "This participant already takes part."
    at_once = limits.get("max_concurrent_submissions", -1)
    running = sum(
        each.status in UNDECIDED - {SubmissionStatus.AWAITING_REVIEW} for each in state.of_study(study.id)
    )
    if at_once != -1 and running >= at_once:
        return "Too many participants at the moment."
    return None
