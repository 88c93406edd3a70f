"""Drawing dialogues: splits, classifies and samples a corpus as the study file says, in the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from labelwright import tables
from labelwright.corpus.categories import classify
from labelwright.corpus.dialogues import SAMPLE_WEIGHT, Dialogue
from labelwright.corpus.reading import CorpusPart
from labelwright.corpus.sampling import sample
from labelwright.corpus.splitting import split
from labelwright.corpus.statistics import category_counts
from labelwright.corpus.turns_table import turns_of

if TYPE_CHECKING:
    from labelwright.tables import Table


@dataclass(frozen=True, slots=True)
class DrawnDialogues:
    """The dialogues of a study, and the size of each category before sampling."""

    dialogues: list[Dialogue]
    counts: dict[str, int]
    """Dialogues per category, in rule order; empty if the study has no categories."""


def draw_turns(turns: Table, part: CorpusPart, seed: int) -> tuple[Table, Table]:
    """The turns after splitting, and one row per drawn dialogue; both are expressions.

    Split dialogues are classified again without the rules that caused the split.
    """
    categories = part.categories
    if part.split is not None:
        assert categories is not None
        turns = split(turns, categories, part.split)
        categories = categories.without(part.split.category)
    if categories is not None:
        dialogues = classify(turns, categories)
    else:
        dialogues = turns.group_by("dialogue").aggregate(turns=turns.count(), system=turns.system.max())
    return turns, dialogues if part.sample is None else sample(dialogues, part.sample, seed)


def draw(dialogues: Sequence[Dialogue], part: CorpusPart, seed: int) -> DrawnDialogues:
    """The dialogues that a study uses, in corpus order, with `category` in their metadata.

    If dialogues were drawn with unequal shares, their design weight is there as `sample_weight`.

    Parts of a split dialogue also have `whole` (the original key) and `first` (the position where they start).
    """
    if part.categories is None and part.split is None and part.sample is None:
        return DrawnDialogues(list(dialogues), {})
    turns = tables.read(turns_of(dialogues))
    parted, drawn = draw_turns(turns, part, seed)
    rows = {row["dialogue"]: row for row in tables.fetch(drawn).to_pylist()}
    counts = _counts(turns, part)
    return DrawnDialogues(
        [_with_facts(d, rows[d.key]) for d in _cut(dialogues, parted, part) if d.key in rows], counts
    )


def _counts(turns: Table, part: CorpusPart) -> dict[str, int]:
    if part.categories is None:
        return {}
    parted, classified = draw_turns(turns, part.model_copy(update={"sample": None}), 0)
    del parted
    return category_counts(classified, part.categories.names)


def _cut(dialogues: Sequence[Dialogue], parted: Table, part: CorpusPart) -> list[Dialogue]:
    if part.split is None:
        return list(dialogues)
    starts: dict[str, list[tuple[int, str]]] = {}
    for row in tables.fetch(parted.select("whole", "first", "dialogue").distinct()).to_pylist():
        starts.setdefault(row["whole"], []).append((row["first"], row["dialogue"]))
    return [piece for dialogue in dialogues for piece in _pieces(dialogue, sorted(starts[dialogue.key]))]


def _pieces(dialogue: Dialogue, starts: list[tuple[int, str]]) -> list[Dialogue]:
    if [key for _, key in starts] == [dialogue.key]:
        return [dialogue]
    ends = [first for first, _ in starts[1:]] + [len(dialogue.turns)]
    return [
        replace(
            dialogue,
            key=key,
            turns=dialogue.turns[first:end],
            meta={**dialogue.meta, "whole": dialogue.key, "first": first},
        )
        for (first, key), end in zip(starts, ends, strict=True)
    ]


def _with_facts(dialogue: Dialogue, row: dict[str, Any]) -> Dialogue:
    facts = {"category": row["category"]} if "category" in row else {}
    # A corpus that was itself drawn with unequal shares has weights already.
    weight = dialogue.weight * row.get(SAMPLE_WEIGHT, 1.0)
    if weight != 1:
        facts[SAMPLE_WEIGHT] = weight
    return replace(dialogue, meta={**dialogue.meta, **facts}) if facts else dialogue
