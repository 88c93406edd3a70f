"""Automatic checks on generated text, before a person reviews it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from labelwright.context.entities import EntitiesPart, find_entities, share_named
from labelwright.corpus import Turn, normalise, split_sentences

LONGEST = 20_000
"""The largest number of characters of a need or a summary."""
# The most common short words of each language are enough to notice that a model changed the language.
_WORDS = {
    "en": "the and is are of to a in that it you for with on was have this",
    "de": "der die das und ist nicht ich sie ein eine zu mit für auf den es",
    "fr": "le la les et est des un une que pour dans je vous il pas sur",
    "es": "el la los y es de que un una en por para con no se lo",
    "it": "il la di e che un una per non sono con mi lo gli è",
    "nl": "de het een en van is dat niet ik je met voor op te zijn",
    "pt": "o a os e é de que um uma em para com não se por",
}
LANGUAGES = {name: frozenset(words.split()) for name, words in _WORDS.items()}


class ChecksPart(BaseModel):
    """Requirements on a generated text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    entity_share: Annotated[float, Field(ge=0, le=1)] | None = None
    """At least this share of the entities of the dialogue is named."""
    length_share: Annotated[float, Field(gt=0, le=10)] | None = None
    """Shorter than this share of the dialogue, in characters."""
    sentences: Annotated[int, Field(ge=1)] | None = None
    """No more sentences than this."""
    openings: tuple[str, ...] = ()
    """The text begins with one of these; any beginning is allowed if there are none."""
    same_language: bool = True
    """The text has the script and, as far as that can be recognised, the language of the dialogue."""


SUMMARY_CHECKS = ChecksPart(entity_share=2 / 3, length_share=0.5)
NEED_CHECKS = ChecksPart(sentences=1)


def check_text(text: str, before: Sequence[Turn], part: ChecksPart, entities: EntitiesPart) -> str | None:
    """The reason to discard a generated text, as one word that can be counted; None if the text can be used.

    Reasons, in this order: empty, too_long, several_sentences, opening, entities, language.
    """
    return next(_reasons(text.strip(), before, part, entities), None)


def _reasons(text: str, before: Sequence[Turn], part: ChecksPart, entities: EntitiesPart) -> Iterator[str]:
    if not text:
        yield "empty"
    said = sum(len(turn.text) for turn in before)
    if len(text) > LONGEST or (part.length_share is not None and len(text) >= part.length_share * said):
        yield "too_long"
    if part.sentences is not None and len(split_sentences(text)) > part.sentences:
        yield "several_sentences"
    if part.openings and not normalise(text).startswith(tuple(map(normalise, part.openings))):
        yield "opening"
    if part.entity_share is not None and _share(text, before, entities) < part.entity_share - 1e-9:
        yield "entities"
    if part.same_language and not same_language(text, " ".join(turn.text for turn in before)):
        yield "language"


def _share(text: str, before: Sequence[Turn], entities: EntitiesPart) -> float:
    return share_named(text, find_entities(before, entities))


def same_language(text: str, dialogue: str) -> bool:
    """Whether a text has the script and, judged by common words, the language of a dialogue.

    >>> same_language("The user wants a bus.", "I am looking for the next bus, and it is late")
    True
    >>> same_language("Der Nutzer möchte nicht mit dem Bus.", "I am looking for the next bus, and it is late")
    False
    >>> same_language("用户想坐公交车。", "I am looking for the next bus")
    False
    """
    theirs, ours = _scripts(dialogue), _scripts(text)
    if theirs and any(script not in theirs and n > 2 for script, n in ours.items()):
        return False
    told, said = _language(text), _language(dialogue)
    return told is None or said is None or told == said


def _scripts(text: str) -> Counter[str]:
    """The number of different letters of each script, by the first word of their Unicode names."""
    names = Counter(unicodedata.name(c, "?").split(" ")[0] for c in set(text) if c.isalpha())
    # Japanese writes in three scripts, and Chinese signs are one of them.
    return Counter({"CJK" if name in ("HIRAGANA", "KATAKANA") else name: n for name, n in names.items()})


def _language(text: str) -> str | None:
    """The language whose common words are clearly the most frequent; None if that is not clear."""
    words = "".join(c if c.isalpha() else " " for c in normalise(text)).split()
    found = Counter({name: sum(word in common for word in words) for name, common in LANGUAGES.items()})
    (best, most), (_, second) = found.most_common(2)
    return best if most >= 3 and most >= 2 * second else None
