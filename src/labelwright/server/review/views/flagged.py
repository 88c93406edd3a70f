"""Flagged work, and verdicts on it."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from labelwright.server.review.actions.flags import get_flagged
from labelwright.server.review.actions.verdicts import decide_as_reviewer
from labelwright.server.review.pages import flagged as pages
from labelwright.server.review.views.verdict_form import DECIDED, read_verdict
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, put_status
from labelwright.server.web.requests import id_number, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def flagged(request: HttpRequest, public_id: str) -> HttpResponse:
    """Work that a quality rule flagged; a POST records a verdict."""
    if request.method == "POST":
        return _decide(request, public_id)
    study, shown = get_flagged(user_of(request), public_id, request.GET)
    context = frame(public_id, study.title, "flagged", "Flagged") | pages.flagged(shown)
    return render(request, "review/flagged.html", context)


def _decide(request: HttpRequest, public_id: str) -> HttpResponse:
    work, (choice, reason) = id_number(request.POST.get("work")), read_verdict(request)
    decide_as_reviewer(user_of(request), public_id, work, choice, reason, datetime.now(UTC))
    put_status(request, Done(DECIDED[choice]))
    return HttpResponseRedirect(request.get_full_path(), status=303)
