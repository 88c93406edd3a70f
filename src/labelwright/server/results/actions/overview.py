"""The overview of a study: progress, figures and what needs attention. Reads only; a job computes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from labelwright.analysis import Exclusion, exclusion_by_condition
from labelwright.crowd import AssignmentState, PaidState, Pay, StudyState
from labelwright.crowd.forecast import Forecast, make_forecast
from labelwright.server.results import queries
from labelwright.server.results.actions.agreement import OverlapFigures, get_overlaps
from labelwright.server.results.actions.question_figures import (
    QuestionFigures,
    get_counted,
    get_question_figures,
)
from labelwright.server.results.actions.systems import SystemFigures, get_system_figures
from labelwright.server.results.queries import LateWork, StudyCounts
from labelwright.server.store.models import Batch, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.plans import get_plan_history
from labelwright.server.tallies.actions import get_owed
from labelwright.server.tallies.actions.comparison import measure_raters
from labelwright.server.tallies.actions.judgments import JoinedVersions
from labelwright.study import RegisteredPlan, Study, fewest_raters, plan_of_record

POINTS_IN_TIME = 60


@dataclass(frozen=True, slots=True)
class ConditionProgress:
    """The progress of one condition."""

    name: str
    stored: int
    wanted: int
    flagged: int
    seconds: tuple[float, float, float] | None
    """Lower quartile, median, upper quartile."""


@dataclass(frozen=True, slots=True)
class BeforeExclusion:
    """Figures that count excluded data like the others, to compare with those that do not."""

    questions: list[QuestionFigures]
    systems: list[SystemFigures]
    counted: int
    """Judgments that they are computed from."""
    median_seconds: float | None
    seconds: dict[str, tuple[float, float, float]]
    """Quartiles by condition."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything that the page of a study shows."""

    study: Study
    row: StudyRow
    version: int
    sha256: str
    loaded_at: datetime
    changed_at: list[tuple[int, datetime]]
    """When each later version was loaded, by its number."""
    conditions: list[ConditionProgress]
    questions: list[QuestionFigures]
    over_time: list[tuple[datetime, int]]
    at_work: int
    late: list[LateWork]
    """Late submissions whose pay nobody has decided."""
    counts: StudyCounts
    median_seconds: float | None
    """The median time of a task that counts."""
    counted: int
    """Judgments that labels and agreement are computed from, in all versions."""
    left_out: dict[str, int]
    """Coded answers that do not count, by reason."""
    owed: list[Pay]
    """What is owed, by currency."""
    systems: list[SystemFigures]
    """On each question whose answers have an order."""
    overlaps: list[OverlapFigures]
    """On each question that asks to mark parts of a text."""
    forecast: Forecast | None
    """When all ratings will be there at the present pace; None if nothing is left, or nothing came in of late."""
    paid: list[Pay]
    items: int
    """Items in the newest version."""
    exclusion: Exclusion | None
    """What was excluded of each condition; None if nothing was."""
    before: BeforeExclusion | None
    """The figures with excluded data; None if nothing was excluded."""
    people: int
    """Raters in the study, whether or not they have done anything."""
    plan: RegisteredPlan | None
    """The analysis plan that was in force when the first rating came."""

    @property
    def late_answers(self) -> int:
        """How many of them there are."""
        return sum(each.tasks for each in self.late)

    @property
    def raters_needed(self) -> int:
        """The fewest raters who can give what is wanted; 0 once it is there."""
        return fewest_raters(self.study, self.wanted) if self.stored < self.wanted else 0

    @property
    def stored(self) -> int:
        """Submissions that are stored and tallied."""
        return sum(condition.stored for condition in self.conditions)

    @property
    def wanted(self) -> int:
        """Ratings wanted over all conditions."""
        return sum(condition.wanted for condition in self.conditions)


