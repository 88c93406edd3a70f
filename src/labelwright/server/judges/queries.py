"""SQL of models as raters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import AssignmentState, PlaceState, RaterKind
from labelwright.server.access.queries import Visitor
from labelwright.server.store.models import Batch, JudgeTrial, ModelCall
from labelwright.server.store.rows import literal, record, records, run, value


def model_visitor(pool: int) -> Visitor | None:
    """The model of a pool, as if it had opened a link; None if the pool has none."""
    return record(
        Visitor,
        f"""SELECT s.id AS study, m.pool_id AS pool, r.id AS rater, m.rater_group AS "group", m.number, true AS consented,
                   (SELECT id FROM study_version v WHERE v.study_id = s.id ORDER BY n DESC LIMIT 1) AS version,
                   p.name AS pool_name, m.state, s.state AS study_state
            FROM pool p JOIN study s ON s.id = p.study_id
            JOIN member m ON m.pool_id = p.id AND m.study_id = s.id
            JOIN rater r ON r.id = m.rater_id AND r.kind = {literal(RaterKind.MODEL)}
            WHERE p.id = %s ORDER BY m.number LIMIT 1""",
        [pool],
    )


def reserve(pool: int, microcents: int) -> bool:
    """Commits the largest cost of a request; False if the budget has no room for it."""
    return bool(
        run(
            """UPDATE model_budget SET committed_microcents = committed_microcents + %(most)s
               WHERE pool_id = %(pool)s
                 AND (limit_microcents IS NULL OR committed_microcents + %(most)s <= limit_microcents)""",
            {"pool": pool, "most": microcents},
        )
    )


def settle(pool: int, reserved: int, spent: int) -> None:
    """Replaces a reserved amount by the amount spent."""
    run(
        "UPDATE model_budget SET committed_microcents = committed_microcents - %s + %s WHERE pool_id = %s",
        [reserved, spent, pool],
    )


@dataclass(frozen=True, slots=True)
class HeldSlot:
    """A slot with a task that a model has begun."""

    slot: int
    asked_at: datetime | None
    """When a request about it was sent that has no reply yet."""


def held_slots(pool: int, rater: int, study: int) -> list[HeldSlot]:
    """The slots with a task that a model has begun, also if its lease has run out while a request is open."""
    return records(
        HeldSlot,
        f"""SELECT slot, max(asked_at) AS asked_at FROM (
              SELECT slot, NULL::timestamptz AS asked_at FROM assignment
              WHERE rater_id = %(rater)s AND study_id = %(study)s AND state = {literal(AssignmentState.OPEN)}
              UNION ALL
              SELECT a.slot, c.asked_at FROM model_call c
              JOIN assignment a ON a.id = c.assignment_id AND a.study_id = c.study_id
              WHERE c.pool_id = %(pool)s AND c.state = {literal(ModelCall.State.ASKED)}) held
            GROUP BY slot ORDER BY slot""",
        {"pool": pool, "rater": rater, "study": study},
    )


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """How far a model has come."""

    wanted: int
    done: int
    left: int
    """Tasks that can still be asked."""
    calls: int
    lost: int
    tokens_in: int
    tokens_out: int
    newest: datetime | None


def progress_of(pool: int) -> ModelProgress:
    """The tasks and requests of a model."""
    found = record(
        ModelProgress,
        f"""SELECT count(*) FILTER (WHERE p.state <> %(closed)s) AS wanted,
                   count(*) FILTER (WHERE p.state = %(filled)s) AS done,
                   count(*) FILTER (WHERE p.state IN (%(open)s, %(leased)s)) AS left,
                   (SELECT count(*) FROM model_call c WHERE c.pool_id = %(pool)s) AS calls,
                   (SELECT count(*) FROM model_call c
                    WHERE c.pool_id = %(pool)s AND c.state = {literal(ModelCall.State.LOST)}) AS lost,
                   (SELECT coalesce(sum(tokens_in), 0)::bigint FROM model_call c WHERE c.pool_id = %(pool)s) AS tokens_in,
                   (SELECT coalesce(sum(tokens_out), 0)::bigint FROM model_call c WHERE c.pool_id = %(pool)s) AS tokens_out,
                   (SELECT max(answered_at) FROM model_call c WHERE c.pool_id = %(pool)s) AS newest
            FROM place p WHERE p.pool_id = %(pool)s""",
        {
            "pool": pool,
            "open": PlaceState.OPEN,
            "leased": PlaceState.LEASED,
            "filled": PlaceState.FILLED,
            "closed": PlaceState.CLOSED,
        },
    )
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task that a model has not rated yet."""

    task: int
    condition: str


def open_tasks(pool: int) -> list[OpenTask]:
    """The tasks that a model can still be asked about."""
    return records(
        OpenTask,
        f"""SELECT p.task_id AS task, p.condition FROM place p
            WHERE p.pool_id = %s AND p.state IN ({literal(PlaceState.OPEN)}, {literal(PlaceState.LEASED)}) ORDER BY p.id""",
        [pool],
    )


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """An item of a model's tasks."""

    id: int
    key: str
    name: str
    """In exports."""
    sha256: str
    """Of its dialogue."""
    chance: float | None
    """The recorded probability that people rate it."""
    given: bool
    """Whether people have a task about it."""
    task: int


