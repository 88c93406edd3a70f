"""Reading a study file: every mistake with its line, what was expected and the closest valid name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from labelwright.corpus import (
    BadRecord,
    Dialogue,
    NoPassageTexts,
    OnError,
    locate_corpus,
    make_items,
    missing_files,
    read_dialogues,
)
from labelwright.errors import LabelwrightError, listed, with_hint
from labelwright.registry import BrokenPlugIn
from labelwright.study import yaml_lines
from labelwright.study._design_references import broken_designs
from labelwright.study._fields import fields_at
from labelwright.study._plan_references import broken_plan
from labelwright.study._references import NameReference, references, values_at
from labelwright.study._rules import misplaced_rules
from labelwright.study.gold import gold_mistakes
from labelwright.study.model import Study
from labelwright.wording import describe_value_error

LARGEST_BYTES = 2_000_000
MOST_MISTAKES = 50
"""The mistakes that are described; a large file with one mistake in each line would take minutes."""
TAG_ERRORS = (BrokenPlugIn.code, "union_tag_invalid", "union_tag_not_found")


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """A mistake in a study file."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class _Found:
    """A mistake that is described only if it is among the first ones."""

    line: int
    describe: Callable[[], str]


class BadStudy(LabelwrightError):
    """A study file with mistakes; `mistakes` lists them, and says so if it lists only the first ones."""

    code: ClassVar[str] = "bad_study"

    def __init__(self, name: str, mistakes: list[Mistake]) -> None:
        self.mistakes = mistakes
        super().__init__("\n".join(f"{name}:{mistake.line}: {mistake.what}" for mistake in mistakes))


def read_study(path: Path) -> tuple[Study, str]:
    """The study and the exact text of its file; raises BadStudy with the mistakes."""
    text = _text(path)
    study, mistakes = check_study(text)
    if study is None:
        raise BadStudy(path.name, mistakes)
    return study, text


def check_study(text: str) -> tuple[Study | None, list[Mistake]]:
    """The study, or None and its mistakes in line order; of very many, the first ones."""
    try:
        data, lines = yaml_lines.load(text)
    except yaml_lines.BadYaml as bad:
        return None, [Mistake(bad.line, bad.what)]
    if not isinstance(data, dict):
        return None, [Mistake(1, "this is not a study file. Expected `name: value` lines.")]
    found = [_Found(line, partial(_repeated, key)) for line, key in lines.repeated]
    study: Study | None = None
    try:
        study = Study.model_validate(data)
    except ValidationError as invalid:
        found += [_find(error, lines) for error in invalid.errors(include_url=False)]
    found += _broken_references(data, lines)
    if study is not None and not found:
        misplaced = (*broken_designs(study), *misplaced_rules(study), *broken_plan(study))
        found += [_Found(lines.nearest(path), partial(str, what)) for path, what in misplaced]
    return (study if not found else None), _described(found)


def check_item_lines(path: Path, study: Study, text: str, dialogues: Sequence[Dialogue]) -> None:
    """Raises BadStudy with a passage that has no text, or every gold item that does not fit the corpus, at its line."""
    _, lines = yaml_lines.load(text)
    try:
        make_items(dialogues, study.items, study.seed)
    except NoPassageTexts as error:
        line = lines.nearest(("corpus", "options", "passages"))
        raise BadStudy(path.name, [Mistake(line, str(error))]) from error
    # One more than is described, to say that there are others.
    first = islice(gold_mistakes(study, dialogues), MOST_MISTAKES + 1)
    found = [_Found(lines.nearest(("gold", key)), partial(str, what)) for key, what in first]
    if found:
        raise BadStudy(path.name, _described(found))


def read_corpus(
    path: Path, study: Study, text: str, on_error: OnError = OnError.STOP, root: Path | None = None
) -> tuple[list[Dialogue], list[BadRecord]]:
    """The dialogues of a study's corpus, as `read_dialogues`; raises BadStudy with every missing file, at its line."""
    check_corpus_files(path, study, text, root)
    return read_dialogues(study.corpus, path.parent, on_error, root)


