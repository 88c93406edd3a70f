"""Export: every stored answer with the facts needed to interpret it, streamed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from itertools import chain, groupby
from typing import Any, NamedTuple

import pyarrow as pa
from django.db import connection, transaction

from labelwright.analysis.data.counting import ITEM_ROLE
from labelwright.crowd import STORED
from labelwright.release import Column
from labelwright.scales import Scale
from labelwright.server.results.actions.attention import ATTENTION, attention_checks, reason_of
from labelwright.server.store.models import StudyRow, StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.task import StoredItem, scale_under

AT_ONCE = 5000
_CANDIDATE = re.compile(r"[^.]+\.c(\d+)(?:\.|$)")

COLUMNS = (
    Column("study", pa.string(), "name of the study"),
    Column("version", pa.int32(), "version of the study file that the answer was given under"),
    Column(
        "item",
        pa.string(),
        "key of the item; with @2, @3 ... if a later version changed the dialogue under the same key",
    ),
    Column("dialogue", pa.string(), "key of the dialogue"),
    Column("category", pa.string(), "category of the dialogue, if the study has categories"),
    Column(
        "system", pa.string(), "dialogue system that produced the reply or candidate, if the log names it"
    ),
    Column("candidates", pa.string(), "systems of an item's candidates in their order, as a JSON list"),
    Column(
        "weight",
        pa.float64(),
        "design weight of the item: how many items of the population it stands for; 1 without a design",
    ),
    Column("condition", pa.string(), "condition of the task"),
    Column("aspect", pa.string(), "aspect that the question measures; empty if it measures none"),
    Column("question", pa.string(), "name of the question"),
    Column("rater", pa.string(), "pseudonym of the rater"),
    Column("rater_kind", pa.string(), "person or model"),
    Column("group", pa.string(), "group of the rater in the pool; empty without groups"),
    Column("label", pa.int32(), "code of the chosen point; empty for free text"),
    Column("name", pa.string(), "name of the chosen point as the rater read it"),
    Column("value", pa.string(), "the answer as given"),
    Column("confidence", pa.float64(), "the rater's confidence in the answer, if the study asks for it"),
    Column("seconds", pa.float64(), "time from the offer to the submission"),
    Column("submitted_at", pa.string(), "time of the submission, UTC"),
    Column("assignment", pa.int64(), "number of the assignment; answers of one submission share it"),
    Column(
        "task_number", pa.int32(), "place of the task in the order of this rater's submitted tasks, from 1"
    ),
    Column("item_position", pa.int32(), "position of the item in its task, from 1; empty for the whole task"),
    Column(
        "candidate_order",
        pa.string(),
        "order in which this rater saw the candidates, as a JSON list of places in the item, from 0",
    ),
    Column("data_use", pa.string(), "used, or left_out if the data are excluded"),
    Column("flags", pa.string(), "quality rules that flagged the submission, separated by spaces"),
    Column(
        "role",
        pa.string(),
        "item; gold for an item with a known answer; attention for an attention check; "
        "qualification; task for a question about the whole task",
    ),
    Column("left_out", pa.string(), "why the answer does not count in figures; empty if it counts"),
    Column("guidelines", pa.string(), "version of the guidelines that the rater followed"),
    Column("discussed", pa.bool_(), "whether the item was ever discussed with raters"),
    Column("discussed_at", pa.string(), "when it was first discussed, UTC; empty if it was not"),
)

_SQL = """
SELECT v.n, i.key,
       (SELECT count(*) FROM item e WHERE e.study_id = i.study_id AND e.key = i.key AND e.id < i.id) AS earlier,
       d.key AS dialogue, d.meta ->> 'category' AS category, i.system,
       CASE WHEN i.kind = 'candidates' THEN (
           SELECT jsonb_agg(c ->> 'system' ORDER BY n)
           FROM jsonb_array_elements(i.payload -> 'candidates') WITH ORDINALITY AS e(c, n)) END AS candidates,
       CASE WHEN jsonb_typeof(i.payload -> 'weight') = 'number' THEN (i.payload ->> 'weight')::float
            WHEN jsonb_typeof(d.meta -> 'weight') = 'number' THEN (d.meta ->> 'weight')::float
            ELSE 1 END AS weight,
       a.condition, a.aspect, a.question, r.pseudonym AS rater, a.rater_kind, a.rater_group, a.code, a.value,
       a.seconds, a.submitted_at AS at, a.data_use AS use,
       coalesce((SELECT string_agg(f.rule, ' ' ORDER BY f.rule) FROM flag f
                 WHERE f.assignment_id = a.assignment_id), '') AS flags,
       a.role, a.left_out, i.discussed_at, a.version_id AS version, a.assignment_id AS assignment, a.position,
       s.task_number, s.rater_number
