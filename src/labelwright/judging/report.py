"""Judge report: agreement and the stand-in test of each model and question, as one table."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labelwright.agreement import DEFAULT_BOOTSTRAP, Bootstrap, Estimate
from labelwright.analysis.results import html_table, text_table
from labelwright.judging.agreement import ModelAgreement, agree_with_people
from labelwright.judging.sides import PeopleAndModels, make_panel
from labelwright.judging.stand_in import EPSILONS, Scoring, StandIn, stand_in


@dataclass(frozen=True)
class JudgeRow:
    """What is known about one model and one question."""

    where: Mapping[str, Any]
    agreement: ModelAgreement
    stand_in: StandIn

    @property
    def verdict(self) -> str:
        """Whether the model may stand in, in a word or two."""
        passes = self.stand_in.passes
        return "not tested" if passes is None else "may stand in" if passes else "may not stand in"

    def record(self) -> dict[str, Any]:
        """Plain values for a data frame or JSON."""
        test = self.stand_in
        return {
            **self.where,
            "model": test.model,
            "people": self.agreement.people.record(),
            "judge": self.agreement.judge.record(),
            "difference": self.agreement.difference.record(),
            "compared_with_a_person": self.agreement.comparison,
            "scoring": test.scoring,
            "epsilon": test.epsilon,
            "winning_rate": None if math.isnan(test.winning_rate) else test.winning_rate,
            "advantage_probability": None if math.isnan(test.advantage) else test.advantage,
            "verdict": self.verdict,
            "refused": test.refused or None,
            "raters": [
                {
                    "rater": each.rater,
                    "items": each.items,
                    "advantage_probability": each.advantage,
                    "difference": each.difference,
                    "low": each.interval.low,
                    "high": each.interval.high,
                    "p": each.p,
                    "result": each.result,
                }
                for each in test.raters
            ],
        }


@dataclass(frozen=True)
class JudgeReport:
    """All models and questions. `repr` prints a plain table; notebooks show HTML."""

    rows: tuple[JudgeRow, ...]

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        keys = list(self.rows[0].where) if self.rows else []
        heads = [*keys, "model", "people with each other", "model with people", "difference"]
        heads += ["compared with a person", "winning rate", "advantage", "stand-in test"]
        return heads, [[*(str(row.where[key]) for key in keys), *_cells(row)] for row in self.rows]

    @property
    def notes(self) -> list[str]:
        """What the measures and epsilon mean, and why tests were refused, without repetition."""
        found: list[str] = []
        for row in self.rows:
            found += [row.agreement.people.definition, row.agreement.judge.definition]
            found.append(row.stand_in.refused or row.stand_in.explanation)
            found += row.agreement.people.notes
        return list(dict.fromkeys(found))

    def records(self) -> list[dict[str, Any]]:
        """One plain record for each model and question."""
        return [row.record() for row in self.rows]

    def json(self) -> str:
        """The report as JSON."""
        return json.dumps(self.records(), ensure_ascii=False, indent=2, default=str)

    def __repr__(self) -> str:
        return "\n".join(["Models compared with people", text_table(*self.cells()), *self.notes])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption="Models compared with people", notes=self.notes)


def _cells(row: JudgeRow) -> list[str]:
    test, found = row.stand_in, row.agreement
    rates = ["", ""] if test.refused else [f"{test.winning_rate:.2f}", f"{test.advantage:.2f}"]
    return [
        test.model,
        _short(found.people),
        _short(found.judge),
        _short(found.difference),
        found.comparison,
        *rates,
        row.verdict,
    ]


def _short(estimate: Estimate) -> str:
    return estimate.text


def compare_models(
    sides: PeopleAndModels,
    *,
    epsilon: float = EPSILONS["crowd"],
    scoring: Scoring | None = None,
    cluster: str | None = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> JudgeReport:
    """Agreement and the stand-in test of every model, for each aspect and question."""
    rows = []
    for where, part in sides.slices():
        for model in sides.models:
            panel = make_panel(part, model, cluster)
            rows.append(
                JudgeRow(where, agree_with_people(panel, bootstrap), stand_in(panel, epsilon, scoring))
            )
    return JudgeReport(tuple(rows))
