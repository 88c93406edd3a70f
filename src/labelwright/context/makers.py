"""Kinds of context that are made by a function: what one must do, and the makers by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any, Protocol

from labelwright.corpus import Turn
from labelwright.errors import with_hint


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


_MAKERS: dict[str, Maker] = {}


def context_maker(name: str) -> Callable[[Maker], Maker]:
    """Registers a maker under the name used in the study file."""

    def register(function: Maker) -> Maker:
        _MAKERS[name] = function
        return function

    return register


@functools.cache
def _load_other_packages() -> None:
    for point in entry_points(group="labelwright.contexts"):
        point.load()


def maker_names() -> list[str]:
    """The kinds of context that need no language model."""
    _load_other_packages()
    return sorted(_MAKERS)


def known_maker(name: str) -> Maker:
    """The maker of that name; raises ValueError."""
    names = maker_names()
    if name not in names:
        raise ValueError(
            with_hint(f'unknown kind of context "{name}"; known: {", ".join(names)}.', name, names)
        )
    return _MAKERS[name]


def make_text(kind: str, before: Sequence[Turn], around: Surroundings) -> ContextText | None:
    """The text of a kind that needs no language model, from the turns before the exchange."""
    return known_maker(kind)(before, around)
