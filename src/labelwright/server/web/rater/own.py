"""The rater's own page, and the open link that leads to one. Views parse; actions decide."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.server.actions import own_page
from labelwright.server.actions.addresses import keep_address
from labelwright.server.actions.ahead import behind, get_first_design
from labelwright.server.actions.audit import RATER
from labelwright.server.actions.errors import (
    BadAddress,
    EmptyMessage,
    LongMessage,
    PoolFull,
    TooManyAddresses,
    TooManyMessages,
)
from labelwright.server.actions.links import Visitor, get_visitor
from labelwright.server.actions.messages import mark_read, write_as_rater
from labelwright.server.actions.pools import get_door, join
from labelwright.server.actions.rater_page import get_door_progress
from labelwright.server.actions.roster import forget, get_rater_of
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import in_words
from labelwright.server.web.language import speak
from labelwright.server.web.limits import network_of
from labelwright.server.web.rater import around, own_pages, pages
from labelwright.server.web.rater.replies import page
from labelwright.server.web.requester.accounts import client_address


# No cookie is read on these routes, so there is no request to forge: see `views`.
@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def me(request: HttpRequest, token: str) -> HttpResponse:
    """Everything that concerns this rater."""
    visitor = get_visitor(token, datetime.now(UTC))
    return _own(request, visitor, token, about=request.GET.get("about", ""))


@csrf_exempt
@require_http_methods(["POST"])
def write(request: HttpRequest, token: str) -> HttpResponse:
    """A message or a question of the rater."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    text, about = request.POST.get("text", ""), request.POST.get("about", "")
    position = int(about) if about.isdecimal() and len(about) < 4 else None
    try:
        write_as_rater(visitor, text, now, position=position)
    except (EmptyMessage, LongMessage, TooManyMessages) as error:
        return _own(request, visitor, token, about=about, error=error, text=text)
    return HttpResponseRedirect(f"/w/{token}/me#messages", status=303)


@csrf_exempt
@require_http_methods(["POST"])
def address(request: HttpRequest, token: str) -> HttpResponse:
    """Where the rater wants mail, or nowhere."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    try:
        keep_address(visitor, request.POST.get("address", ""), now)
    except (BadAddress, TooManyAddresses) as error:
        return _own(request, visitor, token, address_error=error)
    return HttpResponseRedirect(f"/w/{token}/me#address", status=303)


@csrf_exempt
@require_http_methods(["POST"])
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """The rater wants their data deleted; the link ends with them."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    if request.POST.get("sure") != "yes":
        return HttpResponseRedirect(f"/w/{token}/me#data", status=303)
    forget(own_page.get_study_row(visitor), get_rater_of(visitor), RATER, now)
    speak(study_of(visitor.version).language)
    message = _("Your address, your messages and your link are deleted. You may close this page.")
    told = {"title": _("Your data are deleted"), "message": message}
    return _private(render(request, "message.html", told | pages.frame(study_of(visitor.version))))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, token: str) -> HttpResponse:
    """An open link: what the study is, and the way in. Only who agrees to take part becomes a member."""
    now = datetime.now(UTC)
    found = get_door(token, now)
    speak(found.study.language)
    ticked = set(request.POST.getlist("point")) >= {str(n) for n in range(len(found.study.consent.points))}
    if request.method == "POST" and request.POST.get("agree") == "yes" and ticked:
        joined = join(token, now, network_of(client_address(request)))
        return _private(HttpResponseRedirect("/w/" + joined.rsplit("/", 1)[1], status=303))
    if found.full:
        told = {"title": _("Thank you"), "message": in_words(PoolFull())}
        return _private(render(request, "message.html", told | pages.frame(found.study)))
    design = get_first_design(behind(found))
    shown = pages.start(found.study, design, get_door_progress(found), token, found.pool)
    shown |= around.told(found.study, design) | around.agreed(found.study) | {"action": f"/j/{token}"}
    return page(request, found.study, "rater/start.html", shown, found.pool)


def _own(request: HttpRequest, visitor: Visitor, token: str, **given: Any) -> HttpResponse:
    study = study_of(visitor.version)
    speak(study.language)
    for name in ("error", "address_error"):
        given[name] = in_words(given[name]) if name in given else ""
    own = own_page.get_own(visitor)
    context = own_pages.own(study, own, token, **given)
    response = page(request, study, "rater/me.html", context, visitor.pool_name)
    mark_read(visitor.rater, by_rater=True, now=datetime.now(UTC))
    response.status_code = 400 if given.get("error") or given.get("address_error") else 200
    return response


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response
