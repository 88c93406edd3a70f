"""Results on gold items: whether each answer about one is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from labelwright.server.flagging.queries import work as queries
from labelwright.server.flagging.queries.blocks import WorkToFlag
from labelwright.server.store.models import GoldResult
from labelwright.server.store.versions import study_of

Gold = Mapping[int, Mapping[tuple[int, str], bool]]
"""By assignment, position and question with a known answer: whether the answer is right."""


def check_gold(block: Sequence[WorkToFlag]) -> Gold:
    """Whether each answer about a gold item is right; no query if there are none."""
    works = {work.assignment: work for work in block if study_of(work.version).gold_keys}
    results: dict[int, dict[tuple[int, str], bool]] = {}
    for answer in queries.gold_answers(list(works)) if works else ():
        work = works[answer.assignment]
        study = study_of(work.version)
        reference = study.gold[answer.item].get(answer.question)
        question = study.design(work.condition).question(answer.question)
        if reference is not None and question is not None:
            right = question.meets(answer.value, reference)
            results.setdefault(answer.assignment, {})[answer.position, answer.question] = right
    return results


def gold_results(block: Sequence[WorkToFlag], gold: Gold) -> list[GoldResult]:
    """The results as rows."""
    return [
        GoldResult(
            study_id=work.study,
            assignment_id=work.assignment,
            position=position,
            question=name,
            right=right,
        )
        for work in block
        for (position, name), right in gold.get(work.assignment, {}).items()
    ]
