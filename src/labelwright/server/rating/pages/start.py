"""Template contexts of the start page and the instructions: the offer, the instructions and the consent."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

from labelwright.crowd import StudyState
from labelwright.server.rating.actions.task_page import Progress
from labelwright.server.rating.pages.questions import Context, modules_of, question_view
from labelwright.server.rating.pages.reading import example_readings
from labelwright.server.web.markdown import render
from labelwright.server.web.money import money
from labelwright.study import Study
from labelwright.task import Asking, Example, Guidelines, TaskDesign


def start(study: Study, design: TaskDesign, progress: Progress, token: str, pool_name: str = "") -> Context:
    """The offer in figures: pay, time and the questions."""
    pool = study.pool_of(pool_name)
    cents, total = pool.pay.cents, min(progress.total, pool.visit_tasks or progress.total)
    minutes = design.minutes * total
    return {
        "title": study.title,
        "action": f"/w/{token}/consent",
        "modules": modules_of(design),
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
        "typing": study.record_typing,
    }


def not_open(study: Study, state: StudyState) -> Context:
    """Why nobody can start yet, or any more."""
    messages = {
        StudyState.DRAFT: _("This study has not started yet. Come back later with the same link."),
        StudyState.PAUSED: _(
            "This study is paused, so nobody can start now. You can come back later with the same link."
        ),
    }
    closed = _("This study is closed. Thank you for your interest.")
    return {"title": study.title, "message": messages.get(state, closed)}


def taken(study: Study, action: str, error: str, given: str, *, asks: bool) -> Context:
    """A study without tasks; the form for an address only if the installation sends mail."""
    return {"title": study.title, "action": action, "error": error, "given": given, "asks": asks}


def waiting(*, removed: bool) -> Context:
    """What happened to an address."""
    if removed:
        return {
            "title": _("Thank you"),
            "message": _("We have deleted your address and will not write to you."),
        }
    return {
        "title": _("Thank you"),
        "message": _("We will write to you when there are tasks again. You can close this page."),
    }


def instructions(study: Study, design: TaskDesign) -> Context:
    """The full guide to a task design: purpose, warning, instructions, examples, guidelines."""
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


def consent(study: Study) -> Context:
    """The consent text and the points to tick."""
    return {"consent": render(study.consent.text), "points": study.consent.points}


def _example(study: Study, design: TaskDesign, example: Example, position: str) -> Context:
    asking = Asking(study.scales, example.item.parts)
    return {
        "title": example.title,
        "position": position,
        "readings": example_readings(example.item, position),
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


def _guidelines(guidelines: Guidelines) -> Context:
    return {
        "version": guidelines.version,
        "text": render(guidelines.text),
        "cases": [
            {"case": render(case.case), "decision": render(case.decision)} for case in guidelines.hard_cases
        ],
    }
