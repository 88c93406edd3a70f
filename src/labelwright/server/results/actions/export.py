"""Export: every stored answer with the facts needed to interpret it, streamed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple, get_args, get_type_hints

import psycopg
import pyarrow as pa
from django.db import connection
from django.db.models import Max, QuerySet
from psycopg.sql import SQL

from labelwright.analysis.data.counting import ITEM_ROLE
from labelwright.crowd import STORED, PlaceState
from labelwright.release import Column
from labelwright.scales import Scale
from labelwright.server.results.actions.attention import ATTENTION, attention_checks, reason_of
from labelwright.server.results.queries.shares import (
    first_offer_to_people,
    has_regrouped_items,
    superseded_items,
)
from labelwright.server.store.models import Batch, ItemRow, Place, StudyRow, StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.plans import get_plan_history
from labelwright.task import StoredItem, scale_under

Row = dict[str, Any]
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
    Column(
        "probability",
        pa.float64(),
        "probability with which the item was drawn for people; empty if chance did not decide which items they rate",
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
    Column("themes", pa.string(), "themes that a person assigned to the text, separated by semicolons"),
    Column("discussed", pa.bool_(), "whether the item was ever discussed with raters"),
    Column("discussed_at", pa.string(), "when it was first discussed, UTC; empty if it was not"),
)

# One pass over the answers, joined with the facts of items, raters and submissions, each computed once.
_SQL = """
SELECT v.n, i.key, i.earlier, i.dialogue, i.category, i.system, i.candidates::text, coalesce(i.weight, 1) AS weight,
       a.condition, a.aspect, a.question, r.pseudonym, a.rater_kind, a.rater_group, a.code, a.value::text,
       a.seconds, a.submitted_at, a.data_use, coalesce(f.flags, ''), a.role, a.left_out, i.discussed_at,
       a.version_id, a.assignment_id, a.position, s.task_number, r.number, h.themes, i.people_chance
FROM counted_answer a
JOIN (SELECT id, row_number() OVER (PARTITION BY rater_id ORDER BY id) AS task_number
      FROM assignment WHERE study_id = {study} AND state = ANY({stored})) s ON s.id = a.assignment_id
JOIN study_version v ON v.id = a.version_id
JOIN (SELECT r.id, r.pseudonym, min(m.number) AS number FROM rater r LEFT JOIN member m ON m.rater_id = r.id
      WHERE r.study_id = {study} GROUP BY r.id, r.pseudonym) r ON r.id = a.rater_id
LEFT JOIN (
  SELECT i.id, i.key, row_number() OVER (PARTITION BY i.key ORDER BY i.id) - 1 AS earlier, d.key AS dialogue,
         d.meta ->> 'category' AS category, i.system, i.discussed_at, i.people_chance,
         CASE WHEN i.kind = 'candidates' THEN (
             SELECT jsonb_agg(c ->> 'system' ORDER BY n)
             FROM jsonb_array_elements(i.payload -> 'candidates') WITH ORDINALITY AS e(c, n)) END AS candidates,
         CASE WHEN jsonb_typeof(i.payload -> 'weight') = 'number' THEN (i.payload ->> 'weight')::float
              WHEN jsonb_typeof(d.meta -> 'weight') = 'number' THEN (d.meta ->> 'weight')::float END AS weight
  FROM item i JOIN dialogue d ON d.id = i.dialogue_id WHERE i.study_id = {study}) i ON i.id = a.item_id
LEFT JOIN (SELECT assignment_id, string_agg(rule, ' ' ORDER BY rule) AS flags
           FROM flag WHERE study_id = {study} GROUP BY 1) f ON f.assignment_id = a.assignment_id
LEFT JOIN (SELECT m.assignment_id, m.position, m.question, string_agg(t.name, '; ' ORDER BY t.name) AS themes
           FROM theme_mark m JOIN theme t ON t.id = m.theme_id AND t.study_id = m.study_id
           WHERE m.study_id = {study} GROUP BY 1, 2, 3) h
  ON h.assignment_id = a.assignment_id AND h.position = a.position AND h.question = a.question
