"""SQL of one case: its flags, its dispute, and what other reviewers said."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from labelwright.crowd import DataUse
from labelwright.server.store.models import CaseKind, CaseState
from labelwright.server.store.rows import literal, records


@dataclass(frozen=True, slots=True)
class CaseFlag:
    """A flag on the work of a case."""

    rule: str
    then: str
    evidence_json: str

    @property
    def evidence(self) -> dict[str, Any]:
        """What the rule found."""
        found: dict[str, Any] = json.loads(self.evidence_json)
        return found


def case_flags(assignment: int) -> list[CaseFlag]:
    """The flags that ask for a review, one for each rule: the newest, with those that propose a verdict first."""
    return records(
        CaseFlag,
        """SELECT rule, "then", evidence_json FROM (
             SELECT DISTINCT ON (rule) id, rule, "then", evidence::text AS evidence_json FROM flag
             WHERE assignment_id = %s AND "then" <> 'nothing' ORDER BY rule, id DESC) f
           ORDER BY "then" <> 'propose', id""",
        [assignment],
    )


@dataclass(frozen=True, slots=True)
class EarlierOpinion:
    """What was said about the same work before: a verdict, a second opinion, or the rater's answer."""

    kind: str
    """`verdict`, `second` or `dispute`."""
    author: str
    choice: str
    text: str
    at: datetime


def earlier_opinions(assignment: int) -> list[EarlierOpinion]:
    """The verdict that applies, the second opinion on it, and the rater's answer."""
    return records(
        EarlierOpinion,
        f"""SELECT 'verdict' AS kind, v.author,
                  CASE WHEN v.pay IS FALSE THEN 'reject' WHEN v.data_use = {literal(DataUse.LEFT_OUT)} THEN 'leave_out' ELSE 'fine' END
                    AS choice, v.reason AS text, v.at
           FROM verdict v WHERE v.assignment_id = %(work)s AND v.pay IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM verdict n WHERE n.replaces_id = v.id)
           UNION ALL
           SELECT 'second', decided_by, choice, reason, decided_at FROM review_case
           WHERE assignment_id = %(work)s AND kind = {literal(CaseKind.SECOND)} AND state = {literal(CaseState.DECIDED)}
           UNION ALL
           SELECT 'dispute', '', '', text, at FROM dispute WHERE assignment_id = %(work)s
           ORDER BY at""",
        {"work": assignment},
    )
