"""Names in a study file that must be defined elsewhere in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from labelwright.task.questions import QUESTION_TYPES, NameUse

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
    part: str = ""
    """The part of a question that uses the name, such as a criterion: the last list element of the path."""
    place: int = 0
    """How many steps of the pattern lead to the question, if a part of it uses the name."""

    def user(self, path: KeyPath) -> str:
        """What uses the name, for a message."""
        if self.part:
            question = replace(self, part="").user((*path[: self.place], ""))
            number = next(step for step in reversed(path) if isinstance(step, int)) + 1
            return f"{self.part} {number} of {question}"
        # A name in a list belongs to the object that contains the list.
        around = path[:-2] if isinstance(path[-1], int) else path[:-1]
        named = [part for part in around if isinstance(part, str)]
        index = next((part for part in reversed(around) if isinstance(part, int)), None)
        if self.user_noun in ("question", "label"):
            place = f'{self.user_noun} {index + 1} of design "{named[1]}"' if index is not None else None
            return place or f"a {self.user_noun}"
        return f'{self.user_noun} "{named[-1]}"' if index is None else f"{self.user_noun} {index + 1}"


QUESTIONS = {
    ("designs", "*", "questions", "*"): "question",
    ("designs", "*", "feedback", "*"): "feedback question",
    ("demographics", "*"): "demographics question",
    ("familiarity", "*"): "familiarity question",
    ("quiz", "questions", "*", "ask"): "quiz question",
}
"""Where a study file has questions, and what each is called in a message."""
NOUNS = {"scales": "scale", "aspects": "aspect"}

_REFERENCES = (
    NameReference(("designs", "*", "labels", "*", "scale"), "scales", "scale", "label"),
    NameReference(("designs", "*", "labels", "*", "aspect"), "aspects", "aspect", "label"),
    NameReference(("conditions", "*", "design"), "designs", "design", "condition"),
    NameReference(("pools", "*", "requires", "*"), "pools", "pool", "pool"),
    NameReference(("pools", "*", "qualification", "design"), "designs", "design", "pool"),
    NameReference(("assignment", "spoils", "*"), "aspects", "aspect", "rule", keys=True),
    NameReference(("assignment", "spoils", "*", "*"), "aspects", "aspect", "rule"),
    NameReference(("pools", "*", "groups", "*", "sets", "*"), "sets", "set", "group", optional=True),
    NameReference(("batches", "calendar", "*", "set"), "sets", "set", "batch", optional=True),
    *(
        NameReference(("quality", "*", key, "*"), "conditions", "condition", "rule", keys=True)
        for key in ("per_condition", "then_by_condition")
    ),
)


def references(data: Any) -> Iterator[NameReference]:
    """Every use of a name that must be defined, including those inside questions, as their types declare."""
    yield from _REFERENCES
    for place, noun in QUESTIONS.items():
        for use in _uses([question for _, question in values_at(data, place)]):
            pattern = (*place, *use.path)
            yield NameReference(
                pattern, use.defined_in, NOUNS[use.defined_in], noun, part=use.user, place=len(place)
            )


def _uses(questions: Iterable[Any]) -> set[NameUse]:
    types = {str(question.get("type")) for question in questions if isinstance(question, dict)}
    kinds = [kind for name in types if (kind := QUESTION_TYPES.get(name)) is not None]
    return {use for kind in kinds for use in kind.NAMES if use.defined_in in NOUNS}


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
