"""SQL of flagging: what rules look at besides the submission, always bounded by the block."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import DataUse
from labelwright.server.store.models import TaskItem
from labelwright.server.store.rows import literal, records, run

MOST_OTHERS = 50
"""The number of other raters of an item that rules look at."""
MOST_SAME_TEXTS = 200
"""The number of other answers with the same text that are looked at."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer as it is stored."""

    assignment: int
    position: int
    question: str
    code: int | None
    value_json: str

    @property
    def place(self) -> str:
        """Position and question, as rules know answers."""
        return f"{self.position}:{self.question}"

    @property
    def value(self) -> Any:
        """The stored value."""
        return json.loads(self.value_json)


def stored_answers(assignments: Sequence[int], questions: Sequence[str]) -> list[StoredAnswer]:
    """The coded answers of assignments, and their answers to these questions."""
    return records(
        StoredAnswer,
        """SELECT assignment_id AS assignment, position, question, code,
                  CASE WHEN question = ANY(%(questions)s) THEN value::text ELSE 'null' END AS value_json
           FROM answer
           WHERE assignment_id = ANY(%(assignments)s) AND (code IS NOT NULL OR question = ANY(%(questions)s))
           ORDER BY 1, 2, 3""",
        {"assignments": list(assignments), "questions": list(questions)},
    )


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An answer about a gold item."""

    assignment: int
    position: int
    item: str
    question: str
    value_json: str

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def gold_answers(assignments: list[int]) -> list[GoldAnswer]:
    """The answers of the assignments about gold items."""
    return records(
        GoldAnswer,
        """SELECT a.assignment_id AS assignment, a.position, i.key AS item, a.question, a.value::text AS value_json
           FROM answer a JOIN assignment s ON s.id = a.assignment_id
           JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position AND x.role = %s
           JOIN item i ON i.id = x.item_id
           WHERE a.assignment_id = ANY(%s) ORDER BY 1, 2, 4""",
        [TaskItem.Role.GOLD, assignments],
    )


@dataclass(frozen=True, slots=True)
class HistoryTask:
    """An earlier task of the rater of an assignment, without its gold items."""

    assignment: int
    version: int
    condition: str
    seconds: float
    codes_json: str

    @property
    def codes(self) -> dict[str, int]:
        """Codes by position and question."""
        codes: dict[str, int] = json.loads(self.codes_json)
        return codes


def earlier_work(tasks: Mapping[int, int]) -> list[HistoryTask]:
    """The latest tasks of the rater before each assignment, at most the number given for it; the oldest first."""
    return records(
        HistoryTask,
        """SELECT w.assignment, e.version_id AS version, t.condition, e.seconds,
                  coalesce((SELECT jsonb_object_agg(a.position || ':' || a.question, a.code)
                            FROM answer a LEFT JOIN task_item x ON x.task_id = e.task_id AND x.position = a.position
                            WHERE a.assignment_id = e.id AND a.code IS NOT NULL AND x.role IS DISTINCT FROM %(gold)s),
                           '{}')::text AS codes_json
           FROM unnest(%(assignments)s::bigint[], %(limits)s::int[]) AS w(assignment, most)
           JOIN assignment s ON s.id = w.assignment
           CROSS JOIN LATERAL (
             SELECT o.id, o.task_id, o.version_id, o.seconds FROM assignment o
             WHERE o.rater_id = s.rater_id AND o.id < s.id AND o.submitted_at IS NOT NULL AND o.seconds IS NOT NULL
             ORDER BY o.id DESC LIMIT w.most) e
           JOIN task t ON t.id = e.task_id
           ORDER BY w.assignment, e.id""",
        {"assignments": list(tasks), "limits": list(tasks.values()), "gold": TaskItem.Role.GOLD},
    )


@dataclass(frozen=True, slots=True)
class WorkItem:
    """An item at its position in an assignment's task."""

    assignment: int
    position: int
    item: int
    category: str | None


def work_items(assignments: Sequence[int]) -> list[WorkItem]:
    """The items of assignments, with the automatic categories of their dialogues."""
    return records(
        WorkItem,
        """SELECT s.id AS assignment, x.position, x.item_id AS item, d.meta ->> 'category' AS category
           FROM assignment s JOIN task_item x ON x.task_id = s.task_id JOIN item i ON i.id = x.item_id
           JOIN dialogue d ON d.id = i.dialogue_id WHERE s.id = ANY(%s)""",
        [list(assignments)],
    )


@dataclass(frozen=True, slots=True)
class OtherWork:
    """Another rater's work on the same item."""

    assignment: int
    position: int
    other: int
    other_position: int


