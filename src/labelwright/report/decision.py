"""The decision: which system is better, by one test that is fixed before the ratings are seen.

The test compares mean scores of systems, with standard errors clustered by dialogue (or item) and by rater, and
degrees of freedom by Satterthwaite. If the plan names a main comparison, only that one is tested. Otherwise all ordered
questions and all pairs of systems are one family, corrected by Holm's method, so that a study without
any difference names a better system in at most 5 of 100 cases. Decision record 71 gives the reasons.
"""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.agreement import holm
from labelwright.analysis import Ranking
from labelwright.report.cells import estimate_cell, plain
from labelwright.report.facts import PlannedAnalysis
from labelwright.report.sections.systems import pair_cell
from labelwright.report.sources import ReportedQuestion, Sources, attempt
from labelwright.report.tree import Json


def decide(sources: Sources) -> Json | None:
    """Which system is better for each question of the family; None if the ratings name fewer than two systems."""
    if len(sources.material.systems) < 2:
        return None
    main = _main(sources)
    rankings = [
        (each, ranking)
        for each in sources.questions
        if _is_asked(each, main)
        if isinstance(ranking := attempt(lambda e=each: _ranking(e, main)), Ranking)  # type: ignore[misc]
    ]
    return decide_rankings([(each.asked.name, ranking) for each, ranking in rankings], sources.level, main)


def decide_rankings(
    rankings: Sequence[tuple[str, Ranking]], level: float = 0.95, main: PlannedAnalysis | None = None
) -> Json:
    """The decision from the rankings of questions, by their names, as one family."""
    level = main.level if main else level
    pairs = [
        [pair for pair in ranking.differences if _compares(main, pair.first, pair.second)]
        for _, ranking in rankings
    ]
    corrected = iter(holm([pair.p for own in pairs for pair in own]))
    questions = []
    for (name, ranking), own in zip(rankings, pairs, strict=True):
        rows = [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": pair_cell(pair, level),
                "p": plain(pair.p),
                "p_holm": plain(next(corrected)),
            }
            for pair in own
        ]
        questions.append(_decided(name, ranking, rows, level))
    return {
        "declared": "plan" if main else "default",
        "level": level,
        "comparisons": sum(map(len, pairs)),
        "over": _over([ranking for _, ranking in rankings]),
        "questions": questions,
    }


def _main(sources: Sources) -> PlannedAnalysis | None:
    plan = sources.facts.plan
    return plan.main if plan and plan.main and plan.main.kind == "systems" else None


def _is_asked(each: ReportedQuestion, main: PlannedAnalysis | None) -> bool:
    where = each.asked.where
    return main is None or all(
        not wanted or not where.get(name) or wanted == where[name]
        for name, wanted in (("aspect", main.aspect), ("question", main.question))
    )


def _ranking(each: ReportedQuestion, main: PlannedAnalysis | None) -> Ranking:
    return each.after.ranking(main.condition or None if main else None)


def _compares(main: PlannedAnalysis | None, first: str, second: str) -> bool:
    return main is None or not main.values or {first, second} <= set(main.values)


def _over(rankings: Sequence[Ranking]) -> str:
    """What the tests speak for: "dialogues and raters", "items"."""
    intervals = [each.score.interval for ranking in rankings for each in ranking.systems]
    return next((each.over for each in intervals if each), "items")


def _decided(name: str, ranking: Ranking, rows: list[Json], level: float) -> Json:
    names = {row["first"] for row in rows} | {row["second"] for row in rows}
    return {
        "question": name,
        "scores": [
            {"system": one.system, "score": estimate_cell(one.score)}
            for one in ranking.systems
            if one.system in names
        ],
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
