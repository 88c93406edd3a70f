"""API tokens: shown once, stored as a hash, limited to scopes, and ended by time or by their user."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import INSTALLATION, log_change
from labelwright.server.access.actions.permission import Permission
from labelwright.server.store.models import ApiToken, User
from labelwright.server.web.errors import NotFound

PREFIX = "lw_"
MOST_TOKENS = 50
MOST_DAYS = 366
USE_RECORDED = timedelta(minutes=1)


class BadToken(LabelwrightError):
    """A token that cannot be created."""

    code: ClassVar[str] = "bad_token"


@transaction.atomic
def create_token(user: User, name: str, scopes: Collection[str], days: int, now: datetime) -> str:
    """A new token of a user, which is not stored and cannot be shown again. Raises BadToken."""
    title, known = name.strip(), [scope for scope in Permission if scope in scopes]
    if not 1 <= len(title) <= 80 or not known or len(known) != len(set(scopes)):
        raise BadToken(
            "a token needs a name and at least one scope.", expected=f"of {', '.join(Permission)}."
        )
    # Locks the user, so that two requests at once cannot pass the limit.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if len(get_tokens(user, now)) >= MOST_TOKENS:
        raise BadToken(f"you already have {MOST_TOKENS} tokens.", do="Revoke those that are no longer used.")
    token = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(
        user=user,
        name=title,
        token_hash=_hash(token),
        ending=token[-4:],
        scopes=known,
        made_at=now,
        expires_at=now + timedelta(days=min(days, MOST_DAYS)),
    )
    log_change(INSTALLATION, user.username, "token_create", title, now, after={"scopes": known})
    return token


def get_tokens(user: User, now: datetime) -> list[ApiToken]:
    """The tokens of a user that still work, the newest first."""
    return list(ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=now).order_by("-id"))


@transaction.atomic
def revoke_token(user: User, token: int, now: datetime) -> None:
    """Ends a token of a user at once; raises NotFound for one of somebody else."""
    if not ApiToken.objects.filter(pk=token, user=user, revoked_at=None).update(revoked_at=now):
        raise NotFound
    name = ApiToken.objects.values_list("name", flat=True).get(pk=token)
    log_change(INSTALLATION, user.username, "token_revoke", name, now)


def find_user(token: str, now: datetime) -> User | None:
    """The user behind a token, limited to its scopes; None if it does not work."""
    if not token.startswith(PREFIX):
        return None
    found = (
        ApiToken.objects.select_related("user")
        .filter(token_hash=_hash(token), revoked_at=None, expires_at__gt=now, user__is_active=True)
        .first()
    )
    if found is None:
        return None
    if found.last_used_at is None or found.last_used_at <= now - USE_RECORDED:
        ApiToken.objects.filter(pk=found.pk).update(last_used_at=now)
    found.user.scopes = frozenset(found.scopes)
    return found.user


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
