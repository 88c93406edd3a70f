"""Names in a study file that must be defined elsewhere in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a name is used and where it is defined; `*` stands for any key or index."""

    pattern: tuple[str, ...]
    defined_in: str
    noun: str
    user_noun: str
    keys: bool = False
    """The names are the keys at the pattern, not its values."""
    optional: bool = False
    """A file that defines none of them is whole, as long as it uses none."""

    def user(self, path: Path) -> str:
        """Who uses the name, for a message."""
        # A name in a list is used by whoever holds the list.
        around = path[:-2] if isinstance(path[-1], int) else path[:-1]
        named = [part for part in around if isinstance(part, str)]
        index = next((part for part in reversed(around) if isinstance(part, int)), None)
        if self.user_noun == "criterion":
            _, design, _, question, _, criterion = around
            return f'criterion {criterion + 1} of question {question + 1} of design "{design}"'
        if self.user_noun in ("question", "label"):
            place = f'{self.user_noun} {index + 1} of design "{named[1]}"' if index is not None else None
            return place or f"a {self.user_noun}"
        return f'{self.user_noun} "{named[-1]}"' if index is None else f"{self.user_noun} {index + 1}"


REFERENCES = (
    Reference(("designs", "*", "questions", "*", "scale"), "scales", "scale", "question"),
    Reference(("designs", "*", "questions", "*", "aspect"), "aspects", "aspect", "question"),
    Reference(("designs", "*", "feedback", "*", "scale"), "scales", "scale", "feedback question"),
    Reference(("demographics", "*", "scale"), "scales", "scale", "demographics question"),
    Reference(("familiarity", "*", "scale"), "scales", "scale", "familiarity question"),
    Reference(("quiz", "questions", "*", "ask", "scale"), "scales", "scale", "quiz question"),
    Reference(("designs", "*", "questions", "*", "criteria", "*", "scale"), "scales", "scale", "criterion"),
    Reference(
        ("designs", "*", "questions", "*", "criteria", "*", "aspect"), "aspects", "aspect", "criterion"
    ),
    Reference(("designs", "*", "labels", "*", "scale"), "scales", "scale", "label"),
    Reference(("designs", "*", "labels", "*", "aspect"), "aspects", "aspect", "label"),
    Reference(("conditions", "*", "design"), "designs", "design", "condition"),
    Reference(("pools", "*", "requires", "*"), "pools", "pool", "pool"),
    Reference(("pools", "*", "qualification", "design"), "designs", "design", "pool"),
    Reference(("assignment", "spoils", "*"), "aspects", "aspect", "rule", keys=True),
    Reference(("assignment", "spoils", "*", "*"), "aspects", "aspect", "rule"),
    Reference(("pools", "*", "groups", "*", "sets", "*"), "sets", "set", "group", optional=True),
    Reference(("batches", "calendar", "*", "set"), "sets", "set", "batch", optional=True),
    Reference(("quality", "*", "per_condition", "*"), "conditions", "condition", "rule", keys=True),
)


def values_at(data: Any, pattern: tuple[str, ...]) -> Iterator[tuple[Path, Any]]:
    """The values that a pattern finds, each with its path; what has another shape is passed over.

    >>> list(values_at({"a": {"x": {"b": 1}, "y": {}}}, ("a", "*", "b")))
    [(('a', 'x', 'b'), 1)]
    """
    if not pattern:
        yield (), data
        return
    first, rest = pattern[0], pattern[1:]
    for key, child in _children(data):
        if first in ("*", key):
            for path, value in values_at(child, rest):
                yield (key, *path), value


def _children(data: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(data, dict):
        yield from data.items()
    elif isinstance(data, list):
        yield from enumerate(data)
