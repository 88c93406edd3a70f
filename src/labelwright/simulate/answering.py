"""What a simulated rater answers: a truth that all raters share, and how well a rater sees it.

The truth of a question on an item is an answer that the question itself samples, from a seed of
question and item alone; so every question type has one. The item stands for itself by the texts that
every condition shows, so that its truth is the same in all of them.
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
Answers = dict[str, dict[str, Any]]
"""As a page sends them: by position, then by the name of the question."""
Known = Mapping[tuple[int, str], Any]
"""Right answers that the study file gives, by position and question: of gold items and of a quiz."""
TRIES = 12
"""Attempts to mend answers that the check does not take; a question may depend on another's answer."""


class CannotAnswer(LabelwrightError):
    """A task for which no acceptable answers were found."""

    code: ClassVar[str] = "cannot_answer"


@dataclass(frozen=True, slots=True)
class Traits:
    """What was drawn for one rater."""

    habit: Habit
    competence: float
    near: float
    bias: float


def item_name(asking: Asking) -> str:
    """What an item is known by, whatever context is shown with it and in whatever order its candidates stand.

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
    """One rater's way to answers; the same rater answers the same item alike, whenever it comes."""

    rater: str
    kind: str
    traits: Traits
    behaviour: Behaviour
    seed: int

    def answer(self, asked: Sequence[Sheet], known: Known, again: int) -> Answers:
        """Answers to all sheets that the check takes; raises CannotAnswer where none were found.

        `again` counts the tries before: each comes to answers of its own.
        """
        answers = {str(sheet.position): self._sheet(sheet, known, again) for sheet in asked}
        random = self._random("mending", *(item_name(sheet.asking) for sheet in asked))
        return accepted(asked, answers, random)

    def _sheet(self, sheet: Sheet, known: Known, again: int) -> dict[str, Any]:
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
            return mixed if _takes(question, mixed, asking) else own
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
        return remark if _takes(question, remark, asking) else question.sample(asking, random)

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
) -> Answers:
    """The answers, mended until the check takes them: what it refuses is left out, or sampled anew."""
    given = {position: dict(of_sheet) for position, of_sheet in answers.items()}
    sheets = {sheet.position: sheet for sheet in asked}
    problems: list[Problem] = []
    for _ in range(TRIES):
        _, problems = check_sheets(asked, given)
        if not problems:
            return given
        for problem in problems:
            if problem.position is None or problem.question is None:
                raise CannotAnswer(f"the answers were refused: {problem.message}")
            of_sheet = given.setdefault(str(problem.position), {})
            # What stands there and is refused may not have been asked; what is missing was.
            if of_sheet.pop(problem.question, None) is None:
                sheet = sheets[problem.position]
                question = next(each for each in sheet.questions if each.name == problem.question)
                of_sheet[problem.question] = question.sample(sheet.asking, random)
    raise CannotAnswer(f'no answer to "{problems[0].question}" was taken: {problems[0].message}')


def _takes(question: Question, value: Any, asking: Asking) -> bool:
    try:
        question.check_complete(question.check(value, asking))
    except BadAnswer:
        return False
    return True
