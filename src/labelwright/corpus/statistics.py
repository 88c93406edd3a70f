"""Statistics of a corpus: dialogues, turns and words, by speaker and by system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from labelwright import tables

if TYPE_CHECKING:
    from labelwright.tables import Table


@dataclass(frozen=True, slots=True)
class Spread:
    """Summary statistics of a number over dialogues or turns; all zero if there are none."""

    count: int
    total: int
    mean: float
    median: float
    largest: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """The size of a corpus."""

    dialogues: int
    turns: int
    turns_per_dialogue: Spread
    words_by_speaker: dict[str, Spread]
    words_by_system: dict[str, Spread]
    """For turns whose system is known."""
    dialogues_by_turns: dict[int, int]
    turns_by_words: dict[str, dict[int, int]]
    """For each speaker: the number of turns by number of words."""


def measure_corpus(turns: Table) -> Statistics:
    """The statistics of a turns table. The engine counts, and only counts are fetched."""
    sizes = turns.group_by("dialogue").aggregate(turns=turns.count())
    by_turns = {int(size): n for (size,), n in tables.row_counts(sizes, ["turns"]).items()}
    words = turns.mutate(speaker=turns.speaker.fill_null(""), words=turns.words.fill_null(0))
    by_speaker = _by(tables.row_counts(words, ["speaker", "words"]))
    systems = words.filter(words.system.notnull())
    by_system = _by(tables.row_counts(systems, ["system", "words"]))
    per_dialogue = spread(by_turns)
    return Statistics(
        dialogues=per_dialogue.count,
        turns=per_dialogue.total,
        turns_per_dialogue=per_dialogue,
        words_by_speaker={name: spread(counts) for name, counts in by_speaker.items()},
        words_by_system={name: spread(counts) for name, counts in by_system.items()},
        dialogues_by_turns=dict(sorted(by_turns.items())),
        turns_by_words={name: dict(sorted(counts.items())) for name, counts in by_speaker.items()},
    )


def _by(counts: Mapping[tuple[Any, ...], int]) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = {}
    for (name, value), n in sorted(counts.items()):
        found.setdefault(name, {})[int(value)] = n
    return found


def spread(counts: Mapping[int, int]) -> Spread:
    """The summary statistics of a number, from the frequency of each value.

    >>> spread({1: 2, 4: 2})
    Spread(count=4, total=10, mean=2.5, median=2.5, largest=4)
    """
    n = sum(counts.values())
    if n == 0:
        return Spread(0, 0, 0.0, 0.0, 0)
    total = sum(value * times for value, times in counts.items())
    middle = (_at(counts, (n - 1) // 2) + _at(counts, n // 2)) / 2
    return Spread(n, total, total / n, middle, max(counts))


def _at(counts: Mapping[int, int], place: int) -> int:
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        if passed > place:
            return value
    raise AssertionError("the index is within the counts")


def category_counts(classified: Table, names: tuple[str, ...]) -> dict[str, int]:
    """The number of dialogues in each category, in rule order, including zeros."""
    found = {name: n for (name,), n in tables.row_counts(classified, ["category"]).items()}
    return {name: found.get(name, 0) for name in names}


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A dialogue that a rule classified, with the turn that contains the cue."""

    rule: int
    dialogue: str
    fits: int
    position: int | None
    speaker: str | None
    text: str | None


def examples(turns: Table, classified: Table, each: int = 2, several: bool = False) -> list[RuleExample]:
    """A few example dialogues for each rule; with `several`, only those that match several rules."""
    chosen = classified.filter(classified.fits >= (2 if several else 0))
    chosen = chosen.mutate(place=tables.place_within(chosen, "dialogue", by="rule"))
    chosen = chosen.filter(chosen.place <= each)
    shown = chosen.left_join(
        turns, [chosen.dialogue == turns.dialogue, chosen.cue.cast("int64") == turns.position.cast("int64")]
    ).select("dialogue", "rule", "fits", "position", "speaker", "text")
    rows = tables.fetch(shown).to_pylist()
    return sorted((RuleExample(**row) for row in rows), key=lambda found: (found.rule, found.dialogue))
