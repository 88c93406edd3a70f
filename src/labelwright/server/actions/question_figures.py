"""What the answers to each question say so far: labels by condition or by system, and agreement. Reads only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from labelwright.agreement import Estimate
from labelwright.scales import Scale
from labelwright.server.actions.live_agreement import get_agreement
from labelwright.server.store.rows import rows
from labelwright.study import Study
from labelwright.task import TaskDesign, scale_under
from labelwright.task.questions import Sides

Labels = dict[str, dict[int, int]]
"""How often each code was given, by condition or by system."""
_CANDIDATE = re.compile(r"[^.]+\.c(\d+)(\.|$)")


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """What the answers to one scale question say so far."""

    name: str
    """As it is stored; `*` stands for each candidate or sentence, which are counted together."""
    text: str
    scale: Scale
    labels: Labels
    by_system: bool
    """Whether the labels are those of systems, because candidates are judged; else of conditions."""
    agreement: dict[str, dict[str, Estimate]]
    main: str
    """The measure that fits the scale and is drawn."""


def get_question_figures(study: Study, batches: Sequence[int]) -> list[QuestionFigures]:
    """All that is counted, question by question."""
    tally = _tally(list(batches))
    stored = {question for _, question in tally}
    return [_figures(study, judged, batches, tally, stored) for judged in _judged(study)]


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is counted."""

    name: str
    """It is stored under."""
    text: str
    """What was asked."""
    scale: Scale
    sides: Sides | None
    """Where it compares two candidates."""


def _judged(study: Study) -> list[_Judged]:
    found: dict[str, _Judged] = {}
    for design in study.designs.values():
        for name, scale in design.answer_scales(study.scales).items():
            found.setdefault(name, _judged_as(design, name, scale))
    return list(found.values())


def _judged_as(design: TaskDesign, name: str, scale: Scale) -> _Judged:
    """By the question behind a stored name; a derived label was not asked."""
    asked, _, part = name.partition(".")
    question = next((q for q in (*design.questions, *design.feedback) if q.name == asked), None)
    if question is None:
        return _Judged(name, name, scale, None)
    text = f"{question.text} {question.part_text(part)}" if part else question.text
    return _Judged(name, text, scale, question.sides())


def _tally(batches: list[int]) -> dict[tuple[str, str], dict[int, int]]:
    """Tallied answers by condition and question."""
    found: dict[tuple[str, str], dict[int, int]] = {}
    for condition, question, code, n in rows(
        """SELECT condition, question, code, sum(n)::bigint FROM tally WHERE batch_id = ANY(%s)
           GROUP BY 1, 2, 3 HAVING sum(n) > 0""",
        [batches],
    ):
        found.setdefault((condition, question), {})[code] = n
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
    """The stored names with the places of the candidates that they judge; None where they judge something else."""
    if study.items.kind != "candidates":
        return None
    if judged.sides:
        return [(judged.name, place) for place in judged.sides.codes]
    places = [(each, int(found[1])) for each in names if (found := _CANDIDATE.match(each))]
    return places if "*" in judged.name and len(places) == len(names) else None


def _by_condition(study: Study, names: Iterable[str], tally: dict[tuple[str, str], dict[int, int]]) -> Labels:
    labels: Labels = {condition: {} for condition in study.conditions}
    for name in names:
        for condition, counts in labels.items():
            for code, n in tally.get((condition, name), {}).items():
                counts[code] = counts.get(code, 0) + n
    return labels


def _by_system(
    study: Study, places: Sequence[tuple[str, int]], sides: Sides | None, batches: Sequence[int]
) -> Labels:
    """The labels of each system's candidates; where a study has several conditions, of each system in each."""
    found = rows(
        """SELECT y.condition, i.payload -> 'candidates' -> q.place ->> 'system', q.place, y.code, sum(y.n)::bigint
           FROM unnest(%s::text[], %s::int[]) AS q(name, place)
           JOIN item_tally y ON y.question = q.name JOIN item i ON i.id = y.item_id
           WHERE (y.item_id, y.condition) IN (
             SELECT x.item_id, t.condition FROM task t JOIN task_item x ON x.task_id = t.id WHERE t.batch_id = ANY(%s))
           GROUP BY 1, 2, 3, 4 HAVING sum(y.n) > 0 ORDER BY 1, 2, 3, 4""",
        [[name for name, _ in places], [place for _, place in places], list(batches)],
    )
    labels: Labels = {}
    for condition, system, place, code, n in found:
        # A corpus need not say which system a candidate is of.
        of = system or f"candidate {place + 1}"
        counts = labels.setdefault(of if len(study.conditions) == 1 else f"{condition}, {of}", {})
        own = sides.codes[place].get(code, code) if sides else code
        counts[own] = counts.get(own, 0) + n
    return labels
