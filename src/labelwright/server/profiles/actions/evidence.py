"""What the requester's page about one rater shows of their work: figures, times, trend, verdicts and pay. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.agreement import Estimate
from labelwright.crowd import CountScope, PaidState, Pay
from labelwright.server.profiles.actions.raters import PoolFigures, RaterLimits, get_limits, get_pool_figures
from labelwright.server.profiles.queries import GoldAnswers, gold_answers
from labelwright.server.profiles.queries import raters as queries
from labelwright.server.profiles.queries.raters import ListedRater, RuleFlags, TaskTime, VerdictGroup
from labelwright.server.store.models import Rater, RaterCount, StudyRow
from labelwright.server.tallies.actions import get_owed
from labelwright.server.tallies.actions.comparison import TaskBlock, get_severity, get_trend
from labelwright.server.tallies.queries.raters import known_raters
from labelwright.study import Study

MOST_TIMES = 200
"""Tasks in the drawing of times; older ones are in the export."""


@dataclass(frozen=True, slots=True)
class RaterFindings:
    """One person's work in a study."""

    line: ListedRater | None
    """The numbers of the list; None until the job has counted them."""
    raters: list[int]
    """The raters that they are, the oldest first."""
    cap: int | None
    """The most tasks that they may do."""
    limits: RaterLimits
    everybody: PoolFigures
    times: list[TaskTime]
    trend: list[TaskBlock]
    severity: Estimate | None
    """How many points of the scale they answer above the others."""
    flags: list[RuleFlags]
    verdicts: list[VerdictGroup]
    gold: GoldAnswers
    paid: list[Pay]
    owed: list[Pay]
    paid_tasks: int
    owed_tasks: int


def get_oldest(rater: Rater) -> Rater:
    """The oldest rater of the same person in the study, whose name stands for all of them."""
    if rater.person_id is None:
        return rater
    same = Rater.objects.select_related("person").filter(study=rater.study_id, person=rater.person_id)
    return same.order_by("pk").first() or rater


def get_evidence(row: StudyRow, study: Study, rater: Rater) -> RaterFindings:
    """The work of the person behind a rater; the caller has checked access."""
    known = sorted(each.rater for each in known_raters(row.pk, [rater.pk])) or [rater.pk]
    everybody = get_pool_figures(row.pk)
    tasks = queries.count_paid_states(known)
    caps = RaterCount.objects.filter(rater__in=known, scope=CountScope.TASKS).values_list("cap", flat=True)
    return RaterFindings(
        line=queries.line_of(known[0], queries.raters_at_work(row.pk)),
        raters=known,
        cap=next((cap for cap in caps if cap is not None), None),
        limits=get_limits(study),
        everybody=everybody,
        times=queries.task_times(known, MOST_TIMES),
        trend=get_trend(row.pk, everybody.comparison, known) if everybody.comparison else [],
        severity=get_severity(row.pk, everybody.comparison, known) if everybody.comparison else None,
        flags=queries.flags_by_rule(known),
        verdicts=queries.verdict_groups(known),
        gold=gold_answers(rater.pk),
        paid=_sum(row.pk, known, PaidState.PAID),
        owed=_sum(row.pk, known, PaidState.OWED),
        paid_tasks=tasks.get(PaidState.PAID, 0),
        owed_tasks=tasks.get(PaidState.OWED, 0),
    )


def _sum(study: int, raters: list[int], state: PaidState) -> list[Pay]:
    sums: dict[str, int] = {}
    for rater in raters:
        for pay in get_owed(study, rater, state):
            sums[pay.currency] = sums.get(pay.currency, 0) + pay.cents
    return [Pay(cents=cents, currency=currency) for currency, cents in sorted(sums.items())]