WHERE a.study_id = {study} AND ({version}::int IS NULL OR v.n = {version}::int)
ORDER BY a.assignment_id, a.position, a.question
"""
_SETTINGS = """SET TRANSACTION READ ONLY;
SET LOCAL statement_timeout = 0;
SET LOCAL work_mem = '64MB'"""
"""An export takes as long as it takes, and sorts in memory what fits."""


_SQL_TYPES = {int: "int8", str: "text", float: "float8", datetime: "timestamptz"}


def get_answers(study: StudyRow, version: int | None = None) -> Iterator[Row]:
    """The stored answers of a study, or of one version, in the order of the offers; one snapshot, constant memory.

    They are read by COPY over a connection of their own, so that the caller can use the other one meanwhile.
    """
    values = {"study": study.pk, "stored": list(STORED), "version": version}
    query = SQL("COPY (" + _SQL + ") TO STDOUT").format(**values)
    with (
        _own_connection() as own,
        own.transaction(),
        own.execute(_SETTINGS, prepare=False) as cursor,
        cursor.copy(query) as copy,
    ):
        # COPY does not tell the types of its columns.
        copy.set_types(_sql_types())
        stored = map(_Stored._make, copy.rows())
        share = get_share(study)
        for _, grouped in groupby(stored, lambda answer: (answer.assignment, answer.position)):
            together = list(grouped)
            drawn = {"probability": share and (together[0].people_chance or share)}
            yield from (row | drawn for row in _rows(study.name, together))


def get_share(study: StudyRow) -> float | None:
    """The probability with which each item of a study is in the share for people; None if chance does not decide it.

    The share is drawn by the seed, and a larger share of a later version contains it. The order of tasks is drawn too, so
    that people have rated a random part at any time, unless a calendar or groups order them. With a calendar, if further
    items were drawn with chances of their own, or if a version changed which items there are, only items that people have
    rated completely are random.
    """
    versions = _versions_for_people(study)
    newest = study_of(versions[-1].pk)
    batches = Batch.objects.filter(version=versions[-1], purpose=Batch.Purpose.COLLECT)
    if newest.pool.groups:
        return None
    has_draws = get_last_draw(study.pk) is not None
    ordered = has_draws or batches.count() != 1
    if ordered and newest.people_share == 1:
        return None
    changed = has_draws or len({_items_of(version) for version in versions}) > 1
    if (ordered or changed) and has_open_places(batches):
        return None
    # Without draws and with the same items, the probability is the same for all, and it does not matter which it is.
    return get_exact_share(study) if changed else newest.people_share


def _items_of(version: StudyVersion) -> tuple[str, str]:
    """What the items of a version are made from."""
    return version.corpus_sha256, study_of(version.pk).items.model_dump_json()


def get_exact_share(study: StudyRow) -> float | None:
    """The probability by which the share alone has given people each task; None if versions differ in what decides it.

    The seed, the first item of a task and the size of the share decide it. Versions may raise the share before the first
    draw, because a larger share contains a smaller one; chances that were recorded are for the share of their time.
    """
    versions = _versions_for_people(study)
    studies, newest = [study_of(version.pk) for version in versions], versions[-1].pk
    shares = [each.people_share for each in studies]
    drawn_at = get_last_draw(study.pk)
    at_draw = [
        share
        for share, version in zip(shares, versions, strict=True)
        if drawn_at is None or version.loaded_at <= drawn_at
    ]
    if shares != sorted(shares) or at_draw[-1:] != shares[-1:]:
        return None
    is_drawn = min(shares) < 1
    if is_drawn and (len({each.seed for each in studies}) > 1 or has_regrouped_items(study.pk, newest)):
        return None
    gone = superseded_items(study.pk, newest)
    return None if gone.unfinished or (gone.any and len(set(shares)) > 1) else shares[-1]


def get_last_draw(study: int) -> datetime | None:
    """When chances were last recorded; None if nothing was drawn."""
    newest: datetime | None = ItemRow.objects.filter(study_id=study).aggregate(at=Max("chance_at"))["at"]
    return newest


def _versions_for_people(study: StudyRow) -> list[StudyVersion]:
    """The versions under which people could get tasks: the newest, and all that were in use since the first offer."""
    versions = list(StudyVersion.objects.filter(study=study).order_by("n"))
    begun = first_offer_to_people(study.pk) if len(versions) > 1 else None
    replaced = [
        version
        for version, following in pairwise(versions)
        if begun is not None and following.loaded_at > begun
    ]
    return [*replaced, versions[-1]]


def has_open_places(batches: QuerySet[Batch]) -> bool:
    """Whether people still have tasks of these batches to do, besides gold tasks."""
    ended = (PlaceState.FILLED, PlaceState.CLOSED)
    return Place.objects.filter(batch__in=batches, gold=False).exclude(state__in=ended).exists()


@contextmanager
def _own_connection() -> Iterator[psycopg.Connection[Any]]:
    """A second connection to the database, from the pool of this process."""
    wrapper = connection.copy()
    wrapper.ensure_connection()
    try:
        yield wrapper.connection
    finally:
        wrapper.close()


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
        "analysis_plans": [
            {
                "version": plan.version,
                "sha256": plan.digest,
                "registered_at": plan.registered_at.isoformat(),
                "ratings_before": plan.ratings_before,
                "canonical": plan.canonical,
            }
            for plan in get_plan_history(study)
        ],
        "columns": {column.name: column.about for column in COLUMNS},
    }


class _Stored(NamedTuple):
    """A row of the query; its columns in their order."""

    n: int
    key: str | None
    earlier: int | None
    """How many items with this key came before it."""
    dialogue: str | None
    category: str | None
    system: str | None
    candidates: str | None
    weight: float
    condition: str
    aspect: str
    question: str
    rater: str
    rater_kind: str
    rater_group: str
    code: int | None
    value: str
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
    themes: str | None
    people_chance: float | None


def _sql_types() -> list[str]:
    """The types of the columns of the query in SQL."""
    hints = get_type_hints(_Stored).values()
    return [_SQL_TYPES[(get_args(hint) or (hint,))[0]] for hint in hints]


class _Meaning(NamedTuple):
    """What the study file says about a question, the same for all its answers."""

    names: dict[int, str]
    """The names of the codes."""
    about: str
    """The question without its part, which a confidence can be about."""
    candidate: int | None
    """The candidate that a judgment named `question.c0` is about."""
    checks_attention: bool


@lru_cache(maxsize=4096)
def _meaning(version: int, condition: str, question: str) -> _Meaning:
    scale = scale_under(question, scales_by_question(version))
    part = _CANDIDATE.match(question)
    return _Meaning(
        {point.code: point.name for point in scale.points} if scale else {},
        question.split(".", maxsplit=1)[0],
        int(part[1]) if part else None,
        question in attention_checks(version, condition),
    )


def _system(systems: list[str] | None, candidate: int | None) -> str | None:
    """The system of the judged candidate, if it is one."""
    return None if systems is None or candidate is None else systems[candidate]


def _rows(study: str, together: list[_Stored]) -> Iterator[Row]:
    """The rows of one rater's answers about one item."""
    first = together[0]
    systems = json.loads(first.candidates) if first.candidates else None
    sure, item = _confidences(together), _item(study, first, systems)
    for answer in together:
        meaning = _meaning(answer.version, answer.condition, answer.question)
        checks_attention = meaning.checks_attention and answer.role == ITEM_ROLE
        yield {
            **item,
            "system": _system(systems, meaning.candidate) or answer.system,
            "aspect": answer.aspect,
            "question": answer.question,
            "label": answer.code,
            "name": None if answer.code is None else meaning.names.get(answer.code),
            "value": _text(answer.value),
            "confidence": sure.get(meaning.about, sure.get(None)) if sure else None,
            "role": ATTENTION if checks_attention else answer.role,
            "themes": answer.themes,
            "left_out": reason_of(answer.left_out, answer.version, answer.condition, answer.question),
        }


