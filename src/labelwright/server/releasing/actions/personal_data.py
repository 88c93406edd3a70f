"""The search for personal data in the texts of a study, and a person's decision about each text that is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import psycopg
from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.release.personal_data import (
    Cleaner,
    HitDecision,
    PersonalMatch,
    find_personal_data,
    texts_of,
)
from labelwright.server.access.actions.audit import log_change
from labelwright.server.releasing.queries.publication import TEXTS
from labelwright.server.releasing.queries.record import searched_texts, snapshot
from labelwright.server.store.models import Person, PersonalHit, StudyRow, TextScan
from labelwright.server.store.queue import app
from labelwright.server.store.secrets import UNREADABLE, unseal

MOST_HITS = 10_000
"""Nobody decides about more; such a corpus has to be cleaned before it is imported."""
AROUND = 60
"""Characters on each side of a hit that its page shows."""


class TooManyHits(LabelwrightError):
    """A study with more texts that may be personal data than people can decide about."""

    code: ClassVar[str] = "too_many_hits"


class OpenHits(LabelwrightError):
    """A study that cannot be released, because texts that may be personal data are undecided."""

    code: ClassVar[str] = "open_hits"


@dataclass(slots=True)
class _FoundHit:
    """A hit, and where it was found first."""

    hit: PersonalMatch
    source: str
    row: int
    assignment: int | None
    places: int = 0


@dataclass(frozen=True, slots=True)
class HitCounts:
    """How many texts were found, and how many of them are undecided."""

    found: int
    open: int


@transaction.atomic
def request_scan(study: StudyRow, who: str, now: datetime) -> None:
    """Has the worker search the texts of a study; for editors."""
    log_change(study.pk, who, "search_personal_data", study.name, now)
    TextScan.objects.update_or_create(study=study, defaults={"asked_at": now})
    app.configure_task("scan_texts", queue="exports", lock=f"scan/{study.pk}").defer(study=study.pk)


def scan_texts(study: StudyRow, now: datetime) -> HitCounts:
    """Searches all texts of a study and stores what is found; earlier decisions stay. Raises TooManyHits.

    Hits that are no longer in any text are forgotten.
    """
    with snapshot() as source:
        found, texts = _find(source, study.pk, get_known_ids(study))
    _store(study, found)
    TextScan.objects.update_or_create(
        study=study, defaults={"scanned_at": now, "texts": texts}, create_defaults=_first(now, texts)
    )
    return count_hits(study)


def _first(now: datetime, texts: int) -> dict[str, Any]:
    return {"asked_at": now, "scanned_at": now, "texts": texts}


def _find(
    source: psycopg.Connection[Any], study: int, known: frozenset[str]
) -> tuple[dict[str, _FoundHit], int]:
    found: dict[str, _FoundHit] = {}
    texts = 0
    for table in TEXTS:
        for row, assignment, values in searched_texts(source, table, study):
            for text in texts_of(values):
                texts += 1
                for hit in find_personal_data(text, known):
                    found.setdefault(hit.key, _FoundHit(hit, table, row, assignment)).places += 1
            if len(found) > MOST_HITS:
                raise TooManyHits(
                    f"more than {MOST_HITS:,} different texts look like personal data.",
                    do="Remove personal data from the corpus, and load the study again.",
                )
    return found, texts


@transaction.atomic
def _store(study: StudyRow, found: dict[str, _FoundHit]) -> None:
    PersonalHit.objects.filter(study=study).exclude(key__in=list(found)).delete()
    longest = PersonalHit._meta.get_field("text").max_length
    PersonalHit.objects.bulk_create(
        [
            PersonalHit(
                study=study,
                kind=each.hit.kind,
                key=key,
                text=each.hit.text[:longest],
                places=each.places,
                source=each.source,
                row=each.row,
                assignment_id=each.assignment,
            )
            for key, each in found.items()
        ],
        update_conflicts=True,
        unique_fields=["study", "key"],
        update_fields=["text", "places", "source", "row", "assignment"],
    )


def get_known_ids(study: StudyRow) -> frozenset[str]:
    """The platform IDs and mail addresses of the raters of a study, in lower case."""
    people = Person.objects.filter(rater__study=study).distinct()
    ids = {unseal(person.id_sealed).lower() for person in people.iterator()}
    return frozenset(ids - {UNREADABLE.lower()})


def get_hits(study: StudyRow, *, undecided: bool = False) -> list[PersonalHit]:
    """What was found; undecided texts first, then in the order of the search."""
    hits = PersonalHit.objects.filter(study=study)
    if undecided:
        hits = hits.filter(decision="")
    return sorted(hits.order_by("id"), key=lambda hit: hit.decision != "")


def count_hits(study: StudyRow) -> HitCounts:
    """How many texts were found, and how many of them are undecided."""
    hits = PersonalHit.objects.filter(study=study)
    return HitCounts(hits.count(), hits.filter(decision="").count())


@transaction.atomic
def decide_hits(
    study: StudyRow, hits: Sequence[int], decision: HitDecision | None, who: str, now: datetime
) -> int:
    """Records what a person decided about some of the hits, or takes their decisions back; returns their number.

    For editors. The log holds how many were decided about, and never their texts.
    """
    chosen = PersonalHit.objects.filter(study=study, pk__in=list(hits))
    decided: dict[str, Any] = {"decision": decision, "decided_by": who, "decided_at": now}
    opened: dict[str, Any] = {"decision": "", "decided_by": "", "decided_at": None}
    changed = chosen.update(**(decided if decision else opened))
    if changed:
        after = {"texts": changed, "decision": decision or "open"}
        log_change(study.pk, who, "decide_personal_data", study.name, now, after=after)
    return changed


def check_decided(study: StudyRow) -> None:
    """Raises OpenHits while there are undecided texts."""
    n = count_hits(study).open
    if n:
        raise OpenHits(
            f"{n:,} text{'s look' if n > 1 else ' looks'} like personal data, and nobody has decided about "
            f"{'them' if n > 1 else 'it'}.",
            do="Decide on the page Personal data, or with `labelwright personal-data`.",
        )


def get_cleaner(study: StudyRow) -> Cleaner:
    """Applies the decisions to texts; raises OpenHits while there are undecided ones."""
    check_decided(study)
    decided = PersonalHit.objects.filter(study=study).values_list("key", "decision")
    return Cleaner({key: HitDecision(value) for key, value in decided}, get_known_ids(study))


def get_surroundings(found: Sequence[PersonalHit]) -> list[tuple[PersonalHit, str]]:
    """Each hit with the text around the place where it was found first; an empty text if it is no longer there."""
    with snapshot() as source:
        return [(hit, _around(source, hit)) for hit in found]


def _around(source: psycopg.Connection[Any], hit: PersonalHit) -> str:
    for _, _, values in searched_texts(source, hit.source, hit.study_id, row=hit.row):
        for text in texts_of(values):
            if (at := text.find(hit.text)) >= 0:
                return text[max(0, at - AROUND) : at + len(hit.text) + AROUND]
    return ""
