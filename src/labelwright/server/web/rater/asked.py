"""Questions as a page draws them: allow-listed values, with the template of their type."""

from __future__ import annotations

from typing import Any

from labelwright.task import Asking, Sheet
from labelwright.task.questions import Question

Context = dict[str, Any]


def question_view(question: Question, asking: Asking, position: int | str) -> Context:
    """A question at a position of the page."""
    return question.view(asking) | {
        "id": f"q{position}-{question.name}",
        "template": f"{question.type}/template.html",
        "position": position,
    }


def sheet_view(sheet: Sheet) -> list[Context]:
    """The questions of a sheet, in order."""
    return [question_view(question, sheet.asking, sheet.position) for question in sheet.questions]
