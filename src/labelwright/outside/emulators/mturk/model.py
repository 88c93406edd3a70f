"""What the emulated Mechanical Turk knows: HIT types, HITs, assignments, workers, qualifications, its ledger."""

from __future__ import annotations

import enum
import secrets
import string
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from labelwright.outside.emulators.clock import VirtualClock

Told = dict[str, Any]
LETTERS = string.ascii_uppercase + string.digits


class MturkRefusal(Exception):
    """A request that the service would refuse, with its code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class HitStatus(enum.StrEnum):
    """The states of a HIT."""

    ASSIGNABLE = "Assignable"
    UNASSIGNABLE = "Unassignable"
    REVIEWABLE = "Reviewable"
    REVIEWING = "Reviewing"
    DISPOSED = "Disposed"


class SlotStatus(enum.StrEnum):
    """The states of an assignment. A held one is invisible to the API; the others are spelled as in answers."""

    HELD = "held"
    GIVEN_UP = "given up"
    SUBMITTED = "Submitted"
    APPROVED = "Approved"
    REJECTED = "Rejected"


VISIBLE = frozenset({SlotStatus.SUBMITTED, SlotStatus.APPROVED, SlotStatus.REJECTED})


@dataclass(frozen=True, slots=True)
class MturkSettings:
    """How this service behaves where the documentation leaves it open."""

    access_key: str = "AKIDEMULATED"
    secret_key: str | None = "emulated-secret"  # noqa: S105  the emulator's own, printed when it starts
    """Signatures are checked with it; None accepts every signature."""
    sandbox: bool = False
    """Whether this is the service for trials: another id for Masters, another end of messages."""
    balance_cents: int = 1_000_000
    visibility_seconds: float = 5
    """How long a submitted assignment stays invisible to the API."""
    reuse_assignment_ids: bool = True
    """Whether a slot that was given up keeps its assignment id for the next worker."""
    allow_http: bool = True
    """Whether questions may be at addresses without encryption, which the real service refuses."""
    lose_submissions: bool = False
    """Whether a submitted form is accepted and then forgotten."""
    token_hours: float = 24
    """How long a request token of a new HIT is remembered."""


@dataclass(slots=True)
class HitType:
    """What HITs of one kind share; immutable."""

    id: str
    reward_cents: int
    assignment_seconds: int
    approval_seconds: int
    title: str
    description: str
    keywords: str
    requirements: list[Told]


@dataclass(slots=True)
class Hit:
    """A task that workers find, with a number of assignments."""

    id: str
    type: HitType
    most: int
    created: datetime
    expires: datetime
    question: str
    annotation: str
    reviewing: bool = False
    disposed: bool = False
    born_large: bool = False
    """Whether it was created with ten assignments or more, which costs a higher fee."""
    last_activity: datetime | None = None


@dataclass(slots=True)
class MturkSlot:
    """One worker's hold on an assignment of a HIT, and what became of it."""

    id: str
    hit: str
    worker: str
    accepted: datetime
    deadline: datetime
    status: SlotStatus = SlotStatus.HELD
    submitted: datetime | None = None
    decided: datetime | None = None
    answers: list[tuple[str, str]] = field(default_factory=list)
    feedback: str = ""


@dataclass(slots=True)
class MturkWorker:
    """A person who works."""

    id: str
    percent_approved: int = 100
    hits_approved: int = 1000
    country: str = "US"
    masters: bool = False
    qualifications: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class MturkState:
    """Everything the emulator knows."""

    clock: VirtualClock
    settings: MturkSettings
    types: dict[str, HitType] = field(default_factory=dict)
    hits: dict[str, Hit] = field(default_factory=dict)
    slots: list[MturkSlot] = field(default_factory=list)
    workers: dict[str, MturkWorker] = field(default_factory=dict)
    qualification_types: dict[str, Told] = field(default_factory=dict)
    tokens: dict[tuple[str, str], tuple[datetime, str]] = field(default_factory=dict)
    """Request tokens by operation, with their time and what they made."""
    bonuses: list[Told] = field(default_factory=list)
    messages: list[Told] = field(default_factory=list)
    entries: list[Told] = field(default_factory=list)

    def find_hit(self, name: str) -> Hit:
        """A HIT by its id."""
        if name not in self.hits:
            raise MturkRefusal("HITDoesNotExist", f"Hit {name} does not exist.")
        return self.hits[name]

    def find_assignment(self, name: str) -> MturkSlot:
        """The assignment of this id that the API can see; refused while it is held."""
        for slot in reversed(self.slots):
            if slot.id == name and self.visible(slot):
                return slot
        if any(slot.id == name and slot.status in VISIBLE for slot in self.slots):
            raise wrong_state("null")
        raise MturkRefusal("AssignmentDoesNotExist", f"Assignment {name} does not exist.")

    def visible(self, slot: MturkSlot) -> bool:
        """Whether the API shows this assignment; a submitted one appears after some seconds."""
        if slot.status not in VISIBLE or slot.submitted is None:
            return False
        wait = timedelta(seconds=self.settings.visibility_seconds)
        return slot.decided is not None or slot.submitted + wait <= self.clock.now()

    def of_hit(self, hit: str) -> list[MturkSlot]:
        """Every hold on a HIT, oldest first."""
        return [slot for slot in self.slots if slot.hit == hit]


def wrong_state(status: str) -> MturkRefusal:
    """The refusal of a decision on something that is not in the right state."""
    return MturkRefusal("InvalidAssignmentState", f"This operation can be called with a status of: {status}")


def new_mturk_id(first: str = "3") -> str:
    """An id of the form that the service uses: 30 capital letters and digits."""
    return first + "".join(secrets.choice(LETTERS) for _ in range(29))


def epoch(at: datetime | None) -> float | None:
    """A time as answers carry it."""
    return at.timestamp() if at else None


def amount(cents: int) -> str:
    """An amount as answers carry it.

    >>> amount(40), amount(123456)
    ('0.40', '1234.56')
    """
    return f"{cents // 100}.{cents % 100:02d}"
