"""Template context of one case: what the rater saw, the answers with evidence marked, and the rater's history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from labelwright.quality import RULES, Rule, RuleNeed, tell_flag
from labelwright.server.profiles.queries.raters import TaskTime
from labelwright.server.results.actions.items import SECONDS
from labelwright.server.results.pages.item import readings_of
from labelwright.server.results.pages.matrix import MatrixRow, comments, make_matrix
from labelwright.server.results.pages.spans import marked_texts
from labelwright.server.review.actions.cases import CaseEvidence, RaterHistory, cited_answers
from labelwright.server.review.actions.verdicts import VerdictChoice
from labelwright.server.review.pages.words import SHORT, VERDICTS, templates, time_left, topic
from labelwright.server.review.queries.cases import CaseFlag, EarlierOpinion
from labelwright.server.store.models import CaseKind
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.server.web.desk.times import clock
from labelwright.server.web.responses import language_frame
from labelwright.study import Study

Context = dict[str, Any]
BAR_WIDTH, BAR_STEP, BARS_HEIGHT = 9, 12, 44
EARLIER = {"verdict": "Verdict", "second": "Second opinion", "dispute": "The rater’s answer"}


def case(found: CaseEvidence, now: datetime) -> Context:
    """The case, what speaks for a doubt, and the verdicts."""
    stored, evidence = found.case, found.evidence
    marked = marked_texts(evidence)
    matrix = make_matrix(evidence, marked)
    proposed = any(flag.then == "propose" for flag in found.flags)
    return {
        "case": stored,
        "item": evidence.facts,
        "topic": topic(stored.kind, stored.rule),
        "left": time_left(stored.decide_by, now),
        "items": found.items,
        "positions": _positions(found),
        "readings": readings_of(evidence, next(iter(marked.values()), None)),
        "marked": next(iter(marked.values()), None),
        "shown_in": language_frame(found.study),
        "lower_case": found.study.design(evidence.condition).display.lower_case,
        "columns": matrix.columns,
        "rows": [_row(row, found) for row in matrix.rows],
        "more_raters": found.more_raters,
        "comments": comments(evidence),
        "flags": [_flag(flag, found.study) for flag in found.flags],
        "only_disagrees": bool(found.flags) and all(_only_disagrees(flag) for flag in found.flags),
        "earlier": [_earlier(each) for each in found.earlier],
        "is_second": stored.kind == CaseKind.SECOND,
        "history": _history(found.history),
        "verdicts": VERDICTS,
        "proposed": VerdictChoice.LEAVE_OUT.value if proposed else "",
        "templates": templates(found.study, [flag.rule for flag in found.flags]),
        "reason": _reason(found) if proposed else "",
    }


def _positions(found: CaseEvidence) -> list[Context]:
    """The items of a task with several, those that evidence points at marked."""
    cited = set(found.cited_positions)
    return [
        {"at": at, "number": at + 1, "current": at == found.position, "cited": at in cited}
        for at in range(found.items)
        if found.items > 1
    ]


def _row(row: MatrixRow, found: CaseEvidence) -> Context:
    """A row of answers; the cell of the rater has the numbers of the flags that point at it."""
    numbers = [
        number
        for number, flag in enumerate(found.flags, start=1)
        for place in cited_answers(flag.evidence)
        if place.question in (row.stored, row.stored.partition(".")[0])
        and place.position in (None, found.position)
        and (place.position is not None or row.stored == SECONDS)
    ]
    return {
        "of": row,
        "under": row.group.rstrip(" .:"),
        "flags": sorted(set(numbers)),
        "own": row.cells[0],
        "others": row.cells[1:],
    }


def _flag(flag: CaseFlag, study: Study) -> Context:
    told = tell_flag(flag.rule, flag.evidence, study.question_texts)
    return {"rule": rule_name(flag.rule), "evidence": told}


def _only_disagrees(flag: CaseFlag) -> bool:
    """Whether a rule looks at what others answered: that somebody differs from them is no ground for a rejection."""
    return RuleNeed.OTHER_RATINGS in RULES.get(flag.rule, Rule).needs


def _reason(found: CaseEvidence) -> str:
    """The reason of the rule that proposes the verdict."""
    flag = next(flag for flag in found.flags if flag.then == "propose")
    return RULES.get(flag.rule, Rule).reason


def _earlier(each: EarlierOpinion) -> Context:
    return {"of": each, "what": EARLIER[each.kind], "verdict": SHORT.get(each.choice, "")}


def _history(history: RaterHistory) -> Context:
    line = history.line
    compared = history.everybody.comparison
    return {
        "line": line,
        "bars": draw_bars(history.times, history.limits.seconds),
        "tasks": len(history.times),
        "limit": clock(history.limits.seconds) if history.limits.seconds else "",
        "reference": compared.agreement if compared else None,
        "pool_pace": clock(history.everybody.pace) if history.everybody.pace else "",
    }


def draw_bars(times: Sequence[TaskTime], limit: float | None) -> SafeString:
    """The time of each of the last tasks as a bar, flagged ones marked; empty for fewer than two."""
    if len(times) < 2:
        return SafeString("")
    top = max([*(task.seconds for task in times), limit or 0, 1])
    bars = format_html_join(
        "",
        '<rect x="{}" y="{}" width="{}" height="{}" class="{}"/>',
        (
            (
                n * BAR_STEP,
                f"{42 - 39 * task.seconds / top:.1f}",
                BAR_WIDTH,
                f"{39 * task.seconds / top:.1f}",
                "sb" if task.rules else "sp",
            )
            for n, task in enumerate(times)
        ),
    )
    width = len(times) * BAR_STEP
    y = f"{42 - 39 * (limit or 0) / top:.1f}"
    line = format_html('<line x1="0" x2="{}" y1="{y}" y2="{y}" class="goal"/>', width, y=y) if limit else ""
    flagged = sum(bool(task.rules) for task in times)
    return format_html(
        '<svg class="bars" role="img" aria-label="{}" width="{w}" height="{h}" viewBox="0 0 {w} {h}">{}{}</svg>',
        f"Time per task over the last {len(times)} tasks, from {clock(times[0].seconds)} to {clock(times[-1].seconds)}; "
        f"{flagged} flagged.",
        bars,
        line,
        w=width,
        h=BARS_HEIGHT,
    )
