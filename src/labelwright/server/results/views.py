"""The requester's pages of results: studies, overview, items and export."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponseRedirect,
)
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.crowd import StudyVerb
from labelwright.release import Format, write_rows
from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.results.actions import export
from labelwright.server.results.actions.export_files import (
    get_export_path,
    get_exports,
    is_downloaded_at_once,
    request_export,
)
from labelwright.server.results.actions.figures import get_page, request_figures
from labelwright.server.results.actions.home import archive_studies, get_home
from labelwright.server.results.actions.home import get_lines as get_study_lines
from labelwright.server.results.actions.items import (
    ItemEvidence,
    count_items,
    find_items,
    get_item,
    get_item_choices,
    get_items,
    get_lines,
)
from labelwright.server.results.pages import exports as export_pages
from labelwright.server.results.pages import home as home_pages
from labelwright.server.results.pages import item as item_page
from labelwright.server.results.pages import items as item_list
from labelwright.server.results.pages.overview import shown_needs
from labelwright.server.results.pages.refresh import refresh_seconds
from labelwright.server.results.queries import StudyLine
from labelwright.server.store.models import StudyRow
from labelwright.server.store.queue import is_worker_away
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.desk.tables import TableQuery
from labelwright.server.web.forms import Verbs, confirmation, form_page, is_sure, run_form
from labelwright.server.web.requests import MOST_PAGES, number, user_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The start page of requesters."""
    return HttpResponseRedirect("/studies")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def studies(request: HttpRequest) -> HttpResponse:
    """What needs attention, and the studies of this user; a POST archives the selected ones, or restores them."""
    user, picked = user_of(request), request.POST.getlist("pick")

    def change(verb: StudyVerb, opposite: StudyVerb, word: str) -> Done:
        result = archive_studies(user, picked, verb, datetime.now(UTC))
        undo = Undo(opposite, {"pick": result.changed, "sure": "yes"}) if result.changed else None
        return Done(home_pages.archived(result, word), undo)

    if request.POST.get("do") == StudyVerb.ARCHIVE and picked and not is_sure(request):
        return _confirm_archive(request, get_study_lines(user, picked))
    error, done = run_form(
        request,
        {
            "archive": partial(change, StudyVerb.ARCHIVE, StudyVerb.RESTORE, "archived"),
            "restore": partial(change, StudyVerb.RESTORE, StudyVerb.ARCHIVE, "restored"),
        },
    )
    if done:
        return done
    context = home_pages.home(get_home(user, request.GET, datetime.now(UTC))) | {
        "worker_away": is_worker_away()
    }
    return form_page(request, "results/studies.html", context, error)


def _confirm_archive(request: HttpRequest, lines: list[StudyLine]) -> HttpResponse:
    n = len(lines)
    return confirmation(
        request,
        {"title": "Archive studies · Labelwright"},
        f"Archive {n} stud{'y' if n == 1 else 'ies'}?",
        "Archive",
        home_pages.archiving(lines),
    )


@require_safe
@login_required
def overview(request: HttpRequest, public_id: str) -> HttpResponse:
    """One study; `?data=all` shows its figures as they would be if nothing had been excluded."""
    return _figures_page(request, public_id, "overview", "before" if request.GET.get("data") == "all" else "")


@require_safe
@login_required
def versions(request: HttpRequest, public_id: str) -> HttpResponse:
    """The versions of a study, and whether labels moved between them."""
    return _figures_page(request, public_id, "versions")


def _figures_page(request: HttpRequest, public_id: str, name: str, stored: str = "") -> HttpResponse:
    """A page of stored figures; says "not modified" to an open page that already shows them.

    `stored` is the name of other contents for the page, which are shown if there are any.
    """
    study = access_study(user_of(request), public_id, Permission.VIEW)
    figures = request_figures(study.pk, datetime.now(UTC))
    if request.headers.get("If-None-Match") == figures.stamp:
        return HttpResponseNotModified()
    contents = get_page(study.pk, stored) if figures.computed_at and stored else None
    contents = contents or (get_page(study.pk, name) if figures.computed_at else None)
    context = contents or {"name": study_of(study.versions.latest("n").pk).title}
    context |= frame(public_id, context["name"], name)
    if "needs" in context:
        permitted = get_permissions(user_of(request), study)
        context["needs"] = shown_needs(context["needs"], permitted, study.state)
    context |= {
        "figures": figures,
        "computed": contents is not None,
        "refresh_seconds": refresh_seconds(figures, datetime.now(UTC)),
    }
    return render(request, f"results/{name}.html", context)


