"""The analysis plan of a study as a report needs it, with the departures from it. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from labelwright.report.facts import DepartureFact, PlanFacts, PlannedAnalysis
from labelwright.server.reports.queries import facts as queries
from labelwright.server.reports.queries.facts import ExcludedTasks
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.plans import get_plan_history
from labelwright.study import (
    AnalysisPlan,
    CollectedSample,
    Departure,
    JudgedQuestion,
    Study,
    find_departures,
    plan_of_record,
    read_canonical,
)
from labelwright.study.analysis_plan import MainComparison, SecondaryAnalysis
from labelwright.study.departures import WITHOUT_FLAG
from labelwright.task import pattern_of


def get_plan_facts(row: StudyRow, excluded: Sequence[ExcludedTasks]) -> PlanFacts | None:
    """The plan of record and what departs from it; None if the study never had a plan."""
    history = get_plan_history(row)
    record = plan_of_record(history)
    if record is None:
        return None
    plan, rules = read_canonical(record.canonical)
    departures = [
        *find_departures(history, get_sample(row, rules, excluded)),
        *_of_report(plan, study_of(row.versions.latest("n").pk)),
    ]
    return PlanFacts(
        digest=record.digest,
        fixed_at=record.registered_at.isoformat(timespec="seconds"),
        ratings_before=record.ratings_before,
        # A plan that came late must not say afterwards which of many tests counts.
        main=None if record.ratings_before else _planned(plan.main, plan),
        secondary=() if record.ratings_before else tuple(_planned(each, plan) for each in plan.secondary),
        items=plan.sample.items,
        ratings=plan.sample.ratings,
        power=plan.sample.power,
        departures=tuple(
            DepartureFact(what=each.what, at=each.at.isoformat(timespec="seconds") if each.at else "")
            for each in departures
        ),
    )


def _of_report(plan: AnalysisPlan, study: Study) -> Iterator[Departure]:
    """What the report computes in another way than the plan says."""
    chosen = set(plan.main.conditions)
    if len(chosen) > 1 and chosen < set(study.conditions):
        yield Departure(
            "other_conditions",
            f"The plan uses the ratings of {len(chosen)} conditions, but the report decides by those of all conditions.",
        )


def get_sample(
    row: StudyRow, planned_rules: Collection[str], excluded: Sequence[ExcludedTasks]
) -> CollectedSample:
    """What counts now, as departures are judged by it."""
    sizes = queries.counted_sizes(row.pk)
    study = study_of(row.versions.latest("n").pk)
    reasons = Counter[str]()
    for each in excluded:
        # Nobody plans that raters withdraw, and their wish decides.
        if not each.withdrawn:
            reasons[_rule_of(each, planned_rules)] += each.n
    return CollectedSample(_questions(row, study), sizes.items, sizes.raters, sizes.ratings, reasons)


def _rule_of(excluded: ExcludedTasks, planned: Collection[str]) -> str:
    """The rule that explains an exclusion: one that the plan names, if there is one."""
    named = [rule for rule in excluded.rules if rule in planned]
    return next(iter([*named, *excluded.rules]), WITHOUT_FLAG)


def _questions(row: StudyRow, study: Study) -> list[JudgedQuestion]:
    asked = [column.name for design in study.designs.values() for column in design.judgments(study.scales)]
    compares = {
        question.name
        for design in study.designs.values()
        for question in design.questions
        if question.sides() is not None
    }
    return [
        JudgedQuestion(
            pattern_of(each.question, asked) or each.question,
            each.aspect,
            each.conditions,
            each.systems,
            wins=each.question.partition(".")[0] in compares,
        )
        for each in queries.judged_groups(row.pk)
    ]


def _planned(analysis: MainComparison | SecondaryAnalysis, plan: AnalysisPlan) -> PlannedAnalysis:
    # A report has one level for all of its intervals: that of the main comparison.
    compares = isinstance(analysis, MainComparison) or analysis.kind in ("systems", "shift", "consistency")
    return PlannedAnalysis(
        kind=analysis.kind,
        aspect=analysis.aspect,
        question=analysis.question,
        across=analysis.across if compares else "",
        values=analysis.between,
        condition=analysis.conditions[0] if len(analysis.conditions) == 1 else "",
        measure=getattr(analysis, "measure", ""),
        test=getattr(analysis, "test", "mean_score"),
        level=1 - plan.main.level,
        margin=getattr(analysis, "smallest_difference", None),
        text=_text(analysis),
    )


def _text(analysis: MainComparison | SecondaryAnalysis) -> str:
    """The analysis in one sentence."""
    about = analysis.question or analysis.aspect or "every question"
    between = f" between {' and '.join(analysis.between)}" if analysis.between else ""
    within = f", in {' and '.join(analysis.conditions)}" if analysis.conditions else ""
    words = {
        "systems": "Difference of systems",
        "shift": "Shift of labels between conditions",
        "agreement": "Agreement of raters",
        "consistency": "Consistency of labels between conditions",
        "distribution": "Distribution of labels",
        "time": "Time per task",
        "confidence": "Confidence against agreement",
    }[analysis.kind]
    how = ""
    if isinstance(analysis, MainComparison):
        of = {"mean_score": "mean scores", "win_rate": "win rates"}[analysis.test]
        smallest = (
            f"; smallest difference of interest {analysis.smallest_difference:g}"
            if analysis.smallest_difference
            else ""
        )
        how = f"; test of {of} at the level {analysis.level:g}{smallest}"
    elif analysis.measure:
        how = f"; {analysis.measure}"
    hypothesis = f" {analysis.hypothesis}" if analysis.hypothesis else ""
    return f"{words}{between} on {about}{within}{how}.{hypothesis}"
