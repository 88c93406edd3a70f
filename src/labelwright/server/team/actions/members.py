"""The team of a study: who is in it, in which role, and who owns the study."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import StudyRole
from labelwright.server.access.actions.users import hand_over
from labelwright.server.store.models import StudyRow, Teammate, User

GIVEN_ROLES = (StudyRole.EDITOR, StudyRole.REVIEWER, StudyRole.VIEWER)
"""The roles that one can be invited to; the owner hands the study over instead."""


class BadRole(LabelwrightError):
    """A role that cannot be given."""

    code: ClassVar[str] = "bad_role"

    def __init__(self) -> None:
        super().__init__("this is not a role that can be given.", expected=f"{', '.join(GIVEN_ROLES)}.")


class NotInTeam(LabelwrightError):
    """Somebody who is not in the team of the study."""

    code: ClassVar[str] = "not_in_team"

    def __init__(self, email: str) -> None:
        super().__init__(f"{email} is not in the team of this study.", do="Reload the page to see who is.")


@dataclass(frozen=True, slots=True)
class TeamLine:
    """One person of a team."""

    name: str
    """Empty if the person gave none."""
    email: str
    role: StudyRole
    last_login: datetime | None


def get_team(study: StudyRow) -> list[TeamLine]:
    """The owner, then everybody else in the order in which they joined."""
    others = Teammate.objects.filter(study=study).select_related("user").order_by("joined_at", "id")
    owner = [_line(study.owner, StudyRole.OWNER)] if study.owner else []
    return owner + [_line(one.user, StudyRole(one.role)) for one in others]


def check_role(text: str) -> StudyRole:
    """A role that can be given; raises BadRole."""
    if text not in GIVEN_ROLES:
        raise BadRole
    return StudyRole(text)


@transaction.atomic
def change_role(study: StudyRow, email: str, role: str, who: str, now: datetime) -> None:
    """Gives somebody in the team another role; raises NotInTeam or BadRole. For the owner. Locks the teammate."""
    given, row = check_role(role), _teammate(study, email)
    if row.role == given:
        return
    before, row.role = row.role, given
    row.save(update_fields=["role"])
    log_change(
        study.pk, who, "team_role", row.user.username, now, before={"role": before}, after={"role": given}
    )


@transaction.atomic
def remove_teammate(study: StudyRow, email: str, who: str, now: datetime) -> None:
    """Takes somebody out of the team; their work stays. Raises NotInTeam. For the owner. Locks the teammate."""
    row = _teammate(study, email)
    row.delete()
    log_change(study.pk, who, "team_remove", row.user.username, now, before={"role": row.role})


@transaction.atomic
def transfer_study(study: StudyRow, email: str, who: str, now: datetime) -> None:
    """Makes somebody in the team the owner; the owner so far becomes an editor. Raises NotInTeam. For the owner.

    Locks the study, then the teammate.
    """
    locked = StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    heir, before = _teammate(study, email).user, locked.owner
    hand_over(locked, heir, who, now)
    if before:
        Teammate.objects.create(study=study, user=before, role=StudyRole.EDITOR, joined_at=now)


def _teammate(study: StudyRow, email: str) -> Teammate:
    found = (
        Teammate.objects.select_for_update(of=("self",))
        .select_related("user")
        .filter(study=study, user__username=email.lower())
        .first()
    )
    if found is None:
        raise NotInTeam(email)
    return found


def _line(user: User, role: StudyRole) -> TeamLine:
    return TeamLine(user.get_full_name(), user.email, role, user.last_login)
