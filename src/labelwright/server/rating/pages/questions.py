"""Questions as a page draws them: allow-listed values, the template of their type, and its scripts."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static

from labelwright.server.web.question_files import scripts_of
from labelwright.task import Asking, Sheet, TaskDesign
from labelwright.task.questions import Question

Context = dict[str, Any]
PAGE_SCRIPTS = (
    "rater.js",
    "asked.js",
    "moving.js",
    "page.js",
    "questions.js",
    "saving.js",
    "steps.js",
    "typing.js",
    "questions/shared/saying.js",
)
"""Scripts of every task's page."""


def question_view(question: Question, asking: Asking, position: int | str) -> Context:
    """A question at a position of the page."""
    return question.view(asking) | {
        "id": f"q{position}-{question.name}",
        "template": f"{question.page_type}/template.html",
        "position": position,
    }


def sheet_view(sheet: Sheet) -> list[Context]:
    """The questions of a sheet, in order."""
    return [question_view(question, sheet.asking, sheet.position) for question in sheet.questions]


def modules_of(design: TaskDesign) -> list[str]:
    """The scripts that a page needs, so that the browser can request them all at once."""
    asked: tuple[Question, ...] = (*design.questions, *design.feedback)
    scripts = {script for question in asked for script in scripts_of(question.page_type)}
    return sorted(scripts | {static(name) for name in PAGE_SCRIPTS})
