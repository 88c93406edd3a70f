"""The page of themes: what raters wrote, and the themes that people find in it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.reports.actions.themes import (
    assign_theme,
    create_theme,
    get_themes,
    remove_theme,
    unassign_theme,
)
from labelwright.server.reports.pages import themes as pages
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.forms import Verbs, form_page, is_sure, run_form
from labelwright.server.web.requests import id_number, user_of


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The texts of raters; a POST names, assigns or removes a theme."""
    verbs: Verbs = {
        "create": partial(_create, request, public_id),
        "remove": partial(_remove, request, public_id),
        "assign": partial(_assign, request, public_id),
        "unassign": partial(_unassign, request, public_id),
    }
    error, done = run_form(request, verbs)
    if done:
        return done
    found = get_themes(user_of(request), public_id, request.GET)
    context = frame(public_id, found.study.title, "report", "Themes") | pages.themes(found)
    return form_page(request, "reports/themes.html", context, error)


def _create(request: HttpRequest, public_id: str) -> Done:
    made = create_theme(user_of(request), public_id, request.POST.get("name", ""), datetime.now(UTC))
    return Done(f"The theme “{made.name}” is added.")


def _remove(request: HttpRequest, public_id: str) -> Done | None:
    if not is_sure(request):
        return None
    theme = id_number(request.POST.get("theme"))
    removed = remove_theme(user_of(request), public_id, theme, datetime.now(UTC))
    return Done(f"The theme “{removed.name}” is removed.", onward=request.path)


def _assign(request: HttpRequest, public_id: str) -> Done:
    theme, changed = assign_theme(user_of(request), public_id, *_chosen(request), datetime.now(UTC))
    undo = _undo(request, "unassign", theme.pk, changed)
    return Done(f"{_texts(len(changed))} now “{theme.name}”.", undo)


def _unassign(request: HttpRequest, public_id: str) -> Done:
    theme, changed = unassign_theme(user_of(request), public_id, *_chosen(request), datetime.now(UTC))
    undo = _undo(request, "assign", theme.pk, changed)
    return Done(f"{_texts(len(changed))} no longer “{theme.name}”.", undo)


def _undo(request: HttpRequest, do: str, theme: int, changed: list[int]) -> Undo:
    """Takes a change back, and leads to the same texts: with the search and the filters of the page."""
    fields = {"theme": str(theme), "pick": [str(each) for each in changed]}
    return Undo(do, fields, request.get_full_path())


def _chosen(request: HttpRequest) -> tuple[int, list[int]]:
    picked = [number for text in request.POST.getlist("pick") if (number := id_number(text))]
    return id_number(request.POST.get("theme")), picked


def _texts(n: int) -> str:
    return "1 text is" if n == 1 else f"{n:,} texts are"
