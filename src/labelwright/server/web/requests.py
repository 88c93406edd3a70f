"""Reads requests: the user, the client address, and numbers in query strings and forms."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from labelwright.server.store.models import User

RATER_ROUTES = ("/w/", "/t/", "/j/", "/p/")
MOST_PAGES = 1_000_000
DIGITS_OF_AN_ID = 18


def user_of(request: HttpRequest) -> User:
    """The logged-in user; for views behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user


def number(text: str | None, most: int, otherwise: int = 1) -> int:
    """A number from 1 to `most`; returns `otherwise` if the text is not a number.

    >>> number("12", 10), number("0", 10), number("x", 10), number(None, 10, otherwise=0)
    (10, 1, 1, 0)
    """
    given = text or ""
    return max(1, min(int(given), most)) if given.isdecimal() and len(given) < 12 else otherwise


def page_number(request: HttpRequest) -> int:
    """The requested page of a list; 1 by default."""
    return number(request.GET.get("page"), MOST_PAGES)


def id_number(text: str | None) -> int:
    """The row ID in a form field; 0, which no row has, if the text is not an ID.

    >>> id_number("3000000000"), id_number("9" * 30), id_number("x")
    (3000000000, 0, 0)
    """
    given = text or ""
    return int(given) if given.isdecimal() and len(given) <= DIGITS_OF_AN_ID else 0


def client_address(request: HttpRequest) -> str:
    """The client's IP address; behind a proxy, the last X-Forwarded-For entry, which the proxy writes itself."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.ENVIRONMENT.behind_proxy and forwarded:
        return forwarded.rsplit(",", 1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def is_raters(request: HttpRequest) -> bool:
    """Whether a request is for a rater's route."""
    return request.path_info.startswith(RATER_ROUTES)
