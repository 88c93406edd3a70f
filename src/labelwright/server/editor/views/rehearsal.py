"""The rehearsal of a study: its progress, and what it found."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labelwright.server.access.actions.permission import Permission, access_any_study, get_permissions
from labelwright.server.editor import pages
from labelwright.server.editor.actions.edits import read_file
from labelwright.server.editor.actions.rehearsals import get_rehearsal
from labelwright.server.store.queue import is_worker_away
from labelwright.server.web.requests import user_of


@require_safe
@login_required
def rehearsal(request: HttpRequest, public_id: str) -> HttpResponse:
    """The newest rehearsal; the page refreshes while it runs."""
    user = user_of(request)
    study = access_any_study(user, public_id, Permission.VIEW)
    context = pages.rehearsal(study, get_rehearsal(study), read_file(study).text)
    context["may_edit"] = Permission.EDIT in get_permissions(user, study)
    context["worker_away"] = context["under_way"] and is_worker_away()
    return render(request, "editor/rehearsal.html", context)