def _item(study: str, answer: _Stored, systems: list[str | None] | None) -> Row:
    """What all answers of one rater about one item have in common."""
    return {
        "study": study,
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
        "guidelines": _guidelines(answer.version, answer.condition),
        "discussed": answer.discussed_at is not None,
        "discussed_at": answer.discussed_at.isoformat() if answer.discussed_at else None,
    }


@lru_cache(maxsize=1024)
def _guidelines(version: int, condition: str) -> str | None:
    """The version of the guidelines of a condition."""
    guidelines = study_of(version).design(condition).guidelines
    return guidelines.version if guidelines else None


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


def _text(value: str) -> str:
    """The text of an answer in JSON: a text is itself, anything else is written as Python writes JSON."""
    if value.isdecimal():
        return value
    parsed = json.loads(value)
    return parsed if isinstance(parsed, str) else json.dumps(parsed, ensure_ascii=False)


@lru_cache(maxsize=256)
def scales_by_question(version: int) -> dict[str, Scale]:
    """The scale of each question of a version; parts of an answer have that of their question."""
    study = study_of(version)
    found: dict[str, Scale] = {}
    for design in study.designs.values():
        found |= design.answer_scales(study.scales)
    return found


def _question_scales(version: int) -> dict[str, Any]:
    return {name: scale.model_dump() for name, scale in scales_by_question(version).items()}


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
