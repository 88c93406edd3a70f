"""Middleware of our own: what no cache may keep, and what treats raters and requesters differently.

Both have lanes of their own in a server process, so that raters never wait behind requesters. A process has threads for both
lanes and for requesters who wait, and a connection for every request that runs. Health checks and static files are in
no lane.

Raters have no session and no account. Skipping the middleware of requesters makes their pages faster, and without a
session there is none to leak.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

from labelwright.server.config.metrics import REQUEST_SECONDS, SERVER_ERRORS
from labelwright.server.store.rows import planned_for_values
from labelwright.server.web.errors.pages import busy
from labelwright.server.web.requests import is_raters

NEITHER = ("healthz", "readyz", "moved-file", "none")
"""Routes that neither raters nor requesters wait for; "none" are static files and unknown addresses."""
GetResponse = Callable[[HttpRequest], HttpResponse]

FREE_ROUTES = ("/healthz", "/readyz", "/static/")
WAITING_SECONDS, WAITING_SECONDS_OF_FORMS = 2.0, 10.0
"""How long a requester waits for a turn. A page that gives up is loaded again by itself; a form is not."""
HOOKS = ("process_view", "process_exception", "process_template_response")


class Lanes:
    """Lets as many requests of raters and of requesters run at once as each lane has room for."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response
        environment = settings.ENVIRONMENT
        self._raters = threading.BoundedSemaphore(environment.database_connections)
        self._requesters = threading.BoundedSemaphore(environment.requester_requests)
        self._waiting = threading.BoundedSemaphore(environment.requesters_waiting)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Runs the request in its lane; a requester who finds no room is told to come back."""
        if request.path_info.startswith(FREE_ROUTES):
            return self._get_response(request)
        if is_raters(request):
            with self._raters:
                return self._get_response(request)
        if not self._enter(request):
            return busy(request)
        try:
            with planned_for_values():
                return self._get_response(request)
        finally:
            self._requesters.release()

    def _enter(self, request: HttpRequest) -> bool:
        if self._requesters.acquire(blocking=False):
            return True
        # Waiting takes a thread too, so only a few may wait.
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            is_form = request.method not in ("GET", "HEAD")
            return self._requesters.acquire(timeout=WAITING_SECONDS_OF_FORMS if is_form else WAITING_SECONDS)
        finally:
            self._waiting.release()


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


class MeasurementMiddleware:
    """Counts the time and the server errors of each route; the outermost middleware, so that it sees every response.

    Routes are names, so no link gets into a metric.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on and measures it."""
        started = time.perf_counter()
        response = self._get_response(request)
        match = request.resolver_match
        route = (match.view_name if match else "") or "none"
        audience = _audience(request, route)
        REQUEST_SECONDS.labels(route, audience).observe(time.perf_counter() - started)
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            SERVER_ERRORS.labels(route, audience, str(response.status_code)).inc()
        return response


def _audience(request: HttpRequest, route: str) -> str:
    if is_raters(request):
        return "rater"
    return "other" if route in NEITHER else "requester"
