"""Loading a study: its file becomes a version, its items enter the store, its batches open."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.corpus import Dialogue, make_items
from labelwright.crowd import BatchState, Plan
from labelwright.errors import LabelwrightError
from labelwright.server.contexts.actions.planning import plan_contexts
from labelwright.server.people.actions.pools import make_pools
from labelwright.server.store.models import Batch, StudyRow, StudyVersion, User
from labelwright.server.studies.actions.layout import demands_of
from labelwright.server.studies.actions.qualifications import open_qualifications
from labelwright.server.studies.queries import layout
from labelwright.server.studies.queries.gold import open_gold
from labelwright.study import Study, check_gold, lay_out_study, plan_study

EXPECTED = {
    "exchange": "a system turn that answers a user turn after {turns} turns.",
    "dialogue": "dialogues of at least {turns} turns.",
    "query": "a user turn with judged passages after {turns} turns.",
    "candidates": "dialogues of at least {turns} turns with response candidates.",
}
"""What a corpus must contain for each kind of item."""


class NoItems(LabelwrightError):
    """A study whose corpus has nothing to judge."""

    code: ClassVar[str] = "no_items"


class NotYours(LabelwrightError):
    """A study that another user owns."""

    code: ClassVar[str] = "not_yours"


class StudyNotFound(LabelwrightError):
    """There is no study of that name; for the command line."""

    code: ClassVar[str] = "study_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no study "{name}".', do="Load one with `labelwright study load FILE`.")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading."""

    study: StudyRow
    version: int
    changed: bool
    """Whether anything is new; the same file over the same corpus changes nothing."""
    items: int
    wanted: int
    batches: int
    plan: Plan | None
    """Whether the raters of the pool can complete it; None if nothing changed."""


@transaction.atomic
def load_study(
    study: Study, text: str, dialogues: Sequence[Dialogue], now: datetime, owner: User | None = None
) -> Loaded:
    """Stores the study file as the next version, lays out its batches and closes those of earlier versions.

    A batch whose release time has come is open at once. Open work in an older batch can still be submitted and
    keeps its version. Locks the study, so that two loads make two versions.
    """
    row = _study_row(study.name, owner, now)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    corpus_sha256 = hashlib.sha256("".join(d.key + d.sha256 for d in dialogues).encode()).hexdigest()
    newest = row.versions.order_by("-n").first()
    if newest and (newest.sha256, newest.corpus_sha256) == (sha256, corpus_sha256):
        known = Batch.objects.filter(version=newest, purpose=Batch.Purpose.COLLECT)
        return _loaded(row, newest, list(known), None)
    made = make_items(dialogues, study.items, study.seed)
    items = [item for item in made if item.key not in study.qualification_items]
    if not items:
        raise NoItems(
            f"the corpus of {len(dialogues)} dialogues has no items.",
            expected=EXPECTED[study.items.kind].format(turns=study.items.turns_before),
        )
    check_gold(study, items, dialogues)
    laid = lay_out_study(study, items, dialogues)
    Batch.objects.filter(study=row).exclude(state=BatchState.CLOSED).update(
        state=BatchState.CLOSED, closed_at=now
    )
    version = StudyVersion.objects.create(
        study=row,
        n=newest.n + 1 if newest else 1,
        text=text,
        sha256=sha256,
        corpus_sha256=corpus_sha256,
        loaded_at=now,
    )
    pools = make_pools(row, study)
    stored = layout.store_items(row.pk, dialogues, items)
    demand = layout.BatchDemand(demands_of(study, study.conditions_of(None)), study.seed)
    pool, batches = pools[study.pool_name], []
    for number, planned in enumerate(laid):
        batches.append(layout.open_batch(version, pool, stored, planned, demand, now, number))
        open_gold(batches[-1], pool, stored, planned.gold, demand.conditions)
    open_qualifications(version, study, pools, dialogues, now)
    plan_contexts(version, study, dialogues, stored, now)
    return _loaded(row, version, batches, plan_study(study, laid))


def _loaded(row: StudyRow, version: StudyVersion, batches: list[Batch], plan: Plan | None) -> Loaded:
    return Loaded(
        row,
        version.n,
        changed=plan is not None,
        items=sum(batch.items for batch in batches),
        wanted=sum(batch.wanted for batch in batches),
        batches=len(batches),
        plan=plan,
    )


def get_study(name: str) -> StudyRow:
    """A study by name, for the command line, which may see all; raises StudyNotFound."""
    try:
        return StudyRow.objects.get(name=name)
    except StudyRow.DoesNotExist:
        raise StudyNotFound(name) from None


def _study_row(name: str, owner: User | None, now: datetime) -> StudyRow:
    row, _ = StudyRow.objects.select_for_update().get_or_create(
        name=name,
        defaults={"owner": owner, "public_id": secrets.token_hex(6), "created_at": now},
    )
    if owner is not None and row.owner_id not in (None, owner.pk):
        raise NotYours(f'the study "{name}" belongs to another user.', do="Give yours another name.")
    if owner is not None and row.owner_id is None:
        row.owner = owner
        row.save(update_fields=["owner"])
    return row
