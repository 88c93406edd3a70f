"""Permission: which studies a user may use, and for what. The role in the study decides, and an API token narrows it."""

from __future__ import annotations

import enum
from http import HTTPStatus
from typing import ClassVar

from django.db.models import Exists, OuterRef, Q, QuerySet

from labelwright.errors import LabelwrightError
from labelwright.server.store.models import StudyRow, StudyVersion, Teammate, User
from labelwright.server.web.errors import Elsewhere, NotFound


class Permission(enum.StrEnum):
    """What somebody wants to do with a study. These are also the scopes of API tokens."""

    VIEW = "view"
    """Look at its pages and download its data."""
    SEE_RATERS = "see_raters"
    """Look at raters, the messages with them and the audit log."""
    REVIEW = "review"
    """Decide on pay and on the use of data."""
    MANAGE_RATERS = "manage_raters"
    """Invite, write to, pause, exclude and forget raters, and decide on qualifications."""
    EDIT = "edit"
    """Change the study, its calendar included; pause and resume it."""
    PAY = "pay"
    """Pay raters and change the budget."""
    ADMINISTER = "administer"
    """Manage the team and webhooks; close, archive, transfer and delete the study."""


PERMISSION_NAMES = {
    Permission.VIEW: "See results and export",
    Permission.SEE_RATERS: "See raters, messages and the audit log",
    Permission.REVIEW: "Decide on flagged work",
    Permission.MANAGE_RATERS: "Invite, write to and exclude raters",
    Permission.EDIT: "Change the study file, pause",
    Permission.PAY: "Pay, change the budget",
    Permission.ADMINISTER: "Manage the team; close, archive, delete",
}
"""The permissions in words, as pages offer them as scopes of API tokens."""


class StudyRole(enum.StrEnum):
    """What somebody is in the team of a study."""

    OWNER = "owner"
    """Everything. A study has one owner."""
    EDITOR = "editor"
    REVIEWER = "reviewer"
    VIEWER = "viewer"


_VIEWER = frozenset({Permission.VIEW})
_REVIEWER = _VIEWER | {Permission.SEE_RATERS, Permission.REVIEW}
_EDITOR = _REVIEWER | {Permission.MANAGE_RATERS, Permission.EDIT}
PERMITTED = {
    StudyRole.OWNER: frozenset(Permission),
    StudyRole.EDITOR: _EDITOR,
    StudyRole.REVIEWER: _REVIEWER,
    StudyRole.VIEWER: _VIEWER,
}
"""What each role may do."""


class NotLoaded(Elsewhere):
    """A study whose file somebody is still writing, so that it has no version yet."""

    code: ClassVar[str] = "not_loaded"

    def __init__(self, study: StudyRow) -> None:
        self.address = f"/studies/{study.public_id}/editor"
        super().__init__(
            f'"{study.name}" has no version yet, because its study file is still being written.',
            do="Open it to raters in the editor, or load a study file of this name.",
        )


class NotPermitted(LabelwrightError):
    """A member of the team whose role, or API token, does not allow this."""

    code: ClassVar[str] = "not_permitted"
    status: ClassVar[HTTPStatus] = HTTPStatus.FORBIDDEN
    of_page: str | None = None
    """What somebody reads who opened a page, instead of the message."""


def access_study(user: User, public_id: str, permission: Permission) -> StudyRow:
    """The study, if this user has the permission; as `access_any_study`, and raises NotLoaded if it has no version."""
    study = access_any_study(user, public_id, permission)
    check_loaded(study)
    return study


def check_loaded(study: StudyRow) -> None:
    """Raises NotLoaded if the study has no version yet."""
    if not study.versions.exists():
        raise NotLoaded(study)


def access_any_study(user: User, public_id: str, permission: Permission) -> StudyRow:
    """The study, loaded or not, if this user has the permission.

    Raises NotFound to everybody outside the team, whether the study exists or not, and NotPermitted to members whose
    role or API token does not include the permission. Superusers have every permission.
    """
    study = studies_of(user).filter(public_id=public_id).first() if public_id.isalnum() else None
    if study is None:
        raise NotFound
    check_scope(user, permission)
    role = get_role(user, study)
    if permission not in PERMITTED[role]:
        raise _not_permitted(study, role, permission)
    return study


def _not_permitted(study: StudyRow, role: StudyRole, permission: Permission) -> NotPermitted:
    who = those_who_may(permission)
    owner = study.owner and (study.owner.get_full_name() or study.owner.email)
    do = f"Ask {owner or 'the owner'} for another role in the study."
    yours = f"you are {'an' if role == StudyRole.EDITOR else 'a'} {role}"
    return NotPermitted(
        f"Nothing was changed. {who} of the study can do this; {yours}.",
        do=do,
        of_page=f"{who} of the study can open this page; {yours}. {do}",
    )


def check_scope(user: User, permission: Permission) -> None:
    """Raises NotPermitted if the user comes with an API token that lacks the scope."""
    if user.scopes is not None and permission not in user.scopes:
        raise NotPermitted(
            f'This API token does not have the scope "{PERMISSION_NAMES[permission]}" ({permission}).',
            do="Create a token with this scope on the page API tokens.",
        )


def studies_of(user: User) -> QuerySet[StudyRow]:
    """The studies in whose team a user is; all studies for superusers."""
    present = StudyRow.objects.filter(deleted_at=None)
    if user.is_superuser:
        return present
    return present.filter(Q(owner=user) | Q(pk__in=Teammate.objects.filter(user=user).values("study_id")))


def loaded_studies_of(user: User) -> QuerySet[StudyRow]:
    """The same without studies that have no version yet."""
    return studies_of(user).filter(Exists(StudyVersion.objects.filter(study=OuterRef("pk"))))


def get_role(user: User, study: StudyRow) -> StudyRole:
    """The role of a user who is in the team of a study."""
    if user.is_superuser or study.owner_id == user.pk:
        return StudyRole.OWNER
    return StudyRole(Teammate.objects.values_list("role", flat=True).get(study=study, user=user))


def get_permissions(user: User, study: StudyRow) -> frozenset[Permission]:
    """Everything that a user who is in the team may do with a study, for pages that hide the rest."""
    return PERMITTED[get_role(user, study)]


def may_manage_raters(user: User, study: StudyRow) -> bool:
    """Whether pages show forms about raters, and what only those who manage them may know: links and addresses."""
    return Permission.MANAGE_RATERS in get_permissions(user, study)


def those_who_may(permission: Permission) -> str:
    """The roles with a permission, as the subject of a sentence.

    >>> those_who_may(Permission.REVIEW), those_who_may(Permission.EDIT), those_who_may(Permission.PAY)
    ('Reviewers, editors and the owner', 'Editors and the owner', 'Only the owner')
    """
    below = [f"{role}s" for role in reversed(StudyRole) if permission in PERMITTED[role]][:-1]
    return f"{', '.join(below)} and the owner".capitalize() if below else "Only the owner"
