"""Entities in a dialogue, found by marks of the reader, by a pattern, or by a list of names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from labelwright.corpus import Turn, normalise

_YEAR = re.compile(r"\s*\((?:1[89]|20)\d\d\)\s*$")
# A title with its year, or a text in quotation marks.
_DEFAULT = r"[A-Z0-9][\w'’:&.,!-]*(?: [\w'’:&.,!-]+){0,8}? \((?:1[89]|20)\d\d\)|[\"“]([^\"“”\n]{2,80})[\"”]"


class EntitiesPart(BaseModel):
    """How entities are found; a generated text must name them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: Literal["marks", "pattern", "names"] = "marks"
    """`marks`: mentions that the reader marked, as in ReDial. `pattern`: matches of a pattern.
    `names`: names from a list."""
    pattern: Annotated[str, Field(min_length=1, max_length=500)] = _DEFAULT
    """The regular expression that finds entities; by default titles in quotation marks or with a year."""
    names: Annotated[tuple[str, ...], Field(max_length=100_000)] = ()
    """A list of entities to look for."""


def find_entities(turns: Sequence[Turn], part: EntitiesPart) -> list[str]:
    """The entities that turns name, each once, in the order of their first mention.

    >>> find_entities([Turn("user", 'I loved "Heat" and Speed (1994)')], EntitiesPart(by="pattern"))
    ['Heat', 'Speed (1994)']
    """
    found: dict[str, str] = {}
    for turn in turns:
        for name in _named(turn, part):
            found.setdefault(comparable(name), name)
    return [name for key, name in found.items() if key]


def _named(turn: Turn, part: EntitiesPart) -> list[str]:
    if part.by == "marks":
        return [mention["title"] for mention in turn.meta.get("mentions", ()) if mention.get("title")]
    if part.by == "pattern":
        matches = _compiled(part.pattern).finditer(turn.text)
        return [next((group for group in match.groups() if group), match.group(0)) for match in matches]
    told = f" {comparable(turn.text)} "
    return [name for name in part.names if f" {comparable(name)} " in told]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def comparable(name: str) -> str:
    """A name as it is compared: without its year, signs and case.

    >>> comparable("Speed  (1994)"), comparable("“Ocean’s Eleven”")
    ('speed', 'oceans eleven')
    """
    plain = normalise(_YEAR.sub("", name)).replace("'", "")
    return " ".join("".join(c if c.isalnum() else " " for c in plain).split())


def share_named(text: str, entities: Sequence[str]) -> float:
    """The share of entities that a text names; 1 if there are none."""
    told = f" {comparable(text)} "
    named = sum(f" {comparable(entity)} " in told for entity in entities)
    return named / len(entities) if entities else 1.0
