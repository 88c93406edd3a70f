"""What the template of flagged work is given."""

from __future__ import annotations

from typing import Any

from labelwright.crowd import AssignmentState
from labelwright.quality import RULES, Rule
from labelwright.server.review.actions.flags import ON_A_PAGE
from labelwright.server.store.models import Flag

Context = dict[str, Any]


def flagged(flags: list[Flag], total: int, page: int) -> Context:
    """The list of flags, each described in words, and its pages."""
    return {
        "flags": [_flag(flag) for flag in flags],
        "total": total,
        "earlier": f"?page={page - 1}" if page > 1 else None,
        "later": f"?page={page + 1}" if page * ON_A_PAGE < total else None,
    }


def _flag(flag: Flag) -> Context:
    """A flag with its evidence in words, and the proposed reason while nobody has decided."""
    rule = RULES.get(flag.rule, Rule)
    proposes = flag.then == "propose" and flag.assignment.state == AssignmentState.SUBMITTED
    return {
        "row": flag,
        "evidence": rule.tell(flag.evidence),
        "proposes": proposes,
        "reason": rule.reason if proposes else "",
    }
