"""The audit log of a study."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labelwright.server.access.actions.audit import get_lines
from labelwright.server.access.actions.permission import Permission, access_any_study
from labelwright.server.team.pages import audit as pages
from labelwright.server.web.desk import frame
from labelwright.server.web.requests import id_number, user_of


@require_safe
@login_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """All lines, the newest first; `?before=` continues after a line."""
    study = access_any_study(user_of(request), public_id, Permission.SEE_RATERS)
    before = id_number(request.GET["before"]) if "before" in request.GET else None
    found = get_lines(study.pk, before, pages.ON_A_PAGE + 1)
    context = frame(public_id, study.title, "settings", "Audit log")
    return render(request, "team/audit.html", context | pages.page(found))
