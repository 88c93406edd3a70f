"""The states of places and assignments; whether work is paid and whether its data are used are apart."""

from __future__ import annotations

import enum


class PlaceState(enum.StrEnum):
    """One wanted rating: open, held by a rater, or filled."""

    WAITING = "waiting"
    """Not offered yet: a text that its condition shows is still being made."""
    OPEN = "open"
    LEASED = "leased"
    FILLED = "filled"


class BatchState(enum.StrEnum):
    """A batch: waiting for its release, open, or past its deadline (or replaced by a new version)."""

    PLANNED = "planned"
    OPEN = "open"
    CLOSED = "closed"


class AssignmentState(enum.StrEnum):
    """One rater at one place."""

    OPEN = "open"
    ANSWERED = "answered"
    """Stored here; the platform has not confirmed it."""
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    EXPIRED = "expired"
    EXPIRED_ANSWERED = "expired_answered"
    """The time ran out, somebody else has the place, and the answers are kept all the same."""


STORED = (
    AssignmentState.ANSWERED,
    AssignmentState.SUBMITTED,
    AssignmentState.APPROVED,
    AssignmentState.REJECTED,
)
"""States in which an assignment holds answers that fill its place."""


class PaidState(enum.StrEnum):
    """Whether work is paid."""

    NONE = "none"
    OWED = "owed"
    PAID = "paid"


class DataUse(enum.StrEnum):
    """Whether the data of an assignment are used."""

    NONE = "none"
    USED = "used"
    LEFT_OUT = "left_out"


class MemberState(enum.StrEnum):
    """Whether a rater in a pool is offered work."""

    ACTIVE = "active"
    PAUSED = "paused"
    """No new work; what is open may be finished."""
    EXCLUDED = "excluded"
    """No work any more; what is open goes to somebody else."""


class CountScope(enum.StrEnum):
    """What a rater's work is counted by."""

    TASKS = "tasks"
    BATCH = "batch"
    DAY = "day"
    CONDITION = "condition"
    CONDITIONS = "conditions"
    """The number of different conditions."""
    RETURNS = "returns"
    SUBMITTED = "submitted"
