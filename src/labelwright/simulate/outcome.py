"""What a rehearsal came to: what the study would cost, how long it would take, how well raters would agree."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.agreement import Bootstrap
from labelwright.analysis import EstimateRow, EstimateTable, Labels, measure_agreement
from labelwright.crowd import Pay
from labelwright.simulate.raters import SimulatedRater
from labelwright.simulate.timeline import End, WorkRecord
from labelwright.study import Study
from labelwright.task import scale_under

REPLICATES = 1000
MILESTONES = (0.5, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class StoredWork:
    """One submission as the store holds it."""

    rater: int
    cents: int
    """What it pays."""
    flagged: bool | None
    """Whether a quality rule found something; None where time was not simulated for the server too."""
    applied: bool = False
    """Whether it was done to qualify, which no rating of the study is."""


@dataclass(frozen=True, slots=True)
class KindFigures:
    """What the raters of one kind did."""

    kind: str
    raters: int
    stored: int
    seconds: float | None
    """Median of a task that was stored."""
    hourly_cents: float | None
    """Pay for an hour of the middle rater of the kind; also time that came to nothing counts."""
    left: int
    """Raters who dropped out."""
    refused: int
    """Pieces of work that came too late: somebody else had the place."""
    flagged: int | None


@dataclass(frozen=True, slots=True)
class RehearsalOutcome:
    """All that a rehearsal tells."""

    study: str
    raters: int
    wanted: int
    stored: int
    applied: int
    """Tasks that were done to qualify; they are paid, and no ratings."""
    opened: datetime
    over_time: list[tuple[datetime, int]]
    """Submissions added up, one point for each."""
    owed: list[Pay]
    """As the store has it."""
    pay: Pay
    """Of one task."""
    earned: dict[int, int]
    """Cents by the number of the rater; only raters whose work was stored."""
    hourly: dict[int, float]
    """Cents for an hour of work, by the number of the rater."""
    work_hours: float
    """Hours that raters worked, whatever came of it."""
    kinds: list[KindFigures]
    lost: int
    """Pieces of work that were begun and not stored."""
    agreement: EstimateTable

    @property
    def cents(self) -> int:
        """What all of it costs, in the currency of the study."""
        return sum(pay.cents for pay in self.owed)

    @property
    def complete(self) -> bool:
        """Whether every wanted rating was given."""
        return self.stored >= self.wanted

    def took(self, share: float) -> timedelta | None:
        """The time from the opening to such a share of the wanted ratings, or None where it was not reached."""
        needed = max(1, round(share * self.wanted))
        reached = [at for at, n in self.over_time if n >= needed]
        return reached[0] - self.opened if reached else None

    def below(self, hourly_cents: float) -> int:
        """How many raters would earn less than this in an hour."""
        return sum(rate < hourly_cents for rate in self.hourly.values())

    @property
    def median_hourly(self) -> float | None:
        """The hourly pay of the middle rater, in cents."""
        return statistics.median(self.hourly.values()) if self.hourly else None

    def record(self) -> dict[str, Any]:
        """All of it as plain values, for JSON."""
        return {
            "study": self.study,
            "raters": self.raters,
            "wanted": self.wanted,
            "stored": self.stored,
            "applied": self.applied,
            "complete": self.complete,
            "opened": self.opened.isoformat(),
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
    """The figures of a rehearsal, from what the raters did and from what the store holds of it."""
    handed_in = sorted(work.ended for work in worked if work.end is End.STORED)
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
        stored=sum(not work.applied for work in stored),
        applied=sum(work.applied for work in stored),
        opened=opened,
        # Who applies is done before anybody works.
        over_time=[(at, n) for n, at in enumerate(handed_in[sum(w.applied for w in stored) :], start=1)],
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
    """Agreement of every question that is counted, in every condition, with its interval."""
    by_question: dict[str, dict[str, list[Any]]] = {}
    for answer in answers:
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
    """The kinds that are there, in the order of the behaviour file."""
    there = {rater.kind for rater in raters}
    return [name for name in raters[0].behaviour.kinds if name in there] if raters else []


def _hours(took: timedelta | None) -> float | None:
    return took.total_seconds() / 3600 if took is not None else None
