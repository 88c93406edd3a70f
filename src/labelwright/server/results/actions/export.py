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

from labelwright.release import Column
from labelwright.scales import Scale
from labelwright.server.store.models import StudyRow, StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.task import scale_under

AT_ONCE = 5000
_CANDIDATE = re.compile(r"[^.]+\.c(\d+)(?:\.|$)")

COLUMNS = (
    Column("study", pa.string(), "name of the study"),
    Column("version", pa.int32(), "version of the study file that the answer was given under"),
    Column("item", pa.string(), "key of the item"),
    Column("dialogue", pa.string(), "key of the dialogue"),
    Column(
        "system", pa.string(), "dialogue system that produced the reply or candidate, if the log names it"
    ),
    Column("candidates", pa.string(), "systems of an item's candidates in their order, as a JSON list"),
    Column("condition", pa.string(), "condition of the task"),
    Column("aspect", pa.string(), "aspect that the question measures; empty if it measures none"),
    Column("question", pa.string(), "name of the question"),
    Column("rater", pa.string(), "pseudonym of the rater"),
    Column("label", pa.int32(), "code of the chosen point; empty for free text"),
    Column("name", pa.string(), "name of the chosen point as the rater read it"),
    Column("value", pa.string(), "the answer as given"),
    Column("confidence", pa.float64(), "the rater's confidence in the answer, if the study asks for it"),
    Column("seconds", pa.float64(), "time from the offer to the submission"),
    Column("submitted_at", pa.string(), "time of the submission, UTC"),
    Column("data_use", pa.string(), "whether the data are used"),
    Column("flags", pa.string(), "quality rules that flagged the submission, separated by spaces"),
    Column(
        "role",
        pa.string(),
        "item; gold for an item with a known answer; task for a question about the whole task",
    ),
    Column("guidelines", pa.string(), "version of the guidelines that the rater followed"),
    Column("discussed", pa.bool_(), "whether the item was ever discussed with raters"),
    Column("discussed_at", pa.string(), "when it was first discussed, UTC; empty if it was not"),
)

_SQL = """
SELECT v.n, i.key AS item, d.key AS dialogue, i.system,
       CASE WHEN i.kind = 'candidates' THEN (
           SELECT jsonb_agg(c ->> 'system' ORDER BY n)
           FROM jsonb_array_elements(i.payload -> 'candidates') WITH ORDINALITY AS e(c, n)) END AS candidates,
       t.condition, a.aspect, a.question, r.pseudonym AS rater, a.code, a.value,
       s.seconds, s.submitted_at AS at, s.data_use AS use,
       coalesce((SELECT string_agg(f.rule, ' ' ORDER BY f.rule) FROM flag f WHERE f.assignment_id = s.id), '') AS flags,
       coalesce(x.role, 'task') AS role, i.discussed_at, s.version_id AS version, s.id AS assignment, a.position
FROM assignment s
JOIN answer a ON a.assignment_id = s.id
JOIN study_version v ON v.id = s.version_id
JOIN task t ON t.id = s.task_id
LEFT JOIN task_item x ON x.task_id = t.id AND x.position = a.position
LEFT JOIN item i ON i.id = x.item_id
LEFT JOIN dialogue d ON d.id = i.dialogue_id
JOIN rater r ON r.id = s.rater_id
WHERE s.study_id = %s AND (%s::int IS NULL OR v.n = %s)
ORDER BY s.id, a.position, a.question
"""


def get_answers(study: StudyRow, version: int | None = None) -> Iterator[dict[str, Any]]:
    """The stored answers of a study, or of one version, in the order of the offers; one snapshot, constant memory."""
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_SQL, [study.pk, version, version])
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
    item: str | None
    dialogue: str | None
    system: str | None
    candidates: Any
    condition: str
    aspect: str
    question: str
    rater: str
    code: int | None
    value: Any
    seconds: float
    at: datetime
    use: str
    flags: str
    role: str
    discussed_at: datetime | None
    version: int
    assignment: int
    position: int


def _rows(study: StudyRow, together: list[_Stored]) -> Iterator[dict[str, Any]]:
    """The rows of one rater's answers about one item."""
    sure = _confidences(together)
    for answer in together:
        scale = scale_under(answer.question, _scales_by_question(answer.version))
        name = next((p.name for p in scale.points if p.code == answer.code), None) if scale else None
        guidelines = study_of(answer.version).design(answer.condition).guidelines
        systems = json.loads(answer.candidates) if isinstance(answer.candidates, str) else answer.candidates
        yield {
            "study": study.name,
            "version": answer.n,
            "item": answer.item,
            "dialogue": answer.dialogue,
            "system": _system(answer, systems),
            "candidates": json.dumps(systems) if systems else None,
            "condition": answer.condition,
            "aspect": answer.aspect,
            "question": answer.question,
            "rater": answer.rater,
            "label": answer.code,
            "name": name,
            "value": _text(answer.value),
            "confidence": sure.get(answer.question.split(".", maxsplit=1)[0], sure.get(None)),
            "seconds": answer.seconds,
            "submitted_at": answer.at.isoformat(),
            "data_use": answer.use,
            "flags": answer.flags,
            "role": answer.role,
            "guidelines": guidelines.version if guidelines else None,
            "discussed": answer.discussed_at is not None,
            "discussed_at": answer.discussed_at.isoformat() if answer.discussed_at else None,
        }


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


def _system(answer: _Stored, candidates: list[str | None] | None) -> str | None:
    """The system that a judgment is about: that of one candidate if the judgment is named `question.c0`."""
    part = _CANDIDATE.match(answer.question)
    return candidates[int(part[1])] if candidates and part else answer.system


def _text(value: Any) -> str:
    # A plain cursor returns jsonb as text; a text answer is then a JSON string.
    parsed = json.loads(value) if isinstance(value, str) else value
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
        for aspect, scale in design.aspect_scales(study.scales):
            found.setdefault(aspect, []).append(scale)
    return {
        aspect: used[0].model_dump()
        for aspect, used in found.items()
        if all(scale == used[0] for scale in used)
    }
