"""Qualification: applicants answer items with reference answers, and a rule or the requester selects them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from labelwright.agreement import Ratings, measure_names, measure_ratings
from labelwright.context import AmountRecipe
from labelwright.errors import with_hint
from labelwright.scales import Scale

CONDITION = "qualification:"
"""The condition of qualification tasks is this prefix and the pool's name. No real condition can have such a name."""
REFERENCE, APPLICANT = "reference", "applicant"
OF_CHOSEN_TEXT = ("f1", "jaccard")
"""Measures for spans and chosen sentences. Questions with codes use percentage agreement instead."""


class QualificationRule(BaseModel):
    """Which applicants qualify. With both fields, the best of those who reach the minimum."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    best: Annotated[int, Field(ge=1)] | None = None
    """This many applicants qualify, those with the best scores."""
    at_least: Annotated[float, Field(ge=-1, le=1)] | None = None
    """Applicants with at least this score qualify."""

    @model_validator(mode="after")
    def _says_something(self) -> QualificationRule:
        if self.best is None and self.at_least is None:
            raise ValueError("a rule needs `best`, `at_least` or both")
        return self


class QualificationPart(BaseModel):
    """The tasks of a qualification, how they are scored, and who qualifies."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    design: str
    """The task design of the qualification: instructions, quiz and questions."""
    items: tuple[str, ...] = ()
    """The keys of items with reference answers. Default: all items that have them."""
    items_per_task: Annotated[int, Field(ge=1, le=200)] = 1
    """The number of items in one task of the qualification."""
    context: AmountRecipe = AmountRecipe()
    """The context shown with the item. Generated texts cannot be used."""
    measure: str = "percentage"
    """A measure of agreement with the reference answers, averaged over questions; use `f1` or `jaccard`
    for highlighted spans and chosen sentences."""
    rule: QualificationRule | None = None
    """Default: the requester selects raters manually."""

    @field_validator("measure")
    @classmethod
    def _known(cls, name: str) -> str:
        known = (*measure_names(), *OF_CHOSEN_TEXT)
        if name not in known:
            listed = f"there is no such measure. Measures: {', '.join(sorted(known))}."
            raise ValueError(with_hint(listed, name, known))
        return name

    @model_validator(mode="after")
    def _no_made_text(self) -> QualificationPart:
        if self.context.kinds:
            raise ValueError("the context of a qualification can only show turns, not needs or summaries")
        return self


@dataclass(frozen=True, slots=True)
class Given:
    """An applicant's answer to a question with a reference answer."""

    item: str
    question: str
    value: Any
    code: int | None
    reference: Any
    reference_code: int | None
    right: bool
    """Whether the answer counts as correct."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of an applicant."""

    value: float
    """The measure, averaged over questions; nan if it has no value for any question."""
    share_right: float
    """The share of correct answers."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """An applicant in a ranking."""

    name: str
    scored: Scored
    finished_at: datetime


def score(given: Sequence[Given], chosen: str, scales: Mapping[str, Scale]) -> Scored:
    """The agreement of an applicant with the reference answers: per question, then averaged.

    `scales` gives the scale of each question that has one. A measure that uses the order leaves out answers
    outside it, and questions on unordered scales. Highlighted spans and chosen sentences are
    scored by overlap (F1 or Jaccard, mean over items). Other answers without a code, such as free text,
    are scored by the share of correct answers. Questions without a value are left out, for example
    kappa if all answers are the same.

    >>> from labelwright.scales import parse_scale
    >>> right = Given("i1", "fits", 2, 2, 2, 2, right=True)
    >>> wrong = Given("i2", "fits", 1, 1, 2, 2, right=False)
    >>> score([right, wrong], "percentage", {"fits": parse_scale("no, yes")})
    Scored(value=0.5, share_right=0.5)
    """
    by_question: dict[str, list[Given]] = {}
    for answer in given:
        by_question.setdefault(answer.question, []).append(answer)
    values = [
        _measured(answers, chosen, scales.get(question)) for question, answers in sorted(by_question.items())
    ]
    defined = [value for value in values if not math.isnan(value)]
    return Scored(
        value=sum(defined) / len(defined) if defined else math.nan,
        share_right=_share_right(given),
    )


def rank(applicants: Iterable[Applicant]) -> list[Applicant]:
    """Applicants from best to worst. Ties are broken by the share of correct answers, then by finishing time.

    Applicants without a score come last.
    """
    return sorted(
        applicants,
        key=lambda a: (
            math.isnan(a.scored.value),
            -a.scored.value if not math.isnan(a.scored.value) else 0,
            -a.scored.share_right,
            a.finished_at,
            a.name,
        ),
    )


def pick(rule: QualificationRule, ranking: Sequence[Applicant]) -> list[str]:
    """The names of the applicants who qualify by the rule, best first.

    >>> noon = datetime(2026, 11, 15, 12)
    >>> ranking = [Applicant(name, Scored(value, value), noon) for name, value in (("a", 0.9), ("b", 0.7))]
    >>> pick(QualificationRule(best=1), ranking), pick(QualificationRule(at_least=0.7), ranking), pick(QualificationRule(best=5, at_least=0.8), ranking)
    (['a'], ['a', 'b'], ['a'])
    """
    good = [
        applicant.name
        for applicant in ranking
        if rule.at_least is None or applicant.scored.value >= rule.at_least
    ]
    return good if rule.best is None else good[: rule.best]


def _measured(answers: Sequence[Given], chosen: str, scale: Scale | None) -> float:
    if all(_covered(answer.reference) is not None for answer in answers):
        return sum(_overlap(answer, chosen) for answer in answers) / len(answers)
    if chosen in OF_CHOSEN_TEXT:
        chosen = "percentage"
    if any(answer.code is None or answer.reference_code is None for answer in answers):
        return _share_right(answers)
    ratings = Ratings.of(
        item=[answer.item for answer in answers] * 2,
        label=[answer.code for answer in answers] + [answer.reference_code for answer in answers],
        rater=[APPLICANT] * len(answers) + [REFERENCE] * len(answers),
        codes=scale.codes if scale else None,
        outside=scale.outside if scale else (),
        no_order=scale.no_order if scale else "",
    )
    return measure_ratings(ratings, [chosen], None)[chosen].value


def _overlap(answer: Given, chosen: str) -> float:
    """The overlap of the chosen parts of a text with the reference; 1 if both chose nothing."""
    own, wanted = _covered(answer.value) or set(), _covered(answer.reference) or set()
    if not own and not wanted:
        return 1.0
    shared = len(own & wanted)
    return 2 * shared / (len(own) + len(wanted)) if chosen == "f1" else shared / len(own | wanted)


def _covered(answer: Any) -> set[int] | None:
    """The characters of spans, or the positions of chosen sentences; None for other answers."""
    if isinstance(answer, Mapping) and isinstance(answer.get("chosen"), list):
        return set(answer["chosen"])
    if isinstance(answer, list) and all(isinstance(span, list) and len(span) >= 2 for span in answer):
        return {place for start, end, *_ in answer for place in range(start, end)}
    return None


def _share_right(answers: Sequence[Given]) -> float:
    return sum(answer.right for answer in answers) / len(answers) if answers else math.nan
