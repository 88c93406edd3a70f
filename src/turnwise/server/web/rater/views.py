"""The rater's pages and the four calls that a page makes. Views parse; actions decide.

No cookies: who a rater is stands in the link, which visit it is in a header of each call. Without a
credential that a browser sends by itself there is no request to forge, so these views are exempt from CSRF.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from turnwise.crowd import MemberState
from turnwise.server.actions import assignment as work
from turnwise.server.actions import rater_page
from turnwise.server.actions.errors import UnknownVisit
from turnwise.server.actions.links import Visitor, get_visitor
from turnwise.server.actions.links import consent as record_consent
from turnwise.server.actions.own_page import get_unread
from turnwise.server.store.versions import study_of
from turnwise.server.web.language import speak
from turnwise.server.web.rater import pages
from turnwise.study import Study

VISIT_HEADER = "X-Turnwise-Visit"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
SAVE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_REVISIONS = 1_000_000


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def home(request: HttpRequest, token: str) -> HttpResponse:
    """Where a rater is: at the start, at a task, or done. Opening it again changes nothing."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    study = study_of(visitor.version)
    speak(study.language)
    if not visitor.consented:
        progress = rater_page.get_progress(visitor)
        start = pages.start(study, progress, token, visitor.pool_name)
        return page_of(request, study, visitor.pool_name, "rater/start.html", start)
    offered = work.offer(visitor, now) if visitor.state != MemberState.EXCLUDED else work.NoWork.EXCLUDED
    if isinstance(offered, work.NoWork):
        paused = visitor.state == MemberState.PAUSED
        return _done(request, study, visitor, token, work.NoWork.PAUSED if paused else offered)
    shown = rater_page.get_task(offered.assignment)
    context = pages.task(study_of(shown.version), shown, offered.token, token, now)
    return page_of(request, study, visitor.pool_name, "rater/task.html", context)


@csrf_exempt
@require_http_methods(["POST"])
def consent(request: HttpRequest, token: str) -> HttpResponse:
    """The rater agreed to take part."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    if request.POST.get("agree") == "yes":
        record_consent(visitor, now)
    return HttpResponseRedirect(f"/w/{token}", status=303)


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def stopped(request: HttpRequest, token: str) -> HttpResponse:
    """The rater stopped for now; what was handed in counts, and the link leads back."""
    visitor = get_visitor(token, datetime.now(UTC))
    study = study_of(visitor.version)
    speak(study.language)
    return _done(request, study, visitor, token, None)


@csrf_exempt
@require_http_methods(["GET"])
def draft(request: HttpRequest) -> HttpResponse:
    """What the server has saved, for a page that the browser brought back from its cache."""
    held, saved = work.get_saved(_visit(request))
    return JsonResponse(
        {
            "revision": saved.revision if saved else 0,
            "answers": saved.answers if saved else {},
            "state": pages.public_state(held),
        }
    )


@csrf_exempt
@require_http_methods(["PUT"])
def save(request: HttpRequest) -> HttpResponse:
    """Half-finished answers."""
    body = _body(request)
    save_id, revision = body.get("save_id"), body.get("revision")
    if not isinstance(save_id, str) or not SAVE_ID.fullmatch(save_id):
        raise BadRequest("save_id is a text of 1 to 64 letters, digits, - or _.")
    if isinstance(revision, bool) or not isinstance(revision, int) or not 0 <= revision < MOST_REVISIONS:
        raise BadRequest("revision is a whole number from 0 up.")
    saved = work.save(_visit(request), body.get("answers"), save_id, revision, datetime.now(UTC))
    return JsonResponse({"revision": saved.revision, "saved_at": saved.saved_at.isoformat()})


@csrf_exempt
@require_http_methods(["POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """The whole task; the answer comes after the commit."""
    token = _visit(request)
    receipt = work.submit(token, _body(request).get("answers"), datetime.now(UTC))
    return JsonResponse({"receipt": receipt})


@csrf_exempt
@require_http_methods(["POST"])
def return_work(request: HttpRequest) -> HttpResponse:
    """The rater gives this reply back."""
    work.return_work(_visit(request))
    return JsonResponse({"returned": True})


def _done(
    request: HttpRequest, study: Study, visitor: Visitor, token: str, why: work.NoWork | None
) -> HttpResponse:
    progress = rater_page.get_progress(visitor)
    owed = rater_page.get_owed(visitor)
    context = pages.done(progress, owed, token, why, get_unread(visitor.rater))
    return page_of(request, study, visitor.pool_name, "rater/done.html", context)


def page_of(
    request: HttpRequest, study: Study, pool: str, template: str, context: dict[str, Any]
) -> HttpResponse:
    """A rater's page: in the study's language, kept nowhere, and in a frame only where the pool allows it."""
    response = render(request, template, context | pages.frame(study))
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    origins = study.pool_of(pool).embed_origins
    if origins:
        # Read by django-csp's middleware; without it nobody may show the page in a frame.
        response._csp_replace = {"frame-ancestors": list(origins)}  # type: ignore[attr-defined]
    return response


def _visit(request: HttpRequest) -> str:
    token = request.headers.get(VISIT_HEADER, "")
    if not TOKEN.fullmatch(token):
        raise UnknownVisit
    return token


def _body(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise BadRequest("The body is not an object.")
    return body
