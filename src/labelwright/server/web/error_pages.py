"""The one place that turns errors into HTTP. A rater reads first what became of their work."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from psycopg_pool import PoolTimeout

from labelwright.crowd import BadLink
from labelwright.errors import LabelwrightError
from labelwright.server.web.errors import RaterError
from labelwright.server.web.limits import Limiter
from labelwright.server.web.requests import client_address

log = logging.getLogger(__name__)

BAD_LINKS = Limiter(60, 60)
"""Links that do not work, per network and minute."""


class ErrorMiddleware:
    """Answers for whatever a view raises."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on; `process_exception` does the work."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """An answer for an error that a person or an outage caused; wrong code goes on to the log."""
        if isinstance(error, BadLink) and not BAD_LINKS.allows(client_address(request)):
            return _answer(
                request, HTTPStatus.TOO_MANY_REQUESTS, "too_many", _("Too many tries. Wait a minute.")
            )
        if isinstance(error, LabelwrightError):
            facts = error.facts() if isinstance(error, RaterError) else {}
            return _answer(request, _status(error), error.code, in_words(error), facts)
        if isinstance(error, RequestDataTooBig):
            return _answer(
                request,
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                "too_large",
                _("That is more than a task takes."),
            )
        if isinstance(error, BadRequest):
            return _answer(request, HTTPStatus.BAD_REQUEST, "bad_request", str(error))
        if isinstance(error, OperationalError | InterfaceError | PoolTimeout):
            log.warning("database away: %s", type(error).__name__)
            # The other connections of this process died too; they are replaced before the next request.
            connection.pool.check()  # type: ignore[attr-defined]
            return _answer(request, HTTPStatus.SERVICE_UNAVAILABLE, "away", _away(request))
        return None


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page that is not there."""
    return _answer(request, HTTPStatus.NOT_FOUND, "not_found", _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """A mistake of ours; Django has logged it."""
    message = _(
        "Something went wrong here, and it is not your doing. What was saved is safe. Reload the page to go on."
    )
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "server_error", message)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that was not sent from our own page, or after its session ended."""
    return _answer(
        request, HTTPStatus.FORBIDDEN, "forbidden", "This form is too old. Go back, reload and try again."
    )


def _away(request: HttpRequest) -> str:
    if request.path.startswith("/t/"):
        return _(
            "Your answers are kept on this page. "
            "The database does not answer; they are sent again every few seconds."
        )
    return _("The database does not answer. Nothing that was saved is lost. Reload this page in a moment.")


def _title(status: HTTPStatus) -> str:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _("One moment")
    titles = {
        HTTPStatus.GONE: _("This link does not work"),
        HTTPStatus.TOO_MANY_REQUESTS: _("Too many tries"),
        HTTPStatus.BAD_REQUEST: _("That did not work"),
    }
    return titles.get(status, _("Not here"))


def in_words(error: LabelwrightError) -> str:
    """What a person reads, translated where it is meant for raters."""
    if isinstance(error, RaterError):
        return " ".join(_(sentence).format(**error.values) for sentence in error.sentences)
    if isinstance(error, BadLink):
        return " ".join(_(part) for part in (error.what, error.do) if part)
    return str(error)


def _status(error: LabelwrightError) -> HTTPStatus:
    if isinstance(error, BadLink):
        return HTTPStatus.GONE
    # Errors for requesters name a status too where they have one.
    return getattr(error, "status", HTTPStatus.BAD_REQUEST)


def _answer(
    request: HttpRequest, status: HTTPStatus, code: str, message: str, facts: dict[str, Any] | None = None
) -> HttpResponse:
    if request.path.startswith("/t/"):
        return JsonResponse({"code": code, "message": message, **(facts or {})}, status=status)
    told = {
        "title": _title(status),
        "message": message,
        "language": get_language(),
        "direction": "rtl" if get_language_bidi() else "ltr",
    }
    response = render(request, "web/message.html", told, status=status)
    if request.path.startswith(("/w/", "/j/")):
        response["Referrer-Policy"] = "no-referrer"
    return response
