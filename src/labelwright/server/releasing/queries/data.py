"""Items, labels and facts of a release."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import psycopg

from labelwright.crowd import STORED, DataUse
from labelwright.server.releasing.queries.record import stream
from labelwright.server.store.rows import column, record, value


@dataclass(frozen=True, slots=True)
class ReleasedItem:
    """An item with its dialogue."""

    id: int
    key: str
    earlier: int
    """How many items with this key came before it."""
    kind: str
    system: str
    target: int
    payload: dict[str, Any]
    dialogue: str
    dialogue_id: int
    turns: list[dict[str, Any]]
    meta: dict[str, Any]
    topics: list[str]

    @property
    def name(self) -> str:
        """The key as exports write it."""
        return f"{self.key}@{self.earlier + 1}" if self.earlier else self.key


_ITEMS = """
SELECT i.id, i.key, row_number() OVER (PARTITION BY i.key ORDER BY i.id) - 1, i.kind, i.system, i.target,
       i.payload::text, d.key, d.id, d.turns::text, d.meta::text, coalesce(t.topics, '{{}}')
FROM item i JOIN dialogue d ON d.id = i.dialogue_id
LEFT JOIN (SELECT x.item_id, array_agg(DISTINCT b.topic::text) AS topics
           FROM task_item x JOIN place p ON p.task_id = x.task_id JOIN batch b ON b.id = p.batch_id
           WHERE x.study_id = {study} AND p.study_id = {study} AND b.topic <> '' GROUP BY 1) t ON t.item_id = i.id
WHERE i.study_id = {study} ORDER BY i.id"""
_ITEM_TYPES = [
    "int8", "text", "int8", "text", "text", "int4", "text", "text", "int8", "text", "text", "text[]",
]  # fmt: skip

_ITEM_FIELDS = tuple(field.name for field in fields(ReleasedItem))
"""In the order of the query."""
_JSON_FIELDS = ("payload", "turns", "meta")


def released_items(source: psycopg.Connection[Any], study: int) -> Iterator[ReleasedItem]:
    """Every item, in the order in which they were made."""
    for row in stream(source, _ITEMS, _ITEM_TYPES, study=study):
        facts = dict(zip(_ITEM_FIELDS, row, strict=True))
        yield ReleasedItem(**facts | {name: json.loads(facts[name]) for name in _JSON_FIELDS})


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """The answers that count about one item, by code."""

    item_id: int
    condition: str
    question: str
    rater_kind: str
    codes: list[int]
    counts: list[int]


_LABELS = """
SELECT item_id, condition, question, rater_kind, array_agg(code ORDER BY code), array_agg(n ORDER BY code)
FROM (SELECT item_id, condition, question, rater_kind, code, sum(n)::bigint AS n FROM item_tally
      WHERE study_id = {study} GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) > 0) counted
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4"""


def label_counts(source: psycopg.Connection[Any], study: int) -> Iterator[LabelCounts]:
    """The counts of every item, condition and question."""
    types = ["int8", "text", "text", "text", "int4[]", "int8[]"]
    for row in stream(source, _LABELS, types, study=study):
        yield LabelCounts(*row)


@dataclass(frozen=True, slots=True)
class ShownContext:
    """A text that was generated for an item."""

    item_id: int
    kind: str
    content: str


_CONTEXTS = """SELECT item_id, kind, content FROM context
WHERE study_id = {study} AND content <> '' ORDER BY item_id, kind, id"""


def shown_contexts(source: psycopg.Connection[Any], study: int) -> Iterator[ShownContext]:
    """The generated texts of all items."""
    for row in stream(source, _CONTEXTS, ["int8", "text", "text"], study=study):
        yield ShownContext(*row)


@dataclass(frozen=True, slots=True)
class WorkFacts:
    """How much work a study holds."""

    dialogues: int
    items: int
    submissions: int
    raters: int
    models: int
    answers: int
    excluded: int
    first_at: datetime | None
    last_at: datetime | None
    median_seconds: float | None
    first_assignment: int | None


def work_facts(study: int) -> WorkFacts:
    """Counts of submitted work."""
    found = record(
        WorkFacts,
        """SELECT (SELECT count(*) FROM dialogue WHERE study_id = %(study)s) AS dialogues,
                  (SELECT count(*) FROM item WHERE study_id = %(study)s) AS items,
                  (SELECT count(*) FROM answer WHERE study_id = %(study)s) AS answers,
                  count(*) AS submissions, count(*) FILTER (WHERE data_use = %(left_out)s) AS excluded,
                  count(DISTINCT rater_id) FILTER (WHERE r.kind = 'person') AS raters,
                  count(DISTINCT rater_id) FILTER (WHERE r.kind <> 'person') AS models,
                  min(submitted_at) AS first_at, max(submitted_at) AS last_at,
                  percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median_seconds, min(s.id) AS first_assignment
           FROM assignment s JOIN rater r ON r.id = s.rater_id
           WHERE s.study_id = %(study)s AND s.state = ANY(%(stored)s)""",
        {"study": study, "stored": list(STORED), "left_out": DataUse.LEFT_OUT},
    )
    assert found is not None
    return found


def systems_of(study: int) -> tuple[str, ...]:
    """The systems whose replies are judged."""
    return tuple(
        column(
            """SELECT DISTINCT name FROM (
                 SELECT system AS name FROM item WHERE study_id = %(study)s
                 UNION ALL
                 SELECT c ->> 'system' FROM item i, jsonb_array_elements(
                   CASE jsonb_typeof(i.payload -> 'candidates') WHEN 'array' THEN i.payload -> 'candidates'
                   ELSE '[]' END) c WHERE i.study_id = %(study)s) named
               WHERE name <> '' ORDER BY 1""",
            {"study": study},
        )
    )


def count_released_rows(study: int) -> int:
    """About how many rows a release writes, for its progress: the largest tables, once for the data and the record."""
    return int(
        value(
            """SELECT 2 * (SELECT count(*) FROM answer WHERE study_id = %(study)s)
                    + 2 * (SELECT count(*) FROM item WHERE study_id = %(study)s)
                    + (SELECT count(*) FROM assignment WHERE study_id = %(study)s)
                    + (SELECT count(*) FROM item_tally WHERE study_id = %(study)s)
                    + (SELECT count(*) FROM place WHERE study_id = %(study)s)""",
            {"study": study},
        )
    )
