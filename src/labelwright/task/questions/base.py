"""The base class of question types, with every hook that a type can implement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from labelwright.errors import LabelwrightError
from labelwright.registry import Registry
from labelwright.scales import Scale
from labelwright.task.dependency import When
from labelwright.task.names import Name
from labelwright.task.presentation import Asking
from labelwright.task.reference import Reference
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "QUESTION_TYPES",
    "AnswerColumn",
    "AnswerPart",
    "BadAnswer",
    "Confidence",
    "Name",
    "NameUse",
    "Question",
    "Sides",
    "compose_prompt",
    "count_range",
    "question_type",
]


class BadAnswer(LabelwrightError):
    """An answer that its question rejects; raters read the message, in the language of the study.

    Values are given by name and appear in braces, so that the sentence can be translated first.

    >>> str(BadAnswer("Write at most {most} words.", most=3))
    'Write at most 3 words.'
    """

    code: ClassVar[str] = "bad_answer"

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence.format(**values))
        self.sentence = sentence
        self.values = values


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One of several judgments inside an answer, such as a cell of a grid."""

    aspect: str | None
    value: Any
    code: int | None


@dataclass(frozen=True, slots=True)
class Sides:
    """What the codes of a comparison mean for each of the two candidates."""

    scale: Scale
    """From the side of one candidate: above zero if it is the better one."""
    codes: Mapping[int, Mapping[int, int]]
    """For each candidate, by its position in the item: its own code for each stored code."""


