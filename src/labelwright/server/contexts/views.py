"""The review queue of generated texts: dialogue and text side by side, one key for each verdict."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from labelwright.server.access.actions.review_links import get_reviewer
from labelwright.server.contexts.actions.review import (
    QueuedText,
    check_reviewer_may,
    decide_context,
    get_next_text,
)
from labelwright.server.web.responses import private

TITLES = {"need": "Information need", "summary": "Summary"}
QUESTIONS = {
    "need": "Does this text say what the user is looking for, and nothing else?",
    "summary": "Does this text summarise the conversation, and add nothing?",
}
REASONS = {
    "empty": "was empty",
    "too_long": "was too long",
    "several_sentences": "had several sentences",
    "opening": "did not begin as required",
    "entities": "left out too many names",
    "language": "was in another language",
    "broken": "was not a usable answer",
}
SPEAKERS = {"user": "User", "system": "System"}


@require_GET
def queue(request: HttpRequest, token: str) -> HttpResponse:
    """The next text of the queue, or a note that it is empty."""
    found = get_next_text(get_reviewer(token))
    if found is None:
        empty = {"title": "Nothing to review", "message": "Every text in this queue has been reviewed."}
        return private(render(request, "web/message.html", empty))
    return private(render(request, "contexts/review.html", _page(found, token)))


# The link in the address is the only credential: no cookie is read that another site could use.
@csrf_exempt
@require_POST
def decide(request: HttpRequest, token: str, context: int) -> HttpResponse:
    """Records a verdict and goes on to the next text."""
    reviewer = get_reviewer(token)
    check_reviewer_may(reviewer, context)
    verdict, text = request.POST.get("verdict", ""), request.POST.get("text", "")
    decide_context(context, verdict, text, reviewer.name, datetime.now(UTC))
    return redirect("context-queue", token=token)


def _page(found: QueuedText, token: str) -> dict[str, object]:
    return {
        "title": TITLES.get(found.kind, "Text"),
        "question": QUESTIONS.get(found.kind, QUESTIONS["summary"]),
        "action": f"/c/{token}/{found.context}",
        "content": found.content,
        "turns": [
            {"who": SPEAKERS.get(turn["speaker"], turn["speaker"]), "text": turn["text"]}
            for turn in found.turns
        ],
        "discarded": [REASONS.get(reason, reason) for reason in found.discarded],
        "left": found.left,
    }
