"""Phrases that open a request, mined from the first user turns of a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from labelwright import tables
from labelwright.corpus import normalise

if TYPE_CHECKING:
    from labelwright.tables import Table

# Phrases that consist only of greetings and function words are common in every corpus and open no request.
# The requester can remove others from the list.
_GRAMMAR = """
a about all also am an and any anything are as at be been but by can could did do does for from fun
get go good great had has have hello hey hi how i i'd i'll i'm i've if in is it it's just kind know
lol me my no not of oh ok okay on one or please really so some something sort thank thanks that
that's the them then there they this to too type very was watch we well what what's when which will
with would yeah yes you your movie movies film films seen
"""
GRAMMAR = frozenset(_GRAMMAR.split())


MOST_FETCHED = 10_000
"""The number of phrases fetched from the engine; after filtering, far more are left than are kept."""
FIRST_WORDS = 100
"""The number of words of each turn that are searched: requests open early, and the cost is quadratic."""


class PhrasesPart(BaseModel):
    """How the phrases that open a request are mined."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first_turns: Annotated[int, Field(ge=1, le=20)] = 3
    """The number of user turns of each dialogue that are searched."""
    keep: Annotated[int, Field(ge=1, le=100)] = 10
    """The number of phrases to keep, the most common first."""
    struck_out: tuple[str, ...] = ()
    """Phrases that the requester has rejected."""
    phrases: tuple[str, ...] = ()
    """Phrases given by the requester instead of mined ones."""


@dataclass(frozen=True, slots=True)
class FrequentPhrase:
    """Two neighbouring words, and the number of dialogues with them in the first user turns."""

    text: str
    dialogues: int


def count_phrases(turns: Table, part: PhrasesPart) -> Table:
    """Every two neighbouring words of the first user turns, with the number of dialogues that have them.

    Only the first 100 words of each turn are searched.
    """
    said = turns.filter(turns.speaker == "user")
    said = said.mutate(place=tables.place_within(said, "position", by="dialogue"))
    said = said.filter(said.place <= part.first_turns)
    words = said.select("dialogue", words=tables.words_of(said.normal)[:FIRST_WORDS])
    pairs = tables.neighbouring_words(words, "words")
    return (
        pairs.select("dialogue", "phrase")
        .distinct()
        .group_by("phrase")
        .aggregate(dialogues=lambda table: table.count())
    )


def mine_phrases(turns: Table, part: PhrasesPart) -> list[FrequentPhrase]:
    """The most common phrases that open a request, the most common first, ties in alphabetical order.

    A phrase counts once for each dialogue. Phrases of greetings and function words only are left out, and so
    are those that the requester rejected. (Siro, Aliannejadi and de Rijke, 2024, section 2.2.)
    """
    if part.phrases:
        return [FrequentPhrase(normalise(text), 0) for text in part.phrases]
    counting = count_phrases(turns, part)
    commonest = counting.order_by([counting.dialogues.desc(), counting.phrase]).limit(MOST_FETCHED)
    counted = tables.fetch(commonest).to_pylist()
    struck = {normalise(text) for text in part.struck_out}
    found = [
        FrequentPhrase(row["phrase"], int(row["dialogues"]))
        for row in counted
        if row["phrase"] not in struck and not GRAMMAR.issuperset(row["phrase"].split(" "))
    ]
    return sorted(found, key=lambda phrase: (-phrase.dialogues, phrase.text))[: part.keep]


__all__ = ["FrequentPhrase", "PhrasesPart", "count_phrases", "mine_phrases"]
