"""Sources: what the sections of a report are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from labelwright.agreement import Bootstrap
from labelwright.errors import LabelwrightError
from labelwright.report.arrays import RatingArrays
from labelwright.report.closed_form import LARGE, ClosedFigures
from labelwright.report.facts import Facts
from labelwright.report.figures import MAIN_MEASURE, Figures
from labelwright.report.material import AskedQuestion, ReportMaterial
from labelwright.report.tree import Json

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class ReportedQuestion:
    """One question with its analyses, after exclusion and before."""

    asked: AskedQuestion
    after: Figures
    before: Figures | None
    """None if nothing was excluded."""


@dataclass(frozen=True, eq=False)
class Sources:
    """The ratings, the facts and the analyses of a report."""

    material: ReportMaterial
    seed: int
    level: float = 0.95

    @property
    def facts(self) -> Facts:
        """The facts of the study."""
        return self.material.given.facts

    @cached_property
    def questions(self) -> tuple[ReportedQuestion, ...]:
        """Every question with its analyses."""
        return tuple(self._questions())

    @property
    def scored(self) -> list[ReportedQuestion]:
        """The questions whose labels are scores. An order of candidates is analysed as preferences."""
        compared = {each.asked.question for each in self.material.given.preferences}
        return [each for each in self.questions if each.asked.where.get("question") not in compared]

    def _questions(self) -> Iterator[ReportedQuestion]:
        excluded = bool(self.material.excluded.any())
        for asked in self.material.questions:
            if len(asked.kept):
                before = self._figures(asked.every) if excluded else None
                yield ReportedQuestion(asked, self._figures(asked.kept), before)

    def _figures(self, data: RatingArrays) -> Figures:
        kind = ClosedFigures if self.material.rows.num_rows > LARGE else Figures
        return kind(data, self.material.reference, Bootstrap(seed=self.seed, level=self.level))

    @property
    def method(self) -> str:
        """How intervals and tests are computed, as a sentence."""
        return self.questions[0].after.method if self.questions else ""

    @property
    def measure(self) -> str:
        """The measure that conditions are compared by."""
        plan = self.facts.plan
        named = (
            [each.measure for each in (plan.main, *plan.secondary) if each and each.measure] if plan else []
        )
        return named[0] if named else MAIN_MEASURE


@dataclass(frozen=True)
class NotComputed:
    """An analysis that the data do not allow, and why."""

    why: str


def attempt(make: Callable[[], Made]) -> Made | NotComputed:
    """The result, or why the data do not allow it. Mistakes in our own code are not caught."""
    try:
        return make()
    except LabelwrightError as error:
        return NotComputed(str(error))


def refusals(found: list[tuple[str, NotComputed]]) -> list[Json]:
    """One paragraph for each reason, with the questions that it is about."""
    grouped: dict[str, list[str]] = {}
    for name, refused in found:
        grouped.setdefault(refused.why, []).append(name)
    return [
        {"type": "unknown", "text": f"{', '.join(names)}: not computed. {why}"}
        for why, names in grouped.items()
    ]
