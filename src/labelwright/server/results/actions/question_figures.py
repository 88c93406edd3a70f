"""Figures of each question: labels by condition or by system, and agreement. Reads only."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.agreement import Estimate
from labelwright.analysis.data.counting import EARLIER_VERSION, in_order
from labelwright.scales import Scale
from labelwright.server.results import queries
from labelwright.server.results.actions.agreement import get_agreement
from labelwright.server.results.actions.attention import reason_of
from labelwright.server.results.queries import TalliedCode
from labelwright.server.tallies.actions.judgments import JoinedVersions, Judged, judged_in, judged_scales
from labelwright.study import Study
from labelwright.task import pattern_of, scale_under
from labelwright.task.questions import Sides

LabelCounts = dict[str, dict[int, int]]
"""How often each code was given, by condition or by system."""
_CANDIDATE = re.compile(r"[^.]+\.c(\d+)(\.|$)")


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """Labels and agreement of one question with a scale."""

    name: str
    """The stored name; `*` stands for each candidate or sentence, which are counted together."""
    text: str
    scale: Scale
    labels: LabelCounts
    by_system: bool
    """Whether the labels are grouped by system, because candidates are judged; otherwise by condition."""
    agreement: dict[str, dict[str, Estimate]]
    main: str
    """The measure that fits the scale and is drawn."""
    overall: Estimate
    """The main measure over all conditions."""
    stored_names: list[str]
    """The names under which its judgments are stored."""
    comparison: bool
    """Whether it compares two candidates: each comparison is then counted once for each of them."""


def get_question_figures(joined: JoinedVersions) -> list[QuestionFigures]:
    """The figures of every question that measures an aspect, over the answers that count."""
    tally = _tally(joined)
    return [_figures(joined, judged, tally) for judged in judged_in(joined.newest)]


def get_counted(joined: JoinedVersions) -> tuple[int, dict[str, int]]:
    """How many coded answers the figures count, and how many they leave out, by reason.

    A judgment that the newest version does not ask for, or asks for with other codes, is left out.
    """
    shown = {
        (version, judged.name) for judged in judged_in(joined.newest) for version in joined.asking(judged)
    }
    counted, left_out = 0, Counter[str]()
    for tallied in _tallied(joined):
        name = pattern_of(tallied.question, judged_scales(tallied.version))
        # Without a scale there are no codes that could differ.
        if name is None or (tallied.version, name) in shown:
            counted += tallied.n
        else:
            left_out[EARLIER_VERSION] += tallied.n
    for group in queries.left_out(joined.row):
        left_out[reason_of(group.reason, group.version, group.condition, group.question)] += group.n
    return counted, in_order(left_out)


def _tallied(joined: JoinedVersions) -> list[TalliedCode]:
    return queries.tally_with_excluded(joined.row) if joined.excluded_too else queries.tally(joined.row)


_Tally = dict[tuple[int, str, str], dict[int, int]]
"""How often each code was given, by version, condition and question."""


def _tally(joined: JoinedVersions) -> _Tally:
    found: _Tally = {}
    for tallied in _tallied(joined):
        key = (tallied.version, tallied.condition, tallied.question)
        found.setdefault(key, {})[tallied.code] = tallied.n
    return found


def _figures(joined: JoinedVersions, judged: Judged, tally: _Tally) -> QuestionFigures:
    study, scale = joined.newest, judged.scale
    versions = joined.asking(judged)
    own = {
        key: given
        for key, given in tally.items()
        if key[0] in versions and scale_under(key[2], {judged.name: scale}) is not None
    }
    names = sorted({question for _, _, question in own})
    places = candidate_places(study, judged, names)
    conditions = _conditions_of(study, judged, own)
    labels = (
        _by_condition(conditions, own)
        if places is None
        else _by_system(joined, places, judged.sides, versions)
    )
    main = "alpha_ordinal" if scale.ordered else "alpha_nominal"
    agreement = get_agreement(joined, names, scale, versions, main, conditions)
    return QuestionFigures(
        judged.name,
        judged.text,
        judged.sides.scale if judged.sides and places is not None else scale,
        labels,
        places is not None,
        agreement.by_condition,
        main,
        agreement.overall,
        names,
        places is not None and judged.sides is not None,
    )


def candidate_places(study: Study, judged: Judged, names: Sequence[str]) -> list[tuple[str, int]] | None:
    """The stored names with the places of the candidates that they judge; None if they judge something else."""
    if study.items.kind != "candidates":
        return None
    if judged.sides:
        return [(judged.name, place) for place in judged.sides.codes]
    places = [(each, int(found[1])) for each in names if (found := _CANDIDATE.match(each))]
    return places if "*" in judged.name and len(places) == len(names) else None


def _conditions_of(study: Study, judged: Judged, tally: _Tally) -> list[str]:
    """The conditions that ask for a judgment, or did so in an earlier version."""
    given = {condition for _, condition, _ in tally}
    return [
        name
        for name in study.conditions
        if name in given
        or any(each.name == judged.name for each in study.design(name).judgments(study.scales))
    ]


def _by_condition(conditions: Sequence[str], tally: _Tally) -> LabelCounts:
    labels: LabelCounts = {condition: {} for condition in conditions}
    for (_, condition, _), given in tally.items():
        # A condition of an earlier version is not shown.
        counts = labels.get(condition, {})
        for code, n in given.items():
            counts[code] = counts.get(code, 0) + n
    return labels


def _by_system(
    joined: JoinedVersions, places: Sequence[tuple[str, int]], sides: Sides | None, versions: Sequence[int]
) -> LabelCounts:
    """The labels of each system's candidates; with several conditions, of each system in each condition."""
    labels: LabelCounts = {}
    for found in queries.tally_by_system(joined.row, places, versions, excluded_too=joined.excluded_too):
        # A corpus need not say which system a candidate comes from.
        system = found.system or f"candidate {found.place + 1}"
        name = system if len(joined.newest.conditions) == 1 else f"{found.condition}, {system}"
        counts = labels.setdefault(name, {})
        code = sides.codes[found.place].get(found.code, found.code) if sides else found.code
        counts[code] = counts.get(code, 0) + found.n
    return labels