def judged_items(pool: int, version: int, study: int) -> list[JudgedItem]:
    """The items of a model's tasks in a version, task by task in the order in which they are shown.

    An item whose dialogue changed has a number after its key in exports.
    """
    return records(
        JudgedItem,
        """SELECT i.id, i.key, d.sha256, i.chance, t.task_id AS task,
                  CASE WHEN i.earlier > 0 THEN i.key || '@' || (i.earlier + 1) ELSE i.key END AS name,
                  EXISTS (SELECT 1 FROM task_item x JOIN place p ON p.task_id = x.task_id JOIN batch b ON b.id = p.batch_id
                          WHERE x.item_id = i.id AND b.version_id = %(version)s AND b.purpose = %(collect)s
                            AND p.state <> %(closed)s) AS given
           FROM (SELECT id, key, dialogue_id, people_chance AS chance,
                        row_number() OVER (PARTITION BY key ORDER BY id) - 1 AS earlier
                 FROM item WHERE study_id = %(study)s) i
           JOIN dialogue d ON d.id = i.dialogue_id
           JOIN (SELECT DISTINCT x.task_id, x.item_id, x.position FROM place p JOIN batch b ON b.id = p.batch_id
                 JOIN task_item x ON x.task_id = p.task_id
                 WHERE b.version_id = %(version)s AND p.pool_id = %(pool)s AND p.state <> %(closed)s) t ON t.item_id = i.id
           ORDER BY t.task_id, t.position""",
        {
            "pool": pool,
            "version": version,
            "study": study,
            "closed": PlaceState.CLOSED,
            "collect": Batch.Purpose.COLLECT,
        },
    )


def lock_budget(pool: int) -> bool:
    """Makes other workers of the same model wait until the transaction ends; False if nobody agreed to the cost."""
    return value("SELECT 1 FROM model_budget WHERE pool_id = %s FOR UPDATE", [pool]) is not None


@dataclass(frozen=True, slots=True)
class ConditionedItem:
    """An item of a task under its condition."""

    item: int
    key: str
    condition: str


def trial_items(pool: int, study: int, *, rated: bool) -> list[ConditionedItem]:
    """The items of a model's tasks under their conditions; with `rated`, those that people rated so."""
    people = """AND EXISTS (SELECT 1 FROM counted_answer a
                            WHERE a.study_id = %(study)s AND a.item_id = i.id AND a.condition = p.condition
                              AND a.left_out = '')"""
    return records(
        ConditionedItem,
        f"""SELECT DISTINCT i.id AS item, i.key, p.condition
            FROM place p JOIN task_item x ON x.task_id = p.task_id JOIN item i ON i.id = x.item_id
            WHERE p.pool_id = %(pool)s AND NOT p.gold AND p.state <> %(closed)s {people if rated else ""}""",
        {"pool": pool, "study": study, "closed": PlaceState.CLOSED},
    )


def model_number(pool: int) -> int:
    """The number of the model in its pool, which determines the order in which it sees candidates."""
    return int(value("SELECT min(number) FROM member WHERE pool_id = %s", [pool]) or 0)


def next_trials(pool: int, most: int) -> list[JudgeTrial]:
    """The oldest requests that have not been sent, locked."""
    return list(
        JudgeTrial.objects.select_for_update(of=("self",))
        .select_related("run", "run__version")
        .filter(run__pool_id=pool, state=JudgeTrial.State.PLANNED)
        .order_by("run_id", "id")[:most]
    )


def asked_times(pool: int) -> list[datetime]:
    """When the requests were sent that have no reply yet, oldest first."""
    asked = JudgeTrial.objects.filter(run__pool_id=pool, state=JudgeTrial.State.ASKED, asked_at__isnull=False)
    return [at for at in asked.order_by("asked_at").values_list("asked_at", flat=True) if at]


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    """A person's answer about an item."""

    item: int
    condition: str
    question: str
    code: int
    rater: int
    number: int
    """Of the rater, which determines the order of candidates."""


def people_answers(study: int, items: Sequence[int]) -> list[PersonAnswer]:
    """What people answered about items, also to questions without an aspect; excluded data are left out."""
    return records(
        PersonAnswer,
        f"""SELECT a.item_id AS item, a.condition, a.question, a.code, a.rater_id AS rater,
                   (SELECT min(m.number) FROM member m WHERE m.rater_id = a.rater_id) AS number
            FROM counted_answer a
            WHERE a.study_id = %s AND a.item_id = ANY(%s) AND a.code IS NOT NULL
              AND a.left_out IN ('', 'no_aspect') AND a.rater_kind = {literal(RaterKind.PERSON)}""",
        [study, list(items)],
    )
