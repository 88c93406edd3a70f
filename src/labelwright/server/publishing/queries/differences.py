"""SQL of differences between what a platform says of visits and what is stored here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import STORED, AssignmentState, CallState, DataUse
from labelwright.crowd.publication import VisitState
from labelwright.server.store.rows import literal, records, run

SUBMITTED = f"({', '.join(literal(state) for state in STORED)})"

OTHER_RECEIPT = "other_receipt"
"""Instead of an outcome, for a form whose receipt we did not make for the visit."""


@dataclass(frozen=True, slots=True)
class VisitWork:
    """A visit as the platform lists it, with the work that was done in it here."""

    id: int
    publication: int
    rater: str
    """The pseudonym; empty if nobody came here in this visit."""
    state: str
    code: str
    tasks: int
    """Submitted here in this visit."""
    rejected: int
    left_out: int
    changed_at: datetime
    settled_by: str


_VISITS = f"""SELECT v.id, p.number AS publication, coalesce(r.pseudonym, '') AS rater, v.state, v.code,
                    w.tasks, w.rejected, w.left_out, v.changed_at, v.settled_by
             FROM platform_visit v JOIN publication p ON p.id = v.publication_id
             LEFT JOIN arrival a ON a.study_id = v.study_id AND a.session_hmac = v.session_hmac
             LEFT JOIN rater r ON r.id = a.rater_id
             CROSS JOIN LATERAL (
               SELECT count(*)::int AS tasks,
                      count(*) FILTER (WHERE s.state = {literal(AssignmentState.REJECTED)})::int AS rejected,
                      count(*) FILTER (WHERE s.data_use = {literal(DataUse.LEFT_OUT)})::int AS left_out
               FROM assignment s WHERE s.rater_id = a.rater_id AND s.state IN {SUBMITTED}
                 AND s.submitted_at >= a.arrived_at
                 AND NOT EXISTS (SELECT 1 FROM arrival n WHERE n.rater_id = a.rater_id
                                   AND n.arrived_at > a.arrived_at AND n.arrived_at <= s.submitted_at)) w
             WHERE v.study_id = %(study)s"""

_STRANGE = f"""AND (v.state = {literal(VisitState.UNKNOWN)} OR v.code = '{OTHER_RECEIPT}'
                 OR v.state IN ({literal(VisitState.SUBMITTED)}, {literal(VisitState.APPROVED)}) AND w.tasks = 0
                 OR v.state IN ({literal(VisitState.RETURNED)}, {literal(VisitState.TIMED_OUT)}) AND w.tasks > 0
                 OR v.state = {literal(VisitState.APPROVED)} AND w.rejected > 0 AND w.rejected = w.tasks
                 OR v.state = {literal(VisitState.REJECTED)} AND w.rejected < w.tasks)"""


def strange_visits(study: int, most: int, *, settled: bool) -> list[VisitWork]:
    """Visits of which the platform and we say different things, oldest first; with those that somebody dealt with."""
    only = "" if settled else "AND v.settled_at IS NULL"
    return records(
        VisitWork,
        f"{_VISITS} {_STRANGE} {only} ORDER BY v.changed_at, v.id LIMIT %(most)s",
        {"study": study, "most": most},
    )


def settle_visit(study: int, visit: int, who: str, now: datetime) -> bool:
    """Notes that a person dealt with a visit; returns whether there is such a visit."""
    return bool(
        run(
            "UPDATE platform_visit SET settled_by = %s, settled_at = %s WHERE study_id = %s AND id = %s",
            [who, now, study, visit],
        )
    )


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call about a publication that a person has to decide on."""

    id: int
    kind: str
    key: str
    platform: str
    state: str
    said: str
    sent_at: datetime | None


def open_calls(study: int) -> list[OpenCall]:
    """Calls without payments that nobody can look up any more, or that the platform refused, unless a later one went through."""
    return records(
        OpenCall,
        f"""SELECT c.id, c.kind, c.key, c.platform, c.state, c.said, c.sent_at FROM platform_call c
            WHERE c.study_id = %s AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.call_id = c.id)
              AND c.kind <> 'approve' AND c.kind <> 'bonus'
              AND (c.state = {literal(CallState.REFUSED)} AND NOT c.facts ? 'settled' AND c.kind <> 'create'
                   OR c.state = {literal(CallState.UNKNOWN)} AND c.settled_at IS NULL AND c.next_at > '9000-01-01')
              AND NOT EXISTS (SELECT 1 FROM platform_call n WHERE n.study_id = c.study_id AND n.kind = c.kind
                                AND n.id > c.id
                                AND split_part(split_part(n.key, '|', 2), ' ', 1)
                                  = split_part(split_part(c.key, '|', 2), ' ', 1))
            ORDER BY c.id""",
        [study],
    )
