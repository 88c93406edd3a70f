"""The start: an open link, consent, and the instructions. Views parse; actions decide."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.crowd import StudyState
from labelwright.crowd.panel import PanelOutcome
from labelwright.server.access.actions.links import get_visitor
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.lookahead import (
    get_first_design,
    get_first_design_at,
    get_working_at,
    visitor_at,
)
from labelwright.server.people.actions.arrivals import get_return
from labelwright.server.people.actions.joining import Door, PoolFull, get_door, join
from labelwright.server.people.actions.waiting import leave_address, remove_address
from labelwright.server.rating.actions.consent import record_consent
from labelwright.server.rating.actions.panel import NOTHING
from labelwright.server.rating.actions.task_page import get_progress
from labelwright.server.rating.pages import end as end_pages
from labelwright.server.rating.pages import start as pages
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import RaterError
from labelwright.server.web.errors.pages import in_words
from labelwright.server.web.language import speak
from labelwright.server.web.limits import network_of
from labelwright.server.web.requests import client_address
from labelwright.server.web.responses import frame_of, language_frame, private, rater_page
from labelwright.study import Study


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """An open link: what the study is about, and how to join. Only people who agree to take part become members."""
    now = datetime.now(UTC)
    found = get_door(token, now)
    speak(found.study.language)
    if found.state != StudyState.OPEN:
        return show_not_open(request, found.study, found.state, found.pool)
    if found.full:
        full = {"title": _("Thank you"), "message": in_words(PoolFull())}
        return private(render(request, "web/message.html", full | language_frame(found.study)))
    design = get_first_design_at(found)
    if design is None:
        return show_taken(request, found.study, found.pool, f"/j/{token}/waiting")
    if request.method == "POST" and _agrees(request, found.study):
        joined = join(token, now, network_of(client_address(request)))
        return private(HttpResponseRedirect("/w/" + joined.rsplit("/", 1)[1], status=303))
    shown = pages.start(found.study, design, get_progress(visitor_at(found)), token, found.pool)
    shown |= pages.instructions(found.study, design) | pages.consent(found.study) | {"action": f"/j/{token}"}
    return rater_page(request, found.study, "rating/start.html", shown, found.pool)


@csrf_exempt
@require_http_methods(["POST"])
def consent(request: HttpRequest, token: str) -> HttpResponse:
    """The rater agreed to take part; without effect if there is nothing to take part in any more."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    is_open = visitor.study_state == StudyState.OPEN and get_first_design(visitor) is not None
    if is_open and _agrees(request, study_of(visitor.version)):
        record_consent(visitor, now)
    return HttpResponseRedirect(f"/w/{token}", status=303)


def _agrees(request: HttpRequest, study: Study) -> bool:
    """Whether every box of the consent form was ticked."""
    wanted = {str(n) for n in range(len(study.consent.points))}
    return request.POST.get("agree") == "yes" and set(request.POST.getlist("point")) >= wanted


@csrf_exempt
@require_http_methods(["POST"])
def wait(request: HttpRequest, token: str) -> HttpResponse:
    """Somebody with a personal link wants to hear when there are tasks again, or not any more."""
    visitor = get_visitor(token, datetime.now(UTC))
    return _wait(request, visitor, study_of(visitor.version), visitor.pool_name)


@csrf_exempt
@require_http_methods(["POST"])
def wait_at_door(request: HttpRequest, token: str) -> HttpResponse:
    """The same for somebody who followed an open link."""
    door = get_door(token, datetime.now(UTC))
    return _wait(request, door, door.study, door.pool)


def _wait(request: HttpRequest, at: Visitor | Door, study: Study, pool: str) -> HttpResponse:
    speak(study.language)
    removed = request.POST.get("do") == "remove"
    if not removed and not settings.MAIL_IS_SENT:
        return show_taken(request, study, pool, request.path)
    try:
        if removed:
            remove_address(at, request.POST.get("email", ""))
        else:
            leave_address(
                at, request.POST.get("email", ""), network_of(client_address(request)), datetime.now(UTC)
            )
    except RaterError as error:
        return show_taken(request, study, pool, request.path, in_words(error))
    return rater_page(request, study, "web/message.html", pages.waiting(removed=removed), pool)


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def instructions(request: HttpRequest, token: str) -> HttpResponse:
    """The instructions of the design that the rater works with, to look up."""
    visitor = get_visitor(token, datetime.now(UTC))
    version, condition = get_working_at(visitor)
    study = study_of(version)
    design = study.design(condition)
    speak(study.language)
    context = {"title": design.title} | pages.instructions(study, design)
    return rater_page(request, study, "rating/instructions.html", context, visitor.pool_name)


def show_not_open(request: HttpRequest, study: Study, state: str, pool: str) -> HttpResponse:
    """The page of a study that is not open, for somebody who has not agreed to take part."""
    return rater_page(request, study, "web/message.html", pages.not_open(study, StudyState(state)), pool)


def show_taken(request: HttpRequest, study: Study, pool: str, action: str, error: str = "") -> HttpResponse:
    """The page of a study whose tasks are all taken: it promises nothing and asks for nothing but an address."""
    shown = pages.taken(study, action, error, request.POST.get("email", ""), asks=settings.MAIL_IS_SENT)
    response = rater_page(request, study, "rating/taken.html", shown, pool)
    response.status_code = HTTPStatus.BAD_REQUEST if error else HTTPStatus.OK
    return response


def show_start(request: HttpRequest, study: Study, visitor: Visitor, token: str) -> HttpResponse:
    """The start page of a rater who has not agreed to take part yet, as long as there is something to take part in."""
    if visitor.study_state != StudyState.OPEN:
        return show_not_open(request, study, visitor.study_state, visitor.pool_name)
    design = get_first_design(visitor)
    panel = study.pool_of(visitor.pool_name).panel
    if design is None and panel is not None:
        full = get_return(visitor.rater, study, visitor.pool_name, PanelOutcome.FULL)
        way = NOTHING if frame_of(study, visitor.pool_name) else full[1] if full else None
        context = end_pages.no_room(panel.name, way)
        return rater_page(request, study, "rating/full.html", context, visitor.pool_name)
    if design is None:
        return show_taken(request, study, visitor.pool_name, f"/w/{token}/waiting")
    context = pages.start(study, design, get_progress(visitor), token, visitor.pool_name)
    context |= pages.instructions(study, design) | pages.consent(study)
    return rater_page(request, study, "rating/start.html", context, visitor.pool_name)
