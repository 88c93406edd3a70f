"""The calendar of batches with its deadlines, completed batches, and the study file."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.release import Format, write_rows
from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.store.versions import study_of
from labelwright.server.studies import pages
from labelwright.server.studies.actions.calendar import get_calendar, move_deadline
from labelwright.server.studies.actions.completions import COLUMNS, get_all_completions, get_completions
from labelwright.server.web.desk import frame
from labelwright.server.web.errors import NotFound
from labelwright.server.web.requests import id_number, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def batches(request: HttpRequest, public_id: str) -> HttpResponse:
    """The batches of a study on a time axis, with progress and deadlines; a POST moves a deadline.

    `?batch=` lists the raters who completed one of them.
    """
    if request.method == "POST":
        return _move_deadline(request, public_id)
    study, lines = get_calendar(user_of(request), public_id)
    context = frame(public_id, study.title, "batches")
    context |= pages.calendar(lines, datetime.now(UTC))
    row = access_study(user_of(request), public_id, Permission.VIEW)
    context["may_edit"] = Permission.EDIT in get_permissions(user_of(request), row)
    context["bonus_hours"] = study.batches.bonus_hours if study.batches else None
    if "batch" in request.GET:
        wanted = id_number(request.GET["batch"])
        line = next((line for line in lines if line.id == wanted), None)
        if line is None:
            raise NotFound
        context |= pages.completed(line, get_completions(row, line.id))
    return render(request, "studies/batches.html", context)


@require_safe
@login_required
def completions(request: HttpRequest, public_id: str) -> FileResponse:
    """Raters who completed a batch, over all batches, as a file."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    with tempfile.TemporaryDirectory(prefix="labelwright-export-") as folder:
        path = Path(folder) / f"{study.name}-completed-batches.csv"
        write_rows(path, Format.CSV, COLUMNS, get_all_completions(study))
        # The open file outlives its name.
        return FileResponse(path.open("rb"), as_attachment=True, filename=path.name)


@require_safe
@login_required
def file(request: HttpRequest, public_id: str) -> HttpResponse:
    """The study file, in every version."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    versions = list(study.versions.order_by("-n"))
    context = frame(public_id, study_of(versions[0].pk).title, "file")
    return render(request, "studies/file.html", context | {"versions": versions})


def _move_deadline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Moves a deadline; an empty one removes it."""
    batch, closes = id_number(request.POST.get("batch")), request.POST.get("closes", "")
    try:
        moment = datetime.fromisoformat(closes).replace(tzinfo=UTC) if closes else None
    except ValueError:
        raise BadRequest("closes must be a time such as 2026-11-20T09:00.") from None
    move_deadline(user_of(request), public_id, batch, moment, datetime.now(UTC))
    return HttpResponseRedirect(f"/studies/{public_id}/batches", status=303)
