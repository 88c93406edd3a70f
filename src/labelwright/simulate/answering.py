"""Answers of simulated raters: a true answer shared by all raters, and how often a rater finds it.

The true answer is sampled by the question itself, with a seed of question and item, so every question
type has one. Items are identified by the texts that every condition shows, so the true answer is the
same in all conditions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from labelwright import seeds
from labelwright.errors import LabelwrightError
from labelwright.simulate.behaviour import Behaviour, Habit
from labelwright.task import Asking, Problem, Sheet, check_sheets
from labelwright.task.questions import BadAnswer, Question

if TYPE_CHECKING:
    import numpy as np

REMARKS = (
    "It does not fit what was asked.",
    "I would have to ask again.",
    "Clear and to the point.",
    "I am not sure that this is true.",
)
PageAnswers = dict[str, dict[str, Any]]
"""Answers as sent by a page: by position, then by question name."""
KnownAnswers = Mapping[tuple[int, str], Any]
"""Correct answers from the study file, by position and question: those of gold items and of a quiz."""
TRIES = 12
"""The number of attempts to repair rejected answers. Questions may depend on the answers to others."""


class CannotAnswer(LabelwrightError):
    """No valid answers were found for a task."""

    code: ClassVar[str] = "cannot_answer"


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits that were drawn for one rater."""

    habit: Habit
    competence: float
    near: float
    bias: float


def item_name(asking: Asking) -> str:
    """A name for an item that does not depend on the context or on the order of candidates.

    >>> from labelwright.task import ItemParts
    >>> item_name(Asking({}, ItemParts(focus=({"speaker": "system", "text": "Here."},))))
    'Here.'
    """
    if asking.key:
        return asking.key
    parts = asking.item
    turns = [str(turn["text"]) for turn in parts.focus or parts.turns]
    return "\x1f".join([*turns, parts.passage, *sorted(parts.candidates)]).strip("\x1f")


@dataclass(frozen=True, slots=True)
class Answering:
    """How one rater answers. The same rater always answers the same item in the same way."""

    rater: str
    kind: str
    traits: Traits
    behaviour: Behaviour
    seed: int

    def answer(self, asked: Sequence[Sheet], known: KnownAnswers, again: int) -> PageAnswers:
        """Valid answers to all sheets; raises CannotAnswer if none were found.

        `again` is the number of earlier attempts; each attempt gives different answers.
        """
        answers = {str(sheet.position): self._sheet(sheet, known, again) for sheet in asked}
        random = self._random("mending", *(item_name(sheet.asking) for sheet in asked))
        return accepted(asked, answers, random)

    def _sheet(self, sheet: Sheet, known: KnownAnswers, again: int) -> dict[str, Any]:
        given = {
            question.name: self._one(
                question,
                sheet.asking,
                known.get((sheet.position, question.name)),
                self._random(
                    "answer", question.name, item_name(sheet.asking), str(sheet.position), str(again)
                ),
            )
            for question in sheet.questions
        }
        return {name: value for name, value in given.items() if value is not None}

    def _one(self, question: Question, asking: Asking, right: Any, random: np.random.Generator) -> Any:
        if question.free_text and right is None:
            return self._text(question, asking, random)
        match self.traits.habit:
            case Habit.SAME:
                return question.sample(asking, self._random("habit", question.name))
            case Habit.RANDOM:
                return question.sample(asking, random)
            case Habit.SHARED:
                shared = seeds.generator(self.seed, self.kind, question.name, item_name(asking))
                return question.sample(asking, shared)
        true = truth(question, asking, self.seed) if right is None else right
        return self._judged(question, asking, true, random)

    def _judged(self, question: Question, asking: Asking, true: Any, random: np.random.Generator) -> Any:
        own = question.sample(asking, random)
        sees = self.traits.competence * (1 - difficulty(self.behaviour, item_name(asking), self.seed))
        scales = [asking.scales[name] for _, name in question.used_names("scales")]
        scale = scales[0] if len(scales) == 1 else None
        if scale is not None and isinstance(true, int) and true in scale.codes:
            return self._point(scale.codes, true, own, sees, random, ordered=scale.ordered)
        if isinstance(true, dict) and isinstance(own, dict) and set(true) == set(own):
            mixed = {part: true[part] if random.random() < sees else own[part] for part in true}
            return mixed if _accepts(question, mixed, asking) else own
        return true if random.random() < sees else own

    def _point(
        self,
        codes: Sequence[int],
        true: int,
        own: int,
        sees: float,
        random: np.random.Generator,
        *,
        ordered: bool,
    ) -> int:
        place = codes.index(true)
        if random.random() >= sees:
            if not ordered or random.random() >= self.traits.near:
                return own
            place += 1 if random.random() < 0.5 else -1
        if ordered and random.random() < abs(self.traits.bias):
            place += 1 if self.traits.bias > 0 else -1
        return codes[min(max(place, 0), len(codes) - 1)]

    def _text(self, question: Question, asking: Asking, random: np.random.Generator) -> Any:
        if not question.required and random.random() >= self.behaviour.remarks:
            return None
        remark = str(random.choice(REMARKS))
        return remark if _accepts(question, remark, asking) else question.sample(asking, random)

    def _random(self, *use: str) -> np.random.Generator:
        return seeds.generator(self.seed, "rater", self.rater, *use)


def truth(question: Question, asking: Asking, seed: int) -> Any:
    """The true answer to a question on an item: the one that the item gives, or one that is drawn for it."""
    if (known := question.known_answer(asking)) is not None:
        return known
    return question.sample(asking, seeds.generator(seed, "truth", question.name, item_name(asking)))


def difficulty(behaviour: Behaviour, item: str, seed: int) -> float:
    """How hard an item is, from 0 to 1."""
    return min(max(behaviour.difficulty.draw(seeds.generator(seed, "difficulty", item)), 0.0), 1.0)


def accepted(
    asked: Sequence[Sheet], answers: Mapping[str, Mapping[str, Any]], random: np.random.Generator
) -> PageAnswers:
    """The answers, repaired until they are valid: rejected answers are left out or sampled again."""
    given = {position: dict(of_sheet) for position, of_sheet in answers.items()}
    sheets = {sheet.position: sheet for sheet in asked}
    problems: list[Problem] = []
    for _ in range(TRIES):
        _, problems = check_sheets(asked, given)
        if not problems:
            return given
        for problem in problems:
            if problem.position is None or problem.question is None:
                raise CannotAnswer(f"the answers were rejected: {problem.message}")
            of_sheet = given.setdefault(str(problem.position), {})
            # A rejected answer may belong to a hidden question; a missing answer is required.
            if of_sheet.pop(problem.question, None) is None:
                sheet = sheets[problem.position]
                question = next(each for each in sheet.questions if each.name == problem.question)
                of_sheet[problem.question] = question.sample(sheet.asking, random)
    raise CannotAnswer(
        f'no valid answer to question "{problems[0].question}" was found: {problems[0].message}'
    )


def _accepts(question: Question, value: Any, asking: Asking) -> bool:
    try:
        question.check_complete(question.check(value, asking))
    except BadAnswer:
        return False
    return True