def check_corpus_files(path: Path, study: Study, text: str, root: Path | None = None) -> None:
    """Raises BadStudy with every file of the corpus that does not exist, at its line; an address is not checked."""
    if "://" in study.corpus.path:
        return
    _, lines = yaml_lines.load(text)
    missing = missing_files(study.corpus, locate_corpus(study.corpus, path.parent, root))
    found = [Mistake(lines.nearest(each.place), str(each)) for each in missing]
    if found:
        raise BadStudy(path.name, found)


def _described(found: list[_Found]) -> list[Mistake]:
    """The mistakes in line order, each once; of very many, the first ones."""
    found.sort(key=attrgetter("line"))
    mistakes = sorted({Mistake(each.line, each.describe()) for each in found[:MOST_MISTAKES]})
    if len(found) > MOST_MISTAKES:
        mistakes.append(Mistake(found[MOST_MISTAKES].line, "there are more mistakes from here on."))
    return mistakes


def _repeated(key: str) -> str:
    return f'"{key}" appears twice.'


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise BadStudy(path.name, [Mistake(1, f"the file cannot be read: {error.strerror}.")]) from error
    if len(raw) > LARGEST_BYTES:
        raise BadStudy(path.name, [Mistake(1, f"the file is larger than {LARGEST_BYTES:,} bytes.")])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadStudy(path.name, [Mistake(line, "the file is not UTF-8.")]) from error


def _find(error: Any, lines: yaml_lines.Lines) -> _Found:
    # A dict key that breaks its pattern is reported at (..., key, "[key]").
    location = tuple(part for part in error["loc"] if part != "[key]")
    path = tuple(part for part in _written(location, lines))
    tag = (error["ctx"]["discriminator"].strip("'"),) if error["type"] in TAG_ERRORS else ()
    return _Found(lines.nearest((*path, *tag)), partial(_describe, error, location, path))


def _describe(error: Any, location: tuple[Any, ...], path: tuple[Any, ...]) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        return f'"{location[-1]}" is not a valid field here. {_known(location)}'
    if kind == "missing":
        return f'"{location[-1]}" is missing{_inside(path)}.'
    if kind == BrokenPlugIn.code:
        return str(error["msg"])
    if kind in TAG_ERRORS:
        return _bad_tag(error)
    prefix = f'"{path[-1]}" ' if path and path[-1] else ""
    described = describe_value_error(error)
    # A sentence about several fields has a subject of its own.
    return (
        prefix + described
        if described.startswith("should")
        else f"{prefix.rstrip()}: {described}".removeprefix(": ")
    )


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


def _broken_references(data: dict[str, Any], lines: yaml_lines.Lines) -> Iterator[_Found]:
    for reference in references(data):
        defined = data.get(reference.defined_in, {} if reference.optional else None)
        if not isinstance(defined, dict):
            continue
        for path, value in values_at(data, reference.pattern):
            name = path[-1] if reference.keys else value
            if isinstance(name, str) and name not in defined:
                yield _Found(lines.nearest(path), partial(_undefined, reference, path, name, defined))
    yield from _unnamed_design(data, lines)


def _undefined(reference: NameReference, path: tuple[Any, ...], value: str, defined: dict[Any, Any]) -> str:
    names = [str(name) for name in defined]
    said = (
        f'{reference.user(path)} uses {reference.noun} "{value}", which is not defined. '
        f"Defined {reference.defined_in}: {listed(names)}."
    )
    return with_hint(said, value, names)


def _unnamed_design(data: dict[str, Any], lines: yaml_lines.Lines) -> Iterator[_Found]:
    designs, conditions = data.get("designs"), data.get("conditions")
    if not isinstance(designs, dict) or not isinstance(conditions, dict) or len(designs) < 2:
        return
    for name, condition in conditions.items():
        if isinstance(condition, dict) and not condition.get("design"):
            yield _Found(lines.nearest(("conditions", name)), partial(_no_design, name, designs))


def _no_design(name: Any, designs: dict[Any, Any]) -> str:
    names = listed([str(design) for design in designs])
    return (
        f'condition "{name}" has no `design`. With several designs, each condition must name one of: {names}.'
    )
