"""The editor of a study file: saves, checks as one types, plans, previews, and publishes after showing the effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.permission import Permission, access_any_study
from labelwright.server.editor import pages
from labelwright.server.editor.actions import checks, edits, publication
from labelwright.server.editor.actions import corpus as corpora
from labelwright.server.editor.actions.edits import ChangedMeanwhile, StudyFileState
from labelwright.server.editor.actions.rehearsals import get_rehearsal, request_rehearsal
from labelwright.server.preview.actions import preview_tasks
from labelwright.server.preview.pages import DrawnPage, draw_task, draw_view, views_of
from labelwright.server.preview.views import framed
from labelwright.server.store.models import StudyRow
from labelwright.server.studies.actions.contents import Declared
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import is_sure, run_form
from labelwright.server.web.language import speak
from labelwright.server.web.requests import MOST_PAGES, number, user_of
from labelwright.study import Study
from labelwright.study.templates import template as get_template
from labelwright.wording import as_sentence

RAW = "application/octet-stream"
LONGEST_REASON = 2000
View = Callable[[HttpRequest, StudyRow], HttpResponse]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: HttpRequest, public_id: str) -> HttpResponse:
    """The editor; a POST saves the file, or asks about a text without storing it."""
    study = access_any_study(user_of(request), public_id, Permission.EDIT)
    asked = ASKED.get(request.POST.get("do", ""))
    if asked:
        return asked(request, study)
    if request.GET.get("compare") == "template":
        return _compared(request, study)
    try:
        if request.POST.get("do") == "publish" and not is_sure(request):
            return _effect(request, public_id)
        error, done = run_form(request, _verbs(request, public_id))
    except ChangedMeanwhile as changed:
        return _conflict(request, changed)
    except publication.EffectOutdated as outdated:
        return _effect(request, public_id, str(outdated))
    except LabelwrightError as found:
        error, done = str(found), None
    return done or _page(request, edits.get_file(user_of(request), public_id), error)


def _verbs(request: HttpRequest, public_id: str) -> dict[str, Callable[[], Done | None]]:
    user, form, now = user_of(request), request.POST, datetime.now(UTC)
    root = f"/studies/{public_id}"

    def do_save() -> Done:
        _save(request, public_id)
        return Done("The draft is saved.")

    def do_rehearse() -> Done:
        _save(request, public_id)
        request_rehearsal(user, public_id, now)
        return Done("The rehearsal was requested.", onward=f"{root}/rehearsal")

    def do_publish() -> Done:
        number = publication.publish(
            user, public_id, form.get("read", ""), _declared(request), now, opens=form.get("opens") == "yes"
        )
        opened = form.get("opens") == "yes"
        text = (
            "The study is open. Raters get tasks from now on." if opened else f"Version {number} is loaded."
        )
        return Done(text, onward=root)

    def do_remove() -> Done:
        study = access_any_study(user, public_id, Permission.EDIT)
        corpora.remove_file(study, form.get("file", ""), user.get_username(), now)
        return Done(f"{form.get('file', '')} is removed from the corpus.")

    def do_discard() -> Done:
        edits.discard_edits(user, public_id, now)
        return Done("The file is that of the newest version again.")

    return {
        "save": do_save,
        "rehearse": do_rehearse,
        "publish": do_publish,
        "remove-file": do_remove,
        "discard": do_discard,
    }


def _save(request: HttpRequest, public_id: str) -> None:
    """Saves the text that a form sends along, if it does."""
    if "text" in request.POST:
        read = request.POST.get("read", "")
        edits.save_file(user_of(request), public_id, request.POST["text"], read, datetime.now(UTC))


def _page(request: HttpRequest, state: StudyFileState, error: str | None) -> HttpResponse:
    # After an error, nobody has to type anything again.
    if error and "text" in request.POST:
        state = replace(state, text=request.POST["text"])
    checked = checks.check_text(state.study, state.text)
    context = pages.editor(state, checked, corpora.get_files(state.study), get_rehearsal(state.study))
    status = HTTPStatus.BAD_REQUEST if error else HTTPStatus.OK
    response = render(request, "editor/editor.html", context | {"error": error}, status=status)
    response._csp_update = {"frame-src": ["'self'"]}  # type: ignore[attr-defined]
    return response


def _effect(request: HttpRequest, public_id: str, error: str = "") -> HttpResponse:
    """Saves the file and shows what publishing it would do; raises NotReady."""
    _save(request, public_id)
    effect = publication.get_effect(user_of(request), public_id, _declared(request))
    context = pages.effect(effect, request.POST.get("same_meaning", ""), fresh="fresh" in request.POST)
    status = HTTPStatus.CONFLICT if error else HTTPStatus.OK
    return render(request, "editor/effect.html", context | {"error": error}, status=status)


def _conflict(request: HttpRequest, changed: ChangedMeanwhile) -> HttpResponse:
    difference = publication.get_difference(changed.theirs.text, changed.ours)
    context = pages.conflict(changed, difference)
    context["own_change"] = changed.theirs.changed_by == user_of(request).get_username()
    return render(request, "editor/conflict.html", context, status=HTTPStatus.CONFLICT)


def _compared(request: HttpRequest, study: StudyRow) -> HttpResponse:
    state = edits.read_file(study)
    template = get_template(state.template)
    difference = publication.get_difference(template.study_file, state.text)
    return render(request, "editor/comparison.html", pages.comparison(state, template, difference))


def _declared(request: HttpRequest) -> Declared:
    reason = request.POST.get("same_meaning", "").strip()[:LONGEST_REASON]
    return Declared(fresh="fresh" in request.POST, same_meaning=reason)


# -- questions about a text that is not stored ------------------------------------------------------


def _check(request: HttpRequest, study: StudyRow) -> HttpResponse:
    text = request.POST.get("text", "")
    checked = checks.check_text(study, text)
    return JsonResponse(pages.checked(checked) | {"fields": checks.describe_fields(text)})


def _plan(request: HttpRequest, study: StudyRow) -> HttpResponse:
    text = request.POST.get("text", "")
    checked = checks.check_text(study, text)
    if checked.study is None:
        return JsonResponse({"figures": [], "problems": []})
    if corpora.is_large(study) and "anyway" not in request.POST:
        return JsonResponse({"figures": [], "problems": [], "large": True})
    planned, problems = checks.plan_text(study, text, checked.study)
    return JsonResponse(pages.planned(planned, problems, get_rehearsal(study)))


def _preview(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """The rater's own page for a text, in one condition; or the start page."""
    checked = checks.check_text(study, request.POST.get("text", ""))
    try:
        return framed(request, _drawn(request, study, checked.study))
    except LabelwrightError as error:
        message = {"title": "No preview yet", "message": as_sentence(checks.in_browser(error))}
        response = framed(request, DrawnPage("web/message.html", message))
        response.status_code = HTTPStatus.BAD_REQUEST
        return response


