"""The pages around tasks: instructions, questions before tasks, withdrawal. Views parse; actions decide."""

from __future__ import annotations

from datetime import UTC, datetime

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.crowd import DataUse
from labelwright.server.actions import before, rater_page, withdrawal
from labelwright.server.actions.ahead import get_working_at
from labelwright.server.actions.links import get_visitor
from labelwright.server.store.versions import study_of
from labelwright.server.web.language import speak
from labelwright.server.web.rater import around
from labelwright.server.web.rater.pages import amounts
from labelwright.server.web.rater.replies import body, page

LONGEST_KEY = 40


@csrf_exempt
@require_http_methods(["GET", "HEAD"])
def instructions(request: HttpRequest, token: str) -> HttpResponse:
    """All that the rater was told, to look up; of the design that they work with."""
    visitor = get_visitor(token, datetime.now(UTC))
    version, condition = get_working_at(visitor)
    study = study_of(version)
    design = study.design(condition)
    speak(study.language)
    context = {"title": design.title} | around.told(study, design)
    return page(request, study, "rater/instructions.html", context, visitor.pool_name)


@csrf_exempt
@require_http_methods(["POST"])
def answer_before(request: HttpRequest) -> HttpResponse:
    """Answers to what is asked before tasks."""
    now = datetime.now(UTC)
    sent = body(request)
    link, part, key = sent.get("link"), sent.get("part"), sent.get("key")
    if not isinstance(link, str) or part not in list(before.Part):
        raise BadRequest("link is a text, and part one of the parts of a study.")
    if not isinstance(key, str) or len(key) > LONGEST_KEY or "\x00" in key:
        raise BadRequest("key is a text of at most 40 characters.")
    visitor = get_visitor(link, now)
    outcome = before.answer(visitor, before.Part(part), key, sent.get("answers"), now)
    return JsonResponse(around.outcome(outcome))


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """The rater takes no further part."""
    now = datetime.now(UTC)
    visitor = get_visitor(token, now)
    study = study_of(visitor.version)
    speak(study.language)
    chosen = request.POST.get("data_use")
    if request.method == "POST" and chosen in (DataUse.USED, DataUse.LEFT_OUT):
        withdrawal.withdraw(visitor, DataUse(chosen), now)
    if request.method == "POST":
        return HttpResponseRedirect(f"/w/{token}", status=303)
    context = {"title": study.title, "token": token, "pay": amounts(rater_page.get_owed(visitor))}
    return page(request, study, "rater/withdraw.html", context, visitor.pool_name)
