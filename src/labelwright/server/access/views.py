"""Accounts of requesters: signing up is closed, failed logins are counted, and second factors are encrypted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.http import Http404, HttpRequest, HttpResponse

from labelwright.server.access.actions import second_factor


class ClosedAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Requesters are let in by `labelwright user add`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False


class SealedSecondFactor(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets and recovery codes are stored encrypted."""

    def encrypt(self, text: str) -> str:
        """The text as it is stored."""
        return second_factor.seal_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        """The stored text, readable; raises UnreadableSecret."""
        return second_factor.unseal_secret(encrypted_text)


class _LimitedCode:
    """A form for a code of the second factor, with a limit that all server processes share."""

    user: Any

    def clean_code(self) -> str:
        """The code, if it is right; raises TooManyCodes before it looks at it."""
        second_factor.count_attempt(self.user.pk, datetime.now(UTC))
        code: str = super().clean_code()  # type: ignore[misc]
        second_factor.clear_attempts(self.user.pk)
        return code


class LimitedAuthenticateForm(_LimitedCode, AuthenticateForm):  # type: ignore[misc]
    """The code after the password."""


class LimitedReauthenticateForm(_LimitedCode, ReauthenticateForm):  # type: ignore[misc]
    """The code before a change of the account."""


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Who somebody tries to be; without it, one forgetful user would lock out everybody at the same address."""
    given = credentials or {}
    return str(given.get("email") or given.get("username") or request.POST.get("login", "")).lower()


def closed(request: HttpRequest, page: str) -> HttpResponse:
    """A page of the account library that we do not offer."""
    raise Http404
