"""States of studies, places, batches, assignments and members. Payment and use of the data are separate states."""

from __future__ import annotations

import enum


class StudyState(enum.StrEnum):
    """The state of a study. No batch offers a task unless the study is open."""

    DRAFT = "draft"
    """Loaded, but not yet open to raters."""
    OPEN = "open"
    PAUSED = "paused"
    """No new tasks for now; open tasks can be finished."""
    CLOSED = "closed"
    """No new tasks; open tasks can be finished. It can be opened again."""
    ARCHIVED = "archived"
    """Closed, and left out of the list of studies."""


class StudyVerb(enum.StrEnum):
    """What can be done to the state of a study."""

    OPEN = "open"
    PAUSE = "pause"
    RESUME = "resume"
    CLOSE = "close"
    ARCHIVE = "archive"
    RESTORE = "restore"

    @property
    def state(self) -> StudyState:
        """The state that it leads to."""
        return _LEADS[self][1]

    def applies_to(self, state: StudyState) -> bool:
        """Whether it can be done in this state."""
        return state in _LEADS[self][0]


_LEADS = {
    StudyVerb.OPEN: ((StudyState.DRAFT, StudyState.CLOSED), StudyState.OPEN),
    StudyVerb.PAUSE: ((StudyState.OPEN,), StudyState.PAUSED),
    StudyVerb.RESUME: ((StudyState.PAUSED,), StudyState.OPEN),
    StudyVerb.CLOSE: ((StudyState.OPEN, StudyState.PAUSED), StudyState.CLOSED),
    StudyVerb.ARCHIVE: ((StudyState.DRAFT, StudyState.CLOSED), StudyState.ARCHIVED),
    # Not to the state before: nobody should open a study by taking it out of the archive.
    StudyVerb.RESTORE: ((StudyState.ARCHIVED,), StudyState.CLOSED),
}
"""The states in which each verb can be used, and the state that it leads to."""


class PlaceState(enum.StrEnum):
    """The state of a place: one needed rating."""

    WAITING = "waiting"
    """Not offered yet, because a text of its condition is still being generated."""
    OPEN = "open"
    LEASED = "leased"
    FILLED = "filled"
    ON_DEMAND = "on_demand"
    """Not offered itself: it stands for a gold task, and each rater who meets the task gets a place made for them."""
    CLOSED = "closed"
    """Not offered any more: a new version of the study does not ask for it, or it was made for one rater to meet a gold
    task, and the rater returned it."""


class BatchState(enum.StrEnum):
    """The state of a batch: before its release, open, or closed by its deadline or a new version."""

    PLANNED = "planned"
    OPEN = "open"
    CLOSED = "closed"


class AssignmentState(enum.StrEnum):
    """The state of an assignment: one rater at one place."""

    OPEN = "open"
    ANSWERED = "answered"
    """Stored, but not yet confirmed by the platform."""
    SUBMITTED = "submitted"
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    EXPIRED = "expired"
    EXPIRED_ANSWERED = "expired_answered"
    """The time ran out and another rater has the place, but the answers are kept."""


STORED = (
    AssignmentState.ANSWERED,
    AssignmentState.SUBMITTED,
    AssignmentState.APPROVED,
    AssignmentState.REJECTED,
)
"""The states in which the answers of an assignment fill its place."""


class PaidState(enum.StrEnum):
    """Whether an assignment is paid."""

    NONE = "none"
    OWED = "owed"
    PAID = "paid"


class DataUse(enum.StrEnum):
    """Whether the data of an assignment are used."""

    NONE = "none"
    USED = "used"
    LEFT_OUT = "left_out"


class RaterKind(enum.StrEnum):
    """Who judges."""

    PERSON = "person"
    MODEL = "model"
    """A language model. Figures count people; models are asked for by name."""


class MemberState(enum.StrEnum):
    """Whether a rater in a pool is offered tasks."""

    ACTIVE = "active"
    PAUSED = "paused"
    """No new tasks; open tasks can be finished."""
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
    MET = "met"
    """What a rater was shown in a study with gold, in the units of `GoldSchedule`. Returned work stays counted."""
    GOLD_BLOCKS = "gold_blocks"
    """The settled blocks of `GoldSchedule`."""
    GOLD_MISSING = "gold_missing"
    """The settled blocks when gold was last missing: the rater has met every gold item if no block was settled since."""
