"""Template context of a task's page: allow-listed values, never a model and never a condition."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime

from labelwright.crowd import AssignmentState
from labelwright.server.offering.queries.visits import Held
from labelwright.server.rating.actions.task_page import ShownTask
from labelwright.server.rating.pages.questions import Context, modules_of, sheet_view
from labelwright.server.rating.pages.reading import readings
from labelwright.server.rating.pages.script_texts import page_texts
from labelwright.server.web.markdown import render
from labelwright.server.web.money import money
from labelwright.study import Study
from labelwright.task import Asking, TaskDesign, sheets

MOST_TICKS = 20


def task(
    study: Study, shown: ShownTask, visit: str, token: str, now: datetime, *, typing: bool = False
) -> Context:
    """One task: the dialogue, the questions, and values for the page's script.

    `typing` says whether the page records how free text is typed.
    """
    design = study.design(shown.condition)
    seconds_left = max(0, math.floor((shown.lease_until - now).total_seconds()))
    done, total = shown.progress.done, max(shown.progress.total, shown.progress.done + 1)
    pay = study.pool_of(shown.pool).pay
    cents = pay.cents
    askings = [replace(study.asking(shown.condition, item.item), order=item.order) for item in shown.items]
    shown_items = readings(
        shown.items, [asking.item for asking in askings], together=study.tasks.together is not None
    )
    return {
        "title": design.title,
        "scenario": design.scenario,
        "lead": design.lead,
        "instructions": render(design.instructions),
        "more": bool(design.examples or design.guidelines),
        "note": render(study.condition(shown.condition).instructions),
        "lower_case": design.display.lower_case,
        "readings": shown_items,
        "with_replies": any(item.get("candidates") for item in shown_items),
        "steps": _steps(design, askings),
        "modules": modules_of(design),
        "number": done + 1,
        "done": done,
        "total": total,
        "ticks": _ticks(done, total),
        "pay": money(cents * total, pay.currency) if cents else None,
        "each": money(cents, pay.currency) if cents else None,
        "me": f"/w/{token}/me",
        "minutes_left": math.ceil(seconds_left / 60),
        "page": {
            "visit": visit,
            "home": f"/w/{token}",
            "stopped": f"/w/{token}/stopped",
            "revision": shown.revision,
            "answers": shown.answers,
            "secondsLeft": seconds_left,
            "texts": page_texts(),
            "typing": typing,
        },
    }


def public_state(held: Held) -> str:
    """The state of an assignment in the terms that a rater's page may know."""
    if not held.newest:
        return "read_only"
    return "open" if held.state in (AssignmentState.OPEN, AssignmentState.EXPIRED) else "ended"


def _steps(design: TaskDesign, askings: list[Asking]) -> list[Context]:
    """A step for each item, then one about the whole task; with a single item, both are one step."""
    steps: list[Context] = [
        {"position": sheet.position, "questions": sheet_view(sheet)} for sheet in sheets(design, askings)
    ]
    if len(askings) == 1 and len(steps) > 1:
        return [{"position": 0, "questions": [*steps[0]["questions"], *steps[1]["questions"]]}]
    return steps


def _ticks(done: int, total: int) -> list[str]:
    """A tick for each reply; none if there are too many to draw."""
    if total > MOST_TICKS:
        return []
    return ["done"] * done + ["now"] + [""] * (total - done - 1)
