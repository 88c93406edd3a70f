"""Middleware of our own: what no cache may keep, and middleware of the requester's pages, skipped on raters' routes.

Raters have no session and no account. Skipping this middleware makes their pages faster, and without a session
there is none to leak.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

GetResponse = Callable[[HttpRequest], HttpResponse]

RATER_ROUTES = ("/w/", "/t/", "/j/")
HOOKS = ("process_view", "process_exception", "process_template_response")


class RequesterMiddleware:
    """Runs the wrapped middleware on every route except raters' routes. Subclasses set `wrapped`."""

    wrapped: str
    """Import path of the middleware."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response
        self._inner = import_string(self.wrapped)(get_response)
        # Django looks for these hooks once, when it builds the chain.
        for hook in HOOKS:
            if method := getattr(self._inner, hook, None):
                setattr(self, hook, _skip_for_raters(method))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Skips the wrapped middleware for raters' requests."""
        return self._get_response(request) if is_raters(request) else self._inner(request)


def is_raters(request: HttpRequest) -> bool:
    """Whether a request is for a rater's route."""
    return request.path_info.startswith(RATER_ROUTES)


def _skip_for_raters(method: Callable[..., Any]) -> Callable[..., Any]:
    return lambda request, *rest: None if is_raters(request) else method(request, *rest)


class NotStored:
    """Keeps every page and file with data out of caches, unless its view says otherwise.

    Names, answers and personal links must not stay behind on a shared computer. Static files are answered before.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Adds the header."""
        response = self._get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response


class WhiteNoise(RequesterMiddleware):
    """Static files."""

    wrapped = "whitenoise.middleware.WhiteNoiseMiddleware"


class Sessions(RequesterMiddleware):
    """Sessions of logged-in users."""

    wrapped = "django.contrib.sessions.middleware.SessionMiddleware"


class Csrf(RequesterMiddleware):
    """CSRF protection of requesters' forms; raters' requests carry a token instead of a cookie."""

    wrapped = "django.middleware.csrf.CsrfViewMiddleware"


class Authentication(RequesterMiddleware):
    """The user behind the session."""

    wrapped = "django.contrib.auth.middleware.AuthenticationMiddleware"


class Messages(RequesterMiddleware):
    """One-time messages after a form was sent."""

    wrapped = "django.contrib.messages.middleware.MessageMiddleware"


class FailedLogins(RequesterMiddleware):
    """Locks out a name and address after too many failed logins."""

    wrapped = "axes.middleware.AxesMiddleware"
