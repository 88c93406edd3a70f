"""Which changes of a study file keep its tasks, and which make them new."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from labelwright.study import Study, asked_content, compare
from labelwright.study.content import all_conditions
from tests.studies import parse, study_data

Edit = Callable[[dict[str, Any]], None]


def edited(edit: Edit) -> Study:
    data = copy.deepcopy(study_data())
    edit(data)
    return parse(yaml.safe_dump(data, sort_keys=False))


def design(data: dict[str, Any]) -> dict[str, Any]:
    return data["designs"]["reply"]


def question(data: dict[str, Any]) -> dict[str, Any]:
    return design(data)["questions"][0]


def point(data: dict[str, Any]) -> dict[str, Any]:
    return data["scales"]["useful"]["points"][0]


CALENDAR = {"daily": {"first_day": "2026-12-01"}}
KEEPS: dict[str, tuple[Edit, str]] = {
    "instructions": (lambda d: design(d).update(instructions="Read all."), "the instructions of design"),
    "guidelines": (
        lambda d: design(d).update(guidelines={"version": "2", "text": "# Long"}),
        "the guidelines of design",
    ),
    "examples": (
        lambda d: design(d).update(
            examples=[
                {
                    "item": {
                        "kind": "exchange",
                        "turns": [{"speaker": "user", "text": "Hi"}, {"speaker": "system", "text": "Hello"}],
                    },
                    "answers": {"useful": 3},
                }
            ]
        ),
        "the examples of design",
    ),
    "consent": (lambda d: d.update(consent={"text": "You may stop."}), "the consent form"),
    "pay": (lambda d: d["pools"]["own"].update(pay={"cents": 55}), "the pay of pool"),
    "caps": (lambda d: d["pools"]["own"].update(caps={"tasks": 5}), "the caps of pool"),
    "pool size": (lambda d: d["pools"]["own"].update(raters=9), "the number of raters of pool"),
    "redundancy": (lambda d: d.update(redundancy=5), "the number of ratings per item"),
    "calendar": (lambda d: d.update(batches=CALENDAR), "the calendar"),
    "aim": (lambda d: question(d).update(aim="another note"), ""),
    "aspect": (lambda d: d["aspects"]["usefulness"].update(title="Use"), "the aspects"),
}


@pytest.mark.parametrize("name", KEEPS)
def test_a_harmless_change_keeps_every_task(name: str):
    edit, said = KEEPS[name]
    old, new = parse(yaml.safe_dump(study_data(), sort_keys=False)), edited(edit)
    found = compare(old, new)
    assert (found.renewed, found.added, found.removed) == ((), (), ())
    assert [each for each in found.kept if said and said in each] or not said
    assert [asked_content(old, each) for each in all_conditions(old)] == [
        asked_content(new, each) for each in all_conditions(new)
    ]


RENEWS: dict[str, tuple[Edit, str, bool]] = {
    "question": (
        lambda d: question(d).update(text="Is it useful?"),
        'the text of question "Is it useful?" changed',
        True,
    ),
    "option": (lambda d: point(d).update(name="Useless"), 'scale "useful" changed', True),
    "definition": (lambda d: point(d).update(meaning="It does not help."), 'scale "useful" changed', False),
    "new point": (
        lambda d: d["scales"]["useful"]["points"].append({"code": 4, "name": "Perfect"}),
        'scale "useful" changed',
        False,
    ),
    "score": (lambda d: point(d).update(score=0.1), 'scale "useful" changed', False),
    "new question": (
        lambda d: design(d)["questions"].append({"name": "why", "type": "text", "text": "Why?"}),
        'question "Why?" is new',
        False,
    ),
    "optional": (
        lambda d: question(d).update(required=False),
        'question "How useful is the marked reply?" changed',
        False,
    ),
}


@pytest.mark.parametrize("name", RENEWS)
def test_what_is_asked_makes_tasks_new(name: str):
    edit, reason, reworded = RENEWS[name]
    old, new = parse(yaml.safe_dump(study_data(), sort_keys=False)), edited(edit)
    found = compare(old, new)
    assert [(each.condition, each.reasons, each.reworded) for each in found.renewed] == [
        ("SECRET0", (reason,), reworded),
        ("SECRET3", (reason,), reworded),
    ]


def test_what_one_condition_shows_makes_its_tasks_new_and_no_others():
    old = parse(yaml.safe_dump(study_data(), sort_keys=False))
    new = edited(lambda d: d["conditions"]["SECRET3"].update(context="C7"))
    (only,) = compare(old, new).renewed
    assert (only.condition, only.reasons, only.reworded) == ("SECRET3", ("shows other text",), False)


def test_conditions_come_and_go():
    old = parse(yaml.safe_dump(study_data(), sort_keys=False))
    new = edited(lambda d: d.update(conditions={"SECRET0": d["conditions"]["SECRET0"], "C9": {}}))
    found = compare(old, new)
    assert (found.added, found.removed, found.renewed) == (("C9",), ("SECRET3",), ())


def test_a_scale_that_no_question_uses_is_no_content():
    old = parse(yaml.safe_dump(study_data(), sort_keys=False))
    new = edited(
        lambda d: d["scales"].update(other={"points": [{"code": 1, "name": "A"}, {"code": 2, "name": "B"}]})
    )
    assert compare(old, new).renewed == ()
