"""The calendar of batches, another deadline for one of them, and who did one whole."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.release.formats import Format, write_rows
from labelwright.server.actions.batches import get_calendar, move_deadline
from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.overview import get_owned
from labelwright.server.actions.whole_batches import COLUMNS, get_all_completions, get_completions
from labelwright.server.web.requester import batch_pages, pages
from labelwright.server.web.requester.sent import id_number, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def batches(request: HttpRequest, public_id: str) -> HttpResponse:
    """The batches of a study on a time axis, with progress and deadlines; a POST moves a deadline.

    `?batch=` asks who did one of them whole.
    """
    if request.method == "POST":
        return _move_deadline(request, public_id)
    study, lines = get_calendar(user_of(request), public_id)
    context = pages.frame(public_id, study.title, "batches")
    context |= batch_pages.calendar(lines, datetime.now(UTC))
    context["bonus_hours"] = study.batches.bonus_hours if study.batches else None
    if "batch" in request.GET:
        wanted = id_number(request.GET["batch"])
        line = next((line for line in lines if line.id == wanted), None)
        if line is None:
            raise NotHere
        context |= batch_pages.whole(line, get_completions(line.id))
    return render(request, "requester/batches.html", context)


@require_safe
@login_required
def whole(request: HttpRequest, public_id: str) -> FileResponse:
    """Who did which batch whole and when, over all batches, as a file."""
    study = get_owned(user_of(request), public_id)
    with tempfile.TemporaryDirectory(prefix="labelwright-export-") as folder:
        path = Path(folder) / f"{study.name}-whole-batches.csv"
        write_rows(path, Format.CSV, COLUMNS, get_all_completions(study))
        # The open file outlives its name.
        return FileResponse(path.open("rb"), as_attachment=True, filename=path.name)


def _move_deadline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Another deadline; an empty one lets a batch run on."""
    batch, closes = id_number(request.POST.get("batch")), request.POST.get("closes", "")
    try:
        moment = datetime.fromisoformat(closes).replace(tzinfo=UTC) if closes else None
    except ValueError:
        raise BadRequest("closes is a time such as 2026-11-20T09:00.") from None
    move_deadline(user_of(request), public_id, batch, moment, datetime.now(UTC))
    return HttpResponseRedirect(f"/studies/{public_id}/batches", status=303)
