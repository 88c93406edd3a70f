"""Requesters' pages without a server process: Django's own client, logged in as one of the users."""

from __future__ import annotations

from typing import Any

PASSWORD = "a long password of a test"


def client_of(email: str | None = None) -> Any:
    """A browser of this user; of a stranger if there is none."""
    from django.test import Client

    from labelwright.server.store.models import User

    client = Client(SERVER_NAME="127.0.0.1")
    if email:
        user = User.objects.get(username=email)
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def get(client: Any, address: str) -> str:
    """The text of a page."""
    return str(client.get(address).content.decode())


def post(client: Any, address: str, **form: Any) -> Any:
    """The response to a form."""
    return client.post(address, form)
