"""Readings: what a platform says of a publication is stored, held work is released, and missing visits are recruited."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction

from labelwright.crowd.panel import PanelOutcome, PanelPart
from labelwright.crowd.platform import PLATFORMS
from labelwright.crowd.publication import (
    PlatformVisit,
    PublicationReading,
    PublicationState,
    VisitState,
    places_wanted,
)
from labelwright.server.offering.actions.standing import expire_open_work, release_open_work
from labelwright.server.paying.queries.calls import rejected_sessions
from labelwright.server.people.actions.arrivals import is_receipt_of, panel_of, visit_hmac
from labelwright.server.publishing.actions.publications import change_automatically, raise_places
from labelwright.server.publishing.queries import publications as queries
from labelwright.server.publishing.queries.differences import OTHER_RECEIPT
from labelwright.server.publishing.queries.publications import ListedVisit
from labelwright.server.store.models import Arrival, Publication, Rater

SOON, LATER = timedelta(seconds=30), timedelta(minutes=5)
LEASE = timedelta(minutes=3)
"""How long one reader holds a publication; longer than reading takes."""
NO_CODE, OTHER_CODE = "none", "other"
UNDECIDED = (VisitState.AT_WORK, VisitState.SUBMITTED, VisitState.UNKNOWN)


@dataclass(frozen=True, slots=True)
class DuePublication:
    """A publication that is to be read."""

    id: int
    platform: str
    external: str


def take_due(now: datetime) -> DuePublication | None:
    """The next publication that is due, which no other reader takes meanwhile; None if none is due."""
    found = queries.take_due(now, now + LEASE)
    if found is None:
        return None
    row = Publication.objects.get(pk=found)
    return DuePublication(row.pk, row.platform, row.external_id)


@transaction.atomic
def record_reading(publication: int, reading: PublicationReading, now: datetime) -> None:
    """Stores a reading and does what follows from it. Locks the publication, then raters one by one."""
    row = (
        Publication.objects.select_for_update(no_key=True, of=("self",))
        .select_related("pool")
        .get(pk=publication)
    )
    if row.read_at is not None and row.read_at > now:
        return
    hashes = _hashes(row, reading.visits)
    _store(row, reading, hashes, now)
    _release_work(row)
    _steer(row, reading, hashes, now)
    open_visits = any(visit.state in UNDECIDED for visit in reading.visits)
    over = row.state == PublicationState.STOPPED and not reading.is_open and not open_visits
    Publication.objects.filter(pk=row.pk).update(
        status=reading.status[:40],
        is_open=reading.is_open,
        offered=reading.places,
        read_at=now,
        next_at=None if over else now + (SOON if open_visits else LATER),
    )


def _hashes(row: Publication, visits: Iterable[PlatformVisit]) -> dict[str, bytes]:
    panel = panel_of(row.study, row.pool.name)
    return (
        {visit.session: visit_hmac(row.study, panel.name, visit.session) for visit in visits} if panel else {}
    )


def _store(row: Publication, reading: PublicationReading, hashes: Mapping[str, bytes], now: datetime) -> None:
    codes = _receipts(row, reading.visits, hashes)
    if codes is None:
        panel = panel_of(row.study, row.pool.name)
        outcomes = _outcomes(row, panel) if panel else {}
        codes = {visit.session: _code(visit, outcomes) for visit in reading.visits}
    listed = [
        ListedVisit(hashes[visit.session], visit.state, codes[visit.session], visit.began_at, visit.ended_at)
        for visit in reading.visits
        if visit.session in hashes
    ]
    queries.store_visits(row.study_id, row.pk, listed, now)


def _receipts(
    row: Publication, visits: Iterable[PlatformVisit], hashes: Mapping[str, bytes]
) -> dict[str, str] | None:
    """What the receipt in the form of each visit says; None if people do not go back by a form.

    A form without a receipt says nothing: some services lose what it holds.
    """
    if PLATFORMS[row.platform].frame(os.environ) is None:
        return None
    arrivals = Arrival.objects.filter(study=row.study_id, session_hmac__in=list(hashes.values()))
    known = {bytes(each.session_hmac): each for each in arrivals}
    found = {}
    for visit in visits:
        came = known.get(hashes.get(visit.session, b""))
        own = came is not None and is_receipt_of(visit.code, came)
        found[visit.session] = (PanelOutcome.COMPLETED.value if own else OTHER_RECEIPT) if visit.code else ""
    return found


def _outcomes(row: Publication, panel: PanelPart) -> dict[str, str]:
    """The outcome of every code."""
    ways = {outcome: row.ways_back.get(outcome) or panel.way_back(outcome) for outcome in PanelOutcome}
    return {PLATFORMS[row.platform].code_in(way): outcome.value for outcome, way in ways.items() if way}


def _code(visit: PlatformVisit, outcomes: Mapping[str, str]) -> str:
    """The outcome that a code stands for; codes are secrets of the study, and not stored with people."""
    if not visit.code:
        return ""
    return outcomes.get(visit.code, NO_CODE if visit.code == "NOCODE" else OTHER_CODE)


def _release_work(row: Publication) -> None:
    """Opens the places of people whom the platform no longer counts to others.

    Those who ran out of time may still submit while nobody else has their place, because some platforms take them back.
    """
    for held in queries.ended_with_work(row.study_id, row.pk):
        Rater.objects.select_for_update(no_key=True).get(pk=held.rater)
        release = release_open_work if held.state == VisitState.RETURNED else expire_open_work
        release(held.rater, row.pool_id)


def _steer(row: Publication, reading: PublicationReading, hashes: Mapping[str, bytes], now: datetime) -> None:
    """Recruits as many visits as are still needed, and nobody when no visit is needed; one change at a time."""
    if queries.has_open_calls(row.study_id, row.number):
        return
    if row.state in (PublicationState.STOPPED, PublicationState.PAUSED):
        if reading.is_open:
            # A place that somebody freed has opened it again.
            kind = "stop" if row.state == PublicationState.STOPPED else "pause"
            change_automatically(row, PublicationState(row.state), kind, now)
        return
    needed = visits_needed(row)
    if not needed:
        if reading.is_open and row.state == PublicationState.OPEN:
            change_automatically(row, PublicationState.FULL, "pause", now)
        return
    wanted = places_wanted(
        _with_rejections(row, reading.visits, hashes),
        needed,
        rejection_frees_place=PLATFORMS[row.platform].rejection_frees_place,
    )
    if wanted > reading.places and _is_affordable(row, reading, wanted):
        row.places = wanted
        row.save(update_fields=["places"])
        raise_places(row, wanted, now)
    if row.state == PublicationState.FULL:
        change_automatically(row, PublicationState.OPEN, "resume", now)


def visits_needed(row: Publication) -> int:
    """How many more visits are needed for the ratings that nobody gives or holds, beside people who are at work."""
    free = queries.open_places(row.study_id, row.pool_id)
    return max(0, math.ceil((free - queries.work_to_come(row.study_id, row.pk, row.tasks)) / row.tasks))


def _with_rejections(
    row: Publication, visits: Iterable[PlatformVisit], hashes: Mapping[str, bytes]
) -> list[PlatformVisit]:
    """The visits, with those as rejected whose rejection is on its way: their places will be free without our doing."""
    refused = set(queries.refused_rejections(row.study_id))
    rejected = [
        int(each.session)
        for each in rejected_sessions(row.study_id, row.platform)
        if each.session not in refused
    ]
    ours = {bytes(each) for each in queries.visit_hashes(row.study_id, rejected)}
    return [
        replace(visit, state=VisitState.REJECTED)
        if visit.state == VisitState.SUBMITTED and hashes.get(visit.session) in ours
        else visit
        for visit in visits
    ]


def _is_affordable(row: Publication, reading: PublicationReading, wanted: int) -> bool:
    """Whether the budget covers every visit that is not approved yet."""
    left = queries.budget_left(row.study_id, row.currency)
    if left is None:
        return True
    approved = sum(visit.state == VisitState.APPROVED for visit in reading.visits)
    return (wanted - approved) * row.cost_cents <= left
