"""Reference answers in the study file."""

from __future__ import annotations

import pytest

from labelwright.study import check_study
from tests.studies import parse, study_text


def test_a_reference_has_an_answer_and_a_reason_and_a_bare_value_is_an_answer():
    gold = {"d0#4": {"useful": {"answer": 3, "reason": "It names a movie."}}, "d1#4": {"useful": 1}}
    study = parse(study_text(gold=gold))
    assert study.gold["d0#4"]["useful"].reason == "It names a movie."
    assert study.gold["d1#4"]["useful"].answer == 1


@pytest.mark.parametrize(
    ("references", "told"),
    [
        ({"helpful": 3}, 'answers "helpful", which no design asks'),
        ({"useful": 4}, "rejects the answer 4"),
        ({"useful": {"answer": True}}, "rejects the answer True"),
        ({}, "should not be empty"),
    ],
)
def test_a_reference_that_no_rater_could_give_is_a_mistake(references: dict[str, object], told: str):
    study, mistakes = check_study(study_text(gold={"d0#4": references}))
    assert study is None
    assert any(told in mistake.what for mistake in mistakes), mistakes
