"""A rater's answers beside those of the others on the same tasks. Others are counts, never people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from labelwright.server.actions.answer_words import ToldLine, answer_in_words
from labelwright.server.store.items import stored_items
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.task.candidates import letters_of

AT_ONCE = 25
"""Tasks on one page."""


@dataclass(frozen=True, slots=True)
class BesideAnswer:
    """One answer, line by line, each with what the others said about the same."""

    question: str
    lines: list[ToldLine]
    passed: bool | None = None
    """Of an attention check, which is told to requesters alone."""


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
    candidates: list[tuple[str, str]] = field(default_factory=list)
    """Letter and text of each, as this rater saw them."""
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
                  s.version_id, x.position, (SELECT min(m.number) FROM member m WHERE m.rater_id = s.rater_id)
           FROM assignment s JOIN task t ON t.id = s.task_id JOIN task_item x ON x.task_id = t.id
           JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
           WHERE s.id = ANY(%s) ORDER BY s.id DESC, x.position""",
        [ids],
    )
    own, others = _own(ids), _others(ids)
    items = stored_items([row[1] for row in found])
    told = []
    for *facts, version, position, number in found:
        assignment, item, _, _, condition, *_ = facts
        study = study_of(version)
        asking = study.asking_of(number, condition, items[item])
        design = study.design(condition)
        asked = [q for q in design.questions if with_checks or q.name not in design.attention_checks]
        answers = [
            BesideAnswer(
                question.text,
                answer_in_words(question, own[place], asking, others.get(place, ())),
                question.code(own[place]) == 1 if question.name in design.attention_checks else None,
            )
            for question in asked
            if (place := (assignment, position, question.name)) in own
        ]
        beside = Beside(*facts)
        beside.candidates.extend(letters_of(asking))
        beside.answers.extend(answers)
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


_Place = tuple[int, int, str]
"""Assignment, position of the item, and question."""


def _own(ids: list[int]) -> dict[_Place, Any]:
    found = rows(
        "SELECT assignment_id, position, question, value::text FROM answer WHERE assignment_id = ANY(%s)",
        [ids],
    )
    return {
        (assignment, position, question): json.loads(value) for assignment, position, question, value in found
    }


def _others(ids: list[int]) -> dict[_Place, list[tuple[Any, int]]]:
    """The different answers of the others and how often each was given; data that are left out do not count.

    The judgments inside an answer (`question.part`) stand in it, so they are not read again.
    """
    answers: dict[_Place, list[tuple[Any, int]]] = {}
    for assignment, position, question, value, n in rows(
        """SELECT s.id, o.position, o.question, o.value::text, count(*)
           FROM assignment s JOIN assignment s2 ON s2.task_id = s.task_id AND s2.rater_id <> s.rater_id
           JOIN answer o ON o.assignment_id = s2.id
           WHERE s.id = ANY(%s) AND s2.data_use = 'used' AND o.question NOT LIKE '%%.%%'
           GROUP BY s.id, o.position, o.question, o.value ORDER BY o.value""",
        [ids],
    ):
        answers.setdefault((assignment, position, question), []).append((json.loads(value), n))
    return answers
