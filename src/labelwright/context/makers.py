"""Makers: functions that produce a kind of context, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from labelwright.corpus import Turn
from labelwright.registry import Registry


@dataclass(frozen=True, slots=True)
class ContextText:
    """A text for raters, and how it was made."""

    text: str
    facts: dict[str, Any] = field(default_factory=dict)
    """Details for the record, such as the phrase that was found."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a maker is given besides the turns: facts about the whole corpus, never later turns."""

    phrases: tuple[str, ...] = ()
    settings: Any = None
    """The `context` part of the study file."""


class Maker(Protocol):
    """Makes a text from the turns before the exchange; None if there is nothing to say.

    It is given only those turns, so that nothing said later can leak into what raters see.
    """

    def __call__(self, before: Sequence[Turn], around: Surroundings, /) -> ContextText | None: ...


MAKERS: Registry[Maker] = Registry(
    "kind of context", "labelwright.contexts", 'a function with `@context_maker("name")`'
)
"""Every kind of context by name, including those of installed packages."""


def context_maker(name: str) -> Callable[[Maker], Maker]:
    """Registers a maker under the name used in the study file."""

    def register(function: Maker) -> Maker:
        MAKERS.register(name, function, source=function, module=getattr(function, "__module__", ""))
        return function

    return register


def make_text(kind: str, before: Sequence[Turn], around: Surroundings) -> ContextText | None:
    """The text of a kind that needs no language model, from the turns before the exchange."""
    return MAKERS[kind](before, around)
