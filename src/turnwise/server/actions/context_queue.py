"""The reviewers' queue of generated texts: what a reviewer may see, by a signed link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from django.conf import settings
from django.core import signing

from turnwise.context import before_exchange
from turnwise.errors import TurnwiseError
from turnwise.server.store.models import Context, Study

SALT = "context-review"
LINK_DAYS = 90


class BadReviewLink(TurnwiseError):
    """A reviewer's link that is not ours, or too old."""

    code: ClassVar[str] = "bad_review_link"

    def __init__(self) -> None:
        super().__init__("This link does not open a queue.", do="Ask the requester for a new one.")


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
