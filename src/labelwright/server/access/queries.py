"""SQL of access."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import MemberState
from labelwright.server.store.rows import record


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


def find_visitor(public_id: str, key_number: int, rater: str, nonce: str, pool: str) -> Visitor | None:
    """The rater behind the facts of a signed link, if they still hold; rater and pool by their public ids."""
    return record(
        Visitor,
        """SELECT s.id AS study, m.pool_id AS pool, r.id AS rater, m.rater_group AS "group", m.number,
                  r.consented_at IS NOT NULL AS consented,
                  (SELECT id FROM study_version v WHERE v.study_id = s.id ORDER BY n DESC LIMIT 1) AS version,
                  p.name AS pool_name, m.state,
                  EXISTS (SELECT 1 FROM withdrawal w WHERE w.rater_id = r.id) AS withdrawn
           FROM study s JOIN rater r ON r.study_id = s.id JOIN pool p ON p.study_id = s.id
           JOIN member m ON m.rater_id = r.id AND m.pool_id = p.id AND m.study_id = s.id
           WHERE s.public_id = %s AND s.link_key_number = %s AND r.public_id = %s AND r.nonce = %s
             AND p.public_id = %s""",
        [public_id, key_number, rater, nonce, pool],
    )
