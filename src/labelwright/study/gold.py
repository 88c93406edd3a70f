"""Gold items of a study against its corpus, and whether there are enough of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar

from labelwright.corpus import Dialogue, Item, ItemsPart, make_items, turn_records
from labelwright.errors import LabelwrightError, with_hint
from labelwright.study.model import Study
from labelwright.task import StoredItem, misplaced_gold


class BadGold(LabelwrightError):
    """Reference answers that do not fit the items of the corpus."""

    code: ClassVar[str] = "bad_gold"


def check_gold(study: Study, items: Sequence[Item], dialogues: Sequence[Dialogue]) -> None:
    """Raises BadGold unless the gold items that raters meet exist and their reference answers fit."""
    for _, problem in _mixed_in_problems(study, items, dialogues):
        raise BadGold(problem, do="Correct `gold` in the study file.")


def gold_mistakes(study: Study, dialogues: Sequence[Dialogue]) -> Iterator[tuple[str, str]]:
    """Every gold item that does not exist or has an impossible answer: its key, and what is wrong."""
    yield from _mixed_in_problems(study, make_items(dialogues, study.items, study.seed), dialogues)
    whole = ItemsPart(kind=study.items.kind, passages=study.items.passages)
    keys = {item.key for item in make_items(dialogues, whole, study.seed)}
    yield from _missing(study.gold.keys() - study.gold_keys, keys)


def gold_warnings(study: Study, tasks: int | None) -> list[str]:
    """Why raters may meet less gold than `gold_one_in` says.

    `tasks` is the largest number of tasks that one rater can do, gold tasks included; None if it is unknown.
    """
    one_in, size = study.tasks.gold_one_in, study.tasks.items_per_task
    if one_in is None:
        return []
    conditions = study.conditions_of(None)
    known = frozenset[str]().union(*(study.gold_in(name) for name in conditions))
    needed = (tasks or 0) * size // (one_in - 1 if study.tasks.gold_within else one_in)
    found = [
        f'no gold item has a reference answer to a question of condition "{name}", so raters meet no gold there.'
        for name in conditions
        if not study.gold_in(name)
    ]
    if tasks and needed > len(known):
        found.append(
            f"a rater can do up to {tasks:,} tasks and would then meet {needed:,} gold items, but there are only "
            f"{len(known):,}. Add gold items, or lower the cap on tasks: a rater who has met all of them meets no more."
        )
    return found


def _mixed_in_problems(
    study: Study, items: Sequence[Item], dialogues: Sequence[Dialogue]
) -> Iterator[tuple[str, str]]:
    by_key = {item.key: item for item in items}
    yield from _missing(study.gold_keys, by_key)
    turns = {dialogue.key: turn_records(dialogue.turns) for dialogue in dialogues}
    for key in sorted(study.gold_keys & by_key.keys()):
        item = by_key[key]
        stored = StoredItem(item.kind, turns[item.dialogue], item.target, item.payload, item.key)
        askings = {key: [study.asking(name, stored) for name in study.conditions]}
        for problem in misplaced_gold({key: study.gold[key]}, askings, study.designs.values()):
            yield key, f"{problem}."


def _missing(keys: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    for key in sorted(key for key in keys if key not in known):
        yield key, with_hint(f'gold names the item "{key}", which is not in the corpus.', key, known)
