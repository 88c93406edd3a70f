"""Systems compared: their mean scores and their win rates, wherever items name a system. Reads only; a job computes it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from labelwright.agreement import DEFAULT_BOOTSTRAP, Estimate, mean_estimate
from labelwright.scales import Scale
from labelwright.server.results import queries
from labelwright.server.results.actions.question_figures import QuestionFigures, candidate_places
from labelwright.server.tallies.actions.judgments import JoinedVersions, Judged, judged_in
from labelwright.study import Study

WIN, TIE, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """The systems of a study on one question, the best first."""

    text: str
    """The question."""
    wins: bool
    """Whether the figures are win rates; otherwise mean scores."""
    lowest: float
    highest: float
    """The ends of the scale."""
    systems: dict[str, Estimate]
    """By the name of the system; intervals are over items."""


def get_system_figures(joined: JoinedVersions, questions: list[QuestionFigures]) -> list[SystemFigures]:
    """The figures of every question whose answers have an order, if at least two systems have answers."""
    stored = {question.name: question.stored_names for question in questions}
    scored = [judged for judged in judged_in(joined.newest) if not _gives_ranks(joined.newest, judged)]
    found = [_figures(joined, judged, stored[judged.name]) for judged in scored]
    return [each for each in found if each is not None and len(each.systems) > 1]


def _gives_ranks(study: Study, judged: Judged) -> bool:
    """Whether the codes are ranks."""
    asked = (design.question(judged.name.partition(".")[0]) for design in study.designs.values())
    return any(question is not None and question.ranks for question in asked)


def _figures(joined: JoinedVersions, judged: Judged, names: list[str]) -> SystemFigures | None:
    sides = judged.sides
    values = (
        {place: _side_values(codes, sides.scale) for place, codes in sides.codes.items()} if sides else None
    )
    scores = _scores(judged.scale) if values is None else {}
    if not scores and values is None:
        return None
    places = candidate_places(joined.newest, judged, names)
    asked = places if places is not None else [(name, None) for name in names]
    by_system: dict[str, dict[int, list[tuple[float, int]]]] = {}
    for found in queries.codes_by_system(
        joined.row, asked, joined.asking(judged), excluded_too=joined.excluded_too
    ):
        known = values[found.place or 0] if values is not None else scores
        if found.code in known:
            items = by_system.setdefault(found.system, {})
            items.setdefault(found.item, []).append((known[found.code], found.n))
    ends = (LOSS, WIN) if values is not None else (min(scores.values()), max(scores.values()))
    estimates = {name: _estimate(items, ends) for name, items in by_system.items()}
    ordered = sorted(estimates.items(), key=lambda each: (-each[1].value, each[0]))
    return SystemFigures(judged.text, values is not None, *ends, dict(ordered))


def _side_values(codes: Mapping[int, int], scale: Scale) -> dict[int, float]:
    """What each stored code is worth to one of the two candidates; "both are bad" is no comparison."""
    placed = {point.code for point in scale.points if point.placed}
    worth = {code: WIN if own > 0 else LOSS if own < 0 else TIE for code, own in codes.items()}
    return {code: value for code, value in worth.items() if code in placed}


def _scores(scale: Scale) -> dict[int, float]:
    """The score of each code: those of the study file, or the codes of an ordered scale."""
    placed = [point for point in scale.points if point.placed]
    if all(point.score is not None for point in placed):
        return {point.code: float(point.score or 0) for point in placed}
    return {point.code: float(point.code) for point in placed} if scale.ordered else {}


def _estimate(items: Mapping[int, list[tuple[float, int]]], ends: tuple[float, float]) -> Estimate:
    means = [
        math.fsum(value * n for value, n in given) / sum(n for _, n in given) for given in items.values()
    ]
    return mean_estimate(
        "score",
        means,
        "mean over items of the mean over their judgments",
        DEFAULT_BOOTSTRAP,
        ratings=sum(n for given in items.values() for _, n in given),
        bounds=ends,
    )
