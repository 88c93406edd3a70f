"""The decision: which system is better, by one test that is fixed before the ratings are seen.

The test compares mean scores of systems, with standard errors clustered by dialogue (or item) and by rater, and
degrees of freedom by Satterthwaite; where candidates were compared, it compares log strengths in the same way. If the
plan names a main comparison, only that one is tested. Otherwise all ordered questions, all preferences and all pairs of
systems are one family, corrected by Holm's method, so that a study without any difference names a better system in at
most 5 of 100 cases. Decision record 71 gives the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from labelwright.agreement import holm
from labelwright.analysis import Ranking, Strengths
from labelwright.report.cells import estimate_cell, interval_cell, plain
from labelwright.report.facts import PlannedAnalysis
from labelwright.report.preferences import PreferenceSet, preferred_pairs
from labelwright.report.sections.systems import pair_cell
from labelwright.report.sources import ReportedQuestion, Sources, attempt
from labelwright.report.tree import Json


@dataclass(frozen=True, slots=True)
class TestedPair:
    """A difference of two systems, first minus second, as it is tested."""

    __test__: ClassVar[bool] = False

    first: str
    second: str
    difference: Json
    p: float
    preferred: Json | None = None
    """How often the first is preferred, if candidates were compared."""


@dataclass(frozen=True, slots=True)
class DecidedFigures:
    """The figures of one question from which the decision is made."""

    question: str
    scores: tuple[Json, ...]
    """Every system with its score or strength, best first."""
    pairs: tuple[TestedPair, ...]
    over: str = ""
    """What the test speaks for."""

    @classmethod
    def of_ranking(cls, question: str, ranking: Ranking, level: float) -> DecidedFigures:
        """Of the mean scores of a question."""
        scores = tuple({"system": one.system, "score": estimate_cell(one.score)} for one in ranking.systems)
        intervals = (one.score.interval for one in ranking.systems)
        over = next((each.over for each in intervals if each), "")
        pairs = tuple(
            TestedPair(pair.first, pair.second, pair_cell(pair, level), pair.p)
            for pair in ranking.differences
        )
        return cls(question, scores, pairs, over)

    @classmethod
    def of_preferences(cls, found: PreferenceSet, strengths: Strengths, level: float) -> DecidedFigures:
        """Of the preferences of a question. The difference is by how much more often the first is preferred."""
        scores = tuple(
            {"system": one.system, "score": {"value": plain(one.strength), **interval_cell(one.interval)}}
            for one in strengths.systems
        )
        over = next((one.interval.over for one in strengths.systems if one.interval), "")
        pairs = tuple(
            TestedPair(pair.first, pair.second, _lead(pair.share), pair.p, pair.share)
            for pair in preferred_pairs(found.kept, strengths, level)
        )
        return cls(found.asked.name, scores, pairs, over)


def _lead(share: Json) -> Json:
    return {name: None if value is None else 2 * value - 1 for name, value in share.items()}


def decide(sources: Sources) -> Json | None:
    """Which system is better for each question of the family; None if fewer than two systems are named or compared."""
    main = _main(sources)
    preferred = [each for each in sources.material.given.preferences if _is_asked(each.where, main)]
    if len(sources.material.systems) < 2 and not preferred:
        return None
    compared = _compared(preferred, sources, main)
    found = [*_scored(sources, main), *(each for each, _ in compared if each.pairs)]
    unranked = [{"question": each.question, "why": why} for each, why in compared if not each.pairs]
    return decide_among(found, _level(sources, main), main) | {"unranked": unranked}


def _scored(sources: Sources, main: PlannedAnalysis | None) -> list[DecidedFigures]:
    if main is not None and main.test != "mean_score":
        return []
    return [
        DecidedFigures.of_ranking(each.asked.name, ranking, _level(sources, main))
        for each in sources.scored
        if _is_asked(each.asked.where, main)
        if isinstance(ranking := attempt(lambda e=each: _ranking(e, main)), Ranking)  # type: ignore[misc]
    ]


def _compared(
    preferred: Sequence[PreferenceSet], sources: Sources, main: PlannedAnalysis | None
) -> list[tuple[DecidedFigures, str]]:
    """The figures of preferences, and why systems cannot be ranked by them; empty if they can."""
    if main is not None and main.test != "win_rate":
        return []
    level = _level(sources, main)
    made = [(each, each.strengths(level)) for each in preferred]
    return [(DecidedFigures.of_preferences(each, found, level), found.unranked or "") for each, found in made]


def _level(sources: Sources, main: PlannedAnalysis | None) -> float:
    return main.level if main else sources.level


def decide_rankings(rankings: Sequence[tuple[str, Ranking]], level: float = 0.95) -> Json:
    """The decision from the rankings of questions, by their names, as one family."""
    found = [DecidedFigures.of_ranking(name, ranking, level) for name, ranking in rankings]
    return decide_among(found, level)


def decide_among(found: Sequence[DecidedFigures], level: float, main: PlannedAnalysis | None = None) -> Json:
    """The decision from the figures of questions, as one family."""
    pairs = [[pair for pair in each.pairs if _compares(main, pair.first, pair.second)] for each in found]
    corrected = iter(holm([pair.p for own in pairs for pair in own]))
    questions = [
        _decided(each, [_row(pair, next(corrected)) for pair in own], level)
        for each, own in zip(found, pairs, strict=True)
    ]
    return {
        "declared": "plan" if main else "default",
        "level": level,
        "comparisons": sum(map(len, pairs)),
        "over": next((each.over for each in found if each.over), "items"),
        "questions": questions,
    }


def _row(pair: TestedPair, corrected: float) -> Json:
    row: Json = {
        "first": pair.first,
        "second": pair.second,
        "difference": pair.difference,
        "p": plain(pair.p),
        "p_holm": plain(corrected),
    }
    return row if pair.preferred is None else row | {"preferred": pair.preferred}


def _main(sources: Sources) -> PlannedAnalysis | None:
    plan = sources.facts.plan
    return plan.main if plan and plan.main and plan.main.kind == "systems" else None


def _is_asked(where: Mapping[str, Any], main: PlannedAnalysis | None) -> bool:
    return main is None or all(
        not wanted or not where.get(name) or wanted == where[name]
        for name, wanted in (("aspect", main.aspect), ("question", main.question))
    )


def _ranking(each: ReportedQuestion, main: PlannedAnalysis | None) -> Ranking:
    return each.after.ranking(main.condition or None if main else None)


def _compares(main: PlannedAnalysis | None, first: str, second: str) -> bool:
    return main is None or not main.values or {first, second} <= set(main.values)


def _decided(found: DecidedFigures, rows: list[Json], level: float) -> Json:
    names = {row["first"] for row in rows} | {row["second"] for row in rows}
    return {
        "question": found.question,
        "scores": [one for one in found.scores if one["system"] in names],
        "pairs": rows,
        "winner": _winner(rows, names, level),
    }


def _winner(rows: Sequence[Json], names: set[str], level: float) -> str | None:
    """The system that is certainly better than every other one it is compared with."""
    certain = [row for row in rows if row["p_holm"] is not None and row["p_holm"] < 1 - level]
    beaten: dict[str, int] = {}
    for row in certain:
        better = row["first"] if row["difference"]["value"] > 0 else row["second"]
        beaten[better] = beaten.get(better, 0) + 1
    return next((name for name, n in beaten.items() if n == len(names) - 1), None)
