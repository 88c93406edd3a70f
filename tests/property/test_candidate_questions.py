"""Grid, preference and ranking take exactly what their models allow, said here in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelwright.task import Asking
from labelwright.task.questions import QUESTION_TYPES, BadAnswer, Question
from labelwright.testing.questions import example_asking

ASKING = example_asking("candidates")
# One of everything that stands near a good answer, and things that no page sends.
THINGS = st.sampled_from(
    [
        *[None, True, False, 0, 1, 2, 3, 4, 9, -1, -3, 1.0, "1", "", "c0", [], [1], {}, {"choice": 1}],
        {"choice": 0, "explanation": {"reasons": ["generic"]}},
        {"words": "three good words"},
        {"words": "two only"},
        ["generic", "generic"],
        ["generic", "contradicts"],
        " ".join(["word"] * 31),
        "half \ud800",
    ]
)


def taken(question: Question, value: Any, asking: Asking = ASKING) -> bool:
    """Whether an answer could be submitted."""
    if question.is_empty(value):
        return False
    try:
        question.check_complete(question.check(value, asking))
    except BadAnswer:
        return False
    return True


def example(name: str, place: int = 0) -> Question:
    kind = QUESTION_TYPES[name]
    return kind.model_validate(kind.EXAMPLES[place])


def spoilt(value: Any, data: st.DataObject) -> Any:
    """The value with one thing in it replaced, added or taken away; or the value itself."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        if data.draw(st.integers(0, 4)) == 0:
            return {k: v for k, v in value.items() if k != key}
        if data.draw(st.integers(0, 4)) == 0:
            return value | {data.draw(st.sampled_from(["c3", "fit", "explanation", "x"])): data.draw(THINGS)}
        return value | {key: spoilt(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        index = data.draw(st.integers(0, len(value) - 1))
        return [*value[:index], spoilt(value[index], data), *value[index + 1 :]]
    return value if data.draw(st.integers(0, 3)) == 0 else data.draw(THINGS)


def is_number(value: Any) -> bool:
    return type(value) is int


@given(st.data(), st.integers(0, 2))
def test_a_preference_is_one_of_its_codes(data: st.DataObject, place: int):
    question = example("preference", place)
    allowed = [{-1, 0, 1}, {-3, -2, -1, 0, 1, 2, 3, 9}, {-2, -1, 1, 2}][place]
    value = spoilt(question.sample(ASKING, np.random.default_rng(data.draw(st.integers(0, 99)))), data)
    assert taken(question, value) == (is_number(value) and value in allowed)


@given(st.data(), st.integers(0, 1))
def test_a_ranking_is_an_order_of_all(data: st.DataObject, place: int):
    question = example("ranking", place)
    ties = place == 1
    value = spoilt(question.sample(ASKING, np.random.default_rng(data.draw(st.integers(0, 99)))), data)
    allowed = isinstance(value, list) and len(value) == 3 and all(is_number(rank) for rank in value)
    if allowed:
        # Each rank is one more than the number of different better ranks; without ties all ranks differ.
        allowed = all(rank == 1 + len({other for other in value if other < rank}) for rank in value)
        allowed &= ties or len(set(value)) == 3
    assert taken(question, value) == allowed


@given(st.data())
def test_a_grid_is_an_option_in_every_cell_with_what_it_asks_for(data: st.DataObject):
    question = example("grid")
    value = spoilt(question.sample(ASKING, np.random.default_rng(data.draw(st.integers(0, 99)))), data)
    assert taken(question, value) == (
        isinstance(value, dict)
        and set(value) == {"c0", "c1", "c2"}
        and all(_good_line(cells) for cells in value.values())
    )


def _good_line(cells: Any) -> bool:
    return (
        isinstance(cells, dict)
        and set(cells) == {"usefulness", "fit"}
        and all(isinstance(cell, dict) and set(cell) <= {"choice", "explanation"} for cell in cells.values())
        and all(is_number(cell.get("choice")) for cell in cells.values())
        and cells["usefulness"]["choice"] in (1, 2, 3)
        and _says_nothing(cells["usefulness"].get("explanation"))
        and (
            (cells["fit"]["choice"] == 1 and _says_nothing(cells["fit"].get("explanation")))
            or (cells["fit"]["choice"] == 0 and _says_why(cells["fit"].get("explanation")))
        )
    )


def _says_nothing(explanation: Any) -> bool:
    return explanation is None or (_readable(explanation) and not any(explanation.values()))


def _says_why(explanation: Any) -> bool:
    if explanation is None or not _readable(explanation):
        return False
    reasons, words = explanation.get("reasons") or [], (explanation.get("words") or "").split()
    known = all(reason in ("generic", "contradicts") for reason in reasons)
    return known and (not words or 3 <= len(words) <= 30) and bool(reasons or words)


def _readable(explanation: Any) -> bool:
    reasons, words = (
        (explanation.get(n) for n in ("reasons", "words")) if isinstance(explanation, dict) else (0, 0)
    )
    return (
        isinstance(explanation, dict)
        and set(explanation) <= {"reasons", "words"}
        and (reasons is None or (isinstance(reasons, list) and len(set(map(str, reasons))) == len(reasons)))
        and (words is None or (isinstance(words, str) and "\ud800" not in words))
    )


@given(st.permutations([0, 1, 2]), st.integers(0, 99))
def test_what_is_stored_does_not_depend_on_the_order_on_the_page(order: list[int], seed: int):
    turned = Asking(ASKING.scales, ASKING.item, tuple(order))
    for name in ("grid", "preference", "ranking"):
        question = example(name)
        sample = question.sample(ASKING, np.random.default_rng(seed))
        assert question.check(sample, turned) == question.check(sample, ASKING)
    view = example("preference").view(turned)
    for candidate, point in zip(view["candidates"], (view["points"][0], view["points"][-1]), strict=True):
        assert point["letter"] == candidate["letter"]
        assert point["code"] == (-1 if candidate["index"] == 0 else 1)
    shown = [candidate["text"] for candidate in example("grid").view(turned)["candidates"]]
    assert shown == [ASKING.item.candidates[index] for index in order]
