"""SQL of contexts: the next text to generate, the endpoint's token bucket, the budget, and places that wait for a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import PlaceState
from labelwright.server.store.models import Context, Generation
from labelwright.server.store.rows import column, counts, literal, records, run, value

WAITING = literal(Context.State.WAITING)


@dataclass(frozen=True, slots=True)
class TextCounts:
    """How many texts of a version are in each state."""

    waiting: int
    made: int
    person: int
    none: int


def lock_waiting(version: int, now: datetime) -> Context | None:
    """The next context to work on, locked; those that another worker holds are skipped."""
    found = value(
        f"""SELECT id FROM context WHERE version_id = %s AND state = {WAITING} AND not_before <= %s
           ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED""",
        [version, now],
    )
    return Context.objects.select_related("item__dialogue").get(pk=found) if found else None


def next_time(version: int) -> datetime | None:
    """When the next waiting context may be worked on; None if none is waiting."""
    at: datetime | None = value(
        f"SELECT min(not_before) FROM context WHERE version_id = %s AND state = {WAITING}", [version]
    )
    return at


def take_token(endpoint: str, per_minute: float, burst: int, now: datetime) -> float:
    """Takes a token from the endpoint's bucket; returns 0, or the seconds until there is one."""
    run(
        """INSERT INTO token_bucket (endpoint, tokens, filled_at) VALUES (%s, %s, %s)
           ON CONFLICT (endpoint) DO NOTHING""",
        [endpoint, burst, now],
    )
    rate = per_minute / 60
    found = value(
        """WITH had AS (
             SELECT endpoint, least(%(burst)s::float, tokens + %(rate)s
                    * greatest(0, extract(epoch FROM %(now)s - filled_at))::float) AS tokens
             FROM token_bucket WHERE endpoint = %(endpoint)s FOR UPDATE)
           UPDATE token_bucket b SET tokens = had.tokens - CASE WHEN had.tokens >= 1 THEN 1 ELSE 0 END,
             filled_at = greatest(b.filled_at, %(now)s)
           FROM had WHERE b.endpoint = had.endpoint RETURNING had.tokens""",
        {"burst": float(burst), "rate": rate, "now": now, "endpoint": endpoint},
    )
    had = float(found)
    return 0.0 if had >= 1 else (1 - had) / rate


def drain_bucket(endpoint: str, seconds: float, per_minute: float, now: datetime) -> None:
    """Empties the bucket, so that no worker calls an endpoint that told one of them to wait."""
    run(
        "UPDATE token_bucket SET tokens = least(tokens, 1 - %s::float), filled_at = %s WHERE endpoint = %s",
        [seconds * per_minute / 60, now, endpoint],
    )


def reserve(study: int, microcents: int) -> bool:
    """Commits the largest cost of a request; False if the budget has no room for it."""
    return bool(
        run(
            """UPDATE generation_budget SET committed_microcents = committed_microcents + %s
               WHERE study_id = %s
                 AND (limit_microcents IS NULL OR committed_microcents + %s <= limit_microcents)""",
            [microcents, study, microcents],
        )
    )


def is_asking(study: int, since: datetime) -> bool:
    """Whether a request sent after this time is still unanswered."""
    return bool(
        column(
            "SELECT 1 FROM generation WHERE study_id = %s AND state = %s AND asked_at > %s LIMIT 1",
            [study, Generation.State.ASKED, since],
        )
    )


def settle(study: int, reserved: int, spent: int) -> None:
    """Replaces a reserved amount by the amount spent."""
    run(
        """UPDATE generation_budget SET committed_microcents = committed_microcents - %s + %s
           WHERE study_id = %s""",
        [reserved, spent, study],
    )


UNFINISHED = [Context.State.WAITING, Context.State.PERSON]
"""The states of a text that cannot be shown yet."""


def keep_texts(version: int, items: Sequence[int], recipes: Mapping[str, str]) -> set[tuple[int, str]]:
    """The texts of items that exist by these recipes, as item and kind; from now on they belong to this version."""
    found = records(
        _KeptText,
        """UPDATE context c SET version_id = %s FROM unnest(%s::text[], %s::text[]) AS r(kind, recipe)
           WHERE c.item_id = ANY(%s) AND c.kind = r.kind AND c.recipe = r.recipe RETURNING c.item_id AS item, c.kind""",
        [version, list(recipes), list(recipes.values()), list(items)],
    )
    return {(text.item, text.kind) for text in found}


@dataclass(frozen=True, slots=True)
class _KeptText:
    item: int
    kind: str


def hold_places(version: int, kinds: Mapping[str, list[str]]) -> None:
    """Keeps the open places of items whose texts are not made yet from being offered.

    `kinds` gives the generated kinds that each condition shows.
    """
    for condition, wanted in kinds.items():
        run(
            """UPDATE place p SET state = %(waiting)s FROM batch b
               WHERE b.id = p.batch_id AND b.version_id = %(version)s AND p.condition = %(condition)s
                 AND p.state = ANY(%(offered)s) AND EXISTS (
                   SELECT 1 FROM task_item x JOIN context c ON c.item_id = x.item_id
                   WHERE x.task_id = p.task_id AND c.version_id = %(version)s AND c.kind = ANY(%(kinds)s)
                     AND c.state = ANY(%(unfinished)s))""",
            {
                "waiting": PlaceState.WAITING,
                "offered": [PlaceState.OPEN, PlaceState.ON_DEMAND],
                "version": version,
                "condition": condition,
                "kinds": wanted,
                "unfinished": UNFINISHED,
            },
        )


def open_places(version: int, item: int, kinds: dict[str, list[str]]) -> None:
    """Opens the waiting places of an item in each condition whose texts are all made.

    `kinds` gives the generated kinds that each condition shows.
    """
    for condition, wanted in kinds.items():
        run(
            """UPDATE place p SET state = CASE WHEN p.gold THEN %(on_demand)s ELSE %(open)s END
               FROM task_item x, batch b
               WHERE x.task_id = p.task_id AND b.id = p.batch_id AND p.state = %(waiting)s
                 AND b.version_id = %(version)s AND p.condition = %(condition)s AND x.item_id = %(item)s
                 AND NOT EXISTS (
                   SELECT 1 FROM context c WHERE c.version_id = %(version)s AND c.item_id = x.item_id
                     AND c.kind = ANY(%(kinds)s) AND c.state = ANY(%(unfinished)s))""",
            {
                "open": PlaceState.OPEN,
                "on_demand": PlaceState.ON_DEMAND,
                "waiting": PlaceState.WAITING,
                "version": version,
                "condition": condition,
                "item": item,
                "kinds": wanted,
                "unfinished": UNFINISHED,
            },
        )


def count_states(version: int) -> TextCounts:
    """How many texts of a version are in each state."""
    found = counts("SELECT state, count(*) FROM context WHERE version_id = %s GROUP BY 1", [version])
    return TextCounts(
        waiting=found.get(Context.State.WAITING, 0),
        made=found.get(Context.State.MADE, 0),
        person=found.get(Context.State.PERSON, 0),
        none=found.get(Context.State.NONE, 0),
    )


def count_discards(version: int) -> dict[str, int]:
    """How many generated texts were discarded for each reason."""
    return counts(
        """SELECT d.reason, count(*) FROM context_discard d JOIN context c ON c.id = d.context_id
           WHERE c.version_id = %s GROUP BY 1 ORDER BY 1""",
        [version],
    )
