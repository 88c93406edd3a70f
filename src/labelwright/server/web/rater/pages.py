"""What each rater's page is given: allow-listed values, never a model and never a condition."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.templatetags.static import static
from django.utils.translation import gettext as _

from labelwright.crowd import AssignmentState, Pay
from labelwright.server.actions.assignment import NoWork
from labelwright.server.actions.rater_page import Progress, ShownTask
from labelwright.server.store.submissions import Held
from labelwright.server.web.markdown import render
from labelwright.server.web.question_files import scripts_of
from labelwright.server.web.rater.asked import sheet_view
from labelwright.server.web.rater.readings import readings
from labelwright.server.web.rater.texts import page_texts
from labelwright.study import Study
from labelwright.task import Asking, TaskDesign, sheets
from labelwright.task.questions import Question

RIGHT_TO_LEFT = ("ar", "dv", "fa", "he", "ps", "ur", "yi")
SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
MOST_TICKS = 20
PAGE_SCRIPTS = (
    "rater.js",
    "asked.js",
    "moving.js",
    "page.js",
    "questions.js",
    "saving.js",
    "steps.js",
    "questions/shared/saying.js",
)
"""What a task's page runs, whatever it asks."""

Context = dict[str, Any]


def frame(study: Study) -> Context:
    """Language and direction of the page."""
    right_to_left = study.language.split("-")[0] in RIGHT_TO_LEFT
    return {"language": study.language, "direction": "rtl" if right_to_left else "ltr"}


def start(study: Study, design: TaskDesign, progress: Progress, token: str, pool_name: str = "") -> Context:
    """The offer in figures, the work, and what the rater agrees to."""
    pool = study.pool_of(pool_name)
    cents, total = pool.pay.cents, progress.total
    minutes = design.minutes * total
    return {
        "title": study.title,
        "action": f"/w/{token}/consent",
        "modules": _modules(design),
        "total": total,
        "pay": money(cents * total, pool.pay.currency) if cents else None,
        "hourly": money(round(cents * 60 / design.minutes), pool.pay.currency) if cents else None,
        "minutes": math.ceil(minutes),
        "lease": math.floor(pool.lease_minutes),
        "is_qualification": pool.qualification is not None,
        "answers_stay": study.consent.answers_on_deletion == "keep",
        "questions": [
            q.text for q in design.questions if q.required and q.name not in design.attention_checks
        ],
        "attention": bool(design.attention_checks),
    }


def task(study: Study, shown: ShownTask, visit: str, token: str, now: datetime) -> Context:
    """One task: the dialogue, the questions, and what the page's script needs."""
    design = study.design(shown.condition)
    seconds_left = max(0, math.floor((shown.lease_until - now).total_seconds()))
    done, total = shown.progress.done, max(shown.progress.total, shown.progress.done + 1)
    pay = study.pool_of(shown.pool).pay
    cents = pay.cents
    askings = [replace(study.asking(shown.condition, item.item), order=item.order) for item in shown.items]
    return {
        "title": design.title,
        "scenario": design.scenario,
        "lead": design.lead,
        "instructions": render(design.instructions),
        "more": bool(design.examples or design.guidelines),
        "note": render(study.condition(shown.condition).instructions),
        "lower_case": design.display.lower_case,
        "readings": readings(
            shown.items, [asking.item for asking in askings], together=study.tasks.together is not None
        ),
        "steps": _steps(design, askings),
        "modules": _modules(design),
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
        },
    }


def done(progress: Progress, owed: list[Pay], token: str, why: NoWork | None, unread: int = 0) -> Context:
    """What was received, with the receipt."""
    stopped = _("You stopped") if why is None else _("No tasks for you right now")
    return {
        "title": _("Thank you") if progress.done else stopped,
        "done": progress.done,
        "receipt": progress.receipt,
        "pay": amounts(owed),
        "why": why,
        "home": f"/w/{token}",
        "unread": unread,
    }


def public_state(held: Held) -> str:
    """The state of an assignment in words that a rater's page may know."""
    if not held.newest:
        return "read_only"
    return "open" if held.state in (AssignmentState.OPEN, AssignmentState.EXPIRED) else "ended"


def money(cents: int, currency: str) -> str:
    """An amount as a rater reads it.

    >>> money(1240, "USD"), money(5, "CHF")
    ('$12.40', 'CHF 0.05')
    """
    return f"{SIGNS.get(currency, currency + ' ')}{cents // 100:,}.{cents % 100:02}"


def amounts(owed: list[Pay]) -> str | None:
    """Several amounts as one reads them, or nothing where nothing is owed."""
    return _(" and ").join(money(pay.cents, pay.currency) for pay in owed) or None


def _steps(design: TaskDesign, askings: list[Asking]) -> list[Context]:
    """A step for each item, and a last one about the task; beside a single item it needs no step of its own."""
    steps: list[Context] = [
        {"position": sheet.position, "questions": sheet_view(sheet)} for sheet in sheets(design, askings)
    ]
    if len(askings) == 1 and len(steps) > 1:
        return [{"position": 0, "questions": [*steps[0]["questions"], *steps[1]["questions"]]}]
    return steps


def _modules(design: TaskDesign) -> list[str]:
    """The scripts that the page needs, asked for together with it and not one after another."""
    asked: tuple[Question, ...] = (*design.questions, *design.feedback)
    scripts = {script for question in asked for script in scripts_of(question.type)}
    return sorted(scripts | {static(name) for name in PAGE_SCRIPTS})


def _ticks(done: int, total: int) -> list[str]:
    """A tick for each reply; none where there are too many to be drawn."""
    if total > MOST_TICKS:
        return []
    return ["done"] * done + ["now"] + [""] * (total - done - 1)
