"""SQL of people on platforms: groups of qualified raters, and the person of a visit."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import CallState, MemberState
from labelwright.server.store.rows import literal, record, records, value

CONFIRMED = literal(CallState.CONFIRMED)


def group_of(study: int, pool: int) -> str | None:
    """The platform's id of the group of a pool; empty while it is being made, None if nobody asked for it."""
    found = value(
        f"""SELECT CASE WHEN state = {CONFIRMED} THEN facts->>'id' ELSE '' END FROM platform_call
            WHERE study_id = %s AND key = %s AND state <> {literal(CallState.REFUSED)}""",
        [study, f"group|{pool}"],
    )
    return None if found is None else str(found)


@dataclass(frozen=True, slots=True)
class NewMember:
    """A member of a pool who is not in its group on the platform yet."""

    study: int
    pool: int
    platform: str
    group: str
    rater: int
    pseudonym: str


def new_members(most: int) -> list[NewMember]:
    """Members of pools with a group who came from the platform, and whom nobody has put into the group."""
    return records(
        NewMember,
        f"""SELECT p.study_id AS study, p.id AS pool, c.platform, c.facts->>'id' AS "group", r.id AS rater, r.pseudonym
            FROM pool p JOIN platform_call c ON c.study_id = p.study_id AND c.key = 'group|' || p.id
            JOIN member m ON m.pool_id = p.id AND m.state = {literal(MemberState.ACTIVE)}
            JOIN rater r ON r.id = m.rater_id
            WHERE c.state = {CONFIRMED} AND EXISTS (SELECT 1 FROM arrival a WHERE a.rater_id = r.id)
              AND NOT EXISTS (SELECT 1 FROM platform_call g
                              WHERE g.study_id = p.study_id AND g.key = 'grant|' || p.id || '|' || r.id)
            ORDER BY r.id LIMIT %s""",
        [most],
    )


@dataclass(frozen=True, slots=True)
class VisitPerson:
    """The person of a visit."""

    rater: int
    pseudonym: str
    arrival: int
    platform: str
    external: str


def person_of(study: int, visit: int) -> VisitPerson | None:
    """Who came in a visit; None if nobody came here in it."""
    return record(
        VisitPerson,
        """SELECT r.id AS rater, r.pseudonym, a.id AS arrival, p.platform, p.external_id AS external
           FROM platform_visit v JOIN publication p ON p.id = v.publication_id
           JOIN arrival a ON a.study_id = v.study_id AND a.session_hmac = v.session_hmac
           JOIN rater r ON r.id = a.rater_id WHERE v.study_id = %s AND v.id = %s""",
        [study, visit],
    )
