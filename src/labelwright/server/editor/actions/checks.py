"""What is wrong with a study file, what its fields mean, and what the study would need: without storing anything."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from labelwright.corpus import NoPassageTexts, make_items
from labelwright.corpus.passages import NoScikitLearn
from labelwright.corpus.reading import CorpusOutside, NoCorpus
from labelwright.crowd import Pay, Plan, describe_plan
from labelwright.errors import LabelwrightError
from labelwright.server.editor.actions.corpus import get_dialogues
from labelwright.server.editor.actions.edits import LARGEST_CHARACTERS
from labelwright.server.editor.actions.schema import schema_at
from labelwright.server.store.models import StudyRow
from labelwright.server.studies.actions.loading import EXPECTED, NoItems
from labelwright.study import (
    BadStudy,
    Study,
    check_item_lines,
    check_study,
    lay_out_study,
    plan_study,
    plan_warnings,
    study_warnings,
    title_warnings,
    yaml_lines,
)
from labelwright.study.yaml_lines import KeyPath

FILE_NAME = "study.yaml"
MOST_FIELDS = 2_000
"""Fields of a file that are described; a file with more of them lists reference answers."""
_MEANT = re.compile(r'Did you mean "([^"]+)"\?')
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Repair:
    """A word of a line, and the word that was probably meant."""

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A mistake, which keeps a study from being opened, or a warning, which does not."""

    line: int
    what: str
    mistake: bool = True
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A study file after its check; without a study, there is a mistake among the problems."""

    study: Study | None
    problems: list[FileProblem]


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """What a study file makes of its corpus."""

    items: int
    plan: Plan
    cost: Pay
    hourly: Pay | None
    """The pay per hour, if the study file says how long a task takes."""
    sentences: list[str]


# The script of the page asks several questions about each text.
_read = lru_cache(maxsize=4)(yaml_lines.load)
_checked = lru_cache(maxsize=16)(check_study)


def check_text(row: StudyRow, text: str) -> CheckedText:
    """The problems of a study file by itself, as `labelwright study check` finds them; fast enough for every change."""
    if len(text) > LARGEST_CHARACTERS:
        return CheckedText(
            None, [FileProblem(1, f"the file is longer than {LARGEST_CHARACTERS:,} characters.")]
        )
    study, mistakes = _checked(text)
    lines = text.splitlines()
    problems = [
        FileProblem(each.line, each.what, True, _repair(lines, each.line, each.what)) for each in mistakes
    ]
    if study is None:
        return CheckedText(None, problems)
    _, places = _read(text)
    if problem := _name_problem(row, study.name):
        return CheckedText(None, [FileProblem(places.nearest(("name",)), problem)])
    warnings = [
        FileProblem(places.nearest(path), what, mistake=False)
        for path, what in study_warnings(study, os.environ)
    ]
    return CheckedText(study, sorted(warnings, key=lambda problem: problem.line))


def plan_text(row: StudyRow, text: str, study: Study) -> tuple[PlannedFile | None, list[FileProblem]]:
    """The plan of a study file without mistakes, and the problems with its corpus."""
    _, places = _read(text)

    def at(path: KeyPath, what: str, *, mistake: bool = True) -> FileProblem:
        return FileProblem(places.nearest(path), what, mistake)

    try:
        planned = _plan(row, text, study)
    except BadStudy as error:
        return None, [FileProblem(each.line, each.what) for each in error.mistakes]
    except LabelwrightError as error:
        return None, [at(_place(error), in_browser(error))]
    # What a study that has begun still needs, loading it says.
    reasons = () if row.versions.exists() else planned.plan.reasons + planned.plan.risks
    stuck = [at(("pools",), reason, mistake=False) for reason in reasons]
    stuck += [at(("gold",), warning, mistake=False) for warning in planned.plan.warnings]
    dialogues = get_dialogues(row, study)
    of_corpus = (*title_warnings(study, dialogues), *plan_warnings(study, dialogues))
    return planned, stuck + [at(*found, mistake=False) for found in of_corpus]


def in_browser(error: LabelwrightError) -> str:
    """The message of an error without the server's folders and without commands."""
    if isinstance(error, CorpusOutside):
        return "the corpus is outside the folder of the study file. Upload the file, and give its name."
    if isinstance(error, NoScikitLearn):
        return f"{error.what} This server does not have it; ask the person who runs the server to install it."
    return str(error)


def _place(error: LabelwrightError) -> KeyPath:
    """Where a study file says what an error is about."""
    if isinstance(error, NoItems):
        return ("items",)
    if isinstance(error, NoPassageTexts):
        return ("corpus", "options", "passages")
    return error.place if isinstance(error, NoCorpus) else ("corpus", "path")


