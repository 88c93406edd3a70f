"""SQL of publications: which are due, what platforms say of their visits, and how many visits are still needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import STORED, AssignmentState, BatchState, CallState, PlaceState, StudyState
from labelwright.crowd.publication import PublicationState, VisitState
from labelwright.server.store.models import PaymentBudget
from labelwright.server.store.rows import column, counts, literal, record, records, run, value

AT_WORK = literal(VisitState.AT_WORK)
WORKED = f"({', '.join(literal(state) for state in (AssignmentState.OPEN, *STORED))})"


def next_number(study: int) -> int:
    """The number of the next publication of a study; the caller has locked the study."""
    return int(value("SELECT coalesce(max(number), 0) + 1 FROM publication WHERE study_id = %s", [study]))


def take_due(now: datetime, again_at: datetime) -> int | None:
    """The next publication that is to be read, which nobody else takes before the given time."""
    found: int | None = value(
        """UPDATE publication SET next_at = %s WHERE id = (
             SELECT id FROM publication WHERE next_at <= %s AND external_id <> '' ORDER BY next_at, id LIMIT 1
             FOR UPDATE SKIP LOCKED) RETURNING id""",
        [again_at, now],
    )
    return found


def read_soon(platform: str, now: datetime, external: str = "") -> int:
    """Has a publication read now, or all of a platform that can still change; returns how many."""
    return run(
        """UPDATE publication SET next_at = %s WHERE platform = %s AND next_at IS NOT NULL
             AND (%s = '' OR external_id = %s)""",
        [now, platform, external, external],
    )


@dataclass(frozen=True, slots=True)
class MadeCall:
    """How the call that makes a publication ended."""

    publication: int
    state: str
    external: str


def made_calls() -> list[MadeCall]:
    """The calls that were to make publications which are not there yet, if they are settled."""
    return records(
        MadeCall,
        f"""SELECT p.id AS publication, c.state, coalesce(c.facts->>'id', '') AS external
           FROM publication p CROSS JOIN LATERAL (
             SELECT n.state, n.facts, n.settled_at FROM platform_call n
             WHERE n.study_id = p.study_id AND n.kind = 'create'
               AND split_part(split_part(n.key, '|', 2), ' ', 1) = p.number::text
             ORDER BY n.id DESC LIMIT 1) c
           WHERE p.state = {literal(PublicationState.MADE)} AND p.external_id = '' AND c.settled_at IS NOT NULL ORDER BY p.id""",
    )


def has_open_calls(study: int, number: int) -> bool:
    """Whether a change of a publication is planned, or its outcome is not known."""
    return bool(
        value(
            """SELECT EXISTS (SELECT 1 FROM platform_call WHERE study_id = %s AND settled_at IS NULL
                              AND split_part(key, '|', 2) = %s
                              AND kind IN ('open', 'places', 'pause', 'resume', 'stop'))""",
            [study, str(number)],
        )
    )


@dataclass(frozen=True, slots=True)
class ListedVisit:
    """A visit for storage."""

    session: bytes
    state: str
    code: str
    began_at: datetime | None
    ended_at: datetime | None


def store_visits(study: int, publication: int, visits: Sequence[ListedVisit], now: datetime) -> None:
    """Stores what the platform says of visits; a visit whose state has changed needs another look of a person."""
    run(
        """INSERT INTO platform_visit AS v (study_id, publication_id, session_hmac, state, code, began_at, ended_at,
                                            changed_at, settled_by)
           SELECT %(study)s, %(publication)s, t.session, t.state, t.code, t.began_at, t.ended_at, %(now)s, ''
           FROM unnest(%(sessions)s::bytea[], %(states)s::text[], %(codes)s::text[], %(began)s::timestamptz[],
                       %(ended)s::timestamptz[]) AS t (session, state, code, began_at, ended_at)
           ON CONFLICT (study_id, session_hmac) DO UPDATE
             SET state = excluded.state, code = excluded.code, began_at = excluded.began_at,
                 ended_at = excluded.ended_at, changed_at = excluded.changed_at, settled_by = '', settled_at = NULL
             WHERE (v.state, v.code, v.began_at, v.ended_at)
               IS DISTINCT FROM (excluded.state, excluded.code, excluded.began_at, excluded.ended_at)""",
        {
            "study": study,
            "publication": publication,
            "now": now,
            "sessions": [each.session for each in visits],
            "states": [each.state for each in visits],
            "codes": [each.code for each in visits],
            "began": [each.began_at for each in visits],
            "ended": [each.ended_at for each in visits],
        },
    )


@dataclass(frozen=True, slots=True)
class HeldVisit:
    """A visit that ended there while work is held for it here."""

    rater: int
    state: str


def ended_with_work(study: int, publication: int) -> list[HeldVisit]:
    """Visits that were returned or timed out, of raters who hold work and have no newer visit."""
    return records(
        HeldVisit,
        f"""SELECT a.rater_id AS rater, v.state FROM platform_visit v
            JOIN arrival a ON a.study_id = v.study_id AND a.session_hmac = v.session_hmac
            WHERE v.study_id = %s AND v.publication_id = %s
              AND v.state IN ({literal(VisitState.RETURNED)}, {literal(VisitState.TIMED_OUT)})
              AND EXISTS (SELECT 1 FROM assignment s
                          WHERE s.rater_id = a.rater_id AND s.state = {literal(AssignmentState.OPEN)})
              AND NOT EXISTS (SELECT 1 FROM arrival n WHERE n.rater_id = a.rater_id AND n.id > a.id)
            ORDER BY a.rater_id""",
        [study, publication],
    )


def open_places(study: int, pool: int) -> int:
    """Ratings that nobody gives or holds, in batches that raters get work from; none unless the study is open."""
    return int(
        value(
            f"""SELECT count(*) FROM place p JOIN batch b ON b.id = p.batch_id JOIN study s ON s.id = p.study_id
                WHERE p.study_id = %s AND p.pool_id = %s AND p.state = {literal(PlaceState.OPEN)} AND NOT p.gold
                  AND b.state = {literal(BatchState.OPEN)} AND s.state = {literal(StudyState.OPEN)}""",
            [study, pool],
        )
    )


def work_to_come(study: int, publication: int, tasks: int) -> int:
    """Tasks that people who are at work on the platform may still take here."""
    return int(
        value(
            f"""SELECT coalesce(sum(greatest(0, %s - w.n)), 0) FROM platform_visit v
                LEFT JOIN arrival a ON a.study_id = v.study_id AND a.session_hmac = v.session_hmac
                CROSS JOIN LATERAL (SELECT count(*) AS n FROM assignment s WHERE s.rater_id = a.rater_id
                                      AND s.offered_at >= a.arrived_at AND s.state IN {WORKED}) w
                WHERE v.study_id = %s AND v.publication_id = %s AND v.state = {AT_WORK}""",
            [tasks, study, publication],
        )
    )


def visit_hashes(study: int, arrivals: Sequence[int]) -> list[bytes]:
    """The keyed hashes of visits, by their arrivals."""
    return column(
        "SELECT session_hmac FROM arrival WHERE study_id = %s AND id = ANY(%s)", [study, list(arrivals)]
    )


def refused_rejections(study: int) -> list[str]:
    """Arrivals whose rejection the platform refused."""
    return column(
        f"""SELECT request->'sessions'->>0 FROM platform_call
            WHERE study_id = %s AND kind = 'reject' AND state = {literal(CallState.REFUSED)}""",
        [study],
    )


def visit_counts(study: int, publication: int) -> dict[str, int]:
    """How many visits are in each state."""
    return counts(
        "SELECT state, count(*)::int FROM platform_visit WHERE study_id = %s AND publication_id = %s GROUP BY state",
        [study, publication],
    )


@dataclass(frozen=True, slots=True)
class BudgetRest:
    """What is left of the budget of a study."""

    left: int | None


def budget_left(study: int, currency: str) -> int | None:
    """What the budget of a study has left; None without a limit."""
    found = record(
        BudgetRest,
        """SELECT (limit_cents - committed_cents)::bigint AS left FROM payment_budget
           WHERE study_id = %s AND scope = %s AND currency = %s""",
        [study, PaymentBudget.Scope.STUDY, currency],
    )
    return found.left if found else None


def refused_making(study: int, number: int) -> str:
    """What the platform said when it refused to make a publication; empty if it did not."""
    found = value(
        f"""SELECT said FROM platform_call WHERE study_id = %s AND kind = 'create' AND key = %s
            AND state = {literal(CallState.REFUSED)}""",
        [study, f"create|{number}"],
    )
    return str(found or "")
