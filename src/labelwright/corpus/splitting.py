"""Splitting: divides a dialogue with several tasks into one dialogue per task, at cues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from labelwright import tables
from labelwright.corpus.categories import CategoriesPart, Category, classify

if TYPE_CHECKING:
    from labelwright.tables import Table

Cut = Literal["starts", "ends"]


class SplitPart(BaseModel):
    """Which dialogues are split, and whether before or after the cue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: Category = "MultiTask"
    """The category whose dialogues are split."""
    cue: Cut = "starts"
    """Whether the turn with the cue `starts` the next part or `ends` the previous one."""


def split(turns: Table, categories: CategoriesPart, part: SplitPart) -> Table:
    """The turns table with each dialogue of the category split at every cue of the category's rules.

    Parts are named `dialogue/1`, `dialogue/2`, ... and their positions start at 0. Two columns are added:
    `whole`, the original key, and `first`, the position in the original dialogue where the part starts.
    Other dialogues keep their keys. A cue at the very start or end does not create an empty part.
    """
    assert part.category in {rule.category for rule in categories.rules if not rule.counts_turns}
    rules = [rule for rule in categories.rules if rule.category == part.category and not rule.counts_turns]
    chosen = classify(turns, categories)
    chosen = chosen.filter(chosen.category == part.category).select(whole="dialogue")
    marked = turns.left_join(chosen, turns.dialogue == chosen.whole)
    cue = marked.whole.notnull() & tables.any_of(*(rule.fits(marked) for rule in rules))
    marked = marked.mutate(cut=cue.ifelse(1, 0), several=marked.whole.notnull())
    marked = marked.mutate(part=tables.running_sum(marked, "cut", by="dialogue", order="position"))
    if part.cue == "ends":
        marked = marked.mutate(part=marked.part - marked.cut)
    return _renumbered(marked, turns)


def _renumbered(marked: Table, turns: Table) -> Table:
    """Numbers the parts from 1 without gaps, because a cue in the first turn does not create a part."""
    firsts = marked.group_by(["dialogue", "part"]).aggregate(first=marked.position.min())
    firsts = firsts.mutate(number=tables.place_within(firsts, "part", by="dialogue"))
    joined = marked.join(firsts, ["dialogue", "part"])
    key = joined.several.ifelse(joined.dialogue + "/" + joined.number.cast("string"), joined.dialogue)
    others = [name for name in turns.columns if name not in ("dialogue", "position")]
    return joined.select(
        *others,
        dialogue=key,
        position=(joined.position - joined["first"]).cast("int32"),
        whole=joined.dialogue,
        first=joined["first"],
    )
