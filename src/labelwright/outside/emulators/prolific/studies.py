"""Studies of the emulated Prolific: what a study must have, its states, and what may change when."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any
from urllib.parse import urlsplit

from labelwright.outside.emulators.prolific import money
from labelwright.outside.emulators.prolific.eligibility import check_filters
from labelwright.outside.emulators.prolific.hooks import announce
from labelwright.outside.emulators.prolific.model import (
    UNDECIDED,
    ProlificRefusal,
    ProlificState,
    ProlificStudy,
    StudyStatus,
    SubmissionStatus,
    new_id,
)

REQUIRED: dict[str, type] = {
    "name": str,
    "description": str,
    "external_study_url": str,
    "prolific_id_option": str,
    "total_available_places": int,
    "estimated_completion_time": int,
    "reward": int,
    "completion_codes": list,
}
ID_OPTIONS = ("question", "url_parameters", "not_required")
RETIRED = ("completion_code", "completion_option", "failed_attention_code", "eligibility_requirements")
CODE_TYPES = frozenset(
    [
        "COMPLETED",
        "FAILED_ATTENTION_CHECK",
        "FOLLOW_UP_STUDY",
        "GIVE_BONUS",
        "INCOMPATIBLE_DEVICE",
        "NO_CONSENT",
        "OTHER",
        "FIXED_SCREENOUT",
        "SCREENED_IN",
        "SCREENED_OUT",
    ]
)
ACTIONS = frozenset(
    [
        "AUTOMATICALLY_APPROVE",
        "MANUALLY_REVIEW",
        "ADD_TO_PARTICIPANT_GROUP",
        "REMOVE_FROM_PARTICIPANT_GROUP",
        "REQUEST_RETURN",
    ]
)
CONFLICTING = {"AUTOMATICALLY_APPROVE", "MANUALLY_REVIEW"}
CHANGEABLE = frozenset({"internal_name", "total_available_places", "access_details", "submissions_config"})
"""What can change after publication."""
Problems = dict[str, list[str]]


def create_study(state: ProlificState, told: dict[str, Any]) -> ProlificStudy:
    """A new draft; refused with the problems of each field."""
    if problems := _problems(state, told):
        raise ProlificRefusal(problems)
    kept = {name: value for name, value in told.items() if name not in RETIRED}
    study = ProlificStudy(new_id(), kept)
    state.studies[study.id] = study
    return study


def _problems(state: ProlificState, told: dict[str, Any]) -> Problems:
    problems: Problems = {}
    for name, kind in REQUIRED.items():
        if name not in told:
            problems[name] = ["This field is required."]
        elif not isinstance(told[name], kind) or isinstance(told[name], bool):
            problems[name] = [f"Not a valid {kind.__name__}."]
    if not problems:
        problems |= _bad_values(state, told) | _bad_codes(state, told["completion_codes"])
    if state.settings.refuse_retired_fields:
        problems |= {name: ["This field is retired."] for name in RETIRED if name in told}
    if "filters" in told and "filter_set_id" in told:
        problems["filters"] = ["Use either filters or filter_set_id."]
    return problems | check_filters(told.get("filters", []))


def _bad_values(state: ProlificState, told: dict[str, Any]) -> Problems:
    problems: Problems = {}
    if told["prolific_id_option"] not in ID_OPTIONS:
        problems["prolific_id_option"] = [f'"{told["prolific_id_option"]}" is not a valid choice.']
    for name in ("total_available_places", "estimated_completion_time", "reward"):
        if told[name] < 1:
            problems[name] = ["Ensure this value is greater than or equal to 1."]
    scheme = urlsplit(told["external_study_url"]).scheme
    if scheme != "https" and not (scheme == "http" and state.settings.allow_http):
        problems["external_study_url"] = ["Enter a valid URL (https)."]
    least = shortest_allowed_time(told["estimated_completion_time"])
    if told.get("maximum_allowed_time") is not None and told["maximum_allowed_time"] < least:
        problems["maximum_allowed_time"] = [f"Ensure this value is at least {least:.1f}."]
    return problems


def shortest_allowed_time(minutes: float) -> float:
    """The least maximum time of a study, in minutes, from its estimated time.

    >>> round(shortest_allowed_time(10), 1), round(shortest_allowed_time(60), 1)
    (28.3, 137.5)
    """
    return 2 + 2 * minutes + 2 * math.sqrt(max(minutes, 0))


def _bad_codes(state: ProlificState, codes: list[Any]) -> Problems:
    told = [each if isinstance(each, dict) else {} for each in codes]
    names = [each.get("code") for each in told]
    found = []
    if (
        not names
        or len(set(map(str, names))) < len(names)
        or not all(isinstance(each, str) for each in names)
    ):
        found.append("Codes must be texts, and each must be different.")
    if any(each.get("code_type") not in CODE_TYPES for each in told):
        found.append("Not a valid code_type.")
    for each in told:
        found += _bad_actions(state, each.get("actions") or [])
    return {"completion_codes": found} if found else {}


def _bad_actions(state: ProlificState, actions: list[dict[str, Any]]) -> list[str]:
    names = [each.get("action") for each in actions]
    found = [f'"{name}" is not a valid action.' for name in names if name not in ACTIONS]
    if set(names) >= CONFLICTING:
        found.append("AUTOMATICALLY_APPROVE conflicts with MANUALLY_REVIEW.")
    groups = [each.get("participant_group") for each in actions if "GROUP" in str(each.get("action"))]
    return found + [f"No such group: {group}" for group in groups if group not in state.groups]


def describe(state: ProlificState, study: ProlificStudy) -> dict[str, Any]:
    """A study as answers show it."""
    return {
        **study.fields,
        "id": study.id,
        "status": study.status.value,
        "published_at": study.published_at.isoformat() if study.published_at else None,
        "places_taken": state.taken(study.id),
        "total_cost": money.cost_of(state.settings, study.reward, study.places),
        "currency_code": state.settings.currency,
    }


def change_study(state: ProlificState, study: ProlificStudy, told: dict[str, Any]) -> None:
    """Changes a draft freely, and a published study where that is possible."""
    if study.status is StudyStatus.UNPUBLISHED:
        changed = {**study.fields, **told}
        if problems := _problems(state, changed):
            raise ProlificRefusal(problems)
        study.fields = changed
        return
    if fixed := sorted(set(told) - CHANGEABLE):
        raise ProlificRefusal({name: ["This field cannot be changed after publication."] for name in fixed})
    places = told.get("total_available_places", study.places)
    if not isinstance(places, int) or places < study.places:
        raise ProlificRefusal({"total_available_places": ["Places can only be increased."]})
    more = money.cost_of(state.settings, study.reward, places - study.places)
    if more > money.available(state):
        raise ProlificRefusal("Insufficient balance.")
    raised = places > study.places
    study.fields = {**study.fields, **told}
    if raised and study.status in {StudyStatus.AWAITING_REVIEW, StudyStatus.COMPLETED}:
        study.stopped = False
        _enter(state, study, StudyStatus.ACTIVE)


def delete_study(state: ProlificState, study: ProlificStudy) -> None:
    """Deletes a draft."""
    if study.status is not StudyStatus.UNPUBLISHED:
        raise ProlificRefusal("Only drafts can be deleted.")
    del state.studies[study.id]


def move_study(state: ProlificState, study: ProlificStudy, told: dict[str, Any]) -> None:
    """One of the actions of `studies/{id}/transition/`."""
    moves = {
        "PUBLISH": (_publish, {StudyStatus.UNPUBLISHED}),
        "SCHEDULE_PUBLISH": (_schedule, {StudyStatus.UNPUBLISHED}),
        "CANCEL_PUBLISH": (_unschedule, {StudyStatus.SCHEDULED}),
        "PAUSE": (_pause, {StudyStatus.ACTIVE}),
        "START": (_start, {StudyStatus.PAUSED}),
        "STOP": (_stop, {StudyStatus.ACTIVE, StudyStatus.PAUSED}),
    }
    action = told.get("action")
    if action not in moves:
        raise ProlificRefusal({"action": [f'"{action}" is not a valid choice.']})
    move, permitted = moves[str(action)]
    if study.status not in permitted:
        raise ProlificRefusal(f"{action} is not possible while the study is {study.status.value}.")
    move(state, study, told)


def _publish(state: ProlificState, study: ProlificStudy, _told: dict[str, Any]) -> None:
    if money.cost_of(state.settings, study.reward, study.places) > money.available(state):
        raise ProlificRefusal("Insufficient balance.")
    if _too_many_small(state, study):
        raise ProlificRefusal("Too many small studies were published in the last hour.", 429)
    study.published_at = state.clock.now()
    _enter(state, study, StudyStatus.PUBLISHING)
    state.clock.after(state.settings.publishing_seconds, lambda: _activate(state, study))


def _activate(state: ProlificState, study: ProlificStudy) -> None:
    if study.status is StudyStatus.PUBLISHING:
        _enter(state, study, StudyStatus.ACTIVE)


def _too_many_small(state: ProlificState, study: ProlificStudy) -> bool:
    small = state.settings.small_study_places
    hour_ago = state.clock.now() - dt.timedelta(hours=1)
    recent = [
        each
        for each in state.studies.values()
        if each.published_at and each.published_at > hour_ago and each.places < small
    ]
    return study.places < small and len(recent) >= state.settings.small_studies_per_hour


def _schedule(state: ProlificState, study: ProlificStudy, told: dict[str, Any]) -> None:
    try:
        at = dt.datetime.fromisoformat(str(told.get("publish_at")))
    except ValueError:
        raise ProlificRefusal({"publish_at": ["Enter a valid date and time."]}) from None
    wait = ((at if at.tzinfo else at.replace(tzinfo=dt.UTC)) - state.clock.now()).total_seconds()
    _enter(state, study, StudyStatus.SCHEDULED)
    state.clock.after(max(wait, 0), lambda: _publish_scheduled(state, study))


def _publish_scheduled(state: ProlificState, study: ProlificStudy) -> None:
    if study.status is StudyStatus.SCHEDULED:
        study.status = StudyStatus.UNPUBLISHED
        _publish(state, study, {})


def _unschedule(state: ProlificState, study: ProlificStudy, _told: dict[str, Any]) -> None:
    _enter(state, study, StudyStatus.UNPUBLISHED)


def _pause(state: ProlificState, study: ProlificStudy, _told: dict[str, Any]) -> None:
    _enter(state, study, StudyStatus.PAUSED)


def _start(state: ProlificState, study: ProlificStudy, _told: dict[str, Any]) -> None:
    _enter(state, study, StudyStatus.ACTIVE)


def _stop(state: ProlificState, study: ProlificStudy, _told: dict[str, Any]) -> None:
    study.stopped = True
    open_ones = any(each.status in UNDECIDED for each in state.of_study(study.id))
    _enter(state, study, StudyStatus.AWAITING_REVIEW if open_ones else StudyStatus.COMPLETED)


def settle_status(state: ProlificState, study: ProlificStudy) -> None:
    """Brings a study to the state that its places ask for, after a submission changed.

    A full study awaits review, and is complete once everything is decided. A freed place opens it again, unless it
    was stopped.
    """
    if study.status not in {StudyStatus.ACTIVE, StudyStatus.AWAITING_REVIEW, StudyStatus.COMPLETED}:
        return
    if not study.stopped and state.taken(study.id) < study.places:
        wanted = StudyStatus.ACTIVE
    elif any(each.status in UNDECIDED for each in state.of_study(study.id)):
        wanted = StudyStatus.AWAITING_REVIEW
    else:
        wanted = StudyStatus.COMPLETED
    if wanted is not study.status:
        _enter(state, study, wanted)


def _enter(state: ProlificState, study: ProlificStudy, status: StudyStatus) -> None:
    study.status = status
    announce(
        state,
        "study.status.change",
        {"resource_id": study.id, "metadata": study.fields.get("metadata"), "status": status.value},
    )


def count_submissions(state: ProlificState, study: ProlificStudy) -> dict[str, int]:
    """How many submissions have each status, and `TOTAL`."""
    submissions = state.of_study(study.id)
    counts = {status.value: sum(each.status is status for each in submissions) for status in SubmissionStatus}
    return {**counts, "TOTAL": len(submissions)}
