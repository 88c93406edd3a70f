"""Users: requesters who log in."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import INSTALLATION, log_change
from labelwright.server.access.actions.sessions import end_sessions
from labelwright.server.store.models import StudyRow, Teammate, User


class UserNotFound(LabelwrightError):
    """No user with that address."""

    code: ClassVar[str] = "user_not_found"


class OwnsStudies(LabelwrightError):
    """A user who cannot be removed yet."""

    code: ClassVar[str] = "owns_studies"


class StudyNotOwned(LabelwrightError):
    """A study that the user does not own."""

    code: ClassVar[str] = "study_not_owned"


@dataclass(frozen=True, slots=True)
class Account:
    """A user as administrators see them."""

    email: str
    studies: list[str]
    second_factor: bool
    last_login: datetime | None


@transaction.atomic
def add_user(email: str, password: str | None = None) -> tuple[User, str]:
    """A user and their password, generated if none is given; an existing user gets the new password."""
    given = password or secrets.token_urlsafe(12)
    user, _ = User.objects.get_or_create(username=email.lower(), defaults={"email": email.lower()})
    user.set_password(given)
    user.save()
    # Whoever adds a user vouches for the address; without a verified one, no second factor can be enabled.
    EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
    return user, given


@transaction.atomic
def admit_user(email: str, who: str, now: datetime) -> str:
    """Adds a user, or resets the password of an existing one; returns the password. For administrators."""
    user, password = add_user(email)
    log_change(INSTALLATION, who, "add_user", user.username, now)
    return password


def get_user(email: str) -> User:
    """A user by address; raises UserNotFound."""
    try:
        return User.objects.get(username=email.lower())
    except User.DoesNotExist:
        raise UserNotFound(f"there is no user {email}.", do="`labelwright user add` creates one.") from None


def get_accounts() -> list[Account]:
    """All users, by address."""
    protected = set(Authenticator.objects.values_list("user_id", flat=True))
    return [
        Account(
            user.email,
            sorted(study.name for study in user.studies.all()),
            user.pk in protected,
            user.last_login,
        )
        for user in User.objects.prefetch_related("studies").order_by("username")
    ]


@transaction.atomic
def reset_password(email: str, now: datetime, who: str, *, remove_second_factor: bool = False) -> str:
    """A new password for a user; their sessions end. Raises UserNotFound."""
    user = get_user(email)
    _, password = add_user(email)
    if remove_second_factor:
        Authenticator.objects.filter(user=user).delete()
    end_sessions(user)
    after = {"second_factor_removed": remove_second_factor}
    log_change(INSTALLATION, who, "reset_password", user.username, now, after=after)
    return password


@transaction.atomic
def remove_user(email: str, now: datetime, who: str) -> None:
    """Removes a user with their second factor and sessions; raises OwnsStudies if a study would lose its owner.

    Locks the user, so that no study is loaded for them at the same moment.
    """
    user = User.objects.select_for_update().get(pk=get_user(email).pk)
    names = sorted(user.studies.values_list("name", flat=True))
    if names:
        raise OwnsStudies(
            f"{email} owns {', '.join(names)}.",
            do="Transfer these studies with `labelwright user transfer`, then remove the user.",
        )
    end_sessions(user)
    log_change(INSTALLATION, who, "remove_user", user.username, now)
    user.delete()


@transaction.atomic
def transfer_studies(email: str, to: str, names: Sequence[str] | None, who: str, now: datetime) -> list[str]:
    """Makes somebody else the owner of a user's studies, of all or of those named; returns the names of the studies.

    Raises UserNotFound or StudyNotOwned. Locks the studies.
    """
    before, after = get_user(email), get_user(to)
    owned = StudyRow.objects.select_for_update(no_key=True).filter(owner=before).order_by("name")
    studies = [study for study in owned if names is None or study.name in names]
    missing = sorted(set(names or ()) - {study.name for study in studies})
    if missing:
        raise StudyNotOwned(f"{email} does not own {', '.join(missing)}.")
    for study in studies:
        hand_over(study, after, who, now)
    return [study.name for study in studies]


def hand_over(study: StudyRow, to: User, who: str, now: datetime) -> None:
    """Makes a user the owner of a study that the caller has locked."""
    before = study.owner.username if study.owner else ""
    study.owner = to
    study.save(update_fields=["owner"])
    # An owner has no other role.
    Teammate.objects.filter(study=study, user=to).delete()
    log_change(
        study.pk, who, "transfer", study.name, now, before={"owner": before}, after={"owner": to.username}
    )
