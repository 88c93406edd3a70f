"""Forms on the requester's pages. A form is sent to its own page, with the action in the field `do`.

If an action fails, the page shows the reason next to the form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from labelwright.errors import LabelwrightError
from labelwright.server.store.models import StudyRow
from labelwright.server.web.desk.status import Done, put_status
from labelwright.wording import as_sentence

# Somebody whose role does not allow the form gets the same answer as on pages that it does not allow; a conflict has a
# page of its own.
ANSWERED_ELSEWHERE = (HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT)
Verbs = Mapping[str, Callable[[], str | Done | None]]
"""The actions of a form; each returns what it did for the status line, the address to redirect to, or None for the same
page."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form of a study's page, with who sent it and when."""

    request: HttpRequest
    study: StudyRow
    who: str
    now: datetime

    def field(self, name: str) -> str:
        """A field of it; empty if it is missing."""
        return str(self.request.POST.get(name, "")).strip()


def run_form(request: HttpRequest, verbs: Verbs) -> tuple[str | None, HttpResponse | None]:
    """The error of a form, or a redirect; neither if no form was sent."""
    if request.method != "POST":
        return None, None
    verb = verbs.get(request.POST.get("do", ""))
    if verb is None:
        return "This page does not know that form. Reload the page.", None
    try:
        onward: str | Done | None = verb()
    except LabelwrightError as error:
        if getattr(error, "status", None) in ANSWERED_ELSEWHERE:
            raise
        return as_sentence(str(error)), None
    if isinstance(onward, Done):
        put_status(request, onward)
        onward = onward.onward
    return None, HttpResponseRedirect(onward or request.get_full_path(), status=303)


def form_page(
    request: HttpRequest, template: str, context: dict[str, Any], error: str | None
) -> HttpResponse:
    """A page with forms; after an error it keeps the user's input."""
    given = {"error": error, "given": request.POST if error else {}}
    return render(request, template, context | given, status=400 if error else 200)


def is_sure(request: HttpRequest) -> bool:
    """Whether the form was sent from a confirmation."""
    return request.POST.get("sure") == "yes"


def confirmation(
    request: HttpRequest, context: dict[str, Any], question: str, verb: str, consequences: Sequence[str]
) -> HttpResponse:
    """A page that spells out what a form would do, and sends the same form again if the user confirms it."""
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in ("csrfmiddlewaretoken", "sure")
    ]
    asked = {
        "question": question,
        "verb": verb,
        "consequences": consequences,
        "fields": fields,
        "back": request.get_full_path(),
    }
    return render(request, "web/desk/confirm_page.html", context | asked)
