"""SQL of calls to platforms: planned once, taken by one sender at a time, and settled once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from labelwright.crowd import AssignmentState, CallState, LedgerState, PaymentKind
from labelwright.server.store.rows import column, literal, record, records, run, value

PLANNED = literal(CallState.PLANNED)


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call as it is stored."""

    id: int
    study: int
    key: str
    platform: str
    kind: str
    request_json: str
    state: str
    attempts: int
    sent_at: datetime | None

    @property
    def request(self) -> dict[str, Any]:
        """What is asked, with our names of raters and sessions."""
        request: dict[str, Any] = json.loads(self.request_json)
        return request


_CALL = """SELECT id, study_id AS study, key, platform, kind, request::text AS request_json, state, attempts, sent_at
           FROM platform_call"""


def add_call(
    study: int, platform: str, kind: str, key: str, request: Mapping[str, Any], now: datetime
) -> int | None:
    """Plans a call; None if it is there already."""
    found = value(
        f"""INSERT INTO platform_call (study_id, key, platform, kind, request, state, attempts, said, facts, made_at,
                                       next_at)
            VALUES (%s, %s, %s, %s, %s, {PLANNED}, 0, '', '{{}}', %s, %s) ON CONFLICT DO NOTHING RETURNING id""",
        [study, key, platform, kind, json.dumps(dict(request)), now, now],
    )
    return None if found is None else int(found)


def attach(study: int, call: int, payments: Sequence[int]) -> None:
    """Notes which call makes payments."""
    run("UPDATE payment SET call_id = %s WHERE study_id = %s AND id = ANY(%s)", [call, study, list(payments)])


def lock_due(now: datetime) -> StoredCall | None:
    """The next call that is to be sent or looked up; no two senders get the same."""
    return record(
        StoredCall,
        f"{_CALL} WHERE settled_at IS NULL AND next_at <= %s ORDER BY next_at, id LIMIT 1 FOR UPDATE SKIP LOCKED",
        [now],
    )


def lock_call(call: int) -> StoredCall | None:
    """A call that is not settled."""
    return record(StoredCall, f"{_CALL} WHERE id = %s AND settled_at IS NULL FOR UPDATE", [call])


def change_call(
    call: int,
    state: CallState,
    now: datetime,
    next_at: datetime,
    *,
    sent: bool = False,
    said: str | None = None,
) -> None:
    """The next state of a call, and when somebody looks at it again."""
    run(
        """UPDATE platform_call SET state = %(state)s::text, next_at = %(next)s, attempts = attempts + 1,
                  said = coalesce(%(said)s, said), lease_until = CASE WHEN %(sent)s THEN %(next)s END,
                  sent_at = CASE WHEN %(sent)s THEN coalesce(sent_at, %(now)s) ELSE sent_at END
           WHERE id = %(call)s""",
        {"call": call, "state": state, "now": now, "next": next_at, "sent": sent, "said": said},
    )


def settle_call(call: int, state: CallState, said: str, facts: Mapping[str, Any], now: datetime) -> None:
    """How a call ended."""
    run(
        """UPDATE platform_call SET state = %s::text, said = %s, facts = facts || %s::jsonb, settled_at = %s,
                  lease_until = NULL WHERE id = %s""",
        [state, said[:300], json.dumps(dict(facts)), now, call],
    )


def payments_of(call: int) -> list[int]:
    """The payments that a call makes."""
    return column("SELECT id FROM payment WHERE call_id = %s ORDER BY id", [call])


def call_of(study: int, payment: int) -> int | None:
    """The call that makes a payment, if it is made by one."""
    found = value("SELECT call_id FROM payment WHERE study_id = %s AND id = %s", [study, payment])
    return None if found is None else int(found)


@dataclass(frozen=True, slots=True)
class PaymentToMake:
    """A released payment, for the calls of its platform."""

    id: int
    code: str
    round: int
    kind: str
    rater: str
    session: str
    cents: int
    currency: str
    reason: str


