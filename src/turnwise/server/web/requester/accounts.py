"""Accounts: nobody signs up by themselves."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Requesters are let in by `turnwise user add`."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never."""
        return False
