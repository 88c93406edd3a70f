"""One case: the work as the rater saw it, all answers, the flags, and the rater's history. Reads only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from labelwright.server.profiles.actions.raters import PoolFigures, RaterLimits, get_limits, get_pool_figures
from labelwright.server.profiles.queries import raters as rater_queries
from labelwright.server.profiles.queries.raters import ListedRater, TaskTime
from labelwright.server.results.actions.items import SECONDS, ItemEvidence, ShownVersion, get_item_of_work
from labelwright.server.review.queries import cases as queries
from labelwright.server.review.queries import queue as queue_queries
from labelwright.server.review.queries.cases import CaseFlag, EarlierOpinion
from labelwright.server.review.queries.queue import StoredCase
from labelwright.server.store.items import items_in_task
from labelwright.server.store.models import CaseKind, StudyRow
from labelwright.server.store.rows import planned_for_values
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.queries.raters import known_raters
from labelwright.server.web.errors import NotFound
from labelwright.study import Study

RECENT = 14
"""The tasks of the rater's history."""
MOST_OTHERS = 3
"""Other raters whose answers fit beside those of the rater."""
_PLACE = re.compile(r"^(\d+):(.+)$")
"""How evidence names an answer: the position of the item, and the question."""


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """An answer that evidence points at. Without a position, it is about the whole task."""

    position: int | None
    question: str


@dataclass(frozen=True, slots=True)
class RaterHistory:
    """What is known about the rater of a case."""

    line: ListedRater | None
    """The numbers of the list of raters; None until the job has counted them."""
    times: list[TaskTime]
    limits: RaterLimits
    everybody: PoolFigures


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """Everything that a reviewer sees of a case."""

    case: StoredCase
    study: Study
    """The version under which the work was done."""
    evidence: ItemEvidence
    """About the item that is shown; the work of the case comes first."""
    more_raters: int
    """Others who rated the same item, and are not shown."""
    items: int
    position: int
    flags: list[CaseFlag]
    earlier: list[EarlierOpinion]
    """What was said before; empty if the reviewer must not know."""
    history: RaterHistory

    @property
    def cited_positions(self) -> list[int]:
        """The items that evidence points at."""
        found = {place.position for flag in self.flags for place in cited_answers(flag.evidence)}
        return sorted(position for position in found if position is not None and position < self.items)


def cited_answers(evidence: Mapping[str, Any]) -> list[CitedAnswer]:
    """The answers that the evidence of a flag names, wherever it does.

    >>> cited_answers({"wrong": ["0:look", "2:look"], "right_share": 0.5})
    [CitedAnswer(position=0, question='look'), CitedAnswer(position=2, question='look')]
    >>> cited_answers({"seconds": 9.2, "at_least": 15.0})
    [CitedAnswer(position=None, question='seconds')]
    """
    time = [CitedAnswer(None, SECONDS)] if SECONDS in evidence else []
    named = (_PLACE.match(text) for text in _texts(evidence))
    return time + [CitedAnswer(int(found[1]), found[2]) for found in named if found]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inside in value.items():
            yield name
            yield from _texts(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _texts(inside)


def get_case(study: StudyRow, case: int, position: int | None = None) -> CaseEvidence:
    """A case, with the item at a position of its task, by default the first that evidence points at.

    The caller has checked access. Raises NotFound.
    """
    with planned_for_values():
        stored = queue_queries.case_by_id(study.pk, case)
        if stored is None:
            raise NotFound
        items, flags = items_in_task(stored.task), queries.case_flags(stored.assignment)
        cited = [place.position for flag in flags for place in cited_answers(flag.evidence)]
        first = next((at for at in cited if at is not None and at < len(items)), 0)
        at = first if position is None else min(position, len(items) - 1)
        page = ShownVersion(stored.version, stored.condition, stored.task)
        evidence, more = get_item_of_work(study, items[at], page, stored.assignment, MOST_OTHERS)
        return CaseEvidence(
            stored,
            study_of(stored.version),
            _as_seen(evidence),
            more,
            len(items),
            at,
            flags,
            # A second opinion is given without knowing the first one.
            [] if stored.kind == CaseKind.SECOND else queries.earlier_opinions(stored.assignment),
            _history(study, stored),
        )


def _as_seen(evidence: ItemEvidence) -> ItemEvidence:
    """The items with the candidates in the order that the rater of the case saw."""
    own, study = evidence.work[0], study_of(evidence.version)
    shown = [replace(each, order=study.order_for(own.rater_number, each.item)) for each in evidence.shown]
    return replace(evidence, shown=shown, order=shown[evidence.place].order)


def _history(study: StudyRow, case: StoredCase) -> RaterHistory:
    known = sorted(each.rater for each in known_raters(study.pk, [case.rater_id])) or [case.rater_id]
    return RaterHistory(
        rater_queries.line_of(known[0], []),
        rater_queries.task_times(known, RECENT),
        get_limits(study_of(case.version)),
        get_pool_figures(study.pk),
    )
