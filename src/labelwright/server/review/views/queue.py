"""The review queue, one case after the other. Views parse; actions decide.

The script of the page sends verdicts in the background and loads the next case beforehand; the same forms work without it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.review.actions.cases import get_case
from labelwright.server.review.actions.queue import claim_case, claim_next, get_queue, release_case
from labelwright.server.review.actions.verdicts import (
    CaseTaken,
    ask_another_reviewer,
    decide_case,
    take_back,
)
from labelwright.server.review.pages import case as case_pages
from labelwright.server.review.pages import queue as pages
from labelwright.server.review.pages.words import SHORT
from labelwright.server.review.queries.queue import QueueFilter
from labelwright.server.review.views.verdict_form import DECIDED, LONGEST_REASON, read_verdict
from labelwright.server.store.models import StudyRow
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.forms import Verbs, form_page, run_form
from labelwright.server.web.requests import id_number, user_of

MOST_SKIPPED = 200


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The queue and the case that this reviewer holds; a POST decides, takes back, or leaves a case to others."""
    user, now = user_of(request), datetime.now(UTC)
    verbs: Verbs = {
        "decide": partial(_decide, request, public_id, now),
        "undo": partial(_undo, request, public_id, now),
        "pass": partial(_pass, request, public_id, now),
    }
    if request.headers.get("X-Requested-With") == "fetch":
        return _answer_script(request, verbs)
    error, done = run_form(request, verbs)
    if done:
        return done
    wanted = pages.read_filter(request.GET)
    study = access_study(user, public_id, Permission.REVIEW)
    chosen = id_number(request.GET.get("case"))
    case = chosen if chosen and claim_case(user, study, chosen, now) else None
    case = case or claim_next(user, study, wanted, _skipped(request), now)
    context = frame(public_id, study.title, "review") | _shown(request, study, wanted, case, now)
    context["taken"] = bool(chosen) and chosen != case
    return form_page(request, "review/queue.html", context, error)


@require_safe
@login_required
def following(request: HttpRequest, public_id: str) -> HttpResponse:
    """The queue and the next case, claimed, as parts of a page that the script keeps ready.

    A case that the reviewer has left without a decision goes back to the queue.
    """
    user, now = user_of(request), datetime.now(UTC)
    wanted = pages.read_filter(request.GET)
    study = access_study(user, public_id, Permission.REVIEW)
    release_case(user, study, id_number(request.GET.get("left")))
    case = claim_next(user, study, wanted, _skipped(request), now)
    return render(request, "review/parts.html", _shown(request, study, wanted, case, now))


def _shown(
    request: HttpRequest, study: StudyRow, wanted: QueueFilter, case: int | None, now: datetime
) -> dict[str, Any]:
    user = user_of(request)
    found = get_queue(user, study.public_id, wanted, now)
    context = pages.queue(found, wanted, now, user.get_username())
    context |= {"root": f"/studies/{study.public_id}", "current": case, "longest": LONGEST_REASON}
    if case is None:
        return context
    at = request.GET.get("item", "")
    position = int(at) if at.isdecimal() and len(at) < 5 else None
    return context | case_pages.case(get_case(study, case, position), now)


def _skipped(request: HttpRequest) -> list[int]:
    given = request.GET.get("skip", "").split(",")[:MOST_SKIPPED]
    return [number for text in given if (number := id_number(text))]


def _decide(request: HttpRequest, public_id: str, now: datetime) -> Done:
    case, (choice, reason) = id_number(request.POST.get("case")), read_verdict(request)
    done = decide_case(user_of(request), public_id, case, choice, reason, now)
    return Done(DECIDED[choice], Undo("undo", {"decision": str(done.decision)}))


def _undo(request: HttpRequest, public_id: str, now: datetime) -> Done:
    try:
        decision = UUID(request.POST.get("decision", ""))
    except ValueError as error:
        raise BadRequest("There is nothing to take back.") from error
    cases = take_back(user_of(request), public_id, decision, now)
    text = "The verdict is taken back." if len(cases) == 1 else f"{len(cases)} verdicts are taken back."
    return Done(text, onward=f"/studies/{public_id}/review?case={cases[0]}")


def _pass(request: HttpRequest, public_id: str, now: datetime) -> Done:
    ask_another_reviewer(user_of(request), public_id, id_number(request.POST.get("case")), now)
    return Done("Another reviewer will decide this case.")


def _answer_script(request: HttpRequest, verbs: Verbs) -> JsonResponse:
    """The result of a form as the script reads it: what was done and how to take it back, or why it was not done."""
    verb = verbs.get(request.POST.get("do", ""))
    if request.method != "POST" or verb is None:
        return JsonResponse({"error": "This page does not know that form. Reload the page."}, status=400)
    try:
        done = verb()
    except LabelwrightError as error:
        taken = isinstance(error, CaseTaken)
        status = HTTPStatus.CONFLICT if taken else getattr(error, "status", HTTPStatus.BAD_REQUEST)
        return JsonResponse({"error": str(error)}, status=status)
    undo = done.undo.fields if isinstance(done, Done) and done.undo else {}
    text = done.text if isinstance(done, Done) else ""
    verdict = SHORT.get(request.POST.get("choice", ""), "")
    return JsonResponse({"text": text, "verdict": verdict, **undo})
