"""The studies that a user may see, for the header of their pages. Reads only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from labelwright.crowd import StudyState
from labelwright.server.access import queries
from labelwright.server.store.models import User

MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class VisibleStudy:
    """A study in the header."""

    public_id: str
    title: str
    state: str
    """As pages show it."""
    stored_state: str
    summary: dict[str, Any] = field(default_factory=dict)
    """Stored numbers; empty until they are computed."""


@dataclass(frozen=True, slots=True)
class DeskHeader:
    """What the header shows besides its page: studies to switch to, and the current one."""

    studies: list[VisibleStudy]
    """Those of the newest activity first."""
    current: VisibleStudy | None


def get_header(user: User, current: str) -> DeskHeader:
    """The header for a user who looks at a study, by its public id; one statement, whatever the size of the studies."""
    listed = [
        VisibleStudy(line.public_id, line.title, state_of(line.state, line.summary), line.state, line.summary)
        for line in queries.header_studies(
            user.pk, every=user.is_superuser, current=current, limit=MOST_LISTED
        )
    ]
    return DeskHeader(listed[:MOST_LISTED], next((s for s in listed if s.public_id == current), None))


def state_of(state: str, summary: dict[str, Any]) -> str:
    """The state of a study as pages show it: an open one without open places, but with undecided work, is in review.

    From its stored numbers, because the header is on every page.
    """
    complete = summary.get("stored", 0) >= summary.get("wanted", 1)
    review = state == StudyState.OPEN and complete and summary.get("to_review")
    return "review" if review else state
