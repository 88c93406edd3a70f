"""Accounts: nobody signs up by themselves, and who fails too often is known by name and address."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class ClosedAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Requesters are let in by `labelwright user add`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Who somebody tries to be; without it, one forgetful user would lock out everybody at the same address."""
    given = credentials or {}
    return str(given.get("email") or given.get("username") or request.POST.get("login", "")).lower()


def client_address(request: HttpRequest) -> str:
    """Where a request comes from; a proxy in front says so in the last entry, which it writes itself."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.ENVIRONMENT.behind_proxy and forwarded:
        return forwarded.rsplit(",", 1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
