"""The call that answers the questionnaire before tasks."""

from __future__ import annotations

from datetime import UTC, datetime

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.links import get_visitor
from labelwright.server.rating.actions import questionnaire
from labelwright.server.rating.actions.questionnaire import SheetPart
from labelwright.server.rating.pages.questionnaire import outcome
from labelwright.server.web.responses import json_body

LONGEST_KEY = 40


@csrf_exempt
@require_http_methods(["POST"])
def answer(request: HttpRequest) -> HttpResponse:
    """Stores the answers to one part."""
    now = datetime.now(UTC)
    sent = json_body(request)
    link, part, key = sent.get("link"), sent.get("part"), sent.get("key")
    if not isinstance(link, str) or part not in list(SheetPart):
        raise BadRequest("link must be a text, and part one of the parts of a study.")
    if not isinstance(key, str) or len(key) > LONGEST_KEY or "\x00" in key:
        raise BadRequest("key must be a text of at most 40 characters.")
    visitor = get_visitor(link, now)
    found = questionnaire.answer(visitor, SheetPart(part), key, sent.get("answers"), now)
    return JsonResponse(outcome(found))