def measure_overview(row: StudyRow) -> Overview:
    """The figures of a study at this moment. Reads every submission, so only jobs call it."""
    version = row.versions.latest("n")
    batches = list(Batch.objects.filter(version=version, purpose=Batch.Purpose.COLLECT))
    ids = [batch.pk for batch in batches]
    study = study_of(version.pk)
    states = queries.count_assignments_by_state(row.pk)
    joined = JoinedVersions.of(row)
    counted, left_out = get_counted(joined)
    conditions, questions, over_time = (
        _conditions(study, batches),
        get_question_figures(joined),
        _over_time(ids),
    )
    stored, wanted = sum(each.stored for each in conditions), sum(each.wanted for each in conditions)
    exclusion = _exclusion(row.pk)
    return Overview(
        study=study,
        row=row,
        version=version.n,
        sha256=version.sha256,
        loaded_at=version.loaded_at,
        changed_at=list(row.versions.filter(n__gt=1).order_by("n").values_list("n", "loaded_at")),
        conditions=conditions,
        questions=questions,
        over_time=over_time,
        at_work=states.get(AssignmentState.OPEN, 0),
        late=queries.undecided_late_work(row.pk),
        counts=queries.study_counts(row.pk),
        median_seconds=queries.median_seconds(row.pk, ids),
        counted=counted,
        left_out=left_out,
        owed=get_owed(row.pk),
        paid=get_owed(row.pk, state=PaidState.PAID),
        items=sum(batch.items for batch in batches),
        people=queries.count_raters(row.pk),
        plan=plan_of_record(get_plan_history(row)),
        systems=get_system_figures(joined, questions),
        overlaps=get_overlaps(joined),
        forecast=make_forecast(over_time, stored, wanted, datetime.now(UTC))
        if row.state == StudyState.OPEN
        else None,
        exclusion=exclusion,
        before=_before(joined, ids) if exclusion else None,
    )


def _exclusion(study: int) -> Exclusion | None:
    """The excluded share of each condition. A task counts once, whatever the number of its items and questions."""
    if not queries.has_excluded_work(study):
        return None
    work = [each for each in queries.work_by_exclusion(study) for _ in range(each.n)]
    return exclusion_by_condition(
        [each.condition for each in work],
        [each.excluded for each in work],
        [each.item for each in work],
        [each.rater for each in work],
    )


def _before(joined: JoinedVersions, batches: list[int]) -> BeforeExclusion:
    everything = replace(joined, excluded_too=True)
    questions = get_question_figures(everything)
    work = queries.work_by_condition(joined.row, batches, queries.SUBMITTED_USES)
    return BeforeExclusion(
        questions,
        get_system_figures(everything, questions),
        get_counted(everything)[0],
        queries.median_seconds(joined.row, batches, queries.SUBMITTED_USES),
        {name: _quartiles(each.seconds) for name, each in work.items()},
    )


def compare_raters(figures: Overview) -> dict[str, Any] | None:
    """Computes and stores the agreement of every rater with the others; returns what they were compared on."""
    first = next(iter(figures.questions), None)
    joined = JoinedVersions.of(figures.row)
    return measure_raters(joined, first.stored_names, first.overall.value) if first else None


def _conditions(study: Study, batches: list[Batch]) -> list[ConditionProgress]:
    row, ids = batches[0].study_id, [batch.pk for batch in batches]
    flagged, work = queries.flagged_by_condition(row, ids), queries.work_by_condition(row, ids)
    return [
        ConditionProgress(
            name=name,
            stored=work[name].stored if name in work else 0,
            wanted=_wanted(name, batches),
            flagged=flagged.get(name, 0),
            seconds=_quartiles(work[name].seconds) if name in work else None,
        )
        for name in study.conditions
    ]


def _quartiles(seconds: list[float]) -> tuple[float, float, float]:
    low, middle, high = seconds
    return low, middle, high


def _wanted(condition: str, batches: list[Batch]) -> int:
    """Ratings wanted in a condition, over all batches and groups."""
    return sum(batch.condition_wanted.get(condition, 0) for batch in batches)


def _over_time(batches: list[int]) -> list[tuple[datetime, int]]:
    """Submissions added up over time, in at most sixty steps."""
    period = queries.period_of_work(batches)
    if period.first is None or period.last is None:
        return []
    step = max((period.last - period.first) / POINTS_IN_TIME, timedelta(seconds=1))
    total, points = 0, [(period.first, 0)]
    for found in queries.submissions_over_time(batches, period.first, step):
        total += found.submissions
        points.append((found.until, total))
    return points
