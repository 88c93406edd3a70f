"""People who come from a panel: each person is one rater, however often they come, and goes back by one way.

The panel's ids are stored encrypted, apart from everything else, and are in no address of ours.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from labelwright.crowd import MemberState, StudyState
from labelwright.crowd.panel import (
    PanelArrival,
    PanelOutcome,
    PanelPart,
    Return,
    make_return,
    read_arrival,
)
from labelwright.crowd.platform import PLATFORMS
from labelwright.server.access.actions.links import address_of
from labelwright.server.people.actions.joining import add_next_rater, lock_members
from labelwright.server.store.locks import lock_named
from labelwright.server.store.models import (
    Answer,
    Arrival,
    Assignment,
    Member,
    Pool,
    Publication,
    Rater,
    StudyRow,
)
from labelwright.server.store.secrets import derived_key, fingerprint, seal, unseal
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound
from labelwright.study import Study

PLATFORM = "panel"
SECRETS = "LABELWRIGHT_PANEL_SECRET_"


def find_panel(public_id: str, pool: str) -> tuple[StudyRow, Pool, Study, PanelPart]:
    """The pool that the address of a panel leads to; raises NotFound."""
    study = (
        StudyRow.objects.filter(public_id=public_id, deleted_at=None).first() if public_id.isalnum() else None
    )
    found = Pool.objects.filter(study=study, name=pool).first() if study else None
    if study is None or found is None or not study.versions.exists():
        raise NotFound
    file = study_of(study.versions.latest("n").pk)
    own = file.pools.get(pool)
    if own is None or own.panel is None:
        raise NotFound
    newest = Publication.objects.filter(pool=found).order_by("-number").first()
    return study, found, file, _with_ways(own.panel, newest)


def panel_of(study: StudyRow, pool: str) -> PanelPart | None:
    """How people of a pool come and go back, by the newest version of the study."""
    own = study_of(study.versions.latest("n").pk).pools.get(pool)
    return own.panel if own else None


def _with_ways(panel: PanelPart, publication: Publication | None) -> PanelPart:
    """A panel with the ways back that were made for a publication, where the study file gives none."""
    made = publication.ways_back if publication else {}
    missing = {name: way for name, way in made.items() if getattr(panel, name) is None}
    return panel.model_copy(update=missing)


def visit_hmac(study: StudyRow, panel: str, session: str) -> bytes:
    """What a visit is found by."""
    return fingerprint(f"{PLATFORM}-visit/{panel}/{study.public_id}", session)


@transaction.atomic
def arrive(
    study: StudyRow, pool: Pool, panel: PanelPart, given: Mapping[str, str], now: datetime
) -> str | None:
    """The personal link of somebody who comes from a panel; None if the pool has no room for another person.

    The same person always gets the same link, also at the same moment in two tabs. Raises BadArrival. Locks the person,
    then the members of the pool.
    """
    secrets = {
        name.removeprefix(SECRETS): value for name, value in os.environ.items() if name.startswith(SECRETS)
    }
    came = _named(study, pool, read_arrival(panel, given, secrets))
    by = fingerprint(f"{PLATFORM}/{panel.name}/{study.public_id}", came.person)
    lock_named(by)
    known = Rater.objects.filter(study=study, arrival__person_hmac=by, member__pool=pool)
    rater = known.order_by("pk").first()
    if rater is None:
        if not _has_room(study, pool):
            return None
        rater = add_next_rater(study, pool, now)
    Arrival.objects.get_or_create(
        study=study,
        # A panel without ids of visits has one visit of each person.
        session_hmac=visit_hmac(study, panel.name, came.session or came.person),
        defaults={
            "rater": rater,
            "person_sealed": seal(came.person),
            "person_hmac": by,
            "session_sealed": seal(came.session),
            "arrived_at": now,
        },
    )
    return address_of(study, pool, rater)


def _named(study: StudyRow, pool: Pool, came: PanelArrival) -> PanelArrival:
    """An arrival with the name of the visit that its platform uses."""
    platform = study_of(study.versions.latest("n").pk).pool_of(pool.name).platform
    return replace(came, session=PLATFORMS[platform].session_of(came))


def enter(study: StudyRow, pool: Pool, panel: PanelPart, given: Mapping[str, str], now: datetime) -> Arrival:
    """The visit of somebody who was let in. Entered again before any work was done in it, it is their newest one.

    A person may hold several visits at once and change between them: work belongs to the one that was entered last.
    """
    came = _named(study, pool, read_arrival(panel, given, {}))
    visit = Arrival.objects.get(study=study, session_hmac=visit_hmac(study, panel.name, came.session))
    if get_newest(visit.rater_id) != visit and not work_in(visit).exists():
        visit.arrived_at = now
        visit.save(update_fields=["arrived_at"])
    return visit


def get_newest(rater: int) -> Arrival | None:
    """The visit that a rater entered last; None if they came from no panel."""
    return Arrival.objects.filter(rater=rater).order_by("-arrived_at", "-pk").first()


def work_in(visit: Arrival) -> QuerySet[Assignment]:
    """What a rater submitted in a visit: after it was entered, and before the next one was."""
    after = Arrival.objects.filter(rater=visit.rater_id, arrived_at__gt=visit.arrived_at).order_by(
        "arrived_at"
    )
    work = Assignment.objects.filter(rater=visit.rater_id, submitted_at__gte=visit.arrived_at)
    end = after.values_list("arrived_at", flat=True).first()
    return work.filter(submitted_at__lt=end) if end else work


def _has_room(study: StudyRow, pool: Pool) -> bool:
    lock_members(pool)
    if study.state != StudyState.OPEN:
        return False
    if Publication.objects.filter(pool=pool).exists():
        # The platform lets in as many as were ordered. Those who went away without work would use up our own limit.
        return True
    most = study_of(study.versions.latest("n").pk).pool_of(pool.name).raters
    return Member.objects.filter(pool=pool).exclude(state=MemberState.EXCLUDED).count() < most


def get_return(rater: int, study: Study, pool: str, outcome: PanelOutcome) -> tuple[str, Return] | None:
    """The name of the panel and the way back of a rater's newest visit; None if they came from no panel."""
    panel = study.pool_of(pool).panel
    visit = Arrival.objects.filter(rater=rater).order_by("-arrived_at", "-pk").first()
    if panel is None or visit is None:
        return None
    before = Publication.objects.filter(
        study=visit.study_id, pool__name=pool, made_at__lte=visit.arrived_at
    ).order_by("-number")
    way = _with_ways(panel, before.first()).way_back(outcome)
    if way is None:
        return None
    came = PanelArrival(unseal(visit.person_sealed), unseal(visit.session_sealed))
    return panel.name, make_return(way, came)


