"""Submissions of the emulated Prolific: what participants and researchers do with them."""

from __future__ import annotations

import datetime as dt
from typing import Any

from labelwright.outside.emulators.prolific import money
from labelwright.outside.emulators.prolific.eligibility import reason_against
from labelwright.outside.emulators.prolific.hooks import announce
from labelwright.outside.emulators.prolific.model import (
    Participant,
    ProlificRefusal,
    ProlificState,
    ProlificStudy,
    ProlificSubmission,
    StudyStatus,
    SubmissionStatus,
    checked_choice,
    new_id,
)
from labelwright.outside.emulators.prolific.studies import settle_status, shortest_allowed_time

CATEGORIES = frozenset(
    [
        "TOO_QUICKLY",
        "TOO_SLOWLY",
        "FAILED_INSTRUCTIONS",
        "INCOMP_LONGITUDINAL",
        "FAILED_CHECK",
        "LOW_EFFORT",
        "MALINGERING",
        "NO_CODE",
        "BAD_CODE",
        "NO_DATA",
        "UNSUPP_DEVICE",
        "OTHER",
    ]
)
SHORTEST_MESSAGE = 100
NO_CODE = "NOCODE"
DECISIONS = {"APPROVE": SubmissionStatus.APPROVED, "REJECT": SubmissionStatus.REJECTED}


def reserve(state: ProlificState, study: ProlificStudy, participant: Participant) -> ProlificSubmission:
    """A place for a participant, held for a few minutes."""
    if study.status is not StudyStatus.ACTIVE:
        raise ProlificRefusal("The study does not take participants now.")
    if reason := reason_against(state, study, participant):
        raise ProlificRefusal(reason)
    _replace_timed_out(state, study)
    made = ProlificSubmission(
        new_id(), study.id, participant.id, SubmissionStatus.RESERVED, state.clock.now()
    )
    state.submissions[made.id] = made
    state.clock.after(
        state.settings.reservation_minutes * 60, lambda: _lapse(state, made, SubmissionStatus.RESERVED)
    )
    _changed(state, made)
    return made


def _replace_timed_out(state: ProlificState, study: ProlificStudy) -> None:
    """The place of the first timed-out submission goes to somebody else, so that it cannot be completed late."""
    for each in state.of_study(study.id):
        if each.status is SubmissionStatus.TIMED_OUT and not each.replaced:
            each.replaced = True
            return


def start(state: ProlificState, submission: ProlificSubmission) -> None:
    """The participant opens the address of the study."""
    if submission.status is SubmissionStatus.RESERVED:
        submission.started_at = state.clock.now()
        fields = state.studies[submission.study].fields
        estimated = fields["estimated_completion_time"]
        minutes = fields.get("maximum_allowed_time") or shortest_allowed_time(estimated)
        state.clock.after(minutes * 60, lambda: _lapse(state, submission, SubmissionStatus.ACTIVE))
        _enter(state, submission, SubmissionStatus.ACTIVE)
    elif submission.status is not SubmissionStatus.ACTIVE:
        raise ProlificRefusal(f"The submission is {submission.status.value}.")


def _lapse(state: ProlificState, submission: ProlificSubmission, expected: SubmissionStatus) -> None:
    if submission.status is expected:
        _enter(state, submission, SubmissionStatus.TIMED_OUT)


def give_back(state: ProlificState, submission: ProlificSubmission) -> None:
    """The participant returns the submission, before or after handing it in; it is not paid."""
    permitted = {SubmissionStatus.RESERVED, SubmissionStatus.ACTIVE, SubmissionStatus.AWAITING_REVIEW}
    if submission.status not in permitted:
        raise ProlificRefusal(f"The submission is {submission.status.value}.")
    _enter(state, submission, SubmissionStatus.RETURNED)


def complete(state: ProlificState, submission: ProlificSubmission, code: str | None) -> None:
    """The participant hands in with a code, or without one. A wrong code is kept, for the researcher to look at."""
    late = submission.status is SubmissionStatus.TIMED_OUT and not submission.replaced
    if submission.status is not SubmissionStatus.ACTIVE and not late:
        raise ProlificRefusal(f"The submission is {submission.status.value}.")
    submission.entered_code = code or NO_CODE
    submission.completed_at = state.clock.now()
    _enter(state, submission, SubmissionStatus.AWAITING_REVIEW)
    days = state.settings.approval_days
    state.clock.after(dt.timedelta(days=days).total_seconds(), lambda: _approve_unattended(state, submission))
    found = state.studies[submission.study].codes.get(submission.entered_code, {})
    for action in found.get("actions") or ():
        _act(state, submission, action)


def _approve_unattended(state: ProlificState, submission: ProlificSubmission) -> None:
    if submission.status is SubmissionStatus.AWAITING_REVIEW:
        approve(state, submission)


def _act(state: ProlificState, submission: ProlificSubmission, told: dict[str, Any]) -> None:
    action = told["action"]
    if action == "AUTOMATICALLY_APPROVE":
        approve(state, submission)
    elif action == "REQUEST_RETURN":
        submission.return_requested = state.clock.now()
    elif action == "ADD_TO_PARTICIPANT_GROUP":
        members = state.groups[told["participant_group"]].members
        if submission.participant not in members:
            members.append(submission.participant)
    elif action == "REMOVE_FROM_PARTICIPANT_GROUP":
        members = state.groups[told["participant_group"]].members
        if submission.participant in members:
            members.remove(submission.participant)


