"""Checks made from the item, and answers against known ones."""

from __future__ import annotations

from collections import Counter

import pytest

from labelwright.scales import Point, Scale
from labelwright.task import Asking, ItemParts
from labelwright.task.questions import BadAnswer
from labelwright.task.questions.attention import AttentionQuestion
from labelwright.task.reference import Reference, matches

SCALES = {"yes": Scale(points=(Point(code=0, name="No"), Point(code=1, name="Yes")))}


def turn(speaker: str, text: str, *titles: str) -> dict[str, object]:
    meta = {"meta": {"mentions": [{"title": title} for title in titles]}} if titles else {}
    return {"speaker": speaker, "text": text, **meta}


def asked(parts: ItemParts, key: str = "k") -> Asking:
    return Asking(SCALES, parts, key=key, seed=7)


EXCHANGE = ItemParts(
    before=(turn("user", "I liked Heat (1995).", "Heat (1995)"),),
    focus=(
        turn("user", "More of that?"),
        # Marked in another order than they are named.
        turn("system", "Try Speed (1994), or Ronin (1998).", "Ronin (1998)", "Speed (1994)"),
    ),
)


def question(asks: str, **more: object) -> AttentionQuestion:
    return AttentionQuestion.model_validate(
        {"name": "look", "type": "attention", "text": "?", "asks": asks, **more}
    )


def test_the_turns_that_are_shown_are_counted_not_those_of_the_dialogue():
    counted = question("turns_shown")
    assert counted.right(asked(EXCHANGE)) == "3"
    assert counted.right(asked(ItemParts(focus=EXCHANGE.focus))) == "2"
    places = Counter(counted.options(asked(EXCHANGE, f"k{n}")).index("3") for n in range(200))
    # The right one stands at every place that numbers from 1 up allow.
    assert set(places) == {0, 1, 2}


def test_the_entity_named_last_stands_last_in_the_text():
    named = question("named_last")
    assert named.right(asked(EXCHANGE)) == "Ronin (1998)"
    assert sorted(named.options(asked(EXCHANGE))) == ["Heat (1995)", "Ronin (1998)", "Speed (1994)"]
    options = named.options(asked(EXCHANGE))
    wrong = named.check(options.index("Speed (1994)") + 1, asked(EXCHANGE))
    assert wrong == {"chosen": "Speed (1994)", "right": False}
    assert named.code(named.check(options.index("Ronin (1998)") + 1, asked(EXCHANGE))) == 1
    # Nobody can say themselves that they are right.
    assert named.check(wrong | {"right": True}, asked(EXCHANGE)) == wrong
    with pytest.raises(BadAnswer):
        named.check({"chosen": "Casino (1995)"}, asked(EXCHANGE))


def test_a_check_without_an_answer_is_left_out():
    plain = ItemParts(focus=(turn("user", "Hi"), turn("system", "Hello")))
    alone = ItemParts(focus=(turn("user", "Hi"), turn("system", "See Heat.", "Heat (1995)")))
    assert not question("named_last").applies(asked(plain))
    # With one name on the page there is nothing to choose from.
    assert not question("named_last").applies(asked(alone))
    assert not question("turns_shown").applies(asked(ItemParts(passage="Only this.")))
    placed = [question("turns_shown", one_in=4).applies(asked(EXCHANGE, f"k{n}")) for n in range(1000)]
    # A quarter of 1000, within four standard deviations of a binomial (13.7 each).
    assert 195 < sum(placed) < 305


def test_the_page_knows_the_options_and_not_which_is_right():
    view = question("named_last").view(asked(EXCHANGE))
    assert not {"right", "asks", "entities", "one_in"} & set(view)
    assert [set(point) for point in view["points"]] == [{"code", "name"}] * 3


@pytest.mark.parametrize(
    ("answer", "right", "tolerance", "good"),
    [
        (True, 1, 0, True),
        (None, 1, 5, False),
        ("x", 1, 5, False),
        ({"c0": 1, "c1": 2}, {"c0": 1}, 0, True),
        ({"c1": 2}, {"c0": 1}, 0, False),
        ([{"start": 0, "end": 10}], [{"start": 5, "end": 10}], 0.5, True),
        ([{"start": 0, "end": 10}], [{"start": 5, "end": 10}], 0.4, False),
        ([], [], 0, True),
        (["b", "a"], ["a", "b"], 0, True),
        ("CAFÉ", "cafe\u0301", 0, True),
    ],
)
def test_how_far_an_answer_may_be_off(answer: object, right: object, tolerance: float, good: bool):
    assert matches(answer, right, tolerance) is good
    assert Reference(answer=right, tolerance=tolerance).met_by(answer) is good
