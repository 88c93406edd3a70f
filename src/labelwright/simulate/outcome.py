"""The outcome of a rehearsal: cost, duration and agreement."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.agreement import Bootstrap
from labelwright.analysis import EstimateRow, EstimateTable, Labels, counted_rows, measure_agreement
from labelwright.crowd import Pay
from labelwright.simulate.raters import SimulatedRater
from labelwright.simulate.timeline import End, WorkRecord
from labelwright.study import Study
from labelwright.task import scale_under

REPLICATES = 1000
MOST_POINTS = 300
"""The points over time that are recorded and drawn; long studies have a sample of their submissions."""
MILESTONES = (0.5, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class StoredWork:
    """One stored submission."""

    rater: int
    cents: int
    """The pay for the submission."""
    flagged: bool | None
    """Whether a quality rule flagged it; None if the server did not use simulated time."""
    applied: bool = False
    """Whether it was part of a qualification, so that it is not a rating of the study."""
    gold: bool = False
    """Whether it was a gold task, so that it is not a rating of the study."""

    @property
    def is_rating(self) -> bool:
        """Whether it is a wanted rating."""
        return not self.applied and not self.gold


@dataclass(frozen=True, slots=True)
class KindFigures:
    """Figures for the raters of one kind."""

    kind: str
    raters: int
    stored: int
    seconds: float | None
    """The median duration of stored tasks."""
    hourly_cents: float | None
    """The median hourly pay of these raters, including unpaid time."""
    left: int
    """The number of raters who dropped out."""
    refused: int
    """The number of tasks submitted too late, when another rater had the place."""
    flagged: int | None


@dataclass(frozen=True, slots=True)
class RehearsalOutcome:
    """All results of a rehearsal."""

    study: str
    raters: int
    wanted: int
    stored: int
    applied: int
    """The number of qualification tasks. They are paid, but are not ratings."""
    gold: int
    """The number of gold tasks. They are paid, but are not ratings."""
    opened: datetime
    over_time: list[tuple[datetime, int]]
    """The cumulative number of submissions, one point per submission."""
    owed: list[Pay]
    """The amounts owed according to the database."""
    pay: Pay
    """The pay for one task."""
    earned: dict[int, int]
    """Cents by rater number, for raters with stored work."""
    hourly: dict[int, float]
    """Cents per hour of work, by rater number."""
    work_hours: float
    """The total working time, including work that was not stored."""
    kinds: list[KindFigures]
    lost: int
    """The number of tasks that were started but not stored."""
    agreement: EstimateTable

    @property
    def cents(self) -> int:
        """The total cost, in the currency of the study."""
        return sum(pay.cents for pay in self.owed)

    @property
    def complete(self) -> bool:
        """Whether all ratings were collected."""
        return self.stored >= self.wanted

    def took(self, share: float) -> timedelta | None:
        """The time from the opening until this share of the ratings was collected, or None."""
        needed = max(1, round(share * self.wanted))
        reached = [at for at, n in self.over_time if n >= needed]
        return reached[0] - self.opened if reached else None

    def sampled_over_time(self) -> list[tuple[datetime, int]]:
        """The submissions over time in at most some hundred points, the last one included."""
        step = max(1, len(self.over_time) // MOST_POINTS)
        return [*self.over_time[:-1][::step], *self.over_time[-1:]]

    def below(self, hourly_cents: float) -> int:
        """The number of raters who would earn less than this per hour."""
        return sum(rate < hourly_cents for rate in self.hourly.values())

    @property
    def median_hourly(self) -> float | None:
        """The median hourly pay, in cents."""
        return statistics.median(self.hourly.values()) if self.hourly else None

    def record(self) -> dict[str, Any]:
        """The outcome as plain values, for JSON."""
        return {
            "study": self.study,
            "raters": self.raters,
            "wanted": self.wanted,
            "stored": self.stored,
            "applied": self.applied,
            "gold": self.gold,
            "complete": self.complete,
            "opened": self.opened.isoformat(),
            "over_time": [(at.isoformat(), n) for at, n in self.sampled_over_time()],
            "hours": {f"{share:.0%}": _hours(self.took(share)) for share in MILESTONES},
            "owed": [pay.model_dump() for pay in self.owed],
            "pay_per_task": self.pay.model_dump(),
            "median_hourly_cents": self.median_hourly,
            "earned_cents": dict(sorted(self.earned.items())),
            "work_hours": self.work_hours,
            "lost": self.lost,
            "kinds": [{name: getattr(each, name) for name in KindFigures.__slots__} for each in self.kinds],
            "agreement": self.agreement.records(),
        }


def make_outcome(
    study: Study,
    raters: Sequence[SimulatedRater],
    opened: datetime,
    worked: Sequence[WorkRecord],
    stored: Sequence[StoredWork],
    answers: Iterable[Mapping[str, Any]],
    owed: list[Pay],
    wanted: int,
) -> RehearsalOutcome:
    """The outcome of a rehearsal, from the work of the raters and the stored submissions."""
    pay = study.pool.pay
    earned: dict[int, int] = {}
    for work in stored:
        earned[work.rater] = earned.get(work.rater, 0) + work.cents
    seconds: dict[int, float] = {}
    for done in worked:
        seconds[done.rater] = seconds.get(done.rater, 0) + done.seconds
    hourly = {n: 3600 * earned.get(n, 0) / spent for n, spent in sorted(seconds.items()) if spent}
    return RehearsalOutcome(
        study=study.name,
        raters=len(raters),
        wanted=wanted,
        stored=sum(work.is_rating for work in stored),
        applied=sum(work.applied for work in stored),
        gold=sum(work.gold for work in stored),
        opened=opened,
        over_time=[(at, n) for n, at in enumerate(_ratings_at(worked, stored), start=1)],
        owed=owed,
        pay=pay,
        earned=earned,
        hourly=hourly,
        work_hours=sum(seconds.values()) / 3600,
        kinds=[_figures(kind, raters, worked, stored, hourly) for kind in _kinds(raters)],
        lost=sum(work.end is not End.STORED for work in worked),
        agreement=agreement_of(study, answers),
    )


def agreement_of(study: Study, answers: Iterable[Mapping[str, Any]]) -> EstimateTable:
    """Agreement on the coded answers that count, for every question and condition, with intervals."""
    by_question: dict[str, dict[str, list[Any]]] = {}
    for answer in counted_rows(answers):
        if answer["label"] is None:
            continue
        columns = by_question.setdefault(str(answer["question"]), {})
        for name in ("item", "rater", "label", "condition"):
            columns.setdefault(name, []).append(answer[name])
    bootstrap = Bootstrap(replicates=REPLICATES, seed=study.seed % 2**32)
    scales = {
        name: scale
        for design in study.designs.values()
        for name, scale in design.answer_scales(study.scales).items()
    }
    rows: list[EstimateRow] = []
    for question, columns in sorted(by_question.items()):
        scale = scale_under(question, scales)
        main = "alpha_ordinal" if scale and scale.ordered else "alpha_nominal"
        found = measure_agreement(
            Labels.read(columns, scale=scale), ["percentage", main], ["condition"], bootstrap
        )
        rows += [EstimateRow({"question": question, **row.where}, row.estimates) for row in found]
    return EstimateTable(tuple(rows), "Agreement")


def _ratings_at(worked: Sequence[WorkRecord], stored: Sequence[StoredWork]) -> list[datetime]:
    """When each rating was submitted. Both lists have the submissions of a rater in the same order."""
    ratings: dict[int, deque[bool]] = {}
    for work in stored:
        ratings.setdefault(work.rater, deque()).append(work.is_rating)
    submitted = sorted((done.ended, done.rater) for done in worked if done.end is End.STORED)
    return [at for at, rater in submitted if ratings.get(rater) and ratings[rater].popleft()]


def _figures(
    kind: str,
    raters: Sequence[SimulatedRater],
    worked: Sequence[WorkRecord],
    stored: Sequence[StoredWork],
    hourly: Mapping[int, float],
) -> KindFigures:
    mine = {number for number, rater in enumerate(raters) if rater.kind == kind}
    did = [work for work in worked if work.rater in mine]
    kept = [work for work in stored if work.rater in mine]
    done = [work.seconds for work in did if work.end is End.STORED]
    rates = [rate for number, rate in hourly.items() if number in mine]
    return KindFigures(
        kind=kind,
        raters=len(mine),
        stored=len(kept),
        seconds=statistics.median(done) if done else None,
        hourly_cents=statistics.median(rates) if rates else None,
        left=sum(work.end in (End.RETURNED, End.VANISHED) for work in did),
        refused=sum(work.end is End.REFUSED for work in did),
        flagged=sum(map(bool, found))
        if (found := [work.flagged for work in kept]) and None not in found
        else None,
    )


def _kinds(raters: Sequence[SimulatedRater]) -> list[str]:
    """The kinds that occur, in the order of the behaviour file."""
    there = {rater.kind for rater in raters}
    return [name for name in raters[0].behaviour.kinds if name in there] if raters else []


def _hours(took: timedelta | None) -> float | None:
    return took.total_seconds() / 3600 if took is not None else None