def other_work(assignments: Sequence[int]) -> list[OtherWork]:
    """Submitted work of other raters on the items of assignments, in the same condition and with the same questions."""
    return records(
        OtherWork,
        f"""SELECT s.id AS assignment, x.position, o.id AS other, o.position AS other_position
           FROM assignment s JOIN task t ON t.id = s.task_id
           JOIN task_item x ON x.task_id = s.task_id AND x.role = %(item)s
           CROSS JOIN LATERAL (
             SELECT o.id, y.position FROM task_item y JOIN task u ON u.id = y.task_id
             JOIN assignment o ON o.task_id = y.task_id
             WHERE y.item_id = x.item_id AND u.condition = t.condition AND y.role = %(item)s
               AND o.rater_id <> s.rater_id AND o.submitted_at IS NOT NULL
               AND o.data_use = {literal(DataUse.USED)} AND (o.task_id = s.task_id OR o.version_id = s.version_id)
             ORDER BY o.id LIMIT {MOST_OTHERS}) o
           WHERE s.id = ANY(%(assignments)s) ORDER BY 1, 2, 3""",
        {"assignments": list(assignments), "item": TaskItem.Role.ITEM},
    )


@dataclass(frozen=True, slots=True)
class RecordedTyping:
    """How the texts of an assignment were typed."""

    assignment: int
    facts_json: str


def recorded_typing(assignments: Sequence[int]) -> dict[int, dict[str, Any]]:
    """How the texts of assignments were typed, by assignment and place."""
    found = records(
        RecordedTyping,
        "SELECT assignment_id AS assignment, facts::text AS facts_json FROM typing_record WHERE assignment_id = ANY(%s)",
        [list(assignments)],
    )
    return {each.assignment: json.loads(each.facts_json) for each in found}


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A free text, by its fingerprint."""

    study: int
    assignment: int
    rater: int
    place: str
    fingerprint: str


def add_prints(texts: Sequence[PrintedText]) -> None:
    """Stores fingerprints; those that are there stay."""
    run(
        """INSERT INTO text_print (study_id, assignment_id, rater_id, place, fingerprint)
           SELECT * FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::text[])
           ON CONFLICT (assignment_id, place, study_id) DO NOTHING""",
        _columns(texts),
    )


@dataclass(frozen=True, slots=True)
class SameText:
    """Another assignment with the text of an assignment."""

    assignment: int
    place: str
    rater: int
    other: int


def same_texts(texts: Sequence[PrintedText]) -> list[SameText]:
    """The work of other raters with the same texts, up to a number for each text."""
    return records(
        SameText,
        f"""SELECT v.assignment, v.place, o.rater_id AS rater, o.assignment_id AS other
           FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::text[])
             AS v(study, assignment, rater, place, fingerprint)
           CROSS JOIN LATERAL (
             SELECT p.rater_id, p.assignment_id FROM text_print p
             WHERE p.study_id = v.study AND p.fingerprint = v.fingerprint AND p.rater_id <> v.rater
             ORDER BY p.rater_id LIMIT {MOST_SAME_TEXTS}) o""",
        _columns(texts),
    )


def _columns(texts: Sequence[PrintedText]) -> list[list[Any]]:
    return [
        [getattr(text, name) for text in texts]
        for name in ("study", "assignment", "rater", "place", "fingerprint")
    ]


@dataclass(frozen=True, slots=True)
class PaceStep:
    """How many tasks of a condition took a time."""

    study: int
    condition: str
    step: int
    n: int


def add_paces(steps: Sequence[PaceStep]) -> None:
    """Counts durations."""
    ordered = sorted(steps, key=lambda step: (step.study, step.condition, step.step))
    run(
        """INSERT INTO pace_tally (study_id, condition, step, n)
           SELECT * FROM unnest(%s::bigint[], %s::text[], %s::int[], %s::bigint[])
           ON CONFLICT (study_id, condition, step) DO UPDATE SET n = pace_tally.n + excluded.n""",
        [[getattr(step, name) for step in ordered] for name in ("study", "condition", "step", "n")],
    )


def paces(studies: Sequence[int], conditions: Sequence[str]) -> list[PaceStep]:
    """The durations of pairs of study and condition."""
    return records(
        PaceStep,
        """SELECT p.study_id AS study, p.condition, p.step, p.n
           FROM unnest(%s::bigint[], %s::text[]) AS w(study, condition)
           JOIN pace_tally p ON p.study_id = w.study AND p.condition = w.condition""",
        [list(studies), list(conditions)],
    )
