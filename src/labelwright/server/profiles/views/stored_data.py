"""The page for ethics boards: what a study stores, where and for how long."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.profiles.pages.stored_data import stored_data
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import frame
from labelwright.server.web.requests import user_of


@require_safe
@login_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """What is stored under the policy of the newest version."""
    row = access_study(user_of(request), public_id, Permission.VIEW)
    version = row.versions.latest("n")
    study = study_of(version.pk)
    context = frame(public_id, study.title, "raters", "Stored data") | {
        "version": version,
        "sections": stored_data(study.retention, study.consent),
        "asks_model": any(condition.context.asked_kinds for condition in study.conditions.values()),
    }
    return render(request, "profiles/stored_data.html", context)
