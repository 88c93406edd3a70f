"""Review of generated texts: reviewers open a queue by a signed link and decide on each text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction

from labelwright.context import before_exchange
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.review_links import BadReviewLink, Reviewer
from labelwright.server.contexts import queries
from labelwright.server.contexts.actions.planning import asked_kinds
from labelwright.server.store.models import Context, ContextVerdict
from labelwright.server.store.versions import study_of


class BadVerdict(LabelwrightError):
    """A verdict that cannot be accepted."""

    code: ClassVar[str] = "bad_context_verdict"


@dataclass(frozen=True, slots=True)
class QueuedText:
    """One text with the turns it was made from, and no later ones."""

    context: int
    kind: str
    content: str
    turns: list[dict[str, Any]]
    discarded: list[str]
    left: int
    """Texts in the queue, including this one."""


def get_next_text(reviewer: Reviewer) -> QueuedText | None:
    """The next text of the queue: texts to check first, then texts to write; None if the queue is empty."""
    queued = Context.objects.filter(study_id=reviewer.study, review=Context.Review.QUEUED)
    left = queued.count()
    made = queued.filter(state=Context.State.MADE).order_by("id")
    row = (made.first() or queued.order_by("id").first()) if left else None
    if row is None:
        return None
    item = row.item
    discarded = row.discard_set.order_by("id").values_list("reason", flat=True)
    return QueuedText(
        context=row.pk,
        kind=row.kind.split(":")[0],
        content=row.content,
        turns=list(before_exchange(item.dialogue.turns, item.target)),
        discarded=list(discarded),
        left=left,
    )


def check_reviewer_may(reviewer: Reviewer, context: int) -> None:
    """Raises BadReviewLink if the text belongs to another study."""
    if not Context.objects.filter(pk=context, study_id=reviewer.study).exists():
        raise BadReviewLink


@transaction.atomic
def decide_context(context: int, verdict: str, text: str, author: str, now: datetime) -> None:
    """Records a reviewer's verdict on a text: right, wrong, or repaired with the corrected text.

    A wrong text is no longer used until a person writes a new one. Locks the context. The caller has checked
    that the reviewer may see the study.
    """
    row = Context.objects.select_for_update().get(pk=context)
    if row.state not in (Context.State.MADE, Context.State.PERSON):
        raise BadVerdict("this text has not been generated yet.", do="Wait until it has.")
    # PostgreSQL stores no NUL.
    repaired = text.replace("\x00", "").strip()
    if verdict == Context.Review.REPAIRED and not repaired:
        raise BadVerdict("the repaired text is empty.", expected="the text as raters should read it.")
    if verdict == Context.Review.RIGHT and row.state == Context.State.PERSON:
        raise BadVerdict("there is no text yet.", do="Write one and choose Repair.")
    if verdict not in (Context.Review.RIGHT, Context.Review.WRONG, Context.Review.REPAIRED):
        raise BadVerdict(f'"{verdict}" is not a verdict.', expected="right, wrong or repaired.")
    before = row.content
    if verdict == Context.Review.REPAIRED:
        row.content, row.state = repaired, Context.State.MADE
    elif verdict == Context.Review.WRONG:
        row.state, row.content = Context.State.PERSON, ""
    # A wrong text goes to the end of the queue until somebody repairs it.
    row.review = Context.Review.QUEUED if row.state == Context.State.PERSON else verdict
    row.save()
    ContextVerdict.objects.create(
        study_id=row.study_id,
        context=row,
        author=author,
        verdict=verdict,
        before=before,
        after=row.content,
        at=now,
    )
    log_change(row.study_id, author, "review_context", row.item.key, now, after={"verdict": verdict})
    if row.state == Context.State.MADE:
        queries.open_places(row.version_id, row.item_id, asked_kinds(study_of(row.version_id)))
