"""What a rater may see of a task and of their own progress. Reads only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from labelwright.server.access.actions.receipts import receipt_of
from labelwright.server.access.queries import Visitor
from labelwright.server.contexts.actions.generation import get_shown_texts
from labelwright.server.people.actions.messages import get_public_answers
from labelwright.server.people.queries import PublicAnswer
from labelwright.server.rating import queries
from labelwright.server.rating.queries import TaskLine
from labelwright.server.store.models import Message
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import StoredItem


@dataclass(frozen=True, slots=True)
class Progress:
    """A rater's progress, in the current batch or overall."""

    done: int
    total: int
    """The most that this rater can be offered of a batch: the cap, or every task of it and the gold tasks among them."""
    receipt: str | None
    """The receipt of the newest submission."""


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item, and the texts that its condition shows besides turns."""

    item: StoredItem
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Kind and content of each."""
    order: tuple[int, ...] = ()
    """The order in which this rater sees the candidates, as positions in the item."""
    answered_questions: list[PublicAnswer] = field(default_factory=list)
    """Questions that raters asked about it, with the answers."""


@dataclass(frozen=True, slots=True)
class ShownTask:
    """Everything that the page of a task shows."""

    version: int
    condition: str
    lease_until: datetime
    items: list[ShownItem]
    revision: int
    answers: dict[str, Any]
    progress: Progress
    pool: str = ""


def get_task(assignment: int) -> ShownTask:
    """The task of an assignment that was just offered; a few reads, no lock."""
    lines = queries.task_lines(assignment)
    first = lines[0]
    study = study_of(first.version)
    kinds = study.condition(first.condition).context.kinds
    texts = get_shown_texts(first.version, [line.item for line in lines], kinds) if kinds else {}
    discussed = [line.item for line in lines if line.discussed]
    answered = get_public_answers(discussed) if discussed else {}
    return ShownTask(
        version=first.version,
        condition=first.condition,
        lease_until=first.lease_until,
        items=[_shown_item(line, texts, answered, study) for line in lines],
        revision=first.revision or 0,
        answers=json.loads(first.answers_json) if first.answers_json else {},
        progress=Progress(first.done, _total(first.version, first.pool, first.tasks), None),
        pool=first.pool,
    )


def get_progress(visitor: Visitor) -> Progress:
    """A rater's progress, for the start and the end."""
    found = queries.rater_progress(visitor)
    return Progress(
        found.done,
        _total(visitor.version, visitor.pool_name, found.tasks),
        receipt_of(found.newest) if found.newest else None,
    )


def count_unread(rater: int) -> int:
    """How many messages to this rater are unread."""
    return Message.objects.filter(rater_id=rater, read_at=None).exclude(author="").count()


def _shown_item(
    line: TaskLine,
    texts: Mapping[int, list[tuple[str, str]]],
    answered: Mapping[int, list[PublicAnswer]],
    study: Study,
) -> ShownItem:
    stored = StoredItem(
        line.kind, json.loads(line.turns_json), line.target, json.loads(line.payload_json), line.key
    )
    order = study.order_for(line.rater_number, stored)
    return ShownItem(stored, texts.get(line.item, []), order, answered.get(line.item, []))


def _total(version: int, pool: str, tasks: int) -> int:
    study = study_of(version)
    part = study.pool_of(pool)
    caps, most = part.caps, tasks if part.qualification else study.with_gold(tasks)
    return min(most, caps.tasks or most, caps.tasks_per_batch or most)
