"""Accounts of requesters: signing up is closed, and failed logins are counted by name and address."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import Http404, HttpRequest, HttpResponse


class ClosedAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Requesters are let in by `labelwright user add`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False


def login_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Who somebody tries to be; without it, one forgetful user would lock out everybody at the same address."""
    given = credentials or {}
    return str(given.get("email") or given.get("username") or request.POST.get("login", "")).lower()


def closed(request: HttpRequest, page: str) -> HttpResponse:
    """A page of the account library that we do not offer."""
    raise Http404
