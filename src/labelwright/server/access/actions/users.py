"""Users: requesters who log in."""

from __future__ import annotations

import secrets
from typing import ClassVar

from allauth.account.models import EmailAddress
from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.store.models import User


class UserNotFound(LabelwrightError):
    """No user with that address."""

    code: ClassVar[str] = "user_not_found"


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


def get_user(email: str) -> User:
    """A user by address; raises UserNotFound."""
    try:
        return User.objects.get(username=email.lower())
    except User.DoesNotExist:
        raise UserNotFound(f"there is no user {email}.", do="`labelwright user add` creates one.") from None
