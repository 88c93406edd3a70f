"""The roster: raters in their pools, how they work, and notes about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from labelwright.server.access.actions.audit import log_change
from labelwright.server.people import queries
from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER, BadMessage
from labelwright.server.people.queries import RosterLine
from labelwright.server.store.models import Member, Note, Rater, StudyRow
from labelwright.server.store.secrets import seal, unseal
from labelwright.server.web.errors import NotFound

IN_A_PAGE = 200
MemberPlace = tuple[int, int]
"""Where the list of members is read on: the pool and number of the last one that was read."""


@dataclass(frozen=True, slots=True)
class ReadableNote:
    """A note about a rater, decrypted."""

    id: int
    author: str
    text: str
    at: datetime


def get_members_after(study: StudyRow, pool: str | None, last: MemberPlace | None) -> list[RosterLine]:
    """Up to `IN_A_PAGE` members of a study or of a pool, in the order in which they joined, after one of them."""
    return queries.members_after(study.pk, pool, last, IN_A_PAGE)


def get_members(study: StudyRow, pool: str | None) -> Iterator[RosterLine]:
    """All members of a study or of a pool, in the order in which they joined; read in pages."""
    last: MemberPlace | None = None
    while found := get_members_after(study, pool, last):
        yield from found
        last = found[-1].pool_id, found[-1].number


def get_rater(study: StudyRow, pseudonym: str) -> Rater:
    """A rater of a study; raises NotFound."""
    found = (
        Rater.objects.select_related("person")
        .filter(study=study, pseudonym=pseudonym.replace("\x00", ""))
        .first()
    )
    if found is None:
        raise NotFound
    return found


def get_notes(raters: Sequence[int]) -> list[ReadableNote]:
    """The notes about a person's raters, newest first."""
    return [
        ReadableNote(note.pk, note.author, unseal(note.text_sealed), note.at)
        for note in Note.objects.filter(rater__in=raters).order_by("-id")
    ]


def get_memberships(raters: Sequence[int]) -> list[Member]:
    """The pools that a person's raters are in, in the order in which they entered."""
    found = Member.objects.filter(rater__in=raters).select_related("pool", "rater")
    return list(found.order_by("joined_at", "number"))


@transaction.atomic
def add_note(study: StudyRow, rater: Rater, who: str, text: str, now: datetime) -> None:
    """Adds a note about a rater, for requesters only."""
    cleaned = text.replace("\x00", "").strip()
    if not cleaned or len(cleaned) > LONGEST_BY_REQUESTER:
        raise BadMessage(f"a note must have 1 to {LONGEST_BY_REQUESTER:,} characters.")
    Note.objects.create(study=study, rater=rater, author=who, text_sealed=seal(cleaned), at=now)
    log_change(study.pk, who, "note", rater.pseudonym, now)


@transaction.atomic
def delete_note(study: StudyRow, rater: Rater, note: int, who: str, now: datetime) -> None:
    """Deletes a note."""
    if Note.objects.filter(study=study, rater=rater, pk=note).delete()[0]:
        log_change(study.pk, who, "delete_note", rater.pseudonym, now)
