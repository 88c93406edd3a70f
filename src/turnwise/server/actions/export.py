"""Export: every stored answer with what is needed to read it, streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pyarrow as pa
from django.db import connection, transaction

from turnwise.release import Column
from turnwise.scales import Scale
from turnwise.server.store.models import Study, StudyVersion
from turnwise.server.store.versions import study_of
from turnwise.task import scale_under

AT_ONCE = 5000

COLUMNS = (
    Column("study", pa.string(), "name of the study"),
    Column("version", pa.int32(), "version of the study file that the answer was given under"),
    Column("item", pa.string(), "key of the item"),
    Column("dialogue", pa.string(), "key of the dialogue"),
    Column("system", pa.string(), "dialogue system that produced the reply, where the log says so"),
    Column("condition", pa.string(), "condition of the task"),
    Column("aspect", pa.string(), "aspect that the question measures; empty where it measures none"),
    Column("question", pa.string(), "name of the question"),
    Column("rater", pa.string(), "pseudonym of the rater"),
    Column("label", pa.int32(), "code of the chosen point; empty for free text"),
    Column("name", pa.string(), "name of the chosen point as the rater read it"),
    Column("value", pa.string(), "the answer as given"),
    Column("seconds", pa.float64(), "time from the offer to the submission"),
    Column("submitted_at", pa.string(), "time of the submission, UTC"),
    Column("data_use", pa.string(), "whether the data are used"),
    Column("flags", pa.string(), "quality rules that found something, joined by a space"),
    Column(
        "role",
        pa.string(),
        "item; gold for one with a known answer; task for a question on the task as a whole",
    ),
    Column("guidelines", pa.string(), "version of the guidelines that the rater worked by"),
    Column("discussed", pa.bool_(), "whether the item was discussed with raters at any time"),
    Column("discussed_at", pa.string(), "when it first was, UTC; empty where it was not"),
)

_SQL = """
SELECT v.n, i.key, d.key, i.system, t.condition, a.aspect, a.question, r.pseudonym, a.code, a.value,
       s.seconds, s.submitted_at, s.data_use,
       coalesce((SELECT string_agg(f.rule, ' ' ORDER BY f.rule) FROM flag f WHERE f.assignment_id = s.id), ''),
       coalesce(x.role, 'task'), i.discussed_at, s.version_id
FROM assignment s
JOIN answer a ON a.assignment_id = s.id
JOIN study_version v ON v.id = s.version_id
JOIN task t ON t.id = s.task_id
LEFT JOIN task_item x ON x.task_id = t.id AND x.position = a.position
LEFT JOIN item i ON i.id = x.item_id
LEFT JOIN dialogue d ON d.id = i.dialogue_id
JOIN rater r ON r.id = s.rater_id
WHERE s.study_id = %s
ORDER BY s.id, a.position, a.question
"""


def get_answers(study: Study) -> Iterator[dict[str, Any]]:
    """The stored answers of a study in the order in which work was offered; one snapshot, constant memory."""
    names = [column.name for column in COLUMNS]
    with transaction.atomic(), connection.chunked_cursor() as cursor:
        cursor.execute(_SQL, [study.pk])
        while chunk := cursor.fetchmany(AT_ONCE):
            for row in chunk:
                yield dict(zip(names, _told(study, row), strict=True))


def get_scales(study: Study) -> dict[str, Any]:
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
                "questions": _question_scales(version.pk),
                "study_file": version.text,
            }
            for version in versions
        ],
        "columns": {column.name: column.about for column in COLUMNS},
    }


def _told(study: Study, row: tuple[Any, ...]) -> tuple[Any, ...]:
    (
        n,
        item,
        dialogue,
        system,
        condition,
        aspect,
        question,
        rater,
        code,
        value,
        seconds,
        at,
        use,
        flags,
        role,
        discussed,
        version,
    ) = row
    scale = scale_under(question, _scales_by_question(version))
    name = next((p.name for p in scale.points if p.code == code), None) if scale else None
    guidelines = study_of(version).design(condition).guidelines
    return (
        study.name, n, item, dialogue, system, condition, aspect, question, rater, code, name, _text(value),
        seconds, at.isoformat(), use, flags, role, guidelines.version if guidelines else None,
        discussed is not None, discussed.isoformat() if discussed else None,
    )  # fmt: skip


def _text(value: Any) -> str:
    # Read through a plain cursor, jsonb arrives as text; a text answer is then a JSON string.
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
