"""How a study departs from its analysis plan: what changed, what is missing, and what cannot be computed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from labelwright.study.analysis_plan import (
    AnalysisPlan,
    MainComparison,
    PlannedSample,
    SecondaryAnalysis,
    read_canonical,
)

WITHOUT_FLAG = "no rule"
"""The reason of data that a person excluded although no rule had flagged them."""


@dataclass(frozen=True, slots=True)
class RegisteredPlan:
    """A plan as it was stored when a version of the study was loaded."""

    version: int
    canonical: str
    """Empty if the version has no plan any more."""
    digest: str
    registered_at: datetime
    ratings_before: int
    """Submissions that were stored at that moment."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question whose answers are judgments, with the systems and conditions that they are about."""

    question: str
    aspect: str
    conditions: Collection[str]
    systems: Collection[str]
    wins: bool = False
    """Whether its answers say which side is preferred."""


@dataclass(frozen=True, slots=True)
class CollectedSample:
    """The data that count when the report is made."""

    questions: Sequence[JudgedQuestion]
    items: int
    raters: int
    ratings: int
    excluded: Mapping[str, int] = field(default_factory=dict)
    """Submissions whose data were excluded, by the rule that flagged them."""


@dataclass(frozen=True, slots=True)
class Departure:
    """One way in which a study departs from its plan."""

    code: str
    """What kind of departure it is, for programs."""
    what: str
    """One sentence."""
    at: datetime | None = None


def plan_of_record(history: Sequence[RegisteredPlan]) -> RegisteredPlan | None:
    """The plan that was in force when the first rating came; the first later one if there was none; None without any plan."""
    before = [each for each in history if not each.ratings_before]
    if before and before[-1].canonical:
        return before[-1]
    return next((each for each in history if each.ratings_before and each.canonical), None)


def find_departures(history: Sequence[RegisteredPlan], sample: CollectedSample) -> list[Departure]:
    """Every departure from the plan of record, in the order of the study; empty without a plan."""
    record = plan_of_record(history)
    if record is None:
        return []
    plan, rules = read_canonical(record.canonical)
    return [
        *_late(record),
        *_changed(record, history),
        *_impossible(plan, sample.questions),
        *_smaller(plan.sample, sample),
        *_excluded(rules, sample.excluded),
    ]


def _late(record: RegisteredPlan) -> Iterator[Departure]:
    if record.ratings_before:
        yield Departure(
            "late",
            f"The plan was written after {_ratings(record.ratings_before)}, so no result counts as planned beforehand.",
            record.registered_at,
        )


def _changed(record: RegisteredPlan, history: Sequence[RegisteredPlan]) -> Iterator[Departure]:
    """Plans of later versions, each compared with the one before."""
    former = record
    for later in (each for each in history if each.version > record.version and each.ratings_before):
        when = f"version {later.version}, after {_ratings(later.ratings_before)}"
        if later.canonical and former.canonical:
            (old, old_rules), (new, new_rules) = (
                read_canonical(former.canonical),
                read_canonical(later.canonical),
            )
            if parts := list(_changed_parts(old, new)):
                yield Departure(
                    "plan_changed", f"The plan changed in {when}: {', '.join(parts)}.", later.registered_at
                )
            if named := sorted(
                name for name in {*old_rules, *new_rules} if old_rules.get(name) != new_rules.get(name)
            ):
                yield Departure(
                    "rules_changed",
                    f"Exclusion rules changed in {when}: {', '.join(named)}.",
                    later.registered_at,
                )
        elif former.canonical:
            yield Departure("plan_removed", f"The plan was removed in {when}.", later.registered_at)
        else:
            yield Departure("plan_changed", f"A plan was written again in {when}.", later.registered_at)
        former = later


_PARTS = {
    "main": "the main comparison",
    "secondary": "the secondary analyses",
    "sample": "the planned sample",
    "exclude": "the rules that exclude data",
    "stopping": "the stopping rule",
    "notes": "the notes",
}


def _changed_parts(old: AnalysisPlan, new: AnalysisPlan) -> Iterator[str]:
    for name, words in _PARTS.items():
        if getattr(old, name) != getattr(new, name):
            yield words


def _impossible(plan: AnalysisPlan, questions: Sequence[JudgedQuestion]) -> Iterator[Departure]:
    for name, analysis in plan.analyses:
        if why := _obstacle(analysis, questions):
            yield Departure(
                "not_possible", f"{name[:1].upper()}{name[1:]} cannot be computed as planned: {why}."
            )


def _obstacle(analysis: MainComparison | SecondaryAnalysis, questions: Sequence[JudgedQuestion]) -> str:
    """Why an analysis cannot be computed; empty if it can."""
    asked = [
        each
        for each in questions
        if analysis.aspect in ("", each.aspect) and analysis.question in ("", each.question)
    ]
    if not asked:
        return f"no ratings of {_about(analysis)} count"
    rated = {name for each in asked for name in each.conditions}
    if missing := [name for name in analysis.conditions if name not in rated]:
        return f"no ratings of {_about(analysis)} count in {_names('condition', missing)}"
    if (
        isinstance(analysis, MainComparison)
        and analysis.test == "win_rate"
        and not any(e.wins for e in asked)
    ):
        return f"{_about(analysis)} has no preferences"
    compares = isinstance(analysis, MainComparison) or analysis.kind in ("systems", "consistency", "shift")
    return _lacking(analysis, asked, rated) if compares else ""


def _lacking(
    analysis: MainComparison | SecondaryAnalysis, asked: Sequence[JudgedQuestion], conditions: set[str]
) -> str:
    found = {name for each in asked for name in each.systems} if analysis.across == "system" else conditions
    if missing := [name for name in analysis.between if name not in found]:
        return f"there are no ratings of {_names(analysis.across, missing)}"
    if len(found) < 2:
        return f"there are ratings of fewer than two {analysis.across}s"
    return ""


def _about(analysis: MainComparison | SecondaryAnalysis) -> str:
    if analysis.question:
        return f'the question "{analysis.question}"'
    return f'the aspect "{analysis.aspect}"' if analysis.aspect else "any question"


def _names(noun: str, names: Sequence[str]) -> str:
    return f"{noun}{'' if len(names) == 1 else 's'} {', '.join(names)}"


def _smaller(planned: PlannedSample, sample: CollectedSample) -> Iterator[Departure]:
    for noun in ("items", "raters", "ratings"):
        wanted, counted = getattr(planned, noun), getattr(sample, noun)
        if wanted is not None and counted < wanted:
            yield Departure(
                "smaller_sample", f"The sample is smaller than planned: {counted:,} of {wanted:,} {noun}."
            )


def _excluded(rules: Collection[str], excluded: Mapping[str, int]) -> Iterator[Departure]:
    """Data that were excluded for a reason that the plan does not name."""
    for rule, count in sorted(excluded.items()):
        if rule not in rules and count:
            reason = (
                "without a flag of any rule" if rule == WITHOUT_FLAG else f"after a flag of the rule {rule}"
            )
            yield Departure(
                "unplanned_exclusion",
                f"The data of {count:,} submission{'' if count == 1 else 's'} were excluded {reason}, which the plan does not name.",
            )


def _ratings(number: int) -> str:
    return f"{number:,} rating{'' if number == 1 else 's'}"
