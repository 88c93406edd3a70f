"""Template context of the page of versions: the history, and labels split by version and joined."""

from __future__ import annotations

import math
from typing import Any

from labelwright.analysis import Movement
from labelwright.server.results.actions.versions import VersionHistory, VersionLabels, VersionLine
from labelwright.server.results.pages.label_words import code_names
from labelwright.server.web.money import amounts
from labelwright.study import RegisteredPlan, Study

Context = dict[str, Any]
LIKELY_MOVED = 0.05


def versions(history: VersionHistory) -> Context:
    """The versions of a study, as plain values that can be stored."""
    return {
        "name": history.study.title,
        "versions": [_version(each) for each in history.versions],
        "questions": [_question(history.study, each) for each in history.labels],
        "plans": [plan_line(each) for each in history.plans],
    }


def plan_line(plan: RegisteredPlan) -> Context:
    """A registered analysis plan, as plain values that can be stored."""
    n = plan.ratings_before
    return {
        "version": plan.version,
        "sha256": plan.digest,
        "registered": plan.registered_at.isoformat(),
        "when": f"after {n:,} rating{'' if n == 1 else 's'}" if n else "before the first rating",
        "late": bool(n),
        "canonical": plan.canonical,
    }


def _version(line: VersionLine) -> Context:
    return {
        "n": line.n,
        "loaded": line.loaded_at.isoformat(),
        "changes": line.changes,
        "submitted": line.submitted,
        "counted": line.counted,
        "owed": amounts(line.owed),
    }


def _question(study: Study, labels: VersionLabels) -> Context:
    names = code_names(study, labels.judged)
    joined: dict[int, int] = {}
    for codes in labels.counts.values():
        for code, n in codes.items():
            joined[code] = joined.get(code, 0) + n
    lines = [(f"Version {n}", codes) for n, codes in sorted(labels.counts.items())]
    return {
        "text": labels.judged.text,
        "head": ["Given under", *names.values(), "All"],
        "rows": [
            [name, *(_cell(codes.get(code, 0), codes) for code in names), f"{sum(codes.values()):,}"]
            for name, codes in [*lines, ("All versions together", joined)]
        ],
        "moved": _moved(labels.movement),
    }


def _cell(n: int, codes: dict[int, int]) -> str:
    return f"{n:,} ({n / sum(codes.values()):.0%})"


def _moved(movement: Movement | None) -> str:
    if movement is None:
        return "All labels were given under one version."
    p = movement.test.p_holm
    if p is None or math.isnan(p):
        return "No item has ratings under two versions, so nobody can tell whether labels moved."
    items = f"{movement.items:,} item{'' if movement.items == 1 else 's'} rated under several versions"
    value = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    if p <= LIKELY_MOVED:
        return f"Labels moved between versions ({value}, {items}). Join the versions only with a reason."
    return f"No sign that labels moved between versions ({value}, {items}). That does not prove that they are equal."
