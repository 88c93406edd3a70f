"""Requests: who sends one, from where, and the numbers in its address and forms."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from labelwright.server.store.models import User

MOST_PAGES = 1_000_000
DIGITS_OF_AN_ID = 18


def user_of(request: HttpRequest) -> User:
    """Who is logged in; for views behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def number(text: str | None, most: int, otherwise: int = 1) -> int:
    """A number from 1 up to `most`; what is none becomes `otherwise`.

    >>> number("12", 10), number("0", 10), number("x", 10), number(None, 10, otherwise=0)
    (10, 1, 1, 0)
    """
    given = text or ""
    return max(1, min(int(given), most)) if given.isdecimal() and len(given) < 12 else otherwise


def page_number(request: HttpRequest) -> int:
    """Which page of a list is asked for; the first when nothing is said."""
    return number(request.GET.get("page"), MOST_PAGES)


def id_number(text: str | None) -> int:
    """The id of a row in a form; 0, which no row has, for anything else.

    >>> id_number("3000000000"), id_number("9" * 30), id_number("x")
    (3000000000, 0, 0)
    """
    given = text or ""
    return int(given) if given.isdecimal() and len(given) <= DIGITS_OF_AN_ID else 0


def client_address(request: HttpRequest) -> str:
    """The address that a request comes from; behind a proxy, the last entry, which the proxy itself writes."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.ENVIRONMENT.behind_proxy and forwarded:
        return forwarded.rsplit(",", 1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
