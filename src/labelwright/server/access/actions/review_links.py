"""Links of reviewers: signed by Django, valid for 90 days, and revoked by a number that they carry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F

from labelwright.errors import LabelwrightError
from labelwright.server.access import queries
from labelwright.server.access.actions.audit import COMMAND_LINE, log_change
from labelwright.server.access.queries import ReviewLinkNumbers
from labelwright.server.store.models import ReviewerLink, StudyRow

SALT = "context-review"
LINK_DAYS = 90


class BadReviewLink(LabelwrightError):
    """A reviewer's link that is not ours, or has expired."""

    code: ClassVar[str] = "bad_review_link"

    def __init__(self, what: str = "this link does not open a review queue.") -> None:
        super().__init__(what, do="Ask the study's owner for a new one.")


class RevokedReviewLink(BadReviewLink):
    """A reviewer's link that has been revoked."""

    code: ClassVar[str] = "revoked_review_link"
    status: ClassVar[HTTPStatus] = HTTPStatus.GONE

    def __init__(self) -> None:
        super().__init__("This link has been revoked, so it no longer works.")


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person with a link to the queue of one study."""

    study: int
    name: str


def make_review_link(study: StudyRow, reviewer: str, now: datetime, who: str = COMMAND_LINE) -> str:
    """An address at which a reviewer decides on the generated texts of a study, for 90 days."""
    row, made = ReviewerLink.objects.get_or_create(study=study, reviewer=reviewer, defaults={"made_at": now})
    if made:
        log_change(study.pk, who, "review_link", reviewer, now)
    facts = {"s": study.public_id, "r": reviewer, "k": study.link_key_number, "n": row.number}
    return f"{settings.BASE_URL}/c/{signing.dumps(facts, key=settings.LINK_KEYS[0], salt=SALT)}"


def get_reviewer(token: str) -> Reviewer:
    """The reviewer behind a link; raises BadReviewLink, which does not say why, or RevokedReviewLink."""
    present, *previous = settings.LINK_KEYS
    try:
        facts = signing.loads(
            token, key=present, salt=SALT, max_age=LINK_DAYS * 86_400, fallback_keys=[*previous]
        )
    except signing.BadSignature:
        raise BadReviewLink from None
    # Links of earlier releases hold the internal id.
    named = {"pk": facts["s"]} if isinstance(facts["s"], int) else {"public_id": facts["s"]}
    study = StudyRow.objects.filter(**named, deleted_at=None).values_list("pk", flat=True).first()
    if study is None:
        raise BadReviewLink
    found = Reviewer(study, str(facts["r"]))
    # Links of earlier releases carry no numbers; until they are revoked, both are 1.
    numbers = ReviewLinkNumbers(study_key=facts.get("k", 1), reviewer=facts.get("n", 1))
    if queries.review_link_numbers(found.study, found.name) != numbers:
        raise RevokedReviewLink
    return found


def get_review_links(study: StudyRow) -> list[ReviewerLink]:
    """The reviewers who got a link, by name."""
    return list(ReviewerLink.objects.filter(study=study).order_by("reviewer"))


@transaction.atomic
def revoke_review_links(study: StudyRow, reviewer: str, who: str, now: datetime) -> None:
    """Ends every link of a reviewer; verdicts stay. The next link that is made for them works."""
    row, _ = ReviewerLink.objects.get_or_create(study=study, reviewer=reviewer, defaults={"made_at": now})
    ReviewerLink.objects.filter(pk=row.pk).update(number=F("number") + 1)
    log_change(study.pk, who, "revoke_review_links", reviewer, now)
