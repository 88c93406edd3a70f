"""Review of generated texts: reviewers open a queue by a signed link and decide on each text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.core import signing
from django.db import transaction

from labelwright.context import before_exchange
from labelwright.errors import LabelwrightError
from labelwright.server.contexts import queries
from labelwright.server.contexts.actions.planning import asked_kinds
from labelwright.server.store.models import Context, ContextVerdict, StudyRow
from labelwright.server.store.versions import study_of

SALT = "context-review"
LINK_DAYS = 90


class BadReviewLink(LabelwrightError):
    """A reviewer's link that is not ours, or has expired."""

    code: ClassVar[str] = "bad_review_link"

    def __init__(self) -> None:
        super().__init__("this link does not open a review queue.", do="Ask the study's owner for a new one.")


class BadVerdict(LabelwrightError):
    """A verdict that cannot be accepted."""

    code: ClassVar[str] = "bad_context_verdict"


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person with a link to the queue of one study."""

    study: int
    name: str


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


def make_review_link(study: StudyRow, reviewer: str) -> str:
    """An address at which a reviewer decides on the generated texts of a study, for 90 days."""
    token = signing.dumps({"s": study.public_id, "r": reviewer}, key=settings.LINK_KEY, salt=SALT)
    return f"{settings.BASE_URL}/c/{token}"


def get_reviewer(token: str) -> Reviewer:
    """The reviewer behind a link; raises BadReviewLink, which does not say why."""
    try:
        facts = signing.loads(token, key=settings.LINK_KEY, salt=SALT, max_age=LINK_DAYS * 86_400)
    except signing.BadSignature:
        raise BadReviewLink from None
    # Links of earlier releases hold the internal id.
    named = {"pk": facts["s"]} if isinstance(facts["s"], int) else {"public_id": facts["s"]}
    study = StudyRow.objects.filter(**named, deleted_at=None).values_list("pk", flat=True).first()
    if study is None:
        raise BadReviewLink
    return Reviewer(study, str(facts["r"]))


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
    if row.state == Context.State.MADE:
        queries.open_places(row.version_id, row.item_id, asked_kinds(study_of(row.version_id)))
