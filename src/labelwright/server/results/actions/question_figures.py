"""Figures of each question: labels by condition or by system, and agreement. Reads only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from labelwright.agreement import Estimate
from labelwright.scales import Scale
from labelwright.server.results import queries
from labelwright.server.results.actions.agreement import get_agreement
from labelwright.study import Study
from labelwright.task import TaskDesign, scale_under
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


def get_question_figures(study: Study, batches: Sequence[int]) -> list[QuestionFigures]:
    """The figures of every question."""
    tally = _tally(list(batches))
    stored = {question for _, question in tally}
    return [_figures(study, judged, batches, tally, stored) for judged in _judged(study)]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A judgment that is counted."""

    name: str
    """The stored name."""
    text: str
    """The text of the question."""
    scale: Scale
    sides: Sides | None
    """Set if it compares two candidates."""


def _judged(study: Study) -> list[_Judged]:
    found: dict[str, _Judged] = {}
    for design in study.designs.values():
        for name, scale in design.answer_scales(study.scales).items():
            found.setdefault(name, _judged_as(design, name, scale))
    return list(found.values())


def _judged_as(design: TaskDesign, name: str, scale: Scale) -> _Judged:
    """The judgment behind a stored name; a derived label has no question."""
    asked, _, part = name.partition(".")
    question = next((q for q in (*design.questions, *design.feedback) if q.name == asked), None)
    if question is None:
        return _Judged(name, name, scale, None)
    text = f"{question.text} {question.part_text(part)}" if part else question.text
    return _Judged(name, text, scale, question.sides())


def _tally(batches: list[int]) -> dict[tuple[str, str], dict[int, int]]:
    """Tallied answers by condition and question."""
    found: dict[tuple[str, str], dict[int, int]] = {}
    for tallied in queries.tally(batches):
        found.setdefault((tallied.condition, tallied.question), {})[tallied.code] = tallied.n
    return found


def _figures(
    study: Study,
    judged: _Judged,
    batches: Sequence[int],
    tally: dict[tuple[str, str], dict[int, int]],
    stored: set[str],
) -> QuestionFigures:
    scale = judged.scale
    names = sorted(each for each in stored if scale_under(each, {judged.name: scale}) is not None)
    places = _places(study, judged, names)
    labels = (
        _by_condition(study, names, tally)
        if places is None
        else _by_system(study, places, judged.sides, batches)
    )
    main = "alpha_ordinal" if scale.ordered else "alpha_nominal"
    return QuestionFigures(
        judged.name,
        judged.text,
        judged.sides.scale if judged.sides and places is not None else scale,
        labels,
        places is not None,
        get_agreement(study, names, scale, batches, main),
        main,
    )


def _places(study: Study, judged: _Judged, names: Sequence[str]) -> list[tuple[str, int]] | None:
    """The stored names with the places of the candidates that they judge; None if they judge something else."""
    if study.items.kind != "candidates":
        return None
    if judged.sides:
        return [(judged.name, place) for place in judged.sides.codes]
    places = [(each, int(found[1])) for each in names if (found := _CANDIDATE.match(each))]
    return places if "*" in judged.name and len(places) == len(names) else None


def _by_condition(
    study: Study, names: Iterable[str], tally: dict[tuple[str, str], dict[int, int]]
) -> LabelCounts:
    labels: LabelCounts = {condition: {} for condition in study.conditions}
    for name in names:
        for condition, counts in labels.items():
            for code, n in tally.get((condition, name), {}).items():
                counts[code] = counts.get(code, 0) + n
    return labels


def _by_system(
    study: Study, places: Sequence[tuple[str, int]], sides: Sides | None, batches: Sequence[int]
) -> LabelCounts:
    """The labels of each system's candidates; with several conditions, of each system in each condition."""
    labels: LabelCounts = {}
    for found in queries.tally_by_system(places, batches):
        # A corpus need not say which system a candidate comes from.
        system = found.system or f"candidate {found.place + 1}"
        name = system if len(study.conditions) == 1 else f"{found.condition}, {system}"
        counts = labels.setdefault(name, {})
        code = sides.codes[found.place].get(found.code, found.code) if sides else found.code
        counts[code] = counts.get(code, 0) + found.n
    return labels
