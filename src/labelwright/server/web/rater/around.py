"""What the pages around tasks are given: instructions with examples, questions before tasks, the end."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from labelwright.crowd import DataUse, Pay
from labelwright.server.actions.assignment import NoWork
from labelwright.server.actions.before import Due, Outcome, Part
from labelwright.server.actions.rater_page import Progress, ShownItem
from labelwright.server.store.models import Withdrawal
from labelwright.server.web.markdown import render
from labelwright.server.web.rater.asked import Context, question_view, sheet_view
from labelwright.server.web.rater.pages import amounts
from labelwright.server.web.rater.readings import readings
from labelwright.study import Study
from labelwright.task import Asking, Example, ExampleItem, Guidelines, TaskDesign


def told(study: Study, design: TaskDesign) -> Context:
    """All that raters are told of a task design: purpose, warning, instructions, examples, guidelines."""
    examples = [
        _example(study, design, example, f"x{number}") for number, example in enumerate(design.examples)
    ]
    return {
        "purpose": render(design.purpose),
        "warning": render(study.content_warning),
        "instructions": render(design.instructions),
        "examples": examples,
        "worked": {example["position"]: example["answers"] for example in examples},
        "guidelines": _guidelines(design.guidelines) if design.guidelines else None,
    }


def agreed(study: Study) -> Context:
    """What a rater agrees to."""
    return {"consent": render(study.consent.text), "points": study.consent.points}


def asked(study: Study, due: Due, token: str) -> Context:
    """The page of questions before tasks."""
    quiz = study.quiz if due.part is Part.QUIZ else None
    titles = {
        Part.DEMOGRAPHICS: _("A few questions about you"),
        Part.FAMILIARITY: _("Before these tasks"),
        Part.QUIZ: _("A short quiz"),
    }
    items = [question.item for question in quiz.questions] if quiz else [None]
    return {
        "title": titles[due.part],
        "text": render(quiz.text) if quiz else "",
        "about": _tries(quiz.tries - due.tries) if quiz else _free(),
        "explained": quiz is not None,
        "send": _("Check my answers") if quiz else _("Go on"),
        "sheets": [
            {
                "position": sheet.position,
                "questions": sheet_view(sheet),
                "readings": _readings(item, sheet.position) if item else [],
            }
            for sheet, item in zip(due.sheets, items, strict=True)
        ],
        "sheet": {
            "link": token,
            "part": due.part,
            "key": due.key,
            "home": f"/w/{token}",
            "texts": {
                "away": _("The server did not answer. Your answers are kept here; try again in a moment."),
                "right": _("Right."),
                "wrong": _("Not quite."),
                "again": _("Check again"),
            },
        },
    }


def outcome(found: Outcome) -> Context:
    """What the page is told of answers that were taken; the right answers stay here."""
    if not found.reasons:
        return {"reasons": [], "closed": found.closed, "told": ""}
    if found.passed:
        said = _("You passed. Read what was not quite right, then go on.")
    elif found.closed:
        said = _("That was the last try. Read what was not quite right, then go on.")
    else:
        said = _tries(found.tries_left)
    reasons = [{"position": position, "text": text} for position, text in found.reasons.items()]
    return {"reasons": reasons, "closed": found.closed, "told": said}


def ended(
    study: Study,
    progress: Progress,
    owed: list[Pay],
    why: NoWork,
    withdrawal: Withdrawal | None,
) -> Context:
    """The page of a rater who takes no further part."""
    return {
        "title": _("Thank you"),
        "why": why,
        "left_out": withdrawal is not None and withdrawal.data_use == DataUse.LEFT_OUT,
        "receipt": progress.receipt,
        "pay": amounts(owed),
        **debriefed(study, why),
    }


def debriefed(study: Study, why: NoWork | None) -> Context:
    """What the study was about, for those who will be offered nothing more; it would spoil the tasks of others."""
    over = why in (NoWork.CAP, NoWork.RETURNS, NoWork.QUIZ, NoWork.WITHDRAWN)
    last = why is NoWork.NONE_LEFT and study.batches is None and not study.stages
    return {"debriefing": render(study.debriefing) if over or last else ""}


def _free() -> str:
    return _(
        "Answer what you like and leave out what you do not. "
        "Your answers are kept apart from your judgments, and neither tasks nor pay depend on them."
    )


def _tries(left: int) -> str:
    if left == 1:
        return _("You have one try left.")
    return _("You have {tries} tries. What is not quite right is explained.").format(tries=left)


def _example(study: Study, design: TaskDesign, example: Example, position: str) -> Context:
    asking = Asking(study.scales, example.item.parts)
    return {
        "title": example.title,
        "position": position,
        "readings": _readings(example.item, position),
        "answered": [
            {
                "question": question_view(question, asking, position),
                "reason": example.answers[question.name].reason,
            }
            for question in design.questions
            if question.name in example.answers
        ],
        "answers": {name: reference.answer for name, reference in example.answers.items()},
    }


def _readings(item: ExampleItem, position: int | str) -> list[Context]:
    """An item that was written for the page, drawn like any other; nothing of it is a step of a task."""
    blocks = readings([ShownItem(item.stored)], [item.parts], together=False)
    return [_placed(block, position) for block in blocks]


def _placed(block: dict[str, Any], position: int | str) -> Context:
    turns = {
        name: [
            turn | {"position": position} if turn["position"] is not None else turn for turn in block[name]
        ]
        for name in ("before", "focus", "after")
    }
    return block | turns | {"position": position, "positions": "", "later": False}


def _guidelines(guidelines: Guidelines) -> Context:
    return {
        "version": guidelines.version,
        "text": render(guidelines.text),
        "cases": [
            {"case": render(case.case), "decision": render(case.decision)} for case in guidelines.hard_cases
        ],
    }
