"""What the template of flagged work is given."""

from __future__ import annotations

from typing import Any

from labelwright.crowd import AssignmentState
from labelwright.quality import RULES, Rule, tell_flag
from labelwright.server.store.models import Flag
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.server.web.desk.tables import ShownTable

Context = dict[str, Any]


def flagged(shown: ShownTable[Flag]) -> Context:
    """The table of flags, each described in words."""
    return {"shown": shown, "flags": [_flag(flag) for flag in shown.rows]}


def _flag(flag: Flag) -> Context:
    """A flag with its evidence in words, and the proposed reason while nobody has decided."""
    rule = RULES.get(flag.rule, Rule)
    proposes = flag.then == "propose" and flag.assignment.state == AssignmentState.SUBMITTED
    return {
        "row": flag,
        "rule": rule_name(flag.rule),
        "evidence": tell_flag(flag.rule, flag.evidence, study_of(flag.assignment.version_id).question_texts),
        "proposes": proposes,
        "reason": rule.reason if proposes else "",
    }