@dataclass(frozen=True, slots=True)
class NameUse:
    """A place in a question that holds a name defined elsewhere in the study file."""

    path: tuple[str, ...]
    """The place inside the question; `*` matches any key or index."""
    defined_in: Literal["scales", "aspects", "questions"]
    """The part of the study file that defines the name; `questions` are those of the same list."""
    user: str = ""
    """What uses it, where that is a part of the question, such as a criterion."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Marks a question that asks how sure the rater is."""

    about: str | None = None
    """The question whose answer it is about; None for all answers to the item."""


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column that the answers to a question fill in an export with one column per judgment."""

    name: str
    """As answers are stored: `question`, or `question.part`; `*` matches one step of the name of a part."""
    text: str
    """What was asked, for the reader of a table."""
    aspect: str | None
    scale: Scale | None
    """What the codes mean; None if nothing is counted."""


class Question(BaseModel):
    """A question to a rater; a question type is a subclass."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    needs_item: ClassVar[bool] = False
    """Whether the question needs the item, to be shown or checked."""
    selects: ClassVar[bool] = False
    """Whether an answer selects parts of the text, which can become items of a later stage."""
    checks_attention: ClassVar[bool] = False
    """Whether it only checks that the item was read; the code of a right answer is then 1, of any other 0."""
    ranks: ClassVar[bool] = False
    """Whether codes are ranks, of which the lowest is the best: they are no scores."""
    free_text: ClassVar[bool] = False
    """Whether an answer is a text that the rater writes."""
    NAMES: ClassVar[tuple[NameUse, ...]] = (NameUse(("scale",), "scales"), NameUse(("aspect",), "aspects"))
    """Where questions of this type use names that are defined elsewhere; each is checked in the study file."""
    EXAMPLES: ClassVar[tuple[Mapping[str, Any], ...]] = ()
    """Questions of this type as a study file writes them, for the documentation and the contract suite.

    They may use the scales of `labelwright.testing.questions.SCALES`. The first is the one that a browser works through.
    """
    EXAMPLE_ITEM: ClassVar[str] = "exchange"
    """The kind of item that the examples are about."""

    name: Name
    """The name under which answers are stored and exported; raters never see it."""
    type: str
    """The type of the question."""
    text: Annotated[str, Field(min_length=1, max_length=300)]
    """The question that raters read."""
    aspect: str | None = None
    """The aspect that the answer measures; an answer that measures one is a judgment."""
    aim: Annotated[str, Field(max_length=1000)] = ""
    """The purpose of the question; raters never see it."""
    required: bool = True
    """Whether raters must answer it before they can submit."""
    when: When | None = None
    """The earlier answer that this question depends on; a hidden question is neither required nor stored."""

    @property
    def page_type(self) -> str:
        """The question type whose template and script draw the question; all that a page shows of the type."""
        return self.type

    @classmethod
    def type_name(cls) -> str:
        """The word used in the study file."""
        return str(cls.model_fields["type"].annotation.__args__[0])  # type: ignore[union-attr]

    def applies(self, asking: Asking) -> bool:
        """Whether the question can be answered for this item; if not, it is left out."""
        return True

    def check(self, value: Any, asking: Asking) -> Any:
        """The answer as it is stored; raises BadAnswer. Never called with an empty value."""
        raise NotImplementedError

    def check_complete(self, value: Any) -> None:
        """Raises BadAnswer if a stored answer may be kept as a draft but not submitted."""

    def is_empty(self, value: Any) -> bool:
        """Whether the value means "not answered"."""
        return value is None

    def code(self, value: Any) -> int | None:
        """The code that is counted for a stored answer; None if nothing is counted."""
        raise NotImplementedError

    def parts(self, value: Any) -> Mapping[str, AnswerPart]:
        """The judgments inside a stored answer by name; each is stored and counted as `question.name`."""
        return {}

    def selected(self, value: Any) -> tuple[tuple[int, int], ...]:
        """The parts of the text that a stored answer selects, as half-open ranges of code points."""
        return ()

    def chosen(self, value: Any) -> tuple[frozenset[int], int] | None:
        """The positions of the sentences that a stored answer chooses, and the number of all; None for other questions."""
        return None

    def written(self, value: Any) -> str:
        """The text that the rater wrote into a stored answer; empty if there is none."""
        return ""

    def selected_kinds(self, value: Any) -> tuple[str, ...]:
        """The kind that the rater gave to each selected part, as raters read it; empty if there are no kinds."""
        return ("",) * len(self.selected(value))

    def meets(self, value: Any, reference: Reference) -> bool:
        """Whether a stored answer matches the right one; see `reference.matches`."""
        return reference.met_by(value)

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """What the codes mean: those of the answer under "", those of its parts by name; `*` matches one step of a name.

        A grid might give `{"*.correctness": ...}` for its parts `c0.correctness`, `c1.correctness`.
        """
        return {}

    @property
    def ranks_candidates(self) -> bool:
        """Whether the answer puts the candidates of an item in order."""
        return False

    def sides(self) -> Sides | None:
        """What the codes mean for each candidate; None if the question does not compare two candidates."""
        return None

    def part_text(self, part: str) -> str:
        """What a requester reads after the text of the question for a judgment inside an answer."""
        return part

    def part_aspect(self, part: str) -> str | None:
        """The aspect that a judgment inside an answer measures; `part` may have `*` for a step."""
        return self.aspect

    def aspects(self) -> frozenset[str]:
        """Every aspect that an answer measures."""
        return frozenset([self.aspect] if self.aspect else [])

    def used_names(self, defined_in: str) -> list[tuple[tuple[str | int, ...], str]]:
        """The names that this question uses of a part of the study file, each with its place in the question."""
        return [
            (path, name)
            for use in self.NAMES
            if use.defined_in == defined_in
            for path, name in _values_at(self, use.path)
            if isinstance(name, str)
        ]

    def inconsistencies(self, scales: Mapping[str, Scale]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Contradictions between the question and the scales of the study, each with its place in the question.

        Called only where every name that it uses is defined.
        """
        yield from ()

    def known_answer(self, asking: Asking) -> Any:
        """The right answer as a page sends it, if the item itself gives it; None if raters must judge."""
        return None

    def confidence(self) -> Confidence | None:
        """Which answers this one gives the confidence in; None if it is not about confidence."""
        return None

    def export_columns(self, scales: Mapping[str, Scale]) -> tuple[AnswerColumn, ...]:
        """The columns that answers fill in an export: one for the answer, one for each kind of part."""
        meanings = self.answer_scales(scales)
        whole = AnswerColumn(self.name, self.text, self.aspect, meanings.get(""))
        parts = (
            AnswerColumn(
                f"{self.name}.{part}", f"{self.text} {self.part_text(part)}", self.part_aspect(part), scale
            )
            for part, scale in meanings.items()
            if part
        )
        return (whole, *parts)

    def option_codes(self, scales: Mapping[str, Scale]) -> tuple[int, ...]:
        """The codes that a `when` may ask for; empty if there are no options."""
        scale = self.answer_scales(scales).get("")
        return scale.codes if scale else ()

    def words(self, value: Any, asking: Asking) -> tuple[Line, ...]:
        """A stored answer in the words of the rater who gave it; candidates have the letters that they saw.

        A draft may be incomplete: a part without an answer has no line.
        """
        raise NotImplementedError

    def requester_words(self, value: Any, asking: Asking) -> tuple[Line, ...]:
        """A stored answer as the requester reads it, with anything that raters must not know."""
        return self.words(value, asking)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The JSON Schema (2020-12) of an answer as a page or a language model sends it.

        Every answer that a rater may submit satisfies it. It is as narrow as a schema can be; rules that a
        schema cannot state, such as a number of words, are left to the checks.
        """
        return {}

    def prompt(self, asking: Asking) -> str:
        """The question as a language model reads it: the text, the options, and how to answer.

        The item stands before it in the prompt, except for candidates, which are part of the question.
        """
        scale = self.answer_scales(asking.scales).get("")
        lines = [f"{point.code}: {point.name}" for point in scale.points] if scale else []
        return compose_prompt(
            self.text, lines, "Answer with the number of one option." if scale else "Answer."
        )

    def sample(self, asking: Asking, random: np.random.Generator) -> Any:
        """A random valid answer, for simulated raters and tests."""
        raise NotImplementedError

    def missing(self) -> str:
        """The sentence that a rater reads if a required answer is missing."""
        raise NotImplementedError

    def view(self, asking: Asking) -> dict[str, Any]:
        """All that the page of a rater is given about the question."""
        return {
            "name": self.name,
            "type": self.page_type,
            "text": self.text,
            "required": self.required,
            "missing": self.missing(),
            "when": json.dumps(self.when.view()) if self.when else None,
        }


def compose_prompt(text: str, lines: Iterable[str], instruction: str) -> str:
    """A question in plain text: what is asked, the options line by line, how to answer.

    A line that begins with a space belongs to the one before it.

    >>> print(compose_prompt("How useful?", ["1: Not useful", " it does not help", "2: Useful"], "Answer with a number."))
    How useful?
    - 1: Not useful
      - it does not help
    - 2: Useful
    Answer with a number.
    """
    bullets = [f"  - {line.strip()}" if line.startswith(" ") else f"- {line}" for line in lines]
    return "\n".join([text, *bullets, instruction])


def count_range(least: int, most: int) -> str:
    """How many, for a prompt.

    >>> count_range(1, 4), count_range(2, 2)
    ('1 to 4', '2')
    """
    return str(least) if least == most else f"{least} to {most}"


def _values_at(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if not path:
        yield (), value
        return
    step, rest = path[0], path[1:]
    children: Iterable[tuple[str | int, Any]]
    if step == "*":
        children = value.items() if isinstance(value, Mapping) else enumerate(value or ())
    else:
        children = [(step, getattr(value, step, None))]
    for key, child in children:
        for inner, found in _values_at(child, rest):
            yield (key, *inner), found


QUESTION_TYPES: Registry[type[Question]] = Registry(
    "question type",
    "labelwright.questions",
    "a class with `@question_type`",
    package="labelwright.task.questions",
)
QuestionType = TypeVar("QuestionType", bound=Question)


def question_type(kind: type[QuestionType]) -> type[QuestionType]:
    """Registers a class of questions under the literal of its field `type`, the word used in the study file."""
    if not (isinstance(kind, type) and issubclass(kind, Question)):
        raise TypeError(f"@question_type is for subclasses of Question, not for {kind!r:.80}")
    QUESTION_TYPES.register(kind.type_name(), kind, source=kind, module=kind.__module__)
    return kind