@require_safe
@login_required
def items(request: HttpRequest, public_id: str) -> HttpResponse:
    """The items behind a number."""
    row = access_study(user_of(request), public_id, Permission.VIEW)
    study = study_of(row.versions.latest("n").pk)
    query = item_list.read_list(study, get_item_choices(row), request.GET)
    found = get_items(row, find_items(row, item_list.wanted_items(query)), query.order_by)
    context = frame(public_id, study.title, "items") | item_list.items(found, query, study)
    return render(request, "results/items.html", context)


@require_safe
@login_required
def item(request: HttpRequest, public_id: str, item_id: int) -> HttpResponse:
    """One item in a condition: what raters saw, what they answered, and the label."""
    evidence = get_item(user_of(request), public_id, item_id, _text(request.GET.get("in")))
    query = item_list.read_list(evidence.newest, get_item_choices(evidence.row), request.GET)
    context = frame(public_id, evidence.newest.title, "items", evidence.facts.key)
    context |= item_page.item(evidence, query, _text(request.GET.get("spans")))
    context |= _neighbours(evidence, query, number(request.GET.get("at"), MOST_PAGES, otherwise=0))
    return render(request, "results/item.html", context)


def _neighbours(evidence: ItemEvidence, query: TableQuery, at: int) -> dict[str, Any]:
    """The items before and after this one in the list that it was opened from."""
    if not at:
        return {}
    wanted = find_items(evidence.row, item_list.wanted_items(query))
    around = get_lines(evidence.row, wanted, item_list.single_row(query, at).order_by)
    before = (
        get_lines(evidence.row, wanted, item_list.single_row(query, at - 1).order_by)[:1] if at > 1 else []
    )
    total = count_items(evidence.row, wanted)
    return item_page.neighbours(evidence, query, at, before, around, total)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: HttpRequest, public_id: str) -> HttpResponse:
    """The files of a study: those that are prepared, and forms to prepare another."""
    user, now = user_of(request), datetime.now(UTC)
    study = access_study(user, public_id, Permission.VIEW)
    verbs: Verbs = {
        form.value: partial(_request_export, study, form, user.get_username(), now) for form in Format
    }
    error, done = run_form(request, verbs)
    if done:
        return done
    title = study_of(study.versions.latest("n").pk).title
    context = frame(public_id, title, "exports", "Export") | export_pages.exports(get_exports(study))
    context["worker_away"] = is_worker_away()
    return form_page(request, "results/exports.html", context, error)


def _request_export(study: StudyRow, form: Format, who: str, now: datetime) -> Done:
    request_export(study, form, who, now)
    return Done("The file is being prepared. It appears below when it is ready.")


@require_safe
@login_required
def export_file(request: HttpRequest, public_id: str, number: int) -> FileResponse:
    """A file that the worker has written."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    path = get_export_path(study, number)
    return FileResponse(path.open("rb"), as_attachment=True, filename=study.name + path.suffix)


@require_safe
@login_required
def download(request: HttpRequest, public_id: str, form: str) -> HttpResponse | FileResponse:
    """The stored answers of a small study as a file; a large one is prepared by the worker."""
    study = access_study(user_of(request), public_id, Permission.VIEW)
    if form == "scales.json":
        text = json.dumps(export.get_scales(study), indent=2, ensure_ascii=False)
        return _attachment(HttpResponse(text, content_type="application/json"), f"{study.name}.scales.json")
    if form not in list(Format):
        raise Http404
    if not is_downloaded_at_once(study):
        return HttpResponseRedirect(f"/studies/{public_id}/export")
    folder = tempfile.TemporaryDirectory(prefix="labelwright-export-")
    path = Path(folder.name) / f"{study.name}.{form}"
    # Written before it is sent, so that a slow browser does not keep a database connection.
    write_rows(path, Format(form), export.COLUMNS, export.get_answers(study))
    response = FileResponse(path.open("rb"), as_attachment=True, filename=path.name)
    # The open file outlives its name, so the folder can be deleted before the response is sent.
    folder.cleanup()
    return response


def _attachment(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _text(value: str | None) -> str | None:
    return value if value and "\x00" not in value else None
