"""Export of the questionnaire: raters' answers about themselves, about topics, and in the quiz."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from labelwright.crowd import DataUse
from labelwright.release import Column
from labelwright.server.store.models import Batch, RaterSheet, StudyRow, Withdrawal

COLUMNS = (
    Column("study", pa.string(), "name of the study"),
    Column("version", pa.int32(), "version of the study file"),
    Column("rater", pa.string(), "pseudonym of the rater"),
    Column("part", pa.string(), "demographics, familiarity or quiz"),
    Column("topic", pa.string(), "topic of the batch that familiarity was asked about"),
    Column("question", pa.string(), "name of the question"),
    Column("value", pa.string(), "the answer as given; the last one of a quiz"),
    Column("tries", pa.int32(), "tries of the quiz"),
    Column("passed", pa.bool_(), "whether the quiz was passed"),
    Column("answered_at", pa.string(), "time of the answer, UTC"),
    Column("data_use", pa.string(), "used, or left_out if the rater withdrew and asked for it"),
)


def get_rater_answers(study: StudyRow) -> Iterator[dict[str, Any]]:
    """A row for each answer, in the order of answering; raters who answered nothing have no rows."""
    topics = {str(key): topic for key, topic in Batch.objects.filter(study=study).values_list("id", "topic")}
    left_out = set(
        Withdrawal.objects.filter(study=study, data_use=DataUse.LEFT_OUT).values_list("rater_id", flat=True)
    )
    sheets = RaterSheet.objects.filter(study=study).select_related("rater", "version").order_by("id")
    for sheet in sheets.iterator():
        for question, value in sheet.answers.items():
            yield {
                "study": study.name,
                "version": sheet.version.n,
                "rater": sheet.rater.pseudonym,
                "part": sheet.part,
                "topic": topics.get(sheet.key),
                "question": question,
                "value": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False),
                "tries": sheet.tries if sheet.part == "quiz" else None,
                "passed": sheet.passed,
                "answered_at": sheet.answered_at.isoformat(),
                "data_use": DataUse.LEFT_OUT if sheet.rater_id in left_out else DataUse.USED,
            }
