"""Raters compared with the others: agreement of each on the first question of the study that has a scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from labelwright.agreement import Bootstrap, ChanceDistance, Estimate, agreement_with_others, mean_estimate
from labelwright.server.tallies.actions.judgments import JoinedVersions, judged_in
from labelwright.server.tallies.queries import raters as queries
from labelwright.server.tallies.queries.marks import RATER_MARKS
from labelwright.server.tallies.queries.raters import ComparedQuestion, RaterAgreement

FEWEST_ITEMS = 8
"""Agreement is not shown for fewer items that others rated too: its interval would say nothing."""
TASKS_IN_A_BLOCK = 7
SEVERITY_BOOTSTRAP = Bootstrap(replicates=500, seed=0)


@dataclass(frozen=True, slots=True)
class RaterComparison:
    """The question on which raters are compared. Stored with the figures of a study, so every field is a plain value."""

    text: str
    names: list[str]
    versions: list[int]
    conditions: list[str]
    codes: list[int]
    given: list[int]
    """How often each code was given to items with two ratings or more."""
    ordinal: bool
    agreement: float | None
    """The alpha of all raters."""

    @property
    def asked(self) -> ComparedQuestion:
        """What the database is asked for."""
        return ComparedQuestion(self.names, self.versions, self.conditions, self.codes)

    @property
    def chance(self) -> ChanceDistance:
        """How far apart answers are, and would be by chance."""
        return ChanceDistance.of_totals(dict(zip(self.codes, self.given, strict=True)), ordinal=self.ordinal)


def measure_raters(joined: JoinedVersions, names: Sequence[str], agreement: float) -> dict[str, Any] | None:
    """Computes and stores the agreement of every rater; returns the comparison to store with the figures.

    `names` are the stored names of the first judgment, and `agreement` its alpha. Reads every such answer, so only the
    figures job calls it. None if the study has no question with a scale.
    """
    judged = next(iter(judged_in(joined.newest)), None)
    if judged is None:
        return None
    scale = judged.scale
    codes = [code for code in scale.labels if not (scale.ordered and code in scale.outside)]
    asked = ComparedQuestion(names, joined.asking(judged), list(joined.newest.conditions), codes)
    given = queries.code_totals(joined.row, asked)
    compared = RaterComparison(
        judged.text,
        list(asked.names),
        list(asked.versions),
        list(asked.conditions),
        codes,
        list(given.values()),
        scale.ordered,
        None if math.isnan(agreement) else agreement,
    )
    _store(joined.row, compared)
    return asdict(compared)


@transaction.atomic
def _store(study: int, compared: RaterComparison) -> None:
    chance = compared.chance
    distances = queries.rater_distances(study, compared.asked, chance, FEWEST_ITEMS)
    found = [
        _plain(each.oldest, agreement_with_others(each.apart, chance))
        for each in (distances if chance.expected else [])
    ]
    RATER_MARKS.lock_lines(study)
    queries.store_agreement(study, found)


def _plain(oldest: int, found: Estimate) -> RaterAgreement:
    limits = found.interval
    return RaterAgreement(
        oldest, found.value, limits.low if limits else None, limits.high if limits else None, found.items
    )


def get_severity(study: int, compared: RaterComparison, raters: Sequence[int]) -> Estimate | None:
    """How many points of the scale a person answers above the others, on the same items; reads the work of this person.

    None if the answers have no order, or fewer than `FEWEST_ITEMS` items were rated by others too.
    """
    if not compared.ordinal:
        return None
    found = queries.task_severities(study, compared.asked, raters)
    if len(found) < FEWEST_ITEMS:
        return None
    most = len(compared.codes) - 1
    definition = "Mean difference to the other raters of the same items, in points of the scale."
    values = [each.apart for each in found]
    return mean_estimate("severity", values, definition, SEVERITY_BOOTSTRAP, bounds=(-most, most))


@dataclass(frozen=True, slots=True)
class TaskBlock:
    """Some tasks of a rater in a row, and their agreement with the others on them."""

    first: int
    last: int
    agreement: Estimate


def get_trend(study: int, compared: RaterComparison, raters: Sequence[int]) -> list[TaskBlock]:
    """How the agreement of a person developed, in blocks of tasks; reads the work of this person."""
    chance = compared.chance
    tasks: dict[int, list[float]] = {}
    for found in queries.task_distances(study, compared.asked, chance, raters) if chance.expected else ():
        tasks.setdefault(found.assignment, []).append(found.apart)
    every = list(tasks.values())
    starts = range(0, len(every) - TASKS_IN_A_BLOCK + 1, TASKS_IN_A_BLOCK)
    blocks = []
    for start in starts:
        # The last block takes the tasks that are too few for one of their own.
        end = len(every) if start == starts[-1] else start + TASKS_IN_A_BLOCK
        apart = [value for task in every[start:end] for value in task]
        blocks.append(TaskBlock(start + 1, end, agreement_with_others(apart, chance)))
    return blocks
