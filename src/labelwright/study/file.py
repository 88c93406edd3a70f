"""Reading a study file: every mistake with its line, what was expected and the closest valid name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from labelwright.corpus import Dialogue
from labelwright.errors import LabelwrightError, with_hint
from labelwright.registry import BrokenPlugIn
from labelwright.study import yaml_lines
from labelwright.study._design_references import broken_designs
from labelwright.study._fields import fields_at
from labelwright.study._references import NameReference, references, values_at
from labelwright.study.gold import gold_mistakes
from labelwright.study.model import Study

LARGEST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """A mistake in a study file."""

    line: int
    what: str


class BadStudy(LabelwrightError):
    """A study file with mistakes; `mistakes` lists all of them."""

    code: ClassVar[str] = "bad_study"

    def __init__(self, name: str, mistakes: list[Mistake]) -> None:
        self.mistakes = mistakes
        super().__init__("\n".join(f"{name}:{mistake.line}: {mistake.what}" for mistake in mistakes))


def read_study(path: Path) -> tuple[Study, str]:
    """The study and the exact text of its file; raises BadStudy with all mistakes."""
    text = _text(path)
    study, mistakes = check_study(text)
    if study is None:
        raise BadStudy(path.name, mistakes)
    return study, text


def check_study(text: str) -> tuple[Study | None, list[Mistake]]:
    """The study, or None and all mistakes in line order."""
    try:
        data, lines = yaml_lines.load(text)
    except yaml_lines.BadYaml as bad:
        return None, [Mistake(bad.line, bad.what)]
    if not isinstance(data, dict):
        return None, [Mistake(1, "this is not a study file. Expected `name: value` lines.")]
    mistakes = [Mistake(line, f'"{key}" appears twice.') for line, key in lines.repeated]
    study: Study | None = None
    try:
        study = Study.model_validate(data)
    except ValidationError as invalid:
        mistakes += [_mistake(error, lines) for error in invalid.errors(include_url=False)]
    mistakes += _broken_references(data, lines)
    if study is not None and not mistakes:
        mistakes += [Mistake(lines.nearest(path), what) for path, what in broken_designs(study)]
    return (study if not mistakes else None), sorted(set(mistakes))


def check_gold_lines(path: Path, study: Study, text: str, dialogues: Sequence[Dialogue]) -> None:
    """Raises BadStudy with every gold item that does not fit the corpus, at its line."""
    _, lines = yaml_lines.load(text)
    mistakes = [Mistake(lines.nearest(("gold", key)), what) for key, what in gold_mistakes(study, dialogues)]
    if mistakes:
        raise BadStudy(path.name, sorted(mistakes))


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise BadStudy(path.name, [Mistake(1, f"the file cannot be read: {error.strerror}.")]) from error
    if len(raw) > LARGEST_BYTES:
        raise BadStudy(path.name, [Mistake(1, f"the file is larger than {LARGEST_BYTES:,} bytes.")])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadStudy(path.name, [Mistake(line, "the file is not UTF-8.")]) from error


def _mistake(error: Any, lines: yaml_lines.Lines) -> Mistake:
    # A dict key that breaks its pattern is reported at (..., key, "[key]").
    location = tuple(part for part in error["loc"] if part != "[key]")
    path = tuple(part for part in _written(location, lines))
    name = path[-1] if path else ""
    line = lines.nearest(path)
    kind = error["type"]
    if kind == "extra_forbidden":
        return Mistake(line, f'"{location[-1]}" is not a valid field here. {_known(location)}')
    if kind == "missing":
        return Mistake(line, f'"{location[-1]}" is missing{_inside(path)}.')
    if kind == BrokenPlugIn.code:
        return Mistake(lines.nearest((*path, error["ctx"]["discriminator"])), error["msg"])
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        tagged = (*path, error["ctx"]["discriminator"].strip("'"))
        return Mistake(lines.nearest(tagged), _bad_tag(error))
    message = error["msg"].removeprefix("Value error, ").replace("Input should", "should").rstrip(".")
    prefix = f'"{name}": ' if name else ""
    return Mistake(line, f"{prefix}{message[0].lower()}{message[1:]}.{_given(error)}")


def _written(location: tuple[Any, ...], lines: yaml_lines.Lines) -> Iterator[Any]:
    """The location without the tags that pydantic adds for unions, which are not in the file."""
    path: tuple[Any, ...] = ()
    last = len(location) - 1
    for index, part in enumerate(location):
        # A number used as a key in the file, such as the code of an option, is text there.
        as_key = str(part) if (*path, str(part)) in lines.of else part
        if (*path, as_key) in lines.of or index == last:
            path = (*path, as_key)
            yield as_key


def _inside(path: tuple[Any, ...]) -> str:
    around = [str(part) for part in path[:-1] if isinstance(part, str)]
    return f' in "{around[-1]}"' if around else ""


def _known(location: tuple[Any, ...]) -> str:
    names = fields_at(Study, location[:-1])
    return with_hint(f"Valid fields: {', '.join(names)}.", str(location[-1]), names)


def _bad_tag(error: Any) -> str:
    context = error["ctx"]
    field = context["discriminator"].strip("'")
    if "tag" not in context:
        return f'"{field}" is missing.'
    known = [tag.strip(" '") for tag in context["expected_tags"].split(",")]
    said = f'"{field}" is "{context["tag"]}", which does not exist. Expected one of: {", ".join(known)}.'
    return with_hint(said, context["tag"], known)


def _given(error: Any) -> str:
    given = error.get("input")
    return f" Found: {given!r}." if isinstance(given, str | int | float | bool) else ""


def _broken_references(data: dict[str, Any], lines: yaml_lines.Lines) -> Iterator[Mistake]:
    for reference in references(data):
        defined = data.get(reference.defined_in, {} if reference.optional else None)
        if not isinstance(defined, dict):
            continue
        for path, value in values_at(data, reference.pattern):
            name = path[-1] if reference.keys else value
            if isinstance(name, str) and name not in defined:
                yield Mistake(lines.nearest(path), _undefined(reference, path, name, list(defined)))
    yield from _unnamed_design(data, lines)


def _undefined(reference: NameReference, path: tuple[Any, ...], value: str, defined: list[str]) -> str:
    names = ", ".join(map(str, defined)) or "none"
    said = (
        f'{reference.user(path)} uses {reference.noun} "{value}", which is not defined. '
        f"Defined {reference.defined_in}: {names}."
    )
    return with_hint(said, value, defined)


def _unnamed_design(data: dict[str, Any], lines: yaml_lines.Lines) -> Iterator[Mistake]:
    designs, conditions = data.get("designs"), data.get("conditions")
    if not isinstance(designs, dict) or not isinstance(conditions, dict) or len(designs) < 2:
        return
    for name, condition in conditions.items():
        if isinstance(condition, dict) and not condition.get("design"):
            yield Mistake(
                lines.nearest(("conditions", name)),
                f'condition "{name}" has no `design`. With several designs, each condition must name one of: '
                f"{', '.join(map(str, designs))}.",
            )