FROM counted_answer a
JOIN (SELECT id, row_number() OVER (PARTITION BY rater_id ORDER BY id) AS task_number,
             (SELECT min(m.number) FROM member m WHERE m.rater_id = assignment.rater_id) AS rater_number
      FROM assignment WHERE study_id = %(study)s AND state = ANY(%(stored)s)) s ON s.id = a.assignment_id
JOIN study_version v ON v.id = a.version_id
JOIN rater r ON r.id = a.rater_id
LEFT JOIN item i ON i.id = a.item_id
LEFT JOIN dialogue d ON d.id = i.dialogue_id
WHERE a.study_id = %(study)s AND (%(version)s::int IS NULL OR v.n = %(version)s)
ORDER BY a.assignment_id, a.position, a.question
"""


def get_answers(study: StudyRow, version: int | None = None) -> Iterator[dict[str, Any]]:
    """The stored answers of a study, or of one version, in the order of the offers; one snapshot, constant memory."""
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_SQL, {"study": study.pk, "stored": list(STORED), "version": version})
        stored = _read(cursor)
        for _, together in groupby(stored, lambda answer: (answer.assignment, answer.position)):
            yield from _rows(study, list(together))


def _read(cursor: Any) -> Iterator[_Stored]:
    """The rows of the query, bound by the names of its columns."""
    first = cursor.fetchmany(AT_ONCE)
    # A named cursor knows its columns once the first rows are fetched.
    names = [column.name for column in cursor.description or ()]
    for chunk in chain([first], iter(lambda: cursor.fetchmany(AT_ONCE), [])):
        for row in chunk:
            yield _Stored(**dict(zip(names, row, strict=True)))


def get_scales(study: StudyRow) -> dict[str, Any]:
    """What the codes mean, per version: labels never travel without their scale."""
    versions = StudyVersion.objects.filter(study=study).order_by("n")
    return {
        "study": study.name,
        "versions": [
            {
                "version": version.n,
                "sha256": version.sha256,
                "corpus_sha256": version.corpus_sha256,
                "loaded_at": version.loaded_at.isoformat(),
                "changes": version.change.get("lines", []),
                "same_meaning": version.same_meaning,
                # Conditions of two versions with the same content asked the same.
                "contents": {name: content for name, (_, content) in version.contents.items()},
                "questions": _question_scales(version.pk),
                "aspects": _aspect_scales(version.pk),
                "study_file": version.text,
            }
            for version in versions
        ],
        "columns": {column.name: column.about for column in COLUMNS},
    }


class _Stored(NamedTuple):
    """A row of the query."""

    n: int
    key: str | None
    earlier: int
    """How many items with this key came before it."""
    dialogue: str | None
    category: str | None
    system: str | None
    candidates: Any
    weight: float
    condition: str
    aspect: str
    question: str
    rater: str
    rater_kind: str
    rater_group: str
    code: int | None
    value: Any
    seconds: float
    at: datetime
    use: str
    flags: str
    role: str
    left_out: str
    discussed_at: datetime | None
    version: int
    assignment: int
    position: int
    task_number: int
    rater_number: int

    @property
    def checks_attention(self) -> bool:
        """Whether it answers an attention check about an item of the study."""
        checks = attention_checks(self.version, self.condition)
        return self.role == ITEM_ROLE and self.question in checks


def _rows(study: StudyRow, together: list[_Stored]) -> Iterator[dict[str, Any]]:
    """The rows of one rater's answers about one item."""
    sure, item = _confidences(together), _item(together[0])
    for answer in together:
        scale = scale_under(answer.question, _scales_by_question(answer.version))
        name = next((p.name for p in scale.points if p.code == answer.code), None) if scale else None
        yield {
            **item,
            "study": study.name,
            "system": _system(answer),
            "aspect": answer.aspect,
            "question": answer.question,
            "label": answer.code,
            "name": name,
            "value": _text(answer.value),
            "confidence": sure.get(answer.question.split(".", maxsplit=1)[0], sure.get(None)),
            "role": ATTENTION if answer.checks_attention else answer.role,
            "left_out": reason_of(answer.left_out, answer.version, answer.condition, answer.question),
        }


