"""Typing facts as a page sends them: never trusted, and never a reason to refuse a submission."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any

from labelwright.quality.rules import TypingFacts

_NAMES = frozenset(field.name for field in fields(TypingFacts))
_MOST = 1_000_000


def read_typing(sent: Any, places: Collection[str]) -> dict[str, dict[str, float]]:
    """The facts about the texts of these answers, by position and question; anything else is left out.

    >>> read_typing({"0:why": {"keys": 9, "seconds": 2.5}, "0:who": {"keys": 1}, "1:why": "x"}, ["0:why", "1:why"])
    {'0:why': {'keys': 9, 'seconds': 2.5}}
    """
    if not isinstance(sent, dict):
        return {}
    return {place: dict(facts) for place, facts in sent.items() if place in places and _is_valid(facts)}


def _is_valid(facts: Any) -> bool:
    return (
        isinstance(facts, dict)
        and facts.keys() <= _NAMES
        and all(
            isinstance(value, int | float if name == "seconds" else int)
            and not isinstance(value, bool)
            and 0 <= value <= _MOST
            for name, value in facts.items()
        )
    )
