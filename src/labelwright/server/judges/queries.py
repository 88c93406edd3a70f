"""SQL of models as raters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import PlaceState, RaterKind
from labelwright.server.access.queries import Visitor
from labelwright.server.store.models import ModelCall
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


def lock_budget(pool: int) -> bool:
    """Makes other workers of the same model wait until the transaction ends; False if nobody agreed to the cost."""
    return value("SELECT 1 FROM model_budget WHERE pool_id = %s FOR UPDATE", [pool]) is not None
