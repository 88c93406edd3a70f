"""SQL of access."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import AssignmentState, MemberState, StudyState
from labelwright.server.store.rows import literal, record, records, run, value


@dataclass(frozen=True, slots=True)
class Visitor:
    """A rater who opened a link, in the pool that the link is for."""

    study: int
    pool: int
    rater: int
    group: str
    number: int
    """The rater's ordinal in the pool: the same in every run, which an id is not."""
    consented: bool
    version: int
    """The newest version of the study."""
    pool_name: str = ""
    state: str = MemberState.ACTIVE
    """Whether the rater is offered work in this pool."""
    withdrawn: bool = False
    """Whether the rater has left the study."""
    study_state: str = StudyState.OPEN


def find_visitor(public_id: str, key_number: int, rater: str, nonce: str, pool: str) -> Visitor | None:
    """The rater behind the facts of a signed link, if they still hold; rater and pool by their public ids."""
    return record(
        Visitor,
        """SELECT s.id AS study, m.pool_id AS pool, r.id AS rater, m.rater_group AS "group", m.number,
                  r.consented_at IS NOT NULL AS consented,
                  (SELECT id FROM study_version v WHERE v.study_id = s.id ORDER BY n DESC LIMIT 1) AS version,
                  p.name AS pool_name, m.state, s.state AS study_state,
                  EXISTS (SELECT 1 FROM withdrawal w WHERE w.rater_id = r.id) AS withdrawn
           FROM study s JOIN rater r ON r.study_id = s.id JOIN pool p ON p.study_id = s.id
           JOIN member m ON m.rater_id = r.id AND m.pool_id = p.id AND m.study_id = s.id
           WHERE s.public_id = %s AND s.link_key_number = %s AND r.public_id = %s AND r.nonce = %s
             AND p.public_id = %s""",
        [public_id, key_number, rater, nonce, pool],
    )


@dataclass(frozen=True, slots=True)
class ReviewLinkNumbers:
    """The numbers that a reviewer's link must carry to be valid."""

    study_key: int
    reviewer: int


def review_link_numbers(study: int, reviewer: str) -> ReviewLinkNumbers | None:
    """The present numbers of a reviewer's links; None if the study is gone."""
    return record(
        ReviewLinkNumbers,
        """SELECT s.link_key_number AS study_key, coalesce(l.number, 1) AS reviewer
           FROM study s LEFT JOIN reviewer_link l ON l.study_id = s.id AND l.reviewer = %s WHERE s.id = %s""",
        [reviewer, study],
    )


# Work that can still be changed; a page that shows a receipt may stay.
_UNFINISHED = f"a.state IN ({literal(AssignmentState.OPEN)}, {literal(AssignmentState.EXPIRED)})"
# A nonce is no secret, because links are signed; it only has to be new.
_NEW_NONCE = "substr(replace(gen_random_uuid()::text, '-', ''), 1, 24)"


def renew_nonce(rater: int) -> int:
    """A new nonce for one rater; pages that they have open end too. Returns the number of raters."""
    return _renew("id = %s", rater)


def renew_nonces(pool: int) -> int:
    """The same for every rater of a pool."""
    return _renew("id IN (SELECT rater_id FROM member WHERE pool_id = %s)", pool)


def end_visits(study: int) -> None:
    """Ends the pages that raters of a study have open."""
    run(
        f"""DELETE FROM visit v USING assignment a
            WHERE a.id = v.assignment_id AND a.study_id = %s AND {_UNFINISHED}""",
        [study],
    )


def permit_removal(*, permitted: bool) -> None:
    """Lets this transaction change and delete lines of the audit log, or no longer."""
    run("SELECT set_config('labelwright.audit', %s, true)", ["removable" if permitted else ""])


def _renew(where: str, of: int) -> int:
    return int(
        value(
            f"""WITH renewed AS (UPDATE rater SET nonce = {_NEW_NONCE} WHERE {where} RETURNING id),
                     ended AS (DELETE FROM visit v USING assignment a, renewed r
                               WHERE a.id = v.assignment_id AND a.rater_id = r.id AND {_UNFINISHED})
                SELECT count(*) FROM renewed""",
            [of],
        )
    )


VISIBLE = """s.deleted_at IS NULL AND (%(every)s OR s.owner_id = %(user)s
    OR s.id IN (SELECT study_id FROM teammate WHERE user_id = %(user)s))"""
"""Which studies `s` a user may see; a superuser sees every study."""
ROLE = """CASE WHEN %(every)s OR s.owner_id = %(user)s THEN 'owner'
    ELSE (SELECT t.role FROM teammate t WHERE t.study_id = s.id AND t.user_id = %(user)s) END"""
"""The role of the user in a study `s` that is visible to them."""
SHOWN_STATE = f"""CASE WHEN s.state = {literal(StudyState.OPEN)}
    AND (f.summary->>'stored')::bigint >= (f.summary->>'wanted')::bigint AND (f.summary->>'to_review')::bigint > 0
  THEN 'review' ELSE s.state END"""
"""The state of a study `s` with figures `f` as pages show it: an open one without open places, but with undecided work,
is in review. From stored numbers, because the header is on every page."""


@dataclass(frozen=True, slots=True)
class HeaderStudy:
    """A study in the header of a page."""

    public_id: str
    title: str
    state: str
    """As pages show it."""
    stored_state: str
    role: str
    """What the user is in its team."""
    summary_json: str

    @property
    def summary(self) -> dict[str, Any]:
        """Stored numbers; empty until they are computed."""
        stored: dict[str, Any] = json.loads(self.summary_json)
        return stored


def header_studies(user: int, *, every: bool, current: str, limit: int) -> list[HeaderStudy]:
    """The studies of a user with the newest figures, and the current one; reads no work."""
    return records(
        HeaderStudy,
        f"""WITH visible AS (
              SELECT s.public_id, s.title, {SHOWN_STATE} AS state, s.state AS stored_state, {ROLE} AS role,
                     coalesce(f.summary, '{{}}')::text AS summary_json,
                     row_number() OVER (ORDER BY f.computed_at DESC NULLS LAST, s.id DESC) AS n
              FROM study s LEFT JOIN study_figures f ON f.study_id = s.id
              WHERE {VISIBLE} AND (s.state <> {literal(StudyState.ARCHIVED)} OR s.public_id = %(current)s))
            SELECT public_id, title, state, stored_state, role, summary_json FROM visible
            WHERE n <= %(limit)s OR public_id = %(current)s ORDER BY n""",
        {"user": user, "every": every, "current": current, "limit": limit},
    )