def _drawn(request: HttpRequest, row: StudyRow, study: Study | None) -> DrawnPage:
    if study is None:
        raise LabelwrightError("The preview is shown once the study file has no mistakes.")
    speak(study.language)
    view = request.POST.get("view", "")
    if view in views_of(study):
        return draw_view(study, view)
    wanted = number(request.POST.get("task"), MOST_PAGES)
    tasks = preview_tasks(study, corpora.get_dialogues(row, study), 1, first=wanted - 1)
    if not tasks:
        raise LabelwrightError(
            f"The study has fewer than {wanted:,} tasks."
            if wanted > 1
            else "The corpus has no items to show."
        )
    conditions = list(study.conditions)
    place = number(request.POST.get("condition"), len(conditions)) - 1
    return draw_task(study, conditions[place], tasks[0], datetime.now(UTC))


ASKED: dict[str, View] = {"check": _check, "plan": _plan, "preview": _preview}
"""Answers about a text, for the script of the page; they store nothing."""


# -- files ------------------------------------------------------------------------------------------


@require_safe
@login_required
def download(request: HttpRequest, public_id: str) -> HttpResponse:
    """The study file as it is saved."""
    state = edits.get_file(user_of(request), public_id)
    return _attachment(state.text.encode(), f"{state.study.name}.yaml")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def corpus(request: HttpRequest, public_id: str, file_name: str) -> HttpResponse:
    """A file of the corpus; a POST with its bytes as the body keeps it."""
    user = user_of(request)
    study = access_any_study(user, public_id, Permission.EDIT)
    if request.method != "POST":
        return _attachment(corpora.get_content(study, file_name), file_name.rpartition("/")[2])
    if request.content_type != RAW:
        raise BadRequest(f"Send the bytes of the file as {RAW}.")
    if int(request.META.get("CONTENT_LENGTH") or 0) > corpora.LARGEST_BYTES:
        raise corpora.too_large(file_name)
    content = request.read(corpora.LARGEST_BYTES + 1)
    replaced = corpora.keep_file(study, file_name, content, user.get_username(), datetime.now(UTC))
    return JsonResponse({"files": pages.files(corpora.get_files(study)), "replaced": replaced})


def _attachment(content: bytes, name: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=RAW,
        headers={"Content-Disposition": f'attachment; filename="{_plain(name)}"'},
    )


def _plain(name: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in " ._-+()") else "_" for c in name)