def decide(state: ProlificState, submission: ProlificSubmission, told: dict[str, Any]) -> None:
    """One of the actions of `submissions/{id}/transition/`. The same decision again has no second effect."""
    action = checked_choice(told.get("action"), (*DECISIONS, "COMPLETE", "UNREJECT"), "action")
    if action == "COMPLETE":
        complete(state, submission, str(told.get("completion_code")))
        return
    if action == "UNREJECT":
        _undo_rejection(state, submission)
        return
    if action == "REJECT":
        _check_rejection(told)
    if submission.decided == action:
        return
    if submission.status is not SubmissionStatus.AWAITING_REVIEW:
        raise ProlificRefusal(f"{action} is not possible while the submission is {submission.status.value}.")
    if action == "REJECT":
        _check_rejection_limit(state, submission)
        _decide(state, submission, action)
    else:
        approve(state, submission)


def _check_rejection(told: dict[str, Any]) -> None:
    message = told.get("message")
    if not isinstance(message, str) or len(message.strip()) < SHORTEST_MESSAGE:
        raise ProlificRefusal({"message": [f"Ensure this field has at least {SHORTEST_MESSAGE} characters."]})
    checked_choice(told.get("rejection_category"), CATEGORIES, "rejection_category")


def _check_rejection_limit(state: ProlificState, submission: ProlificSubmission) -> None:
    study = state.studies[submission.study]
    rejected = sum(each.decided == "REJECT" for each in state.of_study(study.id))
    if rejected >= max(1, int(study.places * state.settings.rejection_share)):
        raise ProlificRefusal("The rejection limit of this study is reached.")


def _undo_rejection(state: ProlificState, submission: ProlificSubmission) -> None:
    if not state.settings.undo_rejection or submission.status is not SubmissionStatus.REJECTED:
        raise ProlificRefusal("The status of a submission cannot be restored.")
    submission.decided = None
    _enter(state, submission, SubmissionStatus.AWAITING_REVIEW)


def approve(state: ProlificState, submission: ProlificSubmission) -> None:
    """Approves and pays a submission."""
    _decide(state, submission, "APPROVE")
    money.pay_reward(state, submission)
    participant = state.participants[submission.participant]
    participant.approved += 1


def _decide(state: ProlificState, submission: ProlificSubmission, action: str) -> None:
    submission.decided = action
    if state.settings.deciding_seconds:
        submission.status = SubmissionStatus.PROCESSING
        state.clock.after(
            state.settings.deciding_seconds, lambda: _enter(state, submission, DECISIONS[action])
        )
    else:
        _enter(state, submission, DECISIONS[action])


def approve_many(state: ProlificState, told: dict[str, Any]) -> None:
    """Approves submissions after a while; with a wrong id none of them, unless the settings say otherwise."""
    found = _named(state, told)
    wrong = [name for name, each in found.items() if each is None or not _approvable(each)]
    if wrong and not state.settings.partial_bulk_approval:
        raise ProlificRefusal({"submission_ids": [f"These cannot be approved: {', '.join(wrong)}"]})
    ready = [each for each in found.values() if each is not None and _approvable(each)]
    state.clock.after(state.settings.bulk_seconds, lambda: _approve_all(state, ready))


def _approvable(submission: ProlificSubmission) -> bool:
    return submission.status is SubmissionStatus.AWAITING_REVIEW or submission.decided == "APPROVE"


def _approve_all(state: ProlificState, submissions: list[ProlificSubmission]) -> None:
    for each in submissions:
        _approve_unattended(state, each)


def _named(state: ProlificState, told: dict[str, Any]) -> dict[str, ProlificSubmission | None]:
    if isinstance(told.get("submission_ids"), list):
        return {str(name): state.submissions.get(str(name)) for name in told["submission_ids"]}
    study = state.find_study(str(told.get("study_id")))
    of_participant = {each.participant: each for each in state.of_study(study.id)}
    return {str(name): of_participant.get(str(name)) for name in told.get("participant_ids", ())}


def ask_return(state: ProlificState, submission: ProlificSubmission, told: dict[str, Any]) -> None:
    """Asks the participant to return a submission; only they can do it."""
    reasons = told.get("request_return_reasons")
    if not isinstance(reasons, list) or not reasons:
        raise ProlificRefusal({"request_return_reasons": ["This field is required."]})
    if submission.status not in {SubmissionStatus.ACTIVE, SubmissionStatus.AWAITING_REVIEW}:
        raise ProlificRefusal(f"The submission is {submission.status.value}.")
    submission.return_requested = state.clock.now()


def _enter(state: ProlificState, submission: ProlificSubmission, status: SubmissionStatus) -> None:
    submission.status = status
    _changed(state, submission)


def _changed(state: ProlificState, submission: ProlificSubmission) -> None:
    settle_status(state, state.studies[submission.study])
    announce(
        state,
        "submission.status.change",
        {
            "resource_id": submission.id,
            "participant_id": submission.participant,
            "status": submission.status.value,
        },
    )


def listed_submission(submission: ProlificSubmission) -> dict[str, Any]:
    """A submission in a list."""
    return {
        "id": submission.id,
        "participant_id": submission.participant,
        "status": submission.status.value,
        "started_at": _time(submission.started_at),
        "completed_at": _time(submission.completed_at),
        "study_code": submission.entered_code,
        "return_requested": _time(submission.return_requested),
        "has_siblings": False,
    }


def described_submission(submission: ProlificSubmission) -> dict[str, Any]:
    """A submission by itself."""
    return {
        "id": submission.id,
        "study_id": submission.study,
        "participant": submission.participant,
        "status": submission.status.value,
        "started_at": _time(submission.started_at),
        "completed_at": _time(submission.completed_at),
        "entered_code": submission.entered_code,
        "bonus_payments": submission.bonuses,
        "return_requested": _time(submission.return_requested),
    }


def _time(at: dt.datetime | None) -> str | None:
    return at.isoformat() if at else None
