"""A rater's answers beside those of the others on the same tasks. Others are counts, never people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from turnwise.server.actions.answer_words import answer_in_words
from turnwise.server.store.rows import rows
from turnwise.server.store.versions import study_of
from turnwise.study import Study
from turnwise.task.questions import Question

AT_ONCE = 25
"""Tasks on one page."""


@dataclass(frozen=True, slots=True)
class BesideAnswer:
    """One answer, and what the others said to the same question."""

    question: str
    own: str
    others: list[tuple[str, int]]
    """What was said and how often; only answers that have a code are told."""


@dataclass(frozen=True, slots=True)
class Beside:
    """One item of a rater's submitted work."""

    assignment: int
    item: int
    key: str
    reply: str
    condition: str
    submitted_at: datetime
    seconds: float | None
    discussed: bool
    flags: str
    state: str
    data_use: str
    reason: str
    """Of the newest verdict, where there is one."""
    answers: list[BesideAnswer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Together:
    """How often a rater said what another rater said, over all questions that are judgments."""

    equal: int
    compared: int


def get_work(rater: int, page: int) -> tuple[list[Beside], int]:
    """A page of a rater's submitted work, newest first, and how many tasks there are."""
    ids = [
        row[0]
        for row in rows(
            """SELECT id FROM assignment WHERE rater_id = %s AND submitted_at IS NOT NULL
               ORDER BY id DESC LIMIT %s OFFSET %s""",
            [rater, AT_ONCE, (page - 1) * AT_ONCE],
        )
    ]
    total = rows("SELECT count(*) FROM assignment WHERE rater_id = %s AND submitted_at IS NOT NULL", [rater])
    return get_beside(ids, with_checks=True), total[0][0]


def get_beside(assignments: Sequence[int], *, with_checks: bool = False) -> list[Beside]:
    """Each item of the given work with own answers and the others'; the newest work first.

    Attention checks are for requesters alone: what is stored of them says whether they were passed.
    """
    ids = list(assignments)
    found = rows(
        """SELECT s.id, i.id, i.key,
                  coalesce(i.payload -> 'passage' ->> 'text', d.turns -> i.target ->> 'text'),
                  t.condition, s.submitted_at, s.seconds, i.discussed_at IS NOT NULL,
                  coalesce((SELECT string_agg(f.rule, ', ' ORDER BY f.rule) FROM flag f
                            WHERE f.assignment_id = s.id), ''),
                  s.state, s.data_use,
                  coalesce((SELECT v.reason FROM verdict v WHERE v.assignment_id = s.id ORDER BY v.id DESC LIMIT 1), ''),
                  s.version_id, x.position
           FROM assignment s JOIN task t ON t.id = s.task_id JOIN task_item x ON x.task_id = t.id
           JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
           WHERE s.id = ANY(%s) ORDER BY s.id DESC, x.position""",
        [ids],
    )
    own, others = _own(ids), _others(ids)
    told = []
    for *facts, version, position in found:
        beside = Beside(*facts)
        study = study_of(version)
        design = study.design(beside.condition)
        for question in design.questions:
            if question.name in design.attention_checks and not with_checks:
                continue
            value = own.get((beside.assignment, position, question.name))
            if value is not None:
                counts = others.get((beside.assignment, position, question.name), {})
                beside.answers.append(_answer(study, question, value, counts, beside.reply))
        told.append(beside)
    return told


def get_together(rater: int) -> Together:
    """How far a rater agrees with the others, as plain counts; a figure for looking, not for deciding."""
    found = rows(
        """SELECT count(*) FILTER (WHERE o.code = a.code), count(*)
           FROM assignment s JOIN answer a ON a.assignment_id = s.id
           JOIN assignment s2 ON s2.task_id = s.task_id AND s2.rater_id <> s.rater_id AND s2.data_use = 'used'
           JOIN answer o ON o.assignment_id = s2.id AND o.position = a.position AND o.question = a.question
           WHERE s.rater_id = %s AND a.aspect <> '' AND a.code IS NOT NULL AND o.code IS NOT NULL""",
        [rater],
    )
    return Together(*found[0])


def _answer(study: Study, question: Question, value: str, counts: dict[int, int], text: str) -> BesideAnswer:
    return BesideAnswer(
        question=question.text,
        own=answer_in_words(study, question, json.loads(value), text),
        others=[(answer_in_words(study, question, code), n) for code, n in sorted(counts.items())],
    )


def _own(ids: list[int]) -> dict[tuple[int, int, str], str]:
    found = rows(
        "SELECT assignment_id, position, question, value::text FROM answer WHERE assignment_id = ANY(%s)",
        [ids],
    )
    return {(assignment, position, question): value for assignment, position, question, value in found}


def _others(ids: list[int]) -> dict[tuple[int, int, str], dict[int, int]]:
    counts: dict[tuple[int, int, str], dict[int, int]] = {}
    for assignment, position, question, code, n in rows(
        """SELECT s.id, o.position, o.question, o.code, count(*)
           FROM assignment s JOIN assignment s2 ON s2.task_id = s.task_id AND s2.rater_id <> s.rater_id
           JOIN answer o ON o.assignment_id = s2.id
           WHERE s.id = ANY(%s) AND s2.data_use = 'used' AND o.code IS NOT NULL GROUP BY 1, 2, 3, 4""",
        [ids],
    ):
        counts.setdefault((assignment, position, question), {})[code] = n
    return counts
