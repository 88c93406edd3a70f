"""Names in a study file that must be defined elsewhere in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

KeyPath = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class NameReference:
    """Where a name is used and where it is defined; `*` matches any key or index."""

    pattern: tuple[str, ...]
    defined_in: str
    noun: str
    user_noun: str
    keys: bool = False
    """Whether the names are the keys at the pattern, not its values."""
    optional: bool = False
    """Whether the section with the definitions may be missing."""

    def user(self, path: KeyPath) -> str:
        """What uses the name, for a message."""
        # A name in a list belongs to the object that contains the list.
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
    NameReference(("designs", "*", "questions", "*", "scale"), "scales", "scale", "question"),
    NameReference(("designs", "*", "questions", "*", "aspect"), "aspects", "aspect", "question"),
    NameReference(("designs", "*", "feedback", "*", "scale"), "scales", "scale", "feedback question"),
    NameReference(("demographics", "*", "scale"), "scales", "scale", "demographics question"),
    NameReference(("familiarity", "*", "scale"), "scales", "scale", "familiarity question"),
    NameReference(("quiz", "questions", "*", "ask", "scale"), "scales", "scale", "quiz question"),
    NameReference(
        ("designs", "*", "questions", "*", "criteria", "*", "scale"), "scales", "scale", "criterion"
    ),
    NameReference(
        ("designs", "*", "questions", "*", "criteria", "*", "aspect"), "aspects", "aspect", "criterion"
    ),
    NameReference(("designs", "*", "labels", "*", "scale"), "scales", "scale", "label"),
    NameReference(("designs", "*", "labels", "*", "aspect"), "aspects", "aspect", "label"),
    NameReference(("conditions", "*", "design"), "designs", "design", "condition"),
    NameReference(("pools", "*", "requires", "*"), "pools", "pool", "pool"),
    NameReference(("pools", "*", "qualification", "design"), "designs", "design", "pool"),
    NameReference(("assignment", "spoils", "*"), "aspects", "aspect", "rule", keys=True),
    NameReference(("assignment", "spoils", "*", "*"), "aspects", "aspect", "rule"),
    NameReference(("pools", "*", "groups", "*", "sets", "*"), "sets", "set", "group", optional=True),
    NameReference(("batches", "calendar", "*", "set"), "sets", "set", "batch", optional=True),
    NameReference(("quality", "*", "per_condition", "*"), "conditions", "condition", "rule", keys=True),
)


def values_at(data: Any, pattern: tuple[str, ...]) -> Iterator[tuple[KeyPath, Any]]:
    """The values that match a pattern, with their paths. Data of another shape are skipped.

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