def get_arrived_at(rater: int) -> datetime | None:
    """When somebody came from a panel for the last time; None if they never did."""
    return (
        Arrival.objects.filter(rater=rater)
        .order_by("-arrived_at")
        .values_list("arrived_at", flat=True)
        .first()
    )


def no_room(panel: PanelPart, given: Mapping[str, str]) -> Return | None:
    """The way back of somebody for whom there is no place; None if the panel has none."""
    came = PanelArrival(given.get(panel.person, ""), given.get(panel.session or "", ""))
    return make_return(panel.full, came) if panel.full else None


def get_panel_ids(study: StudyRow, raters: Sequence[str]) -> dict[str, str]:
    """The panel's ids of raters by pseudonym, for whoever pays them. For those who may pay."""
    found = Arrival.objects.filter(study=study, rater__pseudonym__in=list(raters))
    return {
        row.rater.pseudonym: unseal(row.person_sealed) for row in found.select_related("rater").order_by("pk")
    }


def make_receipt(visit: Arrival) -> str:
    """The signed receipt of a visit, which holds a digest of the stored answers; see `is_receipt_of`."""
    work = list(work_in(visit).order_by("pk").values_list("pk", flat=True))
    answers = Answer.objects.filter(assignment__in=work).order_by("assignment", "position", "question")
    listed = list(answers.values_list("assignment", "position", "question", "value"))
    digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()[:32]
    return f"v1.{visit.pk}.{digest}.{_sign(visit, digest)}"


def is_receipt_of(receipt: str, visit: Arrival) -> bool:
    """Whether a receipt that came back from a platform is one that we made for this visit."""
    version, number, digest, signature = (*receipt.split("."), "", "", "", "")[:4]
    known = version == "v1" and number == str(visit.pk)
    return hmac.compare_digest(signature.encode(), _sign(visit, digest).encode()) and known


def _sign(visit: Arrival, digest: str) -> str:
    said = f"v1|{visit.pk}|{unseal(visit.session_sealed)}|{digest}"
    return hmac.new(derived_key("visit-receipt"), said.encode(), hashlib.sha256).hexdigest()[:40]
