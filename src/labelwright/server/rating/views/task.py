"""The rater's pages and the calls that a task's page makes. Views parse; actions decide.

No cookies: the link says who the rater is, and a header of each call says which visit it is. The
browser sends no credential automatically, so requests cannot be forged and these views are exempt from CSRF checks.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import UTC, datetime

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.crowd import DataUse
from labelwright.server.access.actions.links import get_visitor
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions import leases
from labelwright.server.offering.actions.leases import BeatState, UnknownVisit
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.rating.actions import answers, withdrawal
from labelwright.server.rating.actions.consent import get_typing_consent
from labelwright.server.rating.actions.next_step import get_obstacle, offer_next
from labelwright.server.rating.actions.panel import count_in_visit, get_panel_return
from labelwright.server.rating.actions.questionnaire import Due
from labelwright.server.rating.actions.task_page import Progress, count_unread, get_progress, get_task
from labelwright.server.rating.pages import end as end_pages
from labelwright.server.rating.pages import task as task_pages
from labelwright.server.rating.pages.questionnaire import questionnaire
from labelwright.server.rating.views.start import show_start
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import get_owed
from labelwright.server.web.language import speak
from labelwright.server.web.money import amounts
from labelwright.server.web.responses import json_body, rater_page
from labelwright.study import Study

VISIT_HEADER = "X-Labelwright-Visit"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
SAVE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
MOST_REVISIONS = 1_000_000


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def home(request: HttpRequest, token: str) -> HttpResponse:
    """The rater's next step: the start, a questionnaire, a task, or the end. Opening it again changes nothing."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    study = study_of(visitor.version)
    speak(study.language)
    if not visitor.consented:
        return show_start(request, study, visitor, token)
    offered = offer_next(visitor, now)
    if isinstance(offered, Due):
        context = questionnaire(study, offered, token)
        return rater_page(request, study, "rating/questionnaire.html", context, visitor.pool_name)
    if isinstance(offered, NoWork):
        return _done(request, study, visitor, token, offered)
    shown = get_task(offered.assignment)
    if visit := count_in_visit(visitor, study):
        shown = replace(shown, progress=Progress(*visit, None))
    typing = get_typing_consent(visitor.rater, shown.version)
    context = task_pages.task(study_of(shown.version), shown, offered.token, token, now, typing=typing)
    return rater_page(request, study, "rating/task.html", context, visitor.pool_name)


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def stopped(request: HttpRequest, token: str) -> HttpResponse:
    """The rater stopped for now; submitted work counts, and the link leads back."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    study = study_of(visitor.version)
    speak(study.language)
    return _done(request, study, visitor, token, get_obstacle(visitor, now))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """The rater leaves the study."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    study = study_of(visitor.version)
    speak(study.language)
    chosen = request.POST.get("data_use")
    if request.method == "POST" and chosen in (DataUse.USED, DataUse.LEFT_OUT):
        withdrawal.withdraw(visitor, DataUse(chosen), now)
    if request.method == "POST":
        return HttpResponseRedirect(f"/w/{token}", status=303)
    context = {"title": study.title, "token": token, "pay": amounts(get_owed(visitor.study, visitor.rater))}
    return rater_page(request, study, "rating/withdraw.html", context, visitor.pool_name)


@csrf_exempt
@require_http_methods(["GET"])
def draft(request: HttpRequest) -> HttpResponse:
    """The saved answers, for a page that the browser restored from its cache."""
    held, saved = answers.get_saved(_visit(request))
    return JsonResponse(
        {
            "revision": saved.revision if saved else 0,
            "answers": saved.answers if saved else {},
            "state": task_pages.public_state(held),
        }
    )


@csrf_exempt
@require_http_methods(["PUT"])
def save(request: HttpRequest) -> HttpResponse:
    """Saves unfinished answers."""
    sent = json_body(request)
    save_id, revision = sent.get("save_id"), sent.get("revision")
    if not isinstance(save_id, str) or not SAVE_ID.fullmatch(save_id):
        raise BadRequest("save_id must have 1 to 64 letters, digits, - or _.")
    if isinstance(revision, bool) or not isinstance(revision, int) or not 0 <= revision < MOST_REVISIONS:
        raise BadRequest("revision must be a whole number from 0.")
    saved = answers.save(_visit(request), sent.get("answers"), save_id, revision, datetime.now(UTC))
    return JsonResponse({"revision": saved.revision, "saved_at": saved.saved_at.isoformat()})


@csrf_exempt
@require_http_methods(["POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """Submits the task; the response comes after the commit."""
    token = _visit(request)
    sent = json_body(request)
    receipt = answers.submit(token, sent.get("answers"), datetime.now(UTC), sent.get("typing"))
    return JsonResponse({"receipt": receipt})


@csrf_exempt
@require_http_methods(["POST"])
def return_work(request: HttpRequest) -> HttpResponse:
    """The rater returns this task."""
    left = leases.return_work(_visit(request))
    return JsonResponse({"returned": True, "returns_left": left})


@csrf_exempt
@require_http_methods(["POST"])
def heartbeat(request: HttpRequest) -> HttpResponse:
    """The page is still open; the response says how much time is left."""
    beat = leases.heartbeat(_visit(request), datetime.now(UTC))
    gone = _(
        "You can still submit your answers. Your time ran out and this task went to someone else, "
        "but we keep your answers and will check whether we can pay you for them."
    )
    message = {"message": gone} if beat.state == BeatState.GONE else {}
    return JsonResponse({"state": beat.state, "seconds_left": math.floor(beat.seconds_left), **message})


def _done(
    request: HttpRequest, study: Study, visitor: Visitor, token: str, why: NoWork | None
) -> HttpResponse:
    progress = get_progress(visitor)
    owed = get_owed(visitor.study, visitor.rater)
    if why in (NoWork.WITHDRAWN, NoWork.QUIZ):
        context = end_pages.ended(study, progress, owed, why, withdrawal.get_withdrawal(visitor))
        context |= end_pages.way_back(get_panel_return(visitor, study, why))
        return rater_page(request, study, "rating/ended.html", context, visitor.pool_name)
    context = end_pages.done(progress, owed, token, why, count_unread(visitor.rater))
    context |= end_pages.debriefing(study, progress, why)
    context |= end_pages.way_back(get_panel_return(visitor, study, why))
    return rater_page(request, study, "rating/done.html", context, visitor.pool_name)


def _visit(request: HttpRequest) -> str:
    token = request.headers.get(VISIT_HEADER, "")
    if not TOKEN.fullmatch(token):
        raise UnknownVisit
    return token
