"""What the emulated Prolific knows: studies, participants, submissions, groups, bonuses, subscriptions, its ledger."""

from __future__ import annotations

import enum
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from labelwright.outside.emulators.clock import VirtualClock


class ProlificRefusal(Exception):
    """A request that Prolific would refuse."""

    def __init__(self, detail: object, status: int = 400) -> None:
        super().__init__(str(detail))
        self.detail = detail
        self.status = status


class StudyStatus(enum.StrEnum):
    """The states of a study."""

    UNPUBLISHED = "UNPUBLISHED"
    SCHEDULED = "SCHEDULED"
    PUBLISHING = "PUBLISHING"
    ACTIVE = "ACTIVE"
    PAUSED = "PAUSED"
    AWAITING_REVIEW = "AWAITING REVIEW"
    COMPLETED = "COMPLETED"


class SubmissionStatus(enum.StrEnum):
    """The states of a submission, as they are spelled in answers."""

    RESERVED = "RESERVED"
    ACTIVE = "ACTIVE"
    AWAITING_REVIEW = "AWAITING REVIEW"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    RETURNED = "RETURNED"
    TIMED_OUT = "TIMED-OUT"
    PROCESSING = "PROCESSING"


UNDECIDED = frozenset(
    {
        SubmissionStatus.RESERVED,
        SubmissionStatus.ACTIVE,
        SubmissionStatus.AWAITING_REVIEW,
        SubmissionStatus.PROCESSING,
    }
)
HOLDS_PLACE = UNDECIDED | {SubmissionStatus.APPROVED}
"""Returned, rejected and timed-out submissions free their place."""


@dataclass(frozen=True, slots=True)
class ProlificSettings:
    """How this Prolific behaves where its documentation leaves it open, or where workspaces differ."""

    token: str = "emulated-token"  # noqa: S105  the emulator's own, printed when it starts
    workspace: str = "workspace-1"
    currency: str = "USD"
    balance_cents: int = 1_000_000
    fee_percent: float = 33.3
    vat_percent: float = 20.0
    """Of the fee."""
    allow_http: bool = True
    """Whether addresses of studies and webhooks may be without encryption, which the real service refuses."""
    redirect_missing_slash: bool = False
    """Whether a path without its last slash is redirected (301) instead of unknown (404)."""
    refuse_retired_fields: bool = False
    wrap_errors: bool = True
    """Whether errors are inside `{"error": ...}`."""
    rejection_share: float = 0.2
    """The largest share of places that may be rejected, at least one. The real limit is not documented."""
    small_study_places: int = 5
    small_studies_per_hour: int = 20
    """More publications of small studies than this in an hour are refused."""
    reservation_minutes: float = 10
    approval_days: float = 21
    undo_rejection: bool = False
    partial_bulk_approval: bool = False
    """Whether a bulk approval with a wrong id approves the others."""
    publishing_seconds: float = 0.2
    deciding_seconds: float = 0
    """How long a decided submission is PROCESSING."""
    bulk_seconds: float = 0.3
    paying_seconds: float = 0.3
    secure_addresses: bool = False
    """Whether addresses of studies get a signed token."""
    hook_attempts: int = 12
    hook_first_wait: float = 60


@dataclass(slots=True)
class Participant:
    """A person who takes part in studies."""

    id: str
    approval_rate: int = 100
    approved: int = 0
    country: str = "1"
    age: int = 30


@dataclass(slots=True)
class ProlificStudy:
    """A study: the fields that it was sent with, and its state."""

    id: str
    fields: dict[str, Any]
    status: StudyStatus = StudyStatus.UNPUBLISHED
    published_at: datetime | None = None
    stopped: bool = False

    @property
    def places(self) -> int:
        """How many places it has."""
        return int(self.fields["total_available_places"])

    @property
    def reward(self) -> int:
        """The reward in cents."""
        return int(self.fields["reward"])

    @property
    def codes(self) -> dict[str, dict[str, Any]]:
        """Its completion codes with their actions."""
        return {each["code"]: each for each in self.fields.get("completion_codes", ())}


@dataclass(slots=True)
class ProlificSubmission:
    """One participant's place in a study."""

    id: str
    study: str
    participant: str
    status: SubmissionStatus
    reserved_at: datetime
    started_at: datetime | None = None
    completed_at: datetime | None = None
    entered_code: str | None = None
    bonuses: list[int] = field(default_factory=list)
    return_requested: datetime | None = None
    decided: str | None = None
    """The action that decided on it."""
    replaced: bool = False
    """Whether another participant took its place after it timed out."""


@dataclass(slots=True)
class BonusSet:
    """Bonuses that were set up, and may be paid."""

    id: str
    study: str
    rows: list[tuple[str, int]]
    """Submissions and cents."""
    fees: int
    vat: int
    times_paid: int = 0

    @property
    def amount(self) -> int:
        """The sum in cents, without fees."""
        return sum(cents for _, cents in self.rows)


@dataclass(slots=True)
class ParticipantGroup:
    """A group of participants, for filters."""

    id: str
    name: str
    members: list[str] = field(default_factory=list)
    deleted: bool = False


@dataclass(slots=True)
class Subscription:
    """An address that wants events of one type."""

    id: str
    event_type: str
    target_url: str
    confirmation: str
    confirmed: bool = False


@dataclass(slots=True)
class ProlificState:
    """Everything the emulator knows."""

    clock: VirtualClock
    settings: ProlificSettings
    studies: dict[str, ProlificStudy] = field(default_factory=dict)
    participants: dict[str, Participant] = field(default_factory=dict)
    submissions: dict[str, ProlificSubmission] = field(default_factory=dict)
    bonuses: dict[str, BonusSet] = field(default_factory=dict)
    groups: dict[str, ParticipantGroup] = field(default_factory=dict)
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    hook_secret: str | None = None
    deliveries: list[dict[str, Any]] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)

    def of_study(self, study: str) -> list[ProlificSubmission]:
        """The submissions of a study, oldest first."""
        return [each for each in self.submissions.values() if each.study == study]

    def taken(self, study: str) -> int:
        """How many places of a study are taken."""
        return sum(each.status in HOLDS_PLACE for each in self.of_study(study))

    def find_study(self, name: str) -> ProlificStudy:
        """A study by its id; refused with 404."""
        return _found(self.studies, name)

    def find_submission(self, name: str) -> ProlificSubmission:
        """A submission by its id; refused with 404."""
        return _found(self.submissions, name)

    def find_group(self, name: str) -> ParticipantGroup:
        """A group by its id; refused with 404."""
        return _found(self.groups, name)

    def find_participant(self, name: str) -> Participant:
        """A participant by their id; refused with 404."""
        return _found(self.participants, name)


Thing = TypeVar("Thing")


def _found(things: dict[str, Thing], name: str) -> Thing:
    if name not in things:
        raise ProlificRefusal("Not found.", 404)
    return things[name]


def new_id() -> str:
    """An id of the form that Prolific uses: 24 hexadecimal digits."""
    return secrets.token_hex(12)


def checked_choice(value: object, options: Iterable[str], name: str) -> str:
    """The value, if it is one of the options; refused with their list."""
    if not isinstance(value, str) or value not in set(options):
        raise ProlificRefusal({name: [f'"{value}" is not a valid choice.']})
    return value
