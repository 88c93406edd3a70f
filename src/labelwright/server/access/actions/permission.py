"""Permission: which study a user may use, and for what."""

from __future__ import annotations

import enum

from labelwright.server.store.models import StudyRow, User
from labelwright.server.web.errors import NotFound


class Permission(enum.StrEnum):
    """What somebody wants to do with a study."""

    VIEW = "view"
    """Look at its pages and download its data."""
    MANAGE_RATERS = "manage_raters"
    """Invite, write to, pause, exclude and forget raters, and decide on qualifications."""
    REVIEW = "review"
    """Decide on pay and on the use of data."""
    EDIT = "edit"
    """Change the study, its calendar included; pause and resume it."""
    ADMINISTER = "administer"
    """Close, archive and delete the study."""


def access_study(user: User, public_id: str, permission: Permission) -> StudyRow:
    """The study, if this user has the permission; raises NotFound, whether it is another's or nobody's.

    Today the owner and superusers have every permission, and nobody else has any.
    """
    if not public_id.isalnum():
        raise NotFound
    allowed = StudyRow.objects.all() if user.is_superuser else StudyRow.objects.filter(owner=user)
    try:
        return allowed.get(public_id=public_id)
    except StudyRow.DoesNotExist:
        raise NotFound from None
