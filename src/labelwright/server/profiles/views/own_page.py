"""The rater's own page. Views parse; actions decide."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.links import get_visitor
from labelwright.server.access.queries import Visitor
from labelwright.server.people.actions import addresses
from labelwright.server.people.actions.addresses import BadAddress, TooManyAddresses
from labelwright.server.people.actions.messages import (
    EmptyMessage,
    LongMessage,
    TooManyMessages,
    mark_read,
    write_as_rater,
)
from labelwright.server.profiles.actions.deletion import delete_own_data
from labelwright.server.profiles.actions.disputes import NothingToAnswer, answer_rejection
from labelwright.server.profiles.actions.own_page import get_own_page
from labelwright.server.profiles.pages import own_page as pages
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors.pages import in_words
from labelwright.server.web.language import speak
from labelwright.server.web.responses import language_frame, private, rater_page

ERRORS = ("error", "address_error", "answer_error")


# These routes read no cookie, so requests cannot be forged: see `rating.views.task`.
@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def show(request: HttpRequest, token: str) -> HttpResponse:
    """Work, pay, messages and data of this rater."""
    visitor = get_visitor(token, datetime.now(UTC))
    return _show(request, visitor, token, about=request.GET.get("about", ""))


@csrf_exempt
@require_http_methods(["POST"])
def write(request: HttpRequest, token: str) -> HttpResponse:
    """A message or a question from the rater."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    text, about = request.POST.get("text", ""), request.POST.get("about", "")
    position = int(about) if about.isdecimal() and len(about) < 4 else None
    try:
        write_as_rater(visitor, text, now, position=position)
    except (EmptyMessage, LongMessage, TooManyMessages) as error:
        return _show(request, visitor, token, about=about, error=error, text=text)
    return HttpResponseRedirect(f"/w/{token}/me#messages", status=303)


@csrf_exempt
@require_http_methods(["POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """The rater's answer to a rejection."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    try:
        work = UUID(request.POST.get("work", ""))
    except ValueError:
        work = UUID(int=0)
    try:
        answer_rejection(visitor, work, request.POST.get("text", ""), now)
    except (EmptyMessage, LongMessage, NothingToAnswer) as error:
        return _show(request, visitor, token, answer_error=error)
    return HttpResponseRedirect(f"/w/{token}/me#earned", status=303)


@csrf_exempt
@require_http_methods(["POST"])
def change_address(request: HttpRequest, token: str) -> HttpResponse:
    """Changes or removes the rater's mail address."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    try:
        addresses.change_address(visitor, request.POST.get("address", ""), now)
    except (BadAddress, TooManyAddresses) as error:
        return _show(request, visitor, token, address_error=error)
    return HttpResponseRedirect(f"/w/{token}/me#address", status=303)


@csrf_exempt
@require_http_methods(["POST"])
def delete_data(request: HttpRequest, token: str) -> HttpResponse:
    """Deletes the rater's personal data and their link."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    if request.POST.get("sure") != "yes":
        return HttpResponseRedirect(f"/w/{token}/me#data", status=303)
    delete_own_data(visitor, now)
    speak(study_of(visitor.version).language)
    message = _("Your address, your messages and your link have been deleted. You can close this page.")
    deleted = {"title": _("Your data has been deleted"), "message": message}
    return private(render(request, "web/message.html", deleted | language_frame(study_of(visitor.version))))


def _show(request: HttpRequest, visitor: Visitor, token: str, **given: Any) -> HttpResponse:
    study = study_of(visitor.version)
    speak(study.language)
    for name in ERRORS:
        given[name] = in_words(given[name]) if name in given else ""
    context = pages.own_page(study, get_own_page(visitor), token, **given)
    response = rater_page(request, study, "profiles/own_page.html", context, visitor.pool_name)
    mark_read(visitor.rater, by_rater=True, now=datetime.now(UTC))
    response.status_code = 400 if any(given[name] for name in ERRORS) else 200
    return response
