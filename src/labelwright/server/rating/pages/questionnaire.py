"""Template context of the questionnaire, and the response to its answers."""

from __future__ import annotations

from django.utils.translation import gettext as _

from labelwright.server.rating.actions.questionnaire import Due, SheetOutcome, SheetPart
from labelwright.server.rating.pages.questions import Context, sheet_view
from labelwright.server.rating.pages.reading import example_readings
from labelwright.server.web.markdown import render
from labelwright.study import Study


def questionnaire(study: Study, due: Due, token: str) -> Context:
    """The page of questions before tasks."""
    quiz = study.quiz if due.part is SheetPart.QUIZ else None
    titles = {
        SheetPart.DEMOGRAPHICS: _("A few questions about you"),
        SheetPart.FAMILIARITY: _("A few questions before these tasks"),
        SheetPart.QUIZ: _("A short quiz"),
    }
    items = [question.item for question in quiz.questions] if quiz else [None]
    return {
        "title": titles[due.part],
        "text": render(quiz.text) if quiz else "",
        "about": _tries(quiz.tries - due.tries) if quiz else _voluntary(),
        "explained": quiz is not None,
        "send": _("Check my answers") if quiz else _("Continue"),
        "sheets": [
            {
                "position": sheet.position,
                "questions": sheet_view(sheet),
                "readings": example_readings(item, sheet.position) if item else [],
            }
            for sheet, item in zip(due.sheets, items, strict=True)
        ],
        "sheet": {
            "link": token,
            "part": due.part,
            "key": due.key,
            "home": f"/w/{token}",
            "texts": {
                "away": _(
                    "Your answers are kept on this page. The server is not responding; try again in a moment."
                ),
                "right": _("Correct."),
                "wrong": _("Not quite."),
                "again": _("Check again"),
            },
        },
    }


def outcome(found: SheetOutcome) -> Context:
    """The response to accepted answers; the right answers stay on the server."""
    if not found.reasons:
        return {"reasons": [], "closed": found.closed, "summary": ""}
    if found.passed:
        summary = _("You passed. Read the explanations of your wrong answers, then continue.")
    elif found.closed:
        summary = _("That was your last try. Read the explanations of your wrong answers, then continue.")
    else:
        summary = _tries(found.tries_left)
    reasons = [{"position": position, "text": text} for position, text in found.reasons.items()]
    return {"reasons": reasons, "closed": found.closed, "summary": summary}


def _voluntary() -> str:
    return _(
        "You can skip any question. "
        "Your answers are stored separately from your ratings and affect neither your tasks nor your pay."
    )


def _tries(left: int) -> str:
    if left == 1:
        return _("You have one try left.")
    return _("You have {tries} tries. Wrong answers are explained.").format(tries=left)
