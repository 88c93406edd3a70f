"""Facts about quality control: what each rule found, and what people decided. Reads only."""

from __future__ import annotations

from labelwright.crowd import AssignmentState, DataUse
from labelwright.report.facts import QualityFacts, RuleFacts, Share
from labelwright.server.reports.queries import facts as queries
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.study import Study

VERDICTS = {
    (AssignmentState.APPROVED, DataUse.USED): "approved, data in use",
    (AssignmentState.APPROVED, DataUse.LEFT_OUT): "approved, data excluded",
    (AssignmentState.REJECTED, DataUse.LEFT_OUT): "rejected, data excluded",
    (AssignmentState.REJECTED, DataUse.USED): "rejected, data in use",
}
UNDECIDED_PAY = {
    DataUse.USED: "pay undecided, data in use",
    DataUse.LEFT_OUT: "pay undecided, data excluded",
}


def get_quality_facts(study: int, file: Study) -> QualityFacts:
    """What the rules found, also rules of earlier versions, and the verdicts."""
    found = queries.count_flags(study)
    names = dict.fromkeys([*(rule.rule for rule in file.quality), *(each.rule for each in found)])
    return QualityFacts(
        rules=tuple(_rule(name, found) for name in names),
        verdicts=tuple(_verdicts(study)),
        gold_passed=queries.gold_share(study),
    )


def _rule(name: str, found: list[queries.FlaggedTasks]) -> RuleFacts:
    own = [each for each in found if each.rule == name]
    return RuleFacts(
        rule=name,
        about=rule_name(name),
        flagged=sum(each.flagged for each in own),
        excluded=sum(each.excluded for each in own),
        by_condition=tuple(Share(name=each.condition, count=each.flagged) for each in own),
    )


def _verdicts(study: int) -> list[Share]:
    counted: dict[str, int] = {}
    for (state, use), n in queries.count_verdicts(study).items():
        known = VERDICTS.get((AssignmentState(state), DataUse(use)))
        words = known or UNDECIDED_PAY.get(DataUse(use), "undecided")
        counted[words] = counted.get(words, 0) + n
    return [Share(name=name, count=n) for name, n in sorted(counted.items(), key=lambda each: -each[1])]
