"""The reviewers' queue of generated texts: what a reviewer may see, by a signed link, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.core import signing
from django.db import transaction

from labelwright.context import before_exchange
from labelwright.errors import LabelwrightError
from labelwright.server.actions.context_plan import asked_kinds
from labelwright.server.store import contexts
from labelwright.server.store.models import Context, ContextVerdict, Study
from labelwright.server.store.versions import study_of

SALT = "context-review"
LINK_DAYS = 90


class BadReviewLink(LabelwrightError):
    """A reviewer's link that is not ours, or too old."""

    code: ClassVar[str] = "bad_review_link"

    def __init__(self) -> None:
        super().__init__("This link does not open a queue.", do="Ask the requester for a new one.")


class BadVerdict(LabelwrightError):
    """A verdict that cannot be taken."""

    code: ClassVar[str] = "bad_context_verdict"


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person with a link to the queue of one study."""

    study: int
    name: str


@dataclass(frozen=True, slots=True)
class QueuedText:
    """One text with the turns it was made from; nothing that was said later."""

    context: int
    kind: str
    content: str
    turns: list[dict[str, Any]]
    discarded: list[str]
    left: int
    """How many texts are in the queue, this one included."""


def make_review_link(study: Study, reviewer: str) -> str:
    """An address at which a reviewer decides on the generated texts of a study, for 90 days."""
    token = signing.dumps({"s": study.pk, "r": reviewer}, key=settings.LINK_KEY, salt=SALT)
    return f"{settings.BASE_URL}/c/{token}"


def get_reviewer(token: str) -> Reviewer:
    """Who opened a link; raises BadReviewLink, which does not tell why."""
    try:
        told = signing.loads(token, key=settings.LINK_KEY, salt=SALT, max_age=LINK_DAYS * 86_400)
    except signing.BadSignature:
        raise BadReviewLink from None
    return Reviewer(int(told["s"]), str(told["r"]))


def get_next_text(reviewer: Reviewer) -> QueuedText | None:
    """The next text of the queue: those to look at first, then those to write; None where none is left."""
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
    """Raises BadReviewLink where the text is of another study."""
    if not Context.objects.filter(pk=context, study_id=reviewer.study).exists():
        raise BadReviewLink


@transaction.atomic
def decide_context(context: int, verdict: str, text: str, author: str, now: datetime) -> None:
    """What a reviewer says of a text: right, wrong, or repaired with the text as it should be.

    Wrong takes the text out of use, for a person to write. Locks the context. The caller has checked that the
    reviewer may see the study.
    """
    row = Context.objects.select_for_update().get(pk=context)
    if row.state not in (Context.State.MADE, Context.State.PERSON):
        raise BadVerdict("this text is not made yet.", do="Wait until generation has come to it.")
    # PostgreSQL takes no NUL in a text.
    told = text.replace("\x00", "").strip()
    if verdict == Context.Review.REPAIRED and not told:
        raise BadVerdict("a repaired text is not empty.", expected="the text as raters should read it.")
    if verdict == Context.Review.RIGHT and row.state == Context.State.PERSON:
        raise BadVerdict("there is no text yet.", do="Write it and choose Repair.")
    if verdict not in (Context.Review.RIGHT, Context.Review.WRONG, Context.Review.REPAIRED):
        raise BadVerdict(f'"{verdict}" is no verdict.', expected="right, wrong or repaired.")
    before = row.content
    if verdict == Context.Review.REPAIRED:
        row.content, row.state = told, Context.State.MADE
    elif verdict == Context.Review.WRONG:
        row.state, row.content = Context.State.PERSON, ""
    # A text that was called wrong comes back to the queue's end until somebody repairs it.
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
    if row.state == Context.State.MADE:
        contexts.open_places(row.version_id, row.item_id, asked_kinds(study_of(row.version_id)))
