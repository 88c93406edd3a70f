"""Contexts planned when a study is loaded: texts that need no model are made at once, the others by a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from labelwright import tables
from labelwright.context import Surroundings, before_exchange, make_text, mine_phrases
from labelwright.corpus import Dialogue, Turn, turns_of
from labelwright.server.contexts import queries
from labelwright.server.contexts.queries import TextCounts
from labelwright.server.store.models import Context, GenerationBudget, ItemRow, MinedPhrase, StudyVersion
from labelwright.server.store.queue import CONTEXTS, defer_once
from labelwright.study import Study

MICROCENTS = 1_000_000
"""In a cent."""
AT_ONCE = 2000


def plan_contexts(
    version: StudyVersion,
    study: Study,
    dialogues: Sequence[Dialogue],
    items: Mapping[str, int],
    now: datetime,
) -> None:
    """Makes or plans every text that the conditions of a version show. Part of loading, in the same transaction.

    A text whose recipe is unchanged is kept. Of the others, those that need no model are made at once. Places of
    conditions that need one wait for their texts, which a job makes once somebody agrees to the cost.
    """
    kinds = sorted({kind for condition in study.conditions.values() for kind in condition.context.kinds})
    if not kinds:
        return
    asked = [kind for kind in kinds if kind.endswith(":llm")]
    around = Surroundings(_mined(version, study, dialogues, kinds), study.context)
    by_key = {dialogue.key: dialogue for dialogue in dialogues}
    stored = list(ItemRow.objects.filter(pk__in=items.values()).select_related("dialogue").order_by("id"))
    recipes = {kind: study.context.recipe(kind) for kind in kinds}
    there = queries.keep_texts(version.pk, list(items.values()), recipes)
    # Kind by kind, so that requests with the same beginning follow each other and the model caches it.
    rows = [
        _planned(
            version, item, kind, before_exchange(by_key[item.dialogue.key].turns, item.target), around, now
        )
        for kind in kinds
        for item in stored
        if (item.pk, kind) not in there
    ]
    for row in rows:
        row.recipe = recipes[row.kind]
    Context.objects.bulk_create(rows, batch_size=AT_ONCE)
    if asked:
        _open_budget(version, study)
        queries.hold_places(version.pk, asked_kinds(study))


def defer_making(version: int) -> None:
    """Defers a job that makes the texts of a version, unless one is already waiting."""
    defer_once("make_contexts", CONTEXTS, lock=f"make_contexts/{version}", version=version)


def get_text_counts(version: int) -> TextCounts:
    """How many texts of a version are in each state."""
    return queries.count_states(version)


def _mined(
    version: StudyVersion, study: Study, dialogues: Sequence[Dialogue], kinds: list[str]
) -> tuple[str, ...]:
    if "need:heuristic" not in kinds:
        return ()
    mined = mine_phrases(tables.read(turns_of(dialogues)), study.context.phrases)
    MinedPhrase.objects.bulk_create(
        [
            MinedPhrase(
                study_id=version.study_id,
                version=version,
                place=place,
                text=phrase.text,
                dialogues=phrase.dialogues,
            )
            for place, phrase in enumerate(mined)
        ]
    )
    return tuple(phrase.text for phrase in mined)


def _planned(
    version: StudyVersion,
    item: ItemRow,
    kind: str,
    before: Sequence[Turn],
    around: Surroundings,
    now: datetime,
) -> Context:
    row = Context(
        study_id=version.study_id,
        version=version,
        item=item,
        kind=kind,
        state=Context.State.WAITING if before else Context.State.NONE,
        not_before=now,
    )
    if not kind.endswith(":llm"):
        made = make_text(kind, before, around)
        row.state = Context.State.MADE if made else Context.State.NONE
        row.content, row.facts = (made.text, made.facts) if made else ("", {})
    return row


def _open_budget(version: StudyVersion, study: Study) -> None:
    assert study.context.model is not None
    cents = study.context.model.budget_cents
    limit = None if cents is None else cents * MICROCENTS
    budget, _ = GenerationBudget.objects.select_for_update().get_or_create(study_id=version.study_id)
    # A limit below the amount already spent cannot be kept; nothing more is spent then.
    budget.limit_microcents = None if limit is None else max(limit, budget.committed_microcents)
    budget.save()


def asked_kinds(study: Study) -> dict[str, list[str]]:
    """The generated kinds that each condition shows; conditions without any are left out."""
    return {
        name: list(condition.context.asked_kinds)
        for name, condition in study.conditions.items()
        if condition.context.asked_kinds
    }
