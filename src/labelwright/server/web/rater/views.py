"""The rater's pages and the four calls that a page makes. Views parse; actions decide.

No cookies: who a rater is stands in the link, which visit it is in a header of each call. Without a
credential that a browser sends by itself there is no request to forge, so these views are exempt from CSRF.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.server.actions import assignment as work
from labelwright.server.actions import before, rater_page
from labelwright.server.actions.ahead import get_first_design
from labelwright.server.actions.errors import UnknownVisit
from labelwright.server.actions.links import Visitor, get_visitor
from labelwright.server.actions.links import consent as record_consent
from labelwright.server.actions.next_step import offer_next
from labelwright.server.actions.own_page import get_unread
from labelwright.server.actions.withdrawal import get_withdrawn
from labelwright.server.store.versions import study_of
from labelwright.server.web.language import speak
from labelwright.server.web.rater import around, pages
from labelwright.server.web.rater.replies import body, page
from labelwright.study import Study

VISIT_HEADER = "X-Labelwright-Visit"
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
        return _start(request, study, visitor, token)
    offered = offer_next(visitor, now)
    if isinstance(offered, before.Due):
        asked = around.asked(study, offered, token)
        return page(request, study, "rater/sheet.html", asked, visitor.pool_name)
    if isinstance(offered, work.NoWork):
        return _done(request, study, visitor, token, offered)
    shown = rater_page.get_task(offered.assignment)
    context = pages.task(study_of(shown.version), shown, offered.token, token, now)
    return page(request, study, "rater/task.html", context, visitor.pool_name)


@csrf_exempt
@require_http_methods(["POST"])
def consent(request: HttpRequest, token: str) -> HttpResponse:
    """The rater agreed to take part."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    points = study_of(visitor.version).consent.points
    ticked = set(request.POST.getlist("point"))
    if request.POST.get("agree") == "yes" and ticked >= {str(n) for n in range(len(points))}:
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
    sent = body(request)
    save_id, revision = sent.get("save_id"), sent.get("revision")
    if not isinstance(save_id, str) or not SAVE_ID.fullmatch(save_id):
        raise BadRequest("save_id is a text of 1 to 64 letters, digits, - or _.")
    if isinstance(revision, bool) or not isinstance(revision, int) or not 0 <= revision < MOST_REVISIONS:
        raise BadRequest("revision is a whole number from 0 up.")
    saved = work.save(_visit(request), sent.get("answers"), save_id, revision, datetime.now(UTC))
    return JsonResponse({"revision": saved.revision, "saved_at": saved.saved_at.isoformat()})


@csrf_exempt
@require_http_methods(["POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """The whole task; the answer comes after the commit."""
    token = _visit(request)
    receipt = work.submit(token, body(request).get("answers"), datetime.now(UTC))
    return JsonResponse({"receipt": receipt})


@csrf_exempt
@require_http_methods(["POST"])
def return_work(request: HttpRequest) -> HttpResponse:
    """The rater gives this reply back."""
    left = work.return_work(_visit(request))
    return JsonResponse({"returned": True, "returns_left": left})


@csrf_exempt
@require_http_methods(["POST"])
def heartbeat(request: HttpRequest) -> HttpResponse:
    """The page is still open; how its work stands."""
    beat = work.heartbeat(_visit(request), datetime.now(UTC))
    gone = _(
        "Somebody else has this place since your time ran out. What you have may still be sent: "
        "it is kept, and we will look at paying you for it."
    )
    told = {"message": gone} if beat.state == work.BeatState.GONE else {}
    return JsonResponse({"state": beat.state, "seconds_left": math.floor(beat.seconds_left), **told})


def _start(request: HttpRequest, study: Study, visitor: Visitor, token: str) -> HttpResponse:
    design = get_first_design(visitor)
    context = pages.start(study, design, rater_page.get_progress(visitor), token, visitor.pool_name)
    told = around.told(study, design)
    return page(request, study, "rater/start.html", context | told | around.agreed(study), visitor.pool_name)


def _done(
    request: HttpRequest, study: Study, visitor: Visitor, token: str, why: work.NoWork | None
) -> HttpResponse:
    progress = rater_page.get_progress(visitor)
    owed = rater_page.get_owed(visitor)
    if why in (work.NoWork.WITHDRAWN, work.NoWork.QUIZ):
        ended = around.ended(study, progress, owed, why, get_withdrawn(visitor))
        return page(request, study, "rater/ended.html", ended, visitor.pool_name)
    context = pages.done(progress, owed, token, why, get_unread(visitor.rater))
    context |= around.debriefed(study, why)
    return page(request, study, "rater/done.html", context, visitor.pool_name)


def _visit(request: HttpRequest) -> str:
    token = request.headers.get(VISIT_HEADER, "")
    if not TOKEN.fullmatch(token):
        raise UnknownVisit
    return token
