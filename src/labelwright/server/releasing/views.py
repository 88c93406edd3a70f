"""The requester's pages of releases: checklist and files, personal data, data sheet."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.release.data_sheet import FIELDS
from labelwright.release.personal_data import HitDecision
from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.releasing import pages
from labelwright.server.releasing.actions import files
from labelwright.server.releasing.actions import personal_data as hits
from labelwright.server.releasing.actions.data_sheet import answer_sheet, get_sheet
from labelwright.server.results.actions.export_files import get_export_path
from labelwright.server.store.models import StudyRow
from labelwright.server.store.queue import is_worker_away
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import Context, frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.forms import form_page, run_form
from labelwright.server.web.requests import id_number, user_of

MOST_SHOWN = 50
"""Hits on a page; the others follow when these are decided."""


def _access(request: HttpRequest, public_id: str) -> StudyRow:
    """The study; forms are for editors."""
    reads = request.method in ("GET", "HEAD")
    return access_study(user_of(request), public_id, Permission.VIEW if reads else Permission.EDIT)


def _frame(request: HttpRequest, study: StudyRow, page: str = "") -> Context:
    title = study_of(study.versions.latest("n").pk).title
    return frame(study.public_id, title, "release", page) | {
        "worker_away": is_worker_away(),
        "may_edit": Permission.EDIT in get_permissions(user_of(request), study),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def release(request: HttpRequest, public_id: str) -> HttpResponse:
    """What to do before a release, and the files; a POST asks for another one."""
    study = _access(request, public_id)
    who, now = user_of(request).get_username(), datetime.now(UTC)

    def prepare() -> Done:
        files.request_release(study, who, now)
        return Done("The release is being prepared. It appears below when it is ready.")

    error, done = run_form(request, {"release": prepare})
    if done:
        return done
    context = _frame(request, study)
    context |= pages.release(files.get_readiness(study), files.get_releases(study), context["root"])
    return form_page(request, "releasing/release.html", context, error)


@require_safe
@login_required
def file(request: HttpRequest, public_id: str, number: int) -> FileResponse:
    """A release that the worker has written."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    path = get_export_path(study, number)
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{study.name}-release{path.suffix}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def personal_data(request: HttpRequest, public_id: str) -> HttpResponse:
    """Texts that may be personal data; a POST decides about one or several, or searches again."""
    study = _access(request, public_id)
    who, now = user_of(request).get_username(), datetime.now(UTC)
    picked = [id_number(text) for text in request.POST.getlist("hit")]

    def search() -> Done:
        hits.request_scan(study, who, now)
        return Done("The texts are being searched.")

    def decide(decision: HitDecision | None) -> Done:
        n = hits.decide_hits(study, picked, decision, who, now)
        texts = f"{n:,} text{'' if n == 1 else 's'}"
        if decision is None:
            return Done(f"Undone: {texts} to decide about again.")
        undo = Undo("reopen", {"hit": [str(each) for each in picked]})
        return Done(f"{pages.DECIDED[decision]}: {texts}.", undo)

    verbs = {str(decision): partial(decide, decision) for decision in HitDecision}
    error, done = run_form(request, {"search": search, "reopen": partial(decide, None), **verbs})
    if done:
        return done
    shown = hits.get_hits(study)[:MOST_SHOWN]
    context = _frame(request, study, "Personal data")
    context |= pages.personal_data(files.get_readiness(study), hits.get_surroundings(shown))
    return form_page(request, "releasing/personal_data.html", context, error)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def data_sheet(request: HttpRequest, public_id: str) -> HttpResponse:
    """The form of the data sheet."""
    study = _access(request, public_id)
    who, now = user_of(request).get_username(), datetime.now(UTC)

    def save() -> Done:
        given = {name: request.POST[name] for name in FIELDS if name in request.POST}
        n = len(answer_sheet(study, given, who, now).open)
        return Done(
            "The data sheet is saved. " + (f"{n} fields are open." if n else "Every field is answered.")
        )

    error, done = run_form(request, {"save": save})
    if done:
        return done
    context = _frame(request, study, "Data sheet") | pages.data_sheet(get_sheet(study))
    return form_page(request, "releasing/data_sheet.html", context, error)