def _plan(row: StudyRow, text: str, study: Study) -> PlannedFile:
    dialogues = get_dialogues(row, study)
    items = make_items(dialogues, study.items, study.seed)
    if not items:
        raise NoItems(
            f"the corpus of {len(dialogues)} dialogues has no items.",
            expected=EXPECTED[study.items.kind].format(turns=study.items.turns_before),
        )
    check_item_lines(Path(FILE_NAME), study, text, dialogues)
    plan = plan_study(study, lay_out_study(study, items, dialogues))
    pay = study.pool.pay
    return PlannedFile(
        len(items),
        plan,
        Pay(cents=pay.cents * plan.tasks + _qualification_cents(study), currency=pay.currency),
        _hourly(study),
        describe_plan(plan),
    )


def _qualification_cents(study: Study) -> int:
    """What qualifications cost if every applicant does all tasks."""
    parts = [(pool, pool.qualification) for pool in study.pools.values() if pool.qualification]
    return sum(
        pool.pay.cents * pool.raters * -(-len(part.items or study.gold) // part.items_per_task)
        for pool, part in parts
        if part is not None
    )


def _hourly(study: Study) -> Pay | None:
    """The pay per hour in the first condition of a design that says how long a task takes."""
    minutes = [study.design(name).minutes for name in study.conditions_of(None)]
    known = [each for each in minutes if each]
    if not known or not study.pool.pay.cents:
        return None
    return Pay(cents=round(study.pool.pay.cents * 60 / max(known)), currency=study.pool.pay.currency)


def _name_problem(row: StudyRow, name: str) -> str:
    if name == row.name:
        return ""
    if row.versions.exists():
        return f'"name" is "{name}", but this study is "{row.name}". A loaded study keeps its name; copy it instead.'
    if StudyRow.objects.filter(name=name).exists():
        return f'another study has the name "{name}". Choose another name.'
    return ""


def _repair(lines: list[str], number: int, what: str) -> Repair | None:
    """The repair that a message proposes, if its line has the word."""
    meant = _MEANT.search(what)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if meant is None:
        return None
    # The wrong word is the last one that is quoted: question "fits" uses scale "useful3".
    words = [word for word in reversed(_QUOTED.findall(what[: meant.start()])) if word != meant[1]]
    wrong = next((word for word in words if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line)), None)
    return Repair(wrong, meant[1]) if wrong else None


def describe_fields(text: str) -> dict[int, tuple[str, str]]:
    """For each line of a study file, the name of the field that it sets and what the field means.

    Empty if the text is not YAML; the page then keeps what it knew.
    """
    if len(text) > LARGEST_CHARACTERS:
        return {}
    try:
        data, lines = _read(text)
    except yaml_lines.BadYaml:
        return {}
    found: dict[int, tuple[str, str]] = {}
    for path, line in islice(lines.of.items(), MOST_FIELDS):
        if path and isinstance(path[-1], str) and (meaning := _meaning(_tagged_path(data, path))):
            # Of several fields on a line, the first one is described.
            found.setdefault(line, (path[-1], meaning))
    return found


def _tagged_path(data: object, path: KeyPath) -> tuple[tuple[str | int, str], ...]:
    """The path, each step with the value of `type`, `rule` or `platform` beside it, which decides what a field means."""
    steps: list[tuple[str | int, str]] = []
    here = data
    for part in path:
        tag = ""
        if isinstance(here, dict):
            tag = next((str(here[key]) for key in ("type", "rule", "platform") if key in here), "")
        steps.append((part, tag))
        try:
            here = here[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            here = None
    return tuple(steps)


@lru_cache(maxsize=5000)
def _meaning(path: tuple[tuple[str | int, str], ...]) -> str:
    found = list(schema_at(path))
    return next((text for schema in found if (text := str(schema.get("description", "")))), "")


def check_all(row: StudyRow, text: str) -> tuple[Study | None, PlannedFile | None, list[FileProblem]]:
    """Every check, those of the corpus included; without a plan, there is a mistake among the problems."""
    checked = check_text(row, text)
    if checked.study is None:
        return None, None, checked.problems
    planned, further = plan_text(row, text, checked.study)
    return checked.study, planned, sorted([*checked.problems, *further], key=lambda each: each.line)


def describe_problems(problems: list[FileProblem]) -> Iterator[str]:
    """The problems as lines of text, for a message."""
    return (f"{FILE_NAME}:{problem.line}: {problem.what}" for problem in problems if problem.mistake)
