"""Hidden questions are neither required nor stored, and labels are made of what is stored."""

from __future__ import annotations

from typing import Any

import pytest

from labelwright.task import Asking, CheckedAnswer, TaskDesign, check_answers, check_draft
from labelwright.testing.questions import SCALES
from tests.unit.study.test_design_references import LABELS, QUESTIONS

DESIGN = TaskDesign.model_validate(
    {"title": "T", "lead": "L", "instructions": "I", "questions": QUESTIONS, "labels": LABELS}
)
ITEMS = [Asking(SCALES), Asking(SCALES)]
NO = {"recommends": False}
FITS = {"recommends": True, "fits": 1}


def submitted(first: Any, second: Any = NO) -> tuple[dict[str, Any], list[str]]:
    """What is stored of the first item, and what is wrong with it."""
    checked, problems = check_answers(DESIGN, ITEMS, {"0": first, "1": second})
    stored = {answer.question: answer.value for answer in checked if answer.position == 0}
    return stored, [f"{problem.question}: {problem.message}" for problem in problems]


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (NO, {**NO, "relevance": 1}),
        (FITS, {**FITS, "relevance": 3}),
        # Answers to what is hidden are dropped, whatever they are; `more` hangs on `why`, which hangs on `fits`.
        ({**NO, "fits": 2, "why": "x", "more": "y"}, {**NO, "relevance": 1}),
        ({**FITS, "why": {"hostile": 1}, "more": 7}, {**FITS, "relevance": 3}),
        (
            {"recommends": True, "fits": 2, "why": "too old", "more": "really"},
            {"recommends": True, "fits": 2, "why": "too old", "more": "really", "relevance": 2},
        ),
    ],
)
def test_only_what_is_shown_is_stored(given: Any, stored: Any):
    assert submitted(given) == (stored, [])


def test_what_is_shown_is_required():
    assert submitted({"recommends": True})[1] == ["fits: Choose one of the options."]
    assert submitted({"recommends": True, "fits": 2})[1] == ["why: Write a few words."]
    assert submitted({})[1] == ["recommends: Choose yes or no."]


def test_a_label_is_a_judgment_of_its_aspect():
    checked, _ = check_answers(DESIGN, ITEMS, {"0": NO, "1": FITS})
    labels = [answer for answer in checked if answer.question == "relevance"]
    assert labels == [
        CheckedAnswer(0, "relevance", "usefulness", 1, 1),
        CheckedAnswer(1, "relevance", "usefulness", 3, 3),
    ]


def test_a_draft_keeps_what_was_sent_and_is_shown():
    given = {"0": {**NO, "fits": {"hostile": "\x00"}}, "1": {"recommends": True, "fits": 2, "why": " a "}}
    kept, problems = check_draft(DESIGN, ITEMS, given)
    assert problems == []
    assert kept == {"0": NO, "1": given["1"]}
