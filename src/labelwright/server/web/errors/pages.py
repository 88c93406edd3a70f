"""Turns errors into HTTP responses. The first sentence tells raters what happened to their work."""

from __future__ import annotations

import logging
import time
import unicodedata
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig
from django.db import Error as DatabaseError
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from psycopg.errors import IdleInTransactionSessionTimeout, ReadOnlySqlTransaction
from psycopg_pool import PoolTimeout

from labelwright.crowd import BadLink
from labelwright.errors import LabelwrightError
from labelwright.server.web.desk import frame
from labelwright.server.web.errors import Elsewhere, RaterError
from labelwright.server.web.limits import Limiter
from labelwright.server.web.requests import client_address, is_raters
from labelwright.wording import as_sentence

log = logging.getLogger(__name__)

RETRY_SECONDS = 2
BAD_LINKS = Limiter(60, 60)
"""Maximum number of invalid links per network and minute."""


OUTAGE_SECONDS = 1.0
"""After a request found no connection, others are refused for this long instead of waiting behind it."""
WITHOUT_DATABASE = ("/readyz", "/static/")
PERMITTED_CONTROLS = "\n\r\t"


class Outage:
    """Whether this process has just found that the database is away."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._until = clock, 0.0

    def begin(self) -> None:
        """The database did not give a connection."""
        self._until = self._clock() + OUTAGE_SECONDS

    def lasts(self) -> bool:
        """Whether there is no point in asking the database again yet."""
        return self._clock() < self._until


OUTAGE = Outage()


class ErrorMiddleware:
    """Responds to the errors that views raise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on; `process_exception` does the work."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: object) -> HttpResponse | None:
        """Refuses what no view can handle: text that cannot be stored, and any request while the database is away."""
        if OUTAGE.lasts() and not request.path.startswith(WITHOUT_DATABASE):
            return _database_away(request)
        try:
            garbled = _has_control_characters(request)
        except RequestDataTooBig as error:
            return self.process_exception(request, error)
        if garbled:
            message = _(
                "This was not saved, because it contains characters that cannot be stored. "
                "Type the text instead of pasting it, and try again."
            )
            return _answer(request, HTTPStatus.BAD_REQUEST, "control_characters", message)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """A response to an error caused by a person or an outage; Django logs programming errors."""
        if isinstance(error, BadLink) and not BAD_LINKS.allows(client_address(request)):
            message = _(
                "This page was not opened: there were too many attempts from your network. "
                "Wait a minute, then try again."
            )
            return _answer(request, HTTPStatus.TOO_MANY_REQUESTS, "too_many", message)
        if isinstance(error, LabelwrightError):
            return _explained(request, error)
        if isinstance(error, RequestDataTooBig):
            return _answer(
                request,
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                "too_large",
                _("This was not saved, because it is too long. Shorten it and try again."),
            )
        if isinstance(error, BadRequest):
            return _answer(request, HTTPStatus.BAD_REQUEST, "bad_request", str(error))
        if _is_outage(error):
            log.warning("database unavailable: %s", type(error.__cause__ or error).__name__)
            if isinstance(error, PoolTimeout):
                OUTAGE.begin()
            return _database_away(request)
        return None


def _explained(request: HttpRequest, error: LabelwrightError) -> HttpResponse:
    """The response to an error that a person caused."""
    if isinstance(error, Elsewhere) and request.method in ("GET", "HEAD") and not _is_called(request):
        return HttpResponseRedirect(error.address)
    facts = error.facts() if isinstance(error, RaterError) else {}
    looking = request.method in ("GET", "HEAD") and not _is_called(request)
    message = (getattr(error, "of_page", None) if looking else None) or in_words(error)
    return _answer(request, _status(error), error.code, message, facts)


def _is_outage(error: Exception) -> bool:
    """Whether the database is away, too slow, full or read-only, which is nobody's mistake."""
    if isinstance(error, OperationalError | InterfaceError | PoolTimeout):
        return True
    cause = error.__cause__ if isinstance(error, DatabaseError) else None
    return isinstance(cause, ReadOnlySqlTransaction | IdleInTransactionSessionTimeout)


def _has_control_characters(request: HttpRequest) -> bool:
    """Whether the address or a requester's form has characters that PostgreSQL rejects or that pages cannot show."""
    texts = [request.path_info, *(text for _, texts in request.GET.lists() for text in texts)]
    # What raters write is cleaned instead: nobody should lose an answer over a character that was pasted with it.
    if request.method == "POST" and not is_raters(request):
        texts += [text for _, texts in request.POST.lists() for text in texts]
    # `isprintable` is fast, and true for almost every text.
    return any(
        not text.isprintable()
        and any(unicodedata.category(c) == "Cc" and c not in PERMITTED_CONTROLS for c in text)
        for text in texts
    )


