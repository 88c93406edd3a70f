"""The studies that a user may see, for the header of their pages. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.server.access import queries
from labelwright.server.access.actions.permission import PERMITTED, Permission, StudyRole
from labelwright.server.access.queries import HeaderStudy
from labelwright.server.store.models import User

MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class DeskHeader:
    """What the header shows besides its page: studies to switch to, and the current one."""

    studies: list[HeaderStudy]
    """Those with the newest figures first."""
    current: HeaderStudy | None

    @property
    def permitted(self) -> frozenset[Permission]:
        """What the user may do with the current study; the header offers nothing else."""
        return PERMITTED[StudyRole(self.current.role)] if self.current else frozenset()


def get_header(user: User, current: str) -> DeskHeader:
    """The header for a user who looks at a study, by its public id; one statement, whatever the size of the studies."""
    listed = queries.header_studies(user.pk, every=user.is_superuser, current=current, limit=MOST_LISTED)
    return DeskHeader(listed[:MOST_LISTED], next((s for s in listed if s.public_id == current), None))
