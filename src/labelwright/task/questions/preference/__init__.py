"""Preference: which of two candidates is better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from labelwright.scales import Point, Scale
from labelwright.task.candidates import ShownCandidate, candidate_key, shown_candidates
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import Question, Sides, compose_prompt, question_type
from labelwright.task.questions.options import check_code, code_schema
from labelwright.task.words import Line, Phrase, Words

if TYPE_CHECKING:
    import numpy as np

TIE = 0
BOTH_BAD = 9
"""Outside the order of the other codes, because it does not say which one is better."""

Wording = Annotated[str, Field(min_length=1, max_length=80)]


@question_type
class PreferenceQuestion(Question):
    """Asks which of two candidates is better.

    The stored code is below zero if the first candidate of the item is better, and above zero if the second
    is, whichever side each was shown on; its size is the strength. 0 is a tie, 9 means that both are bad.
    """

    needs_item: ClassVar[bool] = True
    EXAMPLES: ClassVar = (
        {"name": "better", "type": "preference", "text": "Which reply is better?"},
        {
            "name": "how_much",
            "type": "preference",
            "text": "How much better is one of them?",
            "strengths": ["{letter} is much better", "{letter} is better", "{letter} is slightly better"],
            "tie": "About the same",
            "both_bad": True,
            "pair": [0, 2],
        },
        {
            "name": "forced",
            "type": "preference",
            "text": "Which reply would you rather read?",
            "strengths": ["{letter} by far", "Rather {letter}"],
            "tie": False,
        },
    )
    EXAMPLE_ITEM: ClassVar = "candidates"

    type: Literal["preference"]
    strengths: Annotated[tuple[Wording, ...], Field(max_length=3)] = ()
    """Wordings from strongest to weakest, with {letter} for the better one; by default "{letter} is better"."""
    tie: bool | Wording = True
    """Whether a tie may be chosen, or how it is worded."""
    both_bad: bool | Wording = False
    """Whether "both are bad" may be chosen, or how it is worded."""
    pair: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]] = (0, 1)
    """Which two candidates of the item are compared."""

    @model_validator(mode="after")
    def _sound(self) -> PreferenceQuestion:
        if self.pair[0] >= self.pair[1]:
            raise ValueError("`pair` lists two candidates in the order of the item, such as [0, 1]")
        if any("{letter}" not in wording for wording in self.strengths):
            raise ValueError("each strength must contain {letter}, for the letter of the better candidate")
        return self

    @property
    def codes(self) -> tuple[int, ...]:
        """The codes that may be stored, ascending."""
        steps = range(1, max(1, len(self.strengths)) + 1)
        either = [*(-step for step in steps), *steps]
        return tuple(sorted(either + [TIE] * bool(self.tie) + [BOTH_BAD] * bool(self.both_bad)))

    def applies(self, asking: Asking) -> bool:
        """Only if the item has both candidates."""
        return len(asking.item.candidates) > self.pair[1]

    def check(self, value: Any, asking: Asking) -> int:
        """The code."""
        return check_code(value, self.codes)

    def code(self, value: int) -> int:
        """The code itself."""
        return value

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """What the codes mean, with `c0` for the first candidate of the item."""
        return {"": Scale(points=tuple(self._point(code) for code in self.codes))}

    def sides(self) -> Sides:
        """For the second candidate the codes stay as they are; for the first one they are reversed."""
        first, second = self.pair
        return Sides(
            Scale(points=tuple(self._seen(code) for code in self.codes)),
            {
                first: {code: code if code == BOTH_BAD else -code for code in self.codes},
                second: {code: code for code in self.codes},
            },
        )

    def _seen(self, code: int) -> Point:
        if code in (TIE, BOTH_BAD):
            return self._point(code)
        return Point(code=code, name=self._strength(code, "this one" if code > 0 else "the other one"))

    def _strength(self, code: int, better: str) -> str:
        wordings = self.strengths or ("{letter} is better",)
        return wordings[len(wordings) - abs(code)].replace("{letter}", better)

    def _point(self, code: int) -> Point:
        if code == TIE:
            return Point(code=code, name=_wording(self.tie) or "tie")
        if code == BOTH_BAD:
            return Point(code=code, name=_wording(self.both_bad) or "both bad", mixed=True)
        better = candidate_key(self.pair[0] if code < 0 else self.pair[1])
        return Point(code=code, name=self._strength(code, better))

    def words(self, value: int, asking: Asking) -> tuple[Line, ...]:
        """The better one, by the letter that this rater saw."""
        return (Line((self._worded(value, asking),)),)

    def _worded(self, code: int, asking: Asking) -> Words:
        if code == TIE:
            return _wording(self.tie) or Phrase("Both are equally good")
        if code == BOTH_BAD:
            return _wording(self.both_bad) or Phrase("Both are bad")
        better = self.pair[0] if code < 0 else self.pair[1]
        letter = next(shown.letter for shown in shown_candidates(asking) if shown.index == better)
        if not self.strengths:
            return Phrase("{letter} is better", letter=letter)
        return self._strength(code, letter)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """One of the codes."""
        return code_schema(self.codes)

    def prompt(self, asking: Asking) -> str:
        """Both candidates in the order of the page, and the answers from one side to the other."""
        view = self.view(asking)
        candidates = [f"{shown['letter']}: {shown['text']}" for shown in view["candidates"]]
        answers = [f"{point['code']}: {self._worded(point['code'], asking)}" for point in view["points"]]
        return compose_prompt(self.text, [*candidates, *answers], "Answer with the number of one answer.")

    def sample(self, asking: Asking, random: np.random.Generator) -> int:
        """Any of the codes."""
        return int(random.choice(self.codes))

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose one of the options."

    def view(self, asking: Asking) -> dict[str, Any]:
        """Both candidates in the order of the page, and the answers from one side to the other."""
        one, two = (shown for shown in shown_candidates(asking) if shown.index in self.pair)
        points = [
            *self._side(one),
            *([{"code": TIE, "kind": "tie", "name": _wording(self.tie)}] if self.tie else []),
            *self._side(two)[::-1],
            *(
                [{"code": BOTH_BAD, "kind": "both_bad", "name": _wording(self.both_bad)}]
                if self.both_bad
                else []
            ),
        ]
        return super().view(asking) | {"candidates": [one.view, two.view], "points": points}

    def _side(self, shown: ShownCandidate) -> list[dict[str, Any]]:
        """The answers in favour of one candidate, strongest first."""
        sign = -1 if shown.index == self.pair[0] else 1
        wordings = self.strengths or ("",)
        return [
            {
                "code": sign * (len(wordings) - place),
                "kind": "better",
                "letter": shown.letter,
                "name": wording.replace("{letter}", shown.letter),
            }
            for place, wording in enumerate(wordings)
        ]


def _wording(given: bool | str) -> str:
    return given if isinstance(given, str) else ""
