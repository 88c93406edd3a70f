"""Loading a study: its file is pinned as a version, its items enter the store, its batch opens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.corpus import Dialogue, Item, make_items, turn_records
from labelwright.crowd import BatchState, Plan
from labelwright.errors import LabelwrightError
from labelwright.server.actions.asking import asked_in
from labelwright.server.actions.context_plan import plan_contexts
from labelwright.server.actions.errors import StudyNotFound
from labelwright.server.actions.pools import make_pools
from labelwright.server.actions.qualification import open_qualifications
from labelwright.server.store import loading
from labelwright.server.store import models as store
from labelwright.study import Study, lay_out_study, plan_study
from labelwright.task import StoredItem, misplaced_gold

EXPECTED = {
    "exchange": "a system turn that answers a user turn after {turns} turns.",
    "dialogue": "dialogues of at least {turns} turns.",
    "query": "a user turn with judged passages after {turns} turns.",
    "candidates": "dialogues of at least {turns} turns with response candidates.",
}
"""What a corpus must hold to give items of each kind."""


class NoItems(LabelwrightError):
    """A study whose corpus gives nothing to judge."""

    code: ClassVar[str] = "no_items"


class BadGold(LabelwrightError):
    """Reference answers that do not fit the items of the corpus."""

    code: ClassVar[str] = "bad_gold"


class NotYours(LabelwrightError):
    """A study that another user owns."""

    code: ClassVar[str] = "not_yours"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What loading came to."""

    study: store.Study
    version: int
    changed: bool
    """Whether there was anything new; the same file over the same corpus changes nothing."""
    items: int
    wanted: int
    batches: int
    plan: Plan | None
    """Whether the raters of the pool can complete it; None where nothing changed."""


@transaction.atomic
def load_study(
    study: Study, text: str, dialogues: Sequence[Dialogue], now: datetime, owner: store.User | None = None
) -> Loaded:
    """Pins the study file as the next version and lays out its batches; those before it are closed.

    A batch whose time has come is open at once. Work under way in an older batch may still be handed in, and keeps its version.
    Locks the study, so that two loads make two versions.
    """
    row = _study_row(study.name, owner, now)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    corpus_sha256 = hashlib.sha256("".join(d.key + d.sha256 for d in dialogues).encode()).hexdigest()
    newest = row.versions.order_by("-n").first()
    if newest and (newest.sha256, newest.corpus_sha256) == (sha256, corpus_sha256):
        known = store.Batch.objects.filter(version=newest, purpose=store.Batch.Purpose.COLLECT)
        return _loaded(row, newest, list(known), None)
    made = make_items(dialogues, study.items, study.seed)
    items = [item for item in made if item.key not in study.qualification_items]
    if not items:
        raise NoItems(
            f"the {len(dialogues)} dialogues of the corpus give no item.",
            expected=EXPECTED[study.items.kind].format(turns=study.items.turns_before),
        )
    _check_gold(study, items, dialogues)
    laid = lay_out_study(study, items, dialogues)
    store.Batch.objects.filter(study=row).exclude(state=BatchState.CLOSED).update(
        state=BatchState.CLOSED, closed_at=now
    )
    version = store.StudyVersion.objects.create(
        study=row,
        n=newest.n + 1 if newest else 1,
        text=text,
        sha256=sha256,
        corpus_sha256=corpus_sha256,
        loaded_at=now,
    )
    pools = make_pools(row, study)
    stored = loading.store_items(row.pk, dialogues, items)
    plan = loading.Asking(asked_in(study, study.conditions_of(None)), study.seed, study.gold_keys)
    batches = [
        loading.open_batch(version, pools[study.pool_name], stored, batch, plan, now, number)
        for number, batch in enumerate(laid)
    ]
    open_qualifications(version, study, pools, dialogues, now)
    plan_contexts(version, study, dialogues, stored, now)
    return _loaded(row, version, batches, plan_study(study, laid))


def _loaded(
    row: store.Study, version: store.StudyVersion, batches: list[store.Batch], plan: Plan | None
) -> Loaded:
    return Loaded(
        row,
        version.n,
        changed=plan is not None,
        items=sum(batch.items for batch in batches),
        wanted=sum(batch.wanted for batch in batches),
        batches=len(batches),
        plan=plan,
    )


def _check_gold(study: Study, items: Sequence[Item], dialogues: Sequence[Dialogue]) -> None:
    """Raises BadGold unless the items that the study mixes in are there and can have the answers it says."""
    if not study.gold_keys:
        return
    turns = {dialogue.key: turn_records(dialogue.turns) for dialogue in dialogues}
    stored = [
        StoredItem(item.kind, turns[item.dialogue], item.target, item.payload, item.key)
        for item in items
        if item.key in study.gold_keys
    ]
    mixed_in = {key: study.gold[key] for key in sorted(study.gold_keys)}
    askings = {item.key: [study.asking(name, item) for name in study.conditions] for item in stored}
    for problem in misplaced_gold(mixed_in, askings, study.designs.values()):
        raise BadGold(f"{problem}.", do="Correct `gold` in the study file.")


def get_study(name: str) -> store.Study:
    """A study by name, for the command line, whose user may see all; raises StudyNotFound."""
    try:
        return store.Study.objects.get(name=name)
    except store.Study.DoesNotExist:
        raise StudyNotFound(name) from None


def _study_row(name: str, owner: store.User | None, now: datetime) -> store.Study:
    row, _ = store.Study.objects.select_for_update().get_or_create(
        name=name,
        defaults={"owner": owner, "public_id": secrets.token_hex(6), "created_at": now},
    )
    if owner is not None and row.owner_id not in (None, owner.pk):
        raise NotYours(f'the study "{name}" is another user\'s.', do="Give yours another name.")
    if owner is not None and row.owner_id is None:
        row.owner = owner
        row.save(update_fields=["owner"])
    return row
