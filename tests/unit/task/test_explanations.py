"""Explanations: per option none, optional or required; reasons and own words of 3 to 30."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from labelwright.task.explanations import Explanations
from labelwright.task.questions import BadAnswer
from labelwright.testing.questions import JSON_VALUES

REASONS = [
    {"code": "generic", "text": "It could be said anywhere."},
    {"code": "wrong", "text": "It is wrong."},
]
EXPLAINED = Explanations.model_validate(
    {
        "options": {
            0: {"need": "required", "reasons": REASONS},
            2: {"need": "required"},
            3: {"reasons": REASONS, "own_words": False},
        }
    }
)


def refused(code: int, value: Any) -> str:
    with pytest.raises(BadAnswer) as bad:
        EXPLAINED.check_complete(code, EXPLAINED.check(code, value))
    return str(bad.value)


def test_reasons_are_stored_in_the_order_of_the_study_and_words_without_ends():
    given = {"reasons": ["wrong", "generic"], "words": " no link to it \n"}
    assert EXPLAINED.check(0, given) == {"reasons": ["generic", "wrong"], "words": "no link to it"}
    assert EXPLAINED.check(0, {"reasons": [], "words": " "}) == EXPLAINED.check(0, None) == {}


def test_a_required_explanation_is_a_reason_or_own_words_of_the_right_length():
    assert refused(0, None) == "Tick a reason, or say why in 3 to 30 words."
    assert refused(2, {}) == "Say why in 3 to 30 words."
    assert refused(2, {"words": "too few"}) == "Write at least 3 words. You wrote 2."
    assert refused(2, {"words": "word " * 31}) == "Write at most 30 words. You wrote 31."
    EXPLAINED.check_complete(0, EXPLAINED.check(0, {"reasons": ["wrong"]}))
    EXPLAINED.check_complete(2, EXPLAINED.check(2, {"words": "كلمة 🙂 three"}))
    EXPLAINED.check_complete(1, {})
    EXPLAINED.check_complete(3, {})


def test_what_was_not_asked_for_is_refused():
    assert refused(1, {"words": "nobody asked me this"}) == "This option does not need an explanation."
    assert refused(3, {"words": "only reasons are taken"}) == "Choose one of the reasons."
    assert refused(0, {"reasons": ["unknown"]}) == "Choose from the reasons."
    assert refused(0, {"reasons": ["wrong", "wrong"]}) == "A reason is ticked twice."
    assert refused(2, {"reasons": ["wrong"]}) == "Choose from the reasons."


@pytest.mark.parametrize(
    "place", [lambda v: v, lambda v: {"reasons": v}, lambda v: {"words": v}, lambda v: {"reasons": [v]}]
)
def test_hostile_values_are_refused_or_harmless(place: Any):
    for value in JSON_VALUES:
        try:
            stored = EXPLAINED.check(0, place(value))
        except BadAnswer:
            continue
        assert EXPLAINED.check(0, stored) == stored


def test_samples_are_complete():
    random = np.random.default_rng(3)
    for code in (0, 1, 2, 3) * 20:
        sample = EXPLAINED.sample(code, random)
        assert EXPLAINED.check(code, sample) == sample
        EXPLAINED.check_complete(code, sample)


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {}},
        {"options": {1: {"need": "always"}}},
        {"options": {1: {"need": "required", "own_words": False}}},
        {"options": {1: {"reasons": [REASONS[0], REASONS[0]]}}},
        {"options": {1: {}}, "min_words": 9, "max_words": 3},
    ],
)
def test_a_study_that_cannot_be_answered_is_refused(wrong: Any):
    with pytest.raises(ValidationError):
        Explanations.model_validate(wrong)
