"""The calendar of batches, and another deadline for one of them."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from turnwise.server.actions.batches import get_calendar, move_deadline
from turnwise.server.web.requester import batch_pages, pages
from turnwise.server.web.requester.sent import id_number, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def batches(request: HttpRequest, public_id: str) -> HttpResponse:
    """The batches of a study on a time axis, with progress and deadlines; a POST moves a deadline."""
    if request.method == "POST":
        return _move_deadline(request, public_id)
    study, lines = get_calendar(user_of(request), public_id)
    context = pages.frame(public_id, study.title, "batches")
    context |= batch_pages.calendar(lines, datetime.now(UTC))
    context["bonus_hours"] = study.batches.bonus_hours if study.batches else None
    return render(request, "requester/batches.html", context)


def _move_deadline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Another deadline; an empty one lets a batch run on."""
    batch, closes = id_number(request.POST.get("batch")), request.POST.get("closes", "")
    try:
        moment = datetime.fromisoformat(closes).replace(tzinfo=UTC) if closes else None
    except ValueError:
        raise BadRequest("closes is a time such as 2026-11-20T09:00.") from None
    move_deadline(user_of(request), public_id, batch, moment, datetime.now(UTC))
    return HttpResponseRedirect(f"/studies/{public_id}/batches", status=303)
