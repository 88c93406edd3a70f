"""Questions at the edges of what they take: one more is refused, one less too, and samples reach both ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from labelwright.scales import Point, Scale
from labelwright.task import Asking, StoredItem, item_parts
from labelwright.task.presentation import ItemParts
from labelwright.task.questions import QUESTION_TYPES, BadAnswer, Question
from labelwright.testing.questions import SCALES, example_asking

PLAIN = Asking(SCALES)
TEXT = "One is. Two is. Three is."
SENTENCES = [[0, 7], [8, 15], [16, 25]]


def ask(kind: str, **settings: Any) -> Any:
    return QUESTION_TYPES[kind].model_validate({"name": "q", "type": kind, "text": "?", **settings})


def about(text: str = TEXT, candidates: int = 0) -> Asking:
    return Asking(SCALES, ItemParts(passage=text, candidates=tuple(f"Reply {n}." for n in range(candidates))))


def takes(question: Question, value: Any, asking: Asking = PLAIN) -> bool:
    """Whether an answer can be submitted."""
    try:
        question.check_complete(question.check(value, asking))
    except BadAnswer:
        return False
    return True


def drawn(question: Question, asking: Asking = PLAIN, many: int = 300) -> list[Any]:
    random = np.random.default_rng(5)
    answers = [question.sample(asking, random) for _ in range(many)]
    assert all(takes(question, answer, asking) for answer in answers)
    return answers


def unsound(kind: str, **settings: Any) -> bool:
    try:
        ask(kind, **settings)
    except ValueError:
        return True
    return False


def options(*codes: int, **marks: Any) -> list[dict[str, Any]]:
    return [{"code": code, "name": f"n{code}"} | (marks if code == codes[-1] else {}) for code in codes]


# Text and numbers


def test_text_takes_as_many_words_as_it_says():
    question = ask("text", min_words=2, max_words=4)
    assert [takes(question, " ".join("w" * n)) for n in range(1, 6)] == [False, True, True, True, False]
    assert {len(answer.split()) for answer in drawn(question)} == {2, 3, 4}
    assert {len(answer.split()) for answer in drawn(ask("text", max_words=2))} == {1, 2}
    assert not unsound("text", min_words=5, max_words=5)
    assert unsound("text", min_words=5, max_words=4)
    assert [question.is_empty(value) for value in (None, " \n", "a", 0)] == [True, True, False, False]
    assert question.words("own", PLAIN)[0].private


def test_text_has_a_last_character():
    question = ask("text", max_words=3000)
    assert takes(question, "x" * 20_000)
    assert not takes(question, "x" * 20_001)
    assert question.check(" a\tb\r\nc ", PLAIN) == "a\tb\r\nc"


def test_numbers_have_ends_and_digits():
    question = ask("number", min=-1, max=2)
    assert [takes(question, n) for n in range(-2, 4)] == [False, True, True, True, True, False]
    assert set(drawn(question)) == {-1, 0, 1, 2}
    assert not takes(question, 1.0)
    tenths = ask("number", min=0.5, max=0.7, decimals=1)
    assert [takes(tenths, n) for n in (0.4, 0.5, 0.55, 0.7, 0.8)] == [False, True, False, True, False]
    assert set(drawn(tenths)) == {0.5, 0.6, 0.7}
    assert (tenths.code(0.5), question.code(2)) == (None, 2)
    assert repr(tenths.check(-0.0, PLAIN)) == "0.0"


def test_numbers_are_worded_with_their_unit():
    tenths = ask("number", decimals=2, unit="minutes")
    assert [str(tenths.words(n, PLAIN)[0].said[0]) for n in (1.5, 10.0, 0.25)] == [
        "1.5 minutes",
        "10 minutes",
        "0.25 minutes",
    ]
    assert ask("number").words(100, PLAIN)[0].said == ("100",)


def test_a_number_must_be_possible_and_says_what_keyboard_it_needs():
    assert not unsound("number", min=3, max=3)
    assert unsound("number", min=3, max=2)
    assert unsound("number", min=0.2, max=0.9)
    assert not unsound("number", min=0.2, max=1)
    assert not unsound("number", min=0.2, max=0.9, decimals=1)
    views = [ask("number", min=least, decimals=d).view(PLAIN) for least, d in ((0, 0), (-1, 1))]
    assert [(view["whole"], view["signed"]) for view in views] == [(True, False), (False, True)]
    # The largest number that is taken at all is a billion, on both sides of zero.
    assert takes(ask("number"), 10**9)
    assert ask("number", min=-(10**9)).check(-(10**9), PLAIN) == -(10**9)
    with pytest.raises(BadAnswer):
        ask("number").check(10**9 + 1, PLAIN)


# Choices


def test_several_choices_have_a_least_and_a_most():
    question = ask("choices", options=options(1, 2, 3, 4, 0, no_answer=True), least=2, most=3)
    assert [takes(question, list(range(1, n + 1))) for n in range(1, 5)] == [False, True, True, False]
    assert takes(question, [0])
    assert not takes(question, [0, 1])
    assert question.check([3, 1], PLAIN) == [1, 3]
    assert {len(answer) for answer in drawn(question)} == {2, 3}
    assert {len(answer) for answer in drawn(ask("choices", options=options(1, 2, 3)))} == {1, 2, 3}
    # Three can be chosen: not four of them, and not three where at most two may be.
    three = options(1, 2, 3)
    assert [unsound("choices", options=three, least=n) for n in (3, 4)] == [False, True]
    assert [unsound("choices", options=three, least=n, most=2) for n in (2, 3)] == [False, True]


def test_each_choice_is_a_judgment_of_its_own():
    question = ask("choices", options=options(1, 2, 0, no_answer=True), aspect="a")
    parts = question.parts([2])
    assert {name: (part.aspect, part.value, part.code) for name, part in parts.items()} == {
        "1": ("a", False, 0),
        "2": ("a", True, 1),
    }
    assert question.parts([0]) == {}
    assert list(question.answer_scales(SCALES)) == ["1", "2"]
    assert question.option_codes(SCALES) == (1, 2, 0)
    assert (question.part_text("2"), question.part_text("9")) == ("n2", "9")
    assert question.words([1, 0], PLAIN)[0].said == ("n1", "n0")
    assert [point["alone"] for point in question.view(PLAIN)["points"]] == [False, False, True]
    assert [question.is_empty(value) for value in (None, [], [1])] == [True, True, False]


def test_yes_and_no_are_told_as_such():
    question = ask("yes_no", yes_score=None)
    assert [str(question.words(value, PLAIN)[0].said[0]) for value in (True, False)] == ["Yes", "No"]
    assert [(p.code, p.name, p.score) for p in question.answer_scales(SCALES)[""].points] == [
        (0, "No", 0),
        (1, "Yes", None),
    ]


def test_yes_and_no_are_drawn_equally_often():
    assert 120 <= sum(drawn(ask("yes_no"))) <= 180


def test_confidence_is_a_point_or_up_to_a_hundred():
    free = ask("confidence", low="Guess", high="Certain")
    assert [takes(free, n) for n in (-1, 0, 100, 101)] == [False, True, True, False]
    answers = drawn(free, many=3000)
    assert (min(answers), max(answers)) == (0, 100)
    assert free.answer_scales(SCALES) == {}
    points = ask("confidence", scale="fit")
    assert [takes(points, n) for n in (-1, 0, 1, 2)] == [False, True, True, False]
    assert points.answer_scales(SCALES) == {"": SCALES["fit"]}
    assert (points.words(1, PLAIN)[0].said[0], str(free.words(7, PLAIN)[0].said[0])) == ("Good", "7 of 100")


def test_options_stand_in_a_row_while_they_fit():
    from labelwright.task.questions.options import fits_a_row

    def row(*names: str, **settings: Any) -> bool:
        points = tuple(Point(code=code, name=name) for code, name in enumerate(names))
        return fits_a_row(Scale(points=points, **settings))

    letters, most = (_limit(name) for name in ("LETTERS_IN_A_ROW", "MOST_IN_A_ROW"))
    # A phone holds 50 letters of smaller type, and seven fingers.
    assert (letters, most) == (50, 7)
    # The longest word times the number of points: exactly as many letters as fit, and one point of a word too long.
    assert row("x" * (letters // 2), "y")
    assert not row("x" * (letters // 2 + 1), "y")
    assert row(*"abcdefghijklmnop"[:most])
    assert not row(*"abcdefghijklmnop"[: most + 1])
    assert not row("a", "b", ordered=False)
    assert not fits_a_row(SCALES["useful"])


def _limit(name: str) -> int:
    from labelwright.task.questions import options as module

    return int(getattr(module, name))


# Candidates


def test_a_preference_has_codes_on_both_sides():
    plain = ask("preference")
    strong = ask("preference", strengths=["{letter} much", "{letter} bit"], tie=False, both_bad=True)
    assert plain.codes == (-1, 0, 1)
    assert strong.codes == (-2, -1, 1, 2, 9)
    assert set(drawn(strong, about(candidates=2))) == {-2, -1, 1, 2, 9}
    assert [plain.applies(about(candidates=n)) for n in (1, 2)] == [False, True]
    assert [ask("preference", pair=(0, 2)).applies(about(candidates=n)) for n in (2, 3)] == [False, True]
    assert [unsound("preference", pair=pair) for pair in ((0, 1), (1, 1), (1, 0))] == [False, True, True]
    assert unsound("preference", strengths=["{letter} much", "much"])


def test_a_preference_means_the_same_whichever_side_it_was_shown_on():
    question = ask("preference", strengths=["{letter} much", "{letter} bit"], both_bad=True, pair=(0, 2))
    names = {point.code: (point.name, point.mixed) for point in question.answer_scales(SCALES)[""].points}
    assert names == {
        -2: ("c0 much", False),
        -1: ("c0 bit", False),
        0: ("tie", False),
        1: ("c2 bit", False),
        2: ("c2 much", False),
        9: ("both bad", True),
    }
    sides = question.sides()
    assert sides.codes == {
        0: {-2: 2, -1: 1, 0: 0, 1: -1, 2: -2, 9: 9},
        2: {n: n for n in (-2, -1, 0, 1, 2, 9)},
    }
    assert [point.name for point in sides.scale.points] == [
        "the other one much",
        "the other one bit",
        "tie",
        "this one bit",
        "this one much",
        "both bad",
    ]
    # Shown in the order 2, 1, 0: candidate 2 is A and candidate 0 is C; A's answers come first, strongest first.
    asking = replace(about(candidates=3), order=(2, 1, 0))
    view = question.view(asking)
    assert [shown["letter"] for shown in view["candidates"]] == ["A", "C"]
    assert [(point["code"], point["name"]) for point in view["points"]] == [
        (2, "A much"),
        (1, "A bit"),
        (0, ""),
        (-1, "C bit"),
        (-2, "C much"),
        (9, ""),
    ]
    said = [str(question.words(code, asking)[0].said[0]) for code in (-2, 1, 0, 9)]
    assert said[:2] == ["C much", "A bit"]
    worded = ask("preference", tie="Same", both_bad="Neither")
    assert [worded.words(code, about(candidates=2))[0].said[0] for code in (0, 9)] == ["Same", "Neither"]
    assert [point.name for point in worded.answer_scales(SCALES)[""].points][1::2] == ["Same", "Neither"]
    assert str(ask("preference").words(1, about(candidates=2))[0].said[0]) == "B is better"


def test_a_ranking_has_no_gaps_and_ties_only_where_allowed():
    strict, ties = ask("ranking"), ask("ranking", ties=True)
    three = about(candidates=3)
    assert [takes(strict, ranks, three) for ranks in ([1, 2, 3], [3, 1, 2], [1, 1, 2], [1, 2, 2])] == [
        True,
        True,
        False,
        False,
    ]
    assert [
        takes(ties, ranks, three) for ranks in ([1, 1, 2], [1, 1, 1], [1, 1, 3], [2, 2, 3], [0, 1, 2])
    ] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert not takes(strict, [1, 2, None], three)
    assert strict.check([1, 2, None], three) == [1, 2, None]
    assert {tuple(answer) for answer in drawn(strict, three)} == {
        (1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)
    }  # fmt: skip
    # Weak orders of three: 13.
    assert len({tuple(answer) for answer in drawn(ties, three)}) == 13
    assert [strict.applies(about(candidates=n)) for n in (0, 1, 2, 9, 10)] == [
        False,
        False,
        True,
        True,
        False,
    ]
    assert [strict.is_empty(value) for value in (None, [None, None], [None, 1], [1])] == [
        True,
        True,
        False,
        False,
    ]


def test_listed_options_are_ranked_by_their_names():
    listed = [{"name": "speed", "text": "Fast"}, {"name": "tone", "text": "Kind"}]
    question = ask("ranking", options=listed, aspect="a")
    assert {name: part.code for name, part in question.parts([2, 1]).items()} == {"speed": 2, "tone": 1}
    assert list(question.parts([None, 1])) == ["tone"]
    assert list(ask("ranking").parts([2, 1])) == ["c0", "c1"]
    scales = question.answer_scales(SCALES)
    assert (list(scales), scales["tone"].codes) == (["speed", "tone"], (1, 2, 3, 4, 5, 6, 7, 8, 9))
    assert list(ask("ranking").answer_scales(SCALES)) == ["*"]
    assert question.part_text("tone") == "Kind"
    assert question.part_text("c0") != "Kind"
    lines = question.words([2, 1], PLAIN)
    assert [(line.part, line.letter, line.about) for line in lines] == [
        ("tone", "B", "Kind"),
        ("speed", "A", "Fast"),
    ]
    assert unsound("ranking", options=listed[:1])
    assert unsound("ranking", options=[listed[0], listed[0]])
    assert unsound("ranking", options=[listed[0], {"name": "c1", "text": "x"}])


def test_a_grid_asks_each_line_of_each_candidate():
    criteria = [
        {"name": "fit", "title": "Fit", "scale": "fit", "aspect": "a"},
        {"name": "use", "title": "Use", "scale": "useful"},
    ]
    question, two = ask("grid", criteria=criteria), about(candidates=2)
    whole = {key: {"fit": {"choice": 1}, "use": {"choice": 3}} for key in ("c0", "c1")}
    assert takes(question, whole, two)
    assert not takes(question, {"c0": whole["c0"]}, two)
    assert not takes(question, whole | {"c2": whole["c0"]}, two)
    assert [question.applies(about(candidates=n)) for n in (0, 1)] == [False, True]
    assert {name: (part.aspect, part.code) for name, part in question.parts(whole).items()} == {
        "c0.fit": ("a", 1),
        "c0.use": (None, 3),
        "c1.fit": ("a", 1),
        "c1.use": (None, 3),
    }
    assert question.answer_scales(SCALES) == {"*.fit": SCALES["fit"], "*.use": SCALES["useful"]}
    assert (question.part_text("c1.use"), question.part_text("c1.other")) == ("Use", "c1.other")
    lines = question.words(whole, replace(two, order=(1, 0)))
    assert [(line.letter, line.part, line.said[0]) for line in lines][:2] == [
        ("A", "c1.fit", "Good"),
        ("A", "c1.use", "Very useful"),
    ]
    assert unsound("grid", criteria=[criteria[0], criteria[0]])
    # A meaning of a point (of the scale "useful"), or a guideline, is something to look up.
    assert question.view(two)["guided"]
    assert not ask("grid", criteria=criteria[:1]).view(two)["guided"]
    assert ask("grid", criteria=[criteria[0] | {"guideline": "One.\n\n \n\nTwo."}]).view(two)["criteria"][0][
        "guideline"
    ] == ["One.", "Two."]


# Parts of a text


def test_spans_end_with_the_text_and_do_not_overlap():
    question, asking = ask("spans", min_spans=2, max_spans=3, max_characters=10), about()
    end = len(TEXT)
    assert takes(question, [[0, 3], [3, 6]], asking)
    assert takes(question, [[0, 3], [end - 4, end]], asking)
    assert not takes(question, [[0, 3], [end - 4, end + 1]], asking)
    assert not takes(question, [[-1, 3], [4, 6]], asking)
    assert not takes(question, [[0, 4], [3, 6]], asking)
    assert [takes(question, [[0, 1], [8, 8 + n]], asking) for n in (10, 11)] == [True, False]
    assert not takes(question, [[0, 1], [3, 4]], asking)
    assert [takes(question, [[n, n + 1] for n in (0, 1, 4, 5)[:many]], asking) for many in (1, 2, 3, 4)] == [
        False,
        True,
        True,
        False,
    ]
    assert question.check([[8, 9], [0, 1]], asking) == [[0, 1], [8, 9]]
    assert {len(answer) for answer in drawn(question, asking)} == {2, 3}
    assert [unsound("spans", min_spans=3, max_spans=most) for most in (3, 2)] == [False, True]
    assert [ask("spans", min_spans=3).applies(about(text)) for text in ("ab ", "ab c")] == [False, True]
    assert [ask("spans", min_spans=3, none="No").applies(about(text)) for text in (" ", "a")] == [False, True]


def test_a_few_words_are_sampled_as_far_as_the_text_reaches():
    # At most three more than are wanted at least; six words, so two to five of them.
    assert {len(answer) for answer in drawn(ask("spans", min_spans=2, max_spans=9), about())} == {2, 3, 4, 5}
    # One word is fewer than three spans, so its letters are marked.
    assert {tuple(map(tuple, answer)) for answer in drawn(ask("spans", min_spans=3), about("abc"), 20)} == {
        ((0, 1), (1, 2), (2, 3))
    }
    nothing = [not answer for answer in drawn(ask("spans", none="Nothing"), about(), 1000)]
    # About one in five finds nothing.
    assert 150 < sum(nothing) < 250
    long = drawn(ask("spans", max_characters=2), about("abcdef"), 5)
    assert long == [[[0, 2]]] * 5


def test_marked_parts_have_kinds_and_may_be_none():
    kinds = [{"name": "fact", "label": "Fact"}, {"name": "view", "label": "View"}]
    question, asking = ask("spans", kinds=kinds, none="Nothing"), about()
    assert takes(question, [[0, 3, "view"]], asking)
    assert not takes(question, [[0, 3]], asking)
    assert not takes(question, [[0, 3, "other"]], asking)
    assert {span[2] for answer in drawn(question, asking) for span in answer} == {"fact", "view"}
    assert str(question.words([[0, 3, "view"]], asking)[0].said[0]) == "View: “One”"
    assert question.words([], asking)[0].said == ("Nothing",)
    assert question.selected([[0, 3, "view"], [4, 6, "fact"]]) == ((0, 3), (4, 6))
    assert {name: (part.value, part.code) for name, part in question.parts([]).items()} == {
        "found": (False, 0)
    }
    assert question.parts([[0, 3, "view"]])["found"].code == 1
    assert list(question.answer_scales(SCALES)) == ["found"]
    bare = ask("spans")
    assert (bare.parts([[0, 3]]), bare.answer_scales(SCALES)) == ({}, {})
    assert str(bare.words([[0, 3]], asking)[0].said[0]) == "“One”"
    assert unsound("spans", kinds=[kinds[0], kinds[0]])


def test_sentences_are_chosen_between_a_least_and_a_most():
    question, asking = ask("sentences", min_sentences=2, max_sentences=2), about()

    def chosen(*places: int) -> dict[str, Any]:
        return {"sentences": SENTENCES, "chosen": list(places)}

    assert [takes(question, chosen(*range(n)), asking) for n in (1, 2, 3)] == [False, True, False]
    assert [takes(question, chosen(0, n), asking) for n in (2, 3, -1)] == [True, False, False]
    assert not takes(question, chosen(0, 0), asking)
    assert question.check({"chosen": [2, 0]}, asking) == chosen(0, 2)
    assert {len(answer["chosen"]) for answer in drawn(question, asking)} == {2}
    assert {len(answer["chosen"]) for answer in drawn(ask("sentences"), asking)} == {1, 2, 3}
    assert {len(answer["chosen"]) for answer in drawn(ask("sentences", max_sentences=9), asking)} == {1, 2, 3}
    assert [ask("sentences", min_sentences=n).applies(asking) for n in (3, 4)] == [True, False]
    assert ask("sentences", min_sentences=4, none="None").applies(asking)
    assert not ask("sentences", none="None").applies(about(" "))
    none = ask("sentences", min_sentences=4, none="None of them")
    assert all(answer["chosen"] == [] for answer in drawn(none, asking, 10))
    assert takes(none, chosen(), asking)
    assert none.words(chosen(), asking)[0].said == ("None of them",)
    assert [str(each) for each in question.words(chosen(0, 2), asking)[0].said] == [
        "“One is.”",
        "“Three is.”",
    ]
    assert {name: part.code for name, part in question.parts(chosen(1)).items()} == {
        "s0": 0,
        "s1": 1,
        "s2": 0,
    }
    assert question.selected(chosen(1, 2)) == ((8, 15), (16, 25))
    assert list(question.answer_scales(SCALES)) == ["*"]
    assert question.part_text("s0")
    assert 150 < sum(not a["chosen"] for a in drawn(ask("sentences", none="None"), asking, 1000)) < 250
    assert [unsound("sentences", min_sentences=3, max_sentences=most) for most in (3, 2)] == [False, True]
    assert [view["text"] for view in question.view(asking)["sentences"]] == [
        "One is.",
        "Two is.",
        "Three is.",
    ]


# Attention


def dialogue(*texts: str, **settings: Any) -> Asking:
    turns = tuple({"speaker": "user", "text": text} for text in texts)
    return Asking(SCALES, ItemParts(before=turns[:-1], focus=turns[-1:]), **settings)


def test_turns_shown_are_counted_among_five_numbers():
    question = ask("attention", asks="turns_shown")
    places = set()
    for seed in range(60):
        asking = dialogue("a", "b", "c", "d", "e", "f", seed=seed, key="k")
        options = question.options(asking)
        assert [int(option) for option in options] == list(range(int(options[0]), int(options[0]) + 5))
        places.add(options.index("6"))
        assert question.check(options.index("6") + 1, asking) == {"chosen": "6", "right": True}
    # The right number stands at each of the five places for some seed.
    assert places == {0, 1, 2, 3, 4}
    # Two turns: never an option below one.
    assert {question.options(dialogue("a", "b", seed=seed))[0] for seed in range(60)} == {"1", "2"}
    one = dialogue("a", seed=3)
    assert [takes(question, n, one) for n in (0, 1, 5, 6)] == [False, True, True, False]
    assert set(drawn(question, one)) == {1, 2, 3, 4, 5}
    assert question.right(Asking(SCALES)) is None
    assert not question.applies(Asking(SCALES))
    assert [point["code"] for point in question.view(one)["points"]] == [1, 2, 3, 4, 5]
    assert question.view(one)["numbers"]


def test_what_is_named_last_is_found_among_what_is_named():
    names = ["Rome", "Oslo", "Bonn", "Bern", "Riga", "Kyiv"]
    question = ask("attention", asks="named_last", entities={"by": "names", "names": names})
    asking = dialogue(
        "Rome and Oslo", "Bonn, Bern, Riga?", "Rome is nice, Oslo and then Rome, so Kyiv, Oslo."
    )
    # "Oslo" is named last, whatever was named before; of the five others four are offered beside it.
    assert question.right(asking) == "Oslo"
    assert (len(question.options(asking)), "Oslo" in question.options(asking)) == (5, True)
    assert not question.view(asking)["numbers"]
    assert [question.applies(dialogue(text)) for text in ("none", "Rome", "Rome, Oslo")] == [
        False,
        False,
        True,
    ]
    assert question.right(dialogue("Rome", "nothing")) is None
    stored = {"chosen": "Oslo", "right": False}
    assert question.check(stored, asking)["right"]
    assert not takes(question, {"chosen": "Oslo", "more": 1}, asking)
    assert not takes(question, {"right": True}, asking)
    assert (question.code({"right": True}), question.code({"right": False})) == (1, 0)


def test_an_attention_check_is_asked_of_one_in_so_many():
    asked = [
        ask("attention", asks="turns_shown", one_in=4).applies(dialogue("a", "b", key=str(n)))
        for n in range(400)
    ]
    # A quarter of 400, give or take three standard deviations of 8.7.
    assert 74 <= sum(asked) <= 126
    assert all(
        ask("attention", asks="turns_shown").applies(dialogue("a", "b", key=str(n))) for n in range(20)
    )


# What is shown


def test_the_text_under_judgment_is_the_passage_or_the_target():
    turns = [{"speaker": "user", "text": "Where?"}, {"speaker": "system", "text": "Here."}]
    whole = item_parts(StoredItem("dialogue", turns, 0), example_recipe())
    assert (whole.text, whole.turns) == ("", tuple(turns))
    query = item_parts(StoredItem("query", turns, 1, {"passage": {"text": "Long ago."}}), example_recipe())
    assert (query.text, query.focus[0]["text"]) == ("Long ago.", "Here.")
    assert dialogue("a", "b").item.text == "b"


def example_recipe() -> Any:
    from labelwright.testing.questions import RECIPE

    return RECIPE


def test_letters_follow_the_order_of_the_page():
    from labelwright.task.candidates import letters_of

    asking = replace(example_asking("candidates"), order=(2, 0, 1))
    texts = asking.item.candidates
    assert letters_of(asking) == [("A", texts[2]), ("B", texts[0]), ("C", texts[1])]
