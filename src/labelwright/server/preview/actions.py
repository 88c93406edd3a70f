"""Preview: tasks as raters would see them, from a loaded study or from a study file. Stores nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from labelwright import tables
from labelwright.context import Surroundings, before_exchange, make_text, mine_phrases
from labelwright.corpus import Dialogue, Item, make_items, split_sentences, turn_records, turns_of
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.contexts.actions.generation import get_shown_texts
from labelwright.server.preview import queries
from labelwright.server.rating.actions.task_page import ShownItem
from labelwright.server.store.items import items_in_task, stored_items
from labelwright.server.store.models import StudyRow, User
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound
from labelwright.study import Study
from labelwright.task import Chosen, StoredItem, group_items, item_parts, stage_items

NOT_MADE = "[A language model writes this text once the study is loaded.]"
"""Placeholder for a generated text in the preview of a file."""


@dataclass(frozen=True, slots=True)
class PreviewItem:
    """An item with every text that a condition may show with it, by kind."""

    item: StoredItem
    texts: Mapping[str, str] = field(default_factory=dict)

    def under(self, study: Study, condition: str) -> ShownItem:
        """The item as a condition shows it; in a later stage, its first sentence replaces what raters will choose."""
        stage = study.condition(condition).stage
        if stage is not None:
            return ShownItem(_placeholder(study, stage, self.item))
        kinds = study.condition(condition).context.kinds
        return ShownItem(self.item, [(kind, self.texts[kind]) for kind in kinds if kind in self.texts])


def _placeholder(study: Study, stage: str, item: StoredItem) -> StoredItem:
    before = study.conditions[study.conditions_before(stage)[0]].context
    text = item_parts(item, before).text
    first = [(sentence.start, sentence.end) for sentence in split_sentences(text)[:1]]
    parent = Item(item.key, "", item.target, None, item.kind)
    made = stage_items(parent, text, [Chosen(0, tuple(first))], study.stages[stage])
    return StoredItem(made[0].kind, item.turns, item.target, made[0].payload, made[0].key) if made else item


def get_task_preview(user: User, public_id: str, number: int) -> tuple[Study, list[PreviewItem], int]:
    """The study, the items of a task of its newest version, and the number of tasks; raises NotFound."""
    row = access_study(user, public_id, Permission.VIEW)
    version = row.versions.latest("n").pk
    study = study_of(version)
    tasks = queries.tasks_of(row.pk, version, next(iter(study.conditions)))
    if not 0 <= number < len(tasks):
        raise NotFound
    return study, _items_of(version, tasks[number]), len(tasks)


def get_first_task(row: StudyRow) -> list[PreviewItem]:
    """The items of the first task of a study's newest version; none if it has no task."""
    version = row.versions.latest("n").pk
    tasks = queries.tasks_of(row.pk, version, next(iter(study_of(version).conditions)))
    return _items_of(version, tasks[0]) if tasks else []


def _items_of(version: int, task: int) -> list[PreviewItem]:
    ids = items_in_task(task)
    items, texts = stored_items(ids), get_shown_texts(version, ids, _kinds(study_of(version)))
    return [PreviewItem(items[item], dict(texts.get(item, []))) for item in ids]


def preview_tasks(
    study: Study, dialogues: Sequence[Dialogue], wanted: int, first: int = 0
) -> list[list[PreviewItem]]:
    """Tasks that a study file would make of its corpus, from the `first` on; without a database and without a model."""
    items = make_items(dialogues, study.items, study.seed)
    ordinary = [item for item in items if item.key not in study.gold_keys]
    groups = group_items(ordinary, study.tasks, study.seed)[first : first + wanted]
    by_key, turns = {item.key: item for item in items}, {dialogue.key: dialogue for dialogue in dialogues}
    around = _surroundings(study, dialogues)
    return [
        [_previewed(study, by_key[key], turns[by_key[key].dialogue], around) for key in group]
        for group in groups
    ]


def _previewed(study: Study, item: Item, dialogue: Dialogue, around: Surroundings) -> PreviewItem:
    before = before_exchange(dialogue.turns, item.target)
    texts = {}
    for kind in _kinds(study):
        made = NOT_MADE if kind.endswith(":llm") else make_text(kind, before, around)
        if made is not None:
            texts[kind] = made if isinstance(made, str) else made.text
    stored = StoredItem(item.kind, turn_records(dialogue.turns), item.target, item.payload, item.key)
    return PreviewItem(stored, texts)


def _surroundings(study: Study, dialogues: Sequence[Dialogue]) -> Surroundings:
    mined = (
        tuple(phrase.text for phrase in mine_phrases(tables.read(turns_of(dialogues)), study.context.phrases))
        if "need:heuristic" in _kinds(study)
        else ()
    )
    return Surroundings(mined, study.context)


def _kinds(study: Study) -> list[str]:
    return sorted({kind for condition in study.conditions.values() for kind in condition.context.kinds})