def _item(answer: _Stored) -> dict[str, Any]:
    """What all answers of one rater about one item have in common."""
    guidelines = study_of(answer.version).design(answer.condition).guidelines
    systems = _parsed(answer.candidates)
    return {
        "version": answer.n,
        "item": f"{answer.key}@{answer.earlier + 1}" if answer.earlier else answer.key,
        "dialogue": answer.dialogue,
        "category": answer.category,
        "candidates": json.dumps(systems) if systems else None,
        "weight": answer.weight,
        "condition": answer.condition,
        "rater": answer.rater,
        "rater_kind": answer.rater_kind,
        "group": answer.rater_group or None,
        "seconds": answer.seconds,
        "submitted_at": answer.at.isoformat(),
        "assignment": answer.assignment,
        "task_number": answer.task_number,
        "item_position": answer.position + 1 if answer.key is not None else None,
        "candidate_order": json.dumps(_order(answer, systems)) if systems else None,
        "data_use": answer.use,
        "flags": answer.flags,
        "guidelines": guidelines.version if guidelines else None,
        "discussed": answer.discussed_at is not None,
        "discussed_at": answer.discussed_at.isoformat() if answer.discussed_at else None,
    }


def _order(answer: _Stored, systems: list[str | None]) -> list[int]:
    item = StoredItem("candidates", (), 0, {"candidates": systems}, answer.key or "")
    return list(study_of(answer.version).order_for(answer.rater_number, item))


def _confidences(together: list[_Stored]) -> dict[str | None, float | None]:
    """The rater's confidence, by the question it is about; under None, for all other questions."""
    asked = _confidence_questions(together[0].version)
    given = {asked[a.question]: a.code for a in together if a.question in asked and a.code is not None}
    # Nobody is asked how confident they are of their confidence.
    return {**given, **dict.fromkeys(asked)}


@lru_cache(maxsize=256)
def _confidence_questions(version: int) -> dict[str, str | None]:
    """The questions that ask for confidence, and the question that each is about."""
    return {
        question.name: sure.about
        for design in study_of(version).designs.values()
        for question in design.questions
        if (sure := question.confidence()) is not None
    }


def _system(answer: _Stored) -> str | None:
    """The system that a judgment is about: that of one candidate if the judgment is named `question.c0`."""
    part, candidates = _CANDIDATE.match(answer.question), _parsed(answer.candidates)
    return candidates[int(part[1])] if candidates and part else answer.system


def _parsed(value: Any) -> Any:
    # A plain cursor returns jsonb as text; a text answer is then a JSON string.
    return json.loads(value) if isinstance(value, str) else value


def _text(value: Any) -> str:
    parsed = _parsed(value)
    return parsed if isinstance(parsed, str) else json.dumps(parsed, ensure_ascii=False)


@lru_cache(maxsize=256)
def _scales_by_question(version: int) -> dict[str, Scale]:
    study = study_of(version)
    found: dict[str, Scale] = {}
    for design in study.designs.values():
        found |= design.answer_scales(study.scales)
    return found


def _question_scales(version: int) -> dict[str, Any]:
    return {name: scale.model_dump() for name, scale in _scales_by_question(version).items()}


def _aspect_scales(version: int) -> dict[str, Any]:
    """The scale of each aspect; an aspect measured on different scales has none."""
    study = study_of(version)
    found: dict[str, list[Scale]] = {}
    for design in study.designs.values():
        for column in design.judgments(study.scales):
            found.setdefault(column.aspect, []).append(column.scale)
    return {
        aspect: used[0].model_dump()
        for aspect, used in found.items()
        if all(scale == used[0] for scale in used)
    }
