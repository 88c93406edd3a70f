"""Template context of the page Judge: the conclusion first, then the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from labelwright.server.contexts.actions.cost import cents
from labelwright.server.judges.actions.cost import JudgeCost, ModelStatus
from labelwright.server.judges.actions.figures import StoredJudgeFigures

Context = dict[str, Any]
MOST_RATERS = 12
"""Raters of the stand-in test that are listed; the numbers are of all."""
ICONS = {"as good as a person": "good", "worse": "bad", "undecided": "dim"}


def judge(
    status: ModelStatus,
    cost: JudgeCost,
    figures: StoredJudgeFigures,
    names: Sequence[str],
    *,
    sees_raters: bool,
) -> Context:
    """One model of a study."""
    questions = [_question(each, sees_raters=sees_raters) for each in figures.contents.get("questions", [])]
    return {
        "status": status,
        "spent": cents(status.microcents),
        "cost": cost,
        "models": names,
        "computed_at": figures.at,
        "why": figures.contents.get("why", ""),
        "conclusion": conclusion(figures.contents.get("questions", [])),
        "questions": questions,
        "tested": [each for each in questions if not each["refused"]],
        "scored": [each for each in questions if each.get("scores")],
    }


def _question(found: dict[str, Any], *, sees_raters: bool) -> Context:
    raters = [each | {"shade": _shade(each["result"])} for each in found["raters"]]
    return found | {
        "class": ICONS[found["compared"]],
        "raters": raters if sees_raters else [],
        "shown_raters": raters[:MOST_RATERS] if sees_raters else [],
        "tested_raters": len(raters),
    }


def _shade(result: str) -> str:
    return {"win": "good", "lose": "bad"}.get(result, "dim")


def conclusion(questions: Sequence[dict[str, Any]]) -> list[str]:
    """What the figures say, in one sentence or a few.

    >>> conclusion([{"question": "Useful?", "verdict": "may stand in", "worth": 0}])
    ['This judge is worth no more human labels.', 'It may stand in for a rater on “Useful?”.']
    """
    if not questions:
        return []
    worth = [(each["worth"], each["question"]) for each in questions if each.get("worth") is not None]
    said = []
    if worth:
        most, name = max(worth)
        about = f" on “{name}”" if len(worth) > 1 and most else ""
        said.append(f"This judge is worth {most:,} more human labels{about}." if most else f"{_NOTHING}.")
    for verdict, words in (
        ("may stand in", "may stand in for a rater"),
        ("may not stand in", "may not stand in"),
    ):
        named = [f"“{each['question']}”" for each in questions if each["verdict"] == verdict]
        if named:
            said.append(f"It {words} on {_joined(named)}.")
    untested = sum(each["verdict"] == "not tested" for each in questions)
    if untested:
        said.append(f"{untested} question{'' if untested == 1 else 's'} could not be tested yet.")
    return said


_NOTHING = "This judge is worth no more human labels"


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
