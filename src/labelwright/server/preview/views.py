"""The requester's preview: every condition as a rater sees it, side by side. Nothing is stored."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.preview import pages
from labelwright.server.preview.actions import get_task_preview
from labelwright.server.store.versions import study_of
from labelwright.server.web.language import speak
from labelwright.server.web.requests import user_of


@require_safe
@login_required
def index(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every condition side by side."""
    size = request.GET.get("size", "phone")
    number = _wanted(request)
    if size not in pages.SIZES:
        raise Http404
    study, _, tasks = get_task_preview(user_of(request), public_id, number)
    root = f"/studies/{public_id}/preview"
    addresses = {
        "conditions": {name: f"{root}/{place}/{number}" for place, name in enumerate(study.conditions)},
        "others": [
            {"name": title, "href": f"{root}/{name}"} for name, title in pages.views_of(study).items()
        ],
        "sizes": [
            {"name": title, "href": f"{root}?size={name}&task={number}", "current": name == size}
            for name, title in pages.SIZES.items()
        ],
        "step": {
            "number": number + 1,
            "of": tasks,
            "before": f"{root}?size={size}&task={number - 1}" if number else "",
            "after": f"{root}?size={size}&task={number + 1}" if number + 1 < tasks else "",
        },
        "back": f"/studies/{public_id}",
    }
    response = render(request, "preview/preview.html", pages.frame(study, size, addresses))
    response._csp_update = {"frame-src": ["'self'"]}  # type: ignore[attr-defined]
    return response


@require_safe
@login_required
def task(request: HttpRequest, public_id: str, place: int, number: int) -> HttpResponse:
    """A task under one condition."""
    study, items, _ = get_task_preview(user_of(request), public_id, number)
    if place >= len(study.conditions):
        raise Http404
    speak(study.language)
    return framed(request, pages.draw_task(study, list(study.conditions)[place], items, datetime.now(UTC)))


@require_safe
@login_required
def view(request: HttpRequest, public_id: str, name: str) -> HttpResponse:
    """A page besides tasks."""
    row = access_study(user_of(request), public_id, Permission.VIEW)
    study = study_of(row.versions.latest("n").pk)
    if name not in pages.views_of(study):
        raise Http404
    speak(study.language)
    return framed(request, pages.draw_view(study, name))


def framed(request: HttpRequest, drawn: pages.DrawnPage) -> HttpResponse:
    """A page that our own pages may show in a frame."""
    response = render(request, drawn.template, drawn.context)
    response._csp_replace = {"frame-ancestors": ["'self'"]}  # type: ignore[attr-defined]
    return response


def _wanted(request: HttpRequest) -> int:
    """The task to show, from a link or from the field of the page, which counts from 1."""
    typed = request.GET.get("number")
    return _number(request.GET.get("task", "0")) if typed is None else max(_number(typed) - 1, -1)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
