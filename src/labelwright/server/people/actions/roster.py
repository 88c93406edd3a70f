"""The roster: raters in their pools, how they work, and notes about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from labelwright.server.access.actions.audit import log_change
from labelwright.server.people import queries
from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER, BadMessage
from labelwright.server.people.queries import PoolSize, RosterLine
from labelwright.server.store.models import Member, Note, Rater, StudyRow
from labelwright.server.store.secrets import seal, unseal
from labelwright.server.web.errors import NotFound

ON_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Roster:
    """A page of the roster."""

    entries: list[RosterLine]
    total: int
    pools: list[PoolSize]


@dataclass(frozen=True, slots=True)
class ReadableNote:
    """A note about a rater, decrypted."""

    id: int
    author: str
    text: str
    at: datetime


def get_roster(study: StudyRow, pool: str | None, page: int) -> Roster:
    """Members of all pools, or of one, in the order in which they joined."""
    pools = queries.pool_sizes(study.pk)
    entries = queries.roster_page(study.pk, pool, limit=ON_A_PAGE, offset=(page - 1) * ON_A_PAGE)
    return Roster(entries, sum(each.members for each in pools if pool in (None, each.name)), pools)


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


def get_notes(rater: Rater) -> list[ReadableNote]:
    """The notes about a rater, newest first."""
    return [
        ReadableNote(note.pk, note.author, unseal(note.text_sealed), note.at)
        for note in Note.objects.filter(rater=rater).order_by("-id")
    ]


def get_memberships(rater: Rater) -> list[Member]:
    """The pools that a rater is in, in the order in which they entered."""
    return list(Member.objects.filter(rater=rater).select_related("pool").order_by("joined_at", "number"))


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
