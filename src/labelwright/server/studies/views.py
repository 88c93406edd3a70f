"""The state of a study, the calendar of batches with its deadlines, completed batches, and the study file."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.crowd import StudyVerb
from labelwright.errors import LabelwrightError
from labelwright.release import Format, write_rows
from labelwright.server.access.actions.permission import (
    Permission,
    access_any_study,
    access_study,
    get_permissions,
)
from labelwright.server.store.models import User
from labelwright.server.store.versions import study_of
from labelwright.server.studies import pages
from labelwright.server.studies.actions.calendar import get_calendar, move_deadline
from labelwright.server.studies.actions.completions import COLUMNS, get_all_completions, get_completions
from labelwright.server.studies.actions.deletion import withdraw_study
from labelwright.server.studies.actions.life import change_state, get_summary, needed_permission
from labelwright.server.studies.queries.life import shown_state
from labelwright.server.web.desk import frame, times
from labelwright.server.web.desk.status import Done, Undo, put_status
from labelwright.server.web.errors import NotFound
from labelwright.server.web.forms import Verbs, form_page, run_form
from labelwright.server.web.requests import id_number, user_of

STATE_CHANGED = {
    StudyVerb.OPEN: "{title} is open. Raters get tasks from now on.",
    StudyVerb.PAUSE: "{title} is paused. Raters at work can finish and submit.",
    StudyVerb.RESUME: "{title} is collecting again.",
    StudyVerb.CLOSE: "{title} is closed. Raters at work can finish and submit.",
    StudyVerb.ARCHIVE: "{title} is archived. Its pages and its data are kept.",
    StudyVerb.RESTORE: "{title} is in the list of studies again, and stays closed.",
}
UNDONE_BY = {
    StudyVerb.PAUSE: StudyVerb.RESUME,
    StudyVerb.RESUME: StudyVerb.PAUSE,
    StudyVerb.CLOSE: StudyVerb.OPEN,
    StudyVerb.ARCHIVE: StudyVerb.RESTORE,
    StudyVerb.RESTORE: StudyVerb.ARCHIVE,
}
"""The verb that takes another back. Raters may already have got tasks of a study that was opened."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def life(request: HttpRequest, public_id: str) -> HttpResponse:
    """The state of a study; a POST changes it, or deletes the study."""
    user = user_of(request)
    back = request.POST.get("back", "")
    verbs: Verbs = {verb.value: partial(_change_state, user, public_id, back, verb) for verb in StudyVerb}
    verbs = {**verbs, "delete": partial(_delete, user, public_id, request.POST.get("name", ""))}
    error, done = run_form(request, verbs)
    if done:
        return done
    study = access_study(user, public_id, Permission.VIEW)
    context = frame(public_id, study_of(study.versions.latest("n").pk).title, "state")
    context |= pages.life(
        study.name,
        study.state,
        shown_state(study.pk),
        get_permissions(user, study),
        pages.unfinished(get_summary(study)),
    )
    return form_page(request, "studies/state.html", context, error)


def _change_state(user: User, public_id: str, back: str, verb: StudyVerb) -> Done:
    study = access_study(user, public_id, needed_permission(verb))
    change_state(study, verb, user.get_username(), datetime.now(UTC))
    undo = UNDONE_BY.get(verb)
    return Done(
        STATE_CHANGED[verb].format(title=study.title),
        Undo(undo.value, {"back": back}, path=f"/studies/{public_id}/state") if undo else None,
        onward=back if back == "/studies" or back.startswith(f"/studies/{public_id}") else None,
    )


def _delete(user: User, public_id: str, typed: str) -> Done:
    """Deletes a study whose name the user typed; the worker deletes its rows."""
    study = access_any_study(user, public_id, Permission.ADMINISTER)
    if typed.strip() != study.name:
        raise LabelwrightError(
            "the study was not deleted: that is not its name.", expected=f'"{study.name}".'
        )
    withdraw_study(study, user.get_username(), datetime.now(UTC))
    return Done(f"{study.title} is deleted.", onward="/studies")


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
    row = access_study(user_of(request), public_id, Permission.VIEW)
    context |= pages.calendar(lines, row.state, datetime.now(UTC))
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
        given = datetime.fromisoformat(closes) if closes else None
    except ValueError:
        raise BadRequest("closes must be a time such as 2026-11-20T09:00.") from None
    # A person gives the time on their own clock; Undo gives it with its offset.
    moment = timezone.make_aware(given) if given and timezone.is_naive(given) else given
    earlier = move_deadline(user_of(request), public_id, batch, moment, datetime.now(UTC))
    text = (
        f"The deadline is now {times.moment(moment, datetime.now(UTC))}."
        if moment
        else "The deadline is removed."
    )
    undo = Undo("deadline", {"batch": str(batch), "closes": earlier.isoformat() if earlier else ""})
    put_status(request, Done(text, undo))
    return HttpResponseRedirect(f"/studies/{public_id}/batches", status=303)