def payments_to_make(study: int, payments: Sequence[int]) -> list[PaymentToMake]:
    """Released payments with what their calls need."""
    return records(
        PaymentToMake,
        """SELECT p.id, p.code, p.round, p.kind, r.pseudonym AS rater, coalesce(v.id::text, '') AS session, p.cents,
                  p.currency, p.reason
           FROM payment p JOIN rater r ON r.id = p.rater_id LEFT JOIN assignment s ON s.id = p.assignment_id
           LEFT JOIN LATERAL (SELECT a.id FROM arrival a
                              WHERE a.rater_id = p.rater_id AND a.arrived_at <= coalesce(s.submitted_at, p.made_at)
                              ORDER BY a.arrived_at DESC, a.id DESC LIMIT 1) v ON true
           WHERE p.study_id = %s AND p.id = ANY(%s) ORDER BY p.id""",
        [study, list(payments)],
    )


@dataclass(frozen=True, slots=True)
class SealedId:
    """The id of a person on their platform, encrypted."""

    rater: str
    id_sealed: bytes


def sealed_ids(study: int, raters: Sequence[str]) -> list[SealedId]:
    """The encrypted ids of raters on their platform, by pseudonym."""
    return records(
        SealedId,
        """SELECT DISTINCT ON (r.id) r.pseudonym AS rater, a.person_sealed AS id_sealed
           FROM rater r JOIN arrival a ON a.rater_id = r.id
           WHERE r.study_id = %s AND r.pseudonym = ANY(%s) ORDER BY r.id, a.id DESC""",
        [study, list(raters)],
    )


@dataclass(frozen=True, slots=True)
class SealedSession:
    """The id of a visit on its platform, encrypted."""

    session: str
    id_sealed: bytes


def sealed_sessions(study: int, sessions: Sequence[str]) -> list[SealedSession]:
    """The encrypted ids of visits, by our names of them."""
    return records(
        SealedSession,
        """SELECT id::text AS session, session_sealed AS id_sealed FROM arrival
           WHERE study_id = %s AND id = ANY(%s::bigint[])""",
        [study, [each for each in sessions if each]],
    )


def other_bonuses(call: int) -> int:
    """Bonuses of the same rater and amount that another call made, or may have made."""
    return int(
        value(
            f"""SELECT count(*) FROM payment p JOIN payment o ON o.rater_id = p.rater_id AND o.cents = p.cents
                  AND o.id <> p.id AND o.kind <> {literal(PaymentKind.TASK)} AND o.platform = p.platform
                  AND o.state IN ({literal(LedgerState.SENT)}, {literal(LedgerState.CONFIRMED)})
                WHERE p.call_id = %s""",
            [call],
        )
    )


@dataclass(frozen=True, slots=True)
class RejectedSession:
    """A visit all of whose work was rejected."""

    session: str
    rater: str
    verdict: int


def rejected_sessions(study: int, platform: str) -> list[RejectedSession]:
    """Visits all of whose work was rejected, with the newest verdict; the platform may know some of them already."""
    return records(
        RejectedSession,
        f"""WITH work AS (
              SELECT s.id, s.rater_id, s.state, v.id AS session FROM payment p JOIN assignment s ON s.id = p.assignment_id
              CROSS JOIN LATERAL (SELECT a.id FROM arrival a
                                  WHERE a.rater_id = s.rater_id AND a.arrived_at <= s.submitted_at
                                  ORDER BY a.arrived_at DESC, a.id DESC LIMIT 1) v
              WHERE p.study_id = %s AND p.platform = %s)
            SELECT w.session::text AS session, r.pseudonym AS rater, max(d.id) AS verdict
            FROM work w JOIN rater r ON r.id = w.rater_id JOIN verdict d ON d.assignment_id = w.id AND d.pay = false
            GROUP BY 1, 2 HAVING bool_and(w.state = {literal(AssignmentState.REJECTED)})
              AND count(DISTINCT w.id) = (SELECT count(*) FROM work o WHERE o.session = min(w.session))""",
        [study, platform],
    )


def reason_of(verdict: int) -> str:
    """The reason of a verdict."""
    return str(value("SELECT reason FROM verdict WHERE id = %s", [verdict]) or "")


def text_of(message: int) -> str:
    """The text of a message; empty if it was deleted."""
    return str(value("SELECT text FROM message WHERE id = %s", [message]) or "")


def request_of(study: int, call: int) -> dict[str, Any]:
    """What a call asks."""
    found = value("SELECT request::text FROM platform_call WHERE study_id = %s AND id = %s", [study, call])
    request: dict[str, Any] = json.loads(found or "{}")
    return request