def _database_away(request: HttpRequest) -> HttpResponse:
    return _answer(request, HTTPStatus.SERVICE_UNAVAILABLE, "away", _away(request))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page that does not exist."""
    message = _("There is no page at this address. Check that you have copied the whole link.")
    return _answer(request, HTTPStatus.NOT_FOUND, "not_found", message)


def server_error(request: HttpRequest) -> HttpResponse:
    """An error in our code; Django has logged it."""
    message = _(
        "Everything that was saved is safe. Something went wrong on our side. Reload the page to continue."
    )
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "server_error", message)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that was not sent from our own page, or after its session ended."""
    return _answer(
        request, HTTPStatus.FORBIDDEN, "forbidden", "This form is too old. Go back, reload and try again."
    )


def busy(request: HttpRequest) -> HttpResponse:
    """A requester's page for which there is no room at the moment; browsers load it again by themselves."""
    if request.method in ("GET", "HEAD"):
        message = "Many pages are being loaded at the moment. This one is loaded again in a moment."
    else:
        message = (
            "Nothing was changed, because many pages are being loaded at the moment. Go back and try again."
        )
    response = _answer(request, HTTPStatus.SERVICE_UNAVAILABLE, "busy", message)
    response["Retry-After"] = str(RETRY_SECONDS)
    if request.method in ("GET", "HEAD"):
        response["Refresh"] = str(RETRY_SECONDS)
    return response


def _away(request: HttpRequest) -> str:
    if request.path.startswith("/t/"):
        return _(
            "Your answers are kept on this page. "
            "Our database is not responding; the page sends your answers again every few seconds."
        )
    return _(
        "Everything that was saved is safe. Our database is not responding. Reload this page in a moment."
    )


def _title(status: HTTPStatus) -> str:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return _("One moment")
    titles = {
        HTTPStatus.GONE: _("This link does not work"),
        HTTPStatus.TOO_MANY_REQUESTS: _("Too many attempts"),
        HTTPStatus.NOT_FOUND: _("Page not found"),
    }
    return titles.get(status, _("That did not work"))


def in_words(error: LabelwrightError) -> str:
    """The message to show, translated if it is meant for raters."""
    if isinstance(error, RaterError):
        return " ".join(_(sentence).format(**error.values) for sentence in error.sentences)
    if isinstance(error, BadLink):
        return " ".join(_(part) for part in (error.what, error.do) if part)
    return str(error)


def _status(error: LabelwrightError) -> HTTPStatus:
    if isinstance(error, BadLink):
        return HTTPStatus.GONE
    # Errors for requesters may have a status too.
    return getattr(error, "status", HTTPStatus.BAD_REQUEST)


def _is_called(request: HttpRequest) -> bool:
    """Whether a program reads the response, not a person."""
    return request.path.startswith(("/t/", "/api/"))


def _is_framed(request: HttpRequest, status: HTTPStatus) -> bool:
    """Whether the answer goes to a requester who is logged in; while the database is away, nobody knows."""
    away = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    user = None if away or is_raters(request) else getattr(request, "user", None)
    return user is not None and user.is_authenticated


def _framed(request: HttpRequest, status: HTTPStatus, message: str) -> dict[str, Any]:
    """An error inside the frame of the requester's pages, with a way back."""
    looking = request.method in ("GET", "HEAD")
    match = request.resolver_match
    study = str(match.kwargs.get("public_id", "")) if match else ""
    # Whether the study exists is not for everybody, and "not found" is the answer to those outside its team.
    in_team = bool(study) and status in (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT)
    if not looking:
        back = {"href": request.get_full_path(), "name": "Back to the page"}
    elif in_team:
        back = {"href": f"/studies/{study}", "name": "Go to the overview"}
    else:
        back = {"href": "/studies", "name": "Go to your studies"}
    title = _title(status)
    if status == HTTPStatus.FORBIDDEN:
        title = "This page is not open to you" if looking else "This is not open to you"
    return {
        **(frame(study, "", "", title) if in_team else {}),
        "title": f"{title} · Labelwright",
        "heading_text": title,
        "message": as_sentence(message),
        "back": back,
    }


def _answer(
    request: HttpRequest, status: HTTPStatus, code: str, message: str, facts: dict[str, Any] | None = None
) -> HttpResponse:
    if _is_called(request):
        return JsonResponse({"code": code, "message": message, **(facts or {})}, status=status)
    if _is_framed(request, status):
        return render(request, "web/error.html", _framed(request, status, message), status=status)
    context = {
        "title": _title(status),
        "message": message,
        "language": get_language(),
        "direction": "rtl" if get_language_bidi() else "ltr",
    }
    response = render(request, "web/message.html", context, status=status)
    if request.path.startswith(("/w/", "/j/")):
        response["Referrer-Policy"] = "no-referrer"
    return response
