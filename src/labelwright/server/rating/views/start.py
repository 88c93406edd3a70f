"""The start: an open link, consent, and the instructions. Views parse; actions decide."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.links import get_visitor
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.lookahead import get_first_design, get_working_at, visitor_at
from labelwright.server.people.actions.joining import PoolFull, get_door, join
from labelwright.server.rating.actions.consent import record_consent
from labelwright.server.rating.actions.task_page import get_progress
from labelwright.server.rating.pages import start as pages
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors.pages import in_words
from labelwright.server.web.language import speak
from labelwright.server.web.limits import network_of
from labelwright.server.web.requests import client_address
from labelwright.server.web.responses import language_frame, private, rater_page
from labelwright.study import Study


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    """An open link: what the study is about, and how to join. Only people who agree to take part become members."""
    now = datetime.now(UTC)
    found = get_door(token, now)
    speak(found.study.language)
    ticked = set(request.POST.getlist("point")) >= {str(n) for n in range(len(found.study.consent.points))}
    if request.method == "POST" and request.POST.get("agree") == "yes" and ticked:
        joined = join(token, now, network_of(client_address(request)))
        return private(HttpResponseRedirect("/w/" + joined.rsplit("/", 1)[1], status=303))
    if found.full:
        full = {"title": _("Thank you"), "message": in_words(PoolFull())}
        return private(render(request, "web/message.html", full | language_frame(found.study)))
    visitor = visitor_at(found)
    design = get_first_design(visitor)
    shown = pages.start(found.study, design, get_progress(visitor), token, found.pool)
    shown |= pages.instructions(found.study, design) | pages.consent(found.study) | {"action": f"/j/{token}"}
    return rater_page(request, found.study, "rating/start.html", shown, found.pool)


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
def instructions(request: HttpRequest, token: str) -> HttpResponse:
    """The instructions of the design that the rater works with, to look up."""
    visitor = get_visitor(token, datetime.now(UTC))
    version, condition = get_working_at(visitor)
    study = study_of(version)
    design = study.design(condition)
    speak(study.language)
    context = {"title": design.title} | pages.instructions(study, design)
    return rater_page(request, study, "rating/instructions.html", context, visitor.pool_name)


def show_start(request: HttpRequest, study: Study, visitor: Visitor, token: str) -> HttpResponse:
    """The start page of a rater who has not agreed to take part yet."""
    design = get_first_design(visitor)
    context = pages.start(study, design, get_progress(visitor), token, visitor.pool_name)
    context |= pages.instructions(study, design) | pages.consent(study)
    return rater_page(request, study, "rating/start.html", context, visitor.pool_name)
