"""Questions that hang on answers, and labels made of them: what leads nowhere is told with its line."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from labelwright.study import check_study
from tests.studies import study_data

QUESTIONS: list[dict[str, Any]] = [
    {"name": "recommends", "type": "yes_no", "text": "Does it recommend a movie?"},
    {
        "name": "fits",
        "type": "choice",
        "text": "Does it fit?",
        "options": [{"code": 1, "name": "It does"}, {"code": 2, "name": "It does not"}],
        "when": {"question": "recommends", "is": "yes"},
    },
    {"name": "why", "type": "text", "text": "Why?", "when": {"question": "fits", "one_of": [2]}},
    {"name": "more", "type": "text", "text": "More?", "when": {"question": "why", "answered": True}},
]
CRITERION = {"name": "a", "title": "A", "scale": "useful"}
LABELS: list[dict[str, Any]] = [
    {
        "name": "relevance",
        "aspect": "usefulness",
        "scale": "useful",
        "rules": [
            {"when": {"question": "recommends", "is": "no"}, "code": 1},
            {"when": [{"question": "recommends", "is": True}, {"question": "fits", "is": 1}], "code": 3},
        ],
        "otherwise": 2,
    }
]


def found(questions: list[Any] = QUESTIONS, labels: list[Any] = LABELS) -> tuple[str, list[tuple[int, str]]]:
    data = study_data()
    data["designs"]["reply"] |= {"questions": questions, "labels": labels}
    text = yaml.safe_dump(data, sort_keys=False)
    return text, [(mistake.line, mistake.what) for mistake in check_study(text)[1]]


def changed(index: int, **values: Any) -> list[dict[str, Any]]:
    return [question | values if n == index else question for n, question in enumerate(QUESTIONS)]


def test_the_study_is_good():
    assert found()[1] == []


@pytest.mark.parametrize(
    ("questions", "at", "expected"),
    [
        (
            changed(1, when={"question": "recomends", "is": "yes"}),
            "question: recomends",
            'which does not exist. Earlier questions: recommends. Did you mean "recommends"?',
        ),
        (
            changed(1, when={"question": "why", "answered": True}),
            "question: why",
            'question "fits" depends on "why", which is asked later. Move "why" up.',
        ),
        (
            changed(0, when={"question": "recommends", "is": "yes"}),
            "question: recommends",
            'question "recommends" depends on itself.',
        ),
        (
            changed(2, when={"question": "fits", "is": 7}),
            "when:",
            'question "why" depends on option 7 of "fits", which does not exist. Options: 1, 2.',
        ),
        (
            changed(3, when={"question": "why", "is": 1}),
            "when:",
            'question "more" depends on an option of "why", which has no options. Use `answered: true`.',
        ),
        (
            changed(1, explanations={"options": {2: {}, 5: {}}}),
            "5: {}",
            'question "fits" asks to explain option 5, which does not exist. Options: 1, 2.',
        ),
        (
            changed(1, options=None, scale="useful", explanations={"options": {2: {}, 5: {}}}),
            "5: {}",
            'question "fits" asks to explain option 5, which does not exist. Options: 1, 2, 3.',
        ),
        (
            [*QUESTIONS, {"name": "sure", "type": "confidence", "text": "Sure?", "about": "fit"}],
            "about: fit",
            'question "sure" is about question "fit", which does not exist.',
        ),
        (
            [{"name": "table", "type": "grid", "text": "Judge.", "criteria": [CRITERION | {"scale": "usefull"}]}],
            "scale: usefull",
            'criterion 1 of question 1 of design "reply" uses scale "usefull", which is not defined.',
        ),
        (
            [{"name": "table", "type": "grid", "text": "Judge.", "criteria": [CRITERION, CRITERION | {"name": "b", "aspect": "x"}]}],
            "aspect: x",
            'criterion 2 of question 1 of design "reply" uses aspect "x", which is not defined.',
        ),
        (
            [{"name": "table", "type": "grid", "text": "Judge.", "criteria": [CRITERION | {"explanations": {"options": {5: {}}}}]}],
            "5: {}",
            'question "table" asks to explain option 5 of criterion "a", which does not exist. Options: 1, 2, 3.',
        ),
    ],
)  # fmt: skip
def test_a_question_that_leads_nowhere_is_told(questions: list[Any], at: str, expected: str):
    text, [(line, what)] = found(questions, labels=[])
    assert expected in what
    assert at in text.splitlines()[line - 1]


def test_ways_of_when_exclude_each_other():
    _, mistakes = found(changed(1, when={"question": "recommends", "is": "yes", "answered": True}), [])
    assert "give exactly one of `is`, `one_of` and `answered`" in mistakes[0][1]
    _, mistakes = found(changed(1, when={"question": "recommends", "iss": "yes"}), [])
    assert 'Valid fields: question, is, one_of, answered. Did you mean "is"?' in mistakes[0][1]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"scale": "usefull"}, 'label 1 of design "reply" uses scale "usefull", which is not defined.'),
        ({"aspect": "nothing"}, 'label 1 of design "reply" uses aspect "nothing"'),
        ({"otherwise": 9}, 'label "relevance" uses code 9, which is not on scale "useful". Codes of the scale: 1, 2, 3.'),
        ({"rules": [{"when": {"question": "fit", "is": 1}, "code": 1}]}, 'Did you mean "fits"?'),
        ({"rules": [{"when": {"question": "fits", "is": 1}, "code": 8}]}, 'uses code 8'),
        ({"name": "fits"}, "several questions or labels are called fits"),
    ],
)  # fmt: skip
def test_a_label_that_leads_nowhere_is_told(change: dict[str, Any], expected: str):
    _, mistakes = found(labels=[LABELS[0] | change])
    assert [what for _, what in mistakes if expected in what], mistakes
