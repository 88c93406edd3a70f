"""The requester's pages: what an action gives, made into a page. Nobody sees another's study."""

from __future__ import annotations

import json
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.context import show
from labelwright.release import Format, write_rows
from labelwright.server.actions import export
from labelwright.server.actions.items import Filter, get_flagged, get_item, get_items
from labelwright.server.actions.overview import get_overview, get_owned, get_studies
from labelwright.server.actions.verdicts import Choice, decide_as_owner
from labelwright.server.store.versions import study_of
from labelwright.server.web.requester import pages
from labelwright.server.web.requester.sent import id_number, page_number, user_of

LONGEST_REASON = 500
CODE = re.compile(r"-?[0-9]{1,9}")


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The way in."""
    return HttpResponseRedirect("/studies")


def closed(request: HttpRequest, page: str) -> HttpResponse:
    """A page of the account library that we do not offer."""
    raise Http404


@require_safe
@login_required
def studies(request: HttpRequest) -> HttpResponse:
    """The studies of this user."""
    return render(
        request, "requester/studies.html", {"title": "Studies", "studies": get_studies(user_of(request))}
    )


@require_safe
@login_required
def overview(request: HttpRequest, public_id: str) -> HttpResponse:
    """One study."""
    figures = get_overview(user_of(request), public_id)
    context = pages.frame(public_id, figures.study.title, "overview") | pages.overview(figures)
    return render(request, "requester/study.html", context)


@require_safe
@login_required
def items(request: HttpRequest, public_id: str) -> HttpResponse:
    """The items behind a number."""
    wanted = _filter(request)
    study, tasks, total = get_items(user_of(request), public_id, wanted)
    loaded = study_of(study.versions.latest("n").pk)
    context = pages.frame(public_id, loaded.title, "items") | pages.items(tasks, total, wanted, loaded)
    return render(request, "requester/items.html", context)


@require_safe
@login_required
def item(request: HttpRequest, public_id: str, item_id: int) -> HttpResponse:
    """One item: its dialogue and every answer to it."""
    study, row, answers = get_item(user_of(request), public_id, item_id)
    loaded = study_of(study.versions.latest("n").pk)
    longest = max((c.context for c in loaded.conditions.values()), key=lambda recipe: recipe.turns_before)
    shown = show(
        row.dialogue.turns, row.target, longest.model_copy(update={"turns_before": 1000, "next_turn": True})
    )
    names = pages.point_names(loaded)
    for answer in answers:
        answer["name"] = pages.name_of(names, answer["question"], answer["code"])
    context = pages.frame(public_id, loaded.title, "items")
    return render(request, "requester/item.html", context | {"item": row, "shown": shown, "answers": answers})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def flagged(request: HttpRequest, public_id: str) -> HttpResponse:
    """Work that a quality rule found something in, and verdicts on it."""
    if request.method == "POST":
        return _decided(request, public_id)
    page = page_number(request)
    study, flags, total = get_flagged(user_of(request), public_id, page)
    title = study_of(study.versions.latest("n").pk).title
    context = pages.frame(public_id, title, "flagged") | pages.flagged(flags, total, page)
    return render(request, "requester/flagged.html", context)


def _decided(request: HttpRequest, public_id: str) -> HttpResponse:
    work, choice = id_number(request.POST.get("work")), request.POST.get("choice", "")
    if choice not in list(Choice):
        raise BadRequest("Choose one of the verdicts.")
    reason = request.POST.get("reason", "")[:LONGEST_REASON]
    decide_as_owner(user_of(request), public_id, work, Choice(choice), reason, datetime.now(UTC))
    return HttpResponseRedirect(request.get_full_path(), status=303)


@require_safe
@login_required
def file(request: HttpRequest, public_id: str) -> HttpResponse:
    """The study file as it is pinned."""
    study = get_owned(user_of(request), public_id)
    versions = list(study.versions.order_by("-n"))
    context = pages.frame(public_id, study_of(versions[0].pk).title, "file")
    return render(request, "requester/file.html", context | {"versions": versions})


@require_safe
@login_required
def download(request: HttpRequest, public_id: str, form: str) -> HttpResponse | FileResponse:
    """Every stored answer as a file; written to disk first, so that memory does not grow with it."""
    study = get_owned(user_of(request), public_id)
    if form == "scales.json":
        text = json.dumps(export.get_scales(study), indent=2, ensure_ascii=False)
        return _attachment(HttpResponse(text, content_type="application/json"), f"{study.name}.scales.json")
    if form not in list(Format):
        raise Http404
    folder = tempfile.TemporaryDirectory(prefix="labelwright-export-")
    path = Path(folder.name) / f"{study.name}.{form}"
    write_rows(path, Format(form), export.COLUMNS, export.get_answers(study))
    response = FileResponse(path.open("rb"), as_attachment=True, filename=path.name)
    # The open file outlives its name; the folder goes as soon as the answer begins.
    folder.cleanup()
    return response


def _attachment(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _filter(request: HttpRequest) -> Filter:
    values = request.GET
    code = values.get("code", "")
    return Filter(
        condition=_text(values.get("condition")),
        question=_text(values.get("question")),
        code=int(code) if CODE.fullmatch(code) else None,
        flagged=values.get("flagged") == "1",
        open=values.get("open") == "1",
        page=page_number(request),
    )


def _text(value: str | None) -> str | None:
    return value if value and "\x00" not in value else None
