"""Kinds of context that are made by a function: what one must do, and the makers by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from labelwright.corpus import Turn
from labelwright.registry import Registry


@dataclass(frozen=True, slots=True)
class ContextText:
    """A text shown to raters, and how it came about."""

    text: str
    facts: dict[str, Any] = field(default_factory=dict)
    """For the record: the phrase that was found, the sentences that were taken."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a maker may know besides the turns: facts of the whole corpus, never of later turns."""

    phrases: tuple[str, ...] = ()
    settings: Any = None
    """The study's part on contexts."""


class Maker(Protocol):
    """Makes a text from the turns before the exchange; None where there is nothing to tell.

    It is given those turns and no others, so that nothing said later can leak into what raters see.
    """

    def __call__(self, before: Sequence[Turn], around: Surroundings, /) -> ContextText | None: ...


MAKERS: Registry[Maker] = Registry(
    "kind of context", "labelwright.contexts", 'a function with `@context_maker("name")`'
)


def context_maker(name: str) -> Callable[[Maker], Maker]:
    """Registers a maker under the name used in the study file."""

    def register(function: Maker) -> Maker:
        MAKERS.register(name, function, source=function, module=getattr(function, "__module__", ""))
        return function

    return register


def make_text(kind: str, before: Sequence[Turn], around: Surroundings) -> ContextText | None:
    """The text of a kind that needs no language model, from the turns before the exchange."""
    return MAKERS[kind](before, around)
