"""The second factor of a user: attempts are limited, and its secrets are stored encrypted."""

from __future__ import annotations

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import ClassVar

from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.store.models import CodeAttempt, User
from labelwright.server.store.secrets import UNREADABLE, Purpose, seal, unseal

LIMITS = ((timedelta(minutes=15), 5), (timedelta(days=1), 30))
"""Wrong codes per user within each time. A code has six digits: at 30 a day, guessing takes decades."""
COUNTED = max(window for window, _ in LIMITS)


class TooManyCodes(LabelwrightError):
    """A user with too many wrong codes."""

    code: ClassVar[str] = "too_many_codes"
    status: ClassVar[HTTPStatus] = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self) -> None:
        super().__init__(
            "You are not logged in: there were too many wrong codes for this account.",
            do="Wait 15 minutes, then log in again. If this was not you, somebody knows your password: change it.",
        )


class UnreadableSecret(LabelwrightError):
    """A second factor that was stored under another key."""

    code: ClassVar[str] = "unreadable_secret"

    def __init__(self) -> None:
        super().__init__(
            "Your second factor cannot be read, because the key of this installation has changed.",
            do="Ask an administrator for `labelwright user password EMAIL --remove-second-factor`.",
        )


@transaction.atomic
def count_attempt(user: int, now: datetime) -> None:
    """Counts one more code, before it is checked; raises TooManyCodes.

    Locks the user, so that codes sent at once are counted one by one, on any number of servers.
    """
    User.objects.select_for_update(no_key=True).get(pk=user)
    made = CodeAttempt.objects.filter(user=user)
    if any(made.filter(at__gt=now - window).count() >= most for window, most in LIMITS):
        raise TooManyCodes
    CodeAttempt.objects.create(user_id=user, at=now)


def clear_attempts(user: int) -> None:
    """Forgets the attempts of a user who gave the right code."""
    CodeAttempt.objects.filter(user=user).delete()


def seal_secret(text: str) -> str:
    """A secret as it is stored."""
    return seal(text, Purpose.SECOND_FACTOR).decode()


def unseal_secret(stored: str) -> str:
    """A stored secret, readable; raises UnreadableSecret."""
    text = unseal(stored.encode(), Purpose.SECOND_FACTOR)
    if text == UNREADABLE:
        raise UnreadableSecret
    return text
