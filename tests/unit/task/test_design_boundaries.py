"""Designs, references, explanations, stages and grouping at their edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from labelwright.corpus import Item
from labelwright.scales import Point, Scale
from labelwright.task import Asking
from labelwright.task.answers import check_answers, check_draft, sheets
from labelwright.task.dependency import When
from labelwright.task.design import TaskDesign, scale_under
from labelwright.task.examples import ExampleItem
from labelwright.task.explanations import Explanations, OptionExplanation
from labelwright.task.gold import gold_problems, misplaced_gold
from labelwright.task.grouping import TasksPart, group_gold, group_items
from labelwright.task.labels import DerivedLabel
from labelwright.task.presentation import ItemParts
from labelwright.task.questions import BadAnswer
from labelwright.task.reference import Reference, matches
from labelwright.task.stages import Chosen, StagePart, kept_spans, stage_items, stage_problems
from labelwright.testing.questions import SCALES


def design(*questions: dict[str, Any], **parts: Any) -> TaskDesign:
    asked = [{"text": "?", **question} for question in questions]
    return TaskDesign.model_validate(
        {"title": "T", "lead": "L", "instructions": "I", "questions": asked, **parts}
    )


def items(count: int, dialogue: str = "") -> list[Item]:
    return [Item(f"i{n:03d}", dialogue or f"d{n}", n, None) for n in range(count)]


# Grouping


def test_tasks_hold_as_many_items_as_asked_and_the_last_one_the_rest():
    groups = group_items(items(7), TasksPart(items_per_task=3), seed=1)
    assert [len(group) for group in groups] == [3, 3, 1]
    assert sorted(key for group in groups for key in group) == [f"i{n:03d}" for n in range(7)]
    assert groups != group_items(items(7), TasksPart(items_per_task=3), seed=2)
    assert group_items(items(2), TasksPart(), seed=1) == [("i000",), ("i001",)]
    with pytest.raises(ValueError, match="not both"):
        TasksPart(items_per_task=2, together="dialogue")


def test_what_belongs_together_stands_in_the_order_of_the_dialogue():
    mixed = [Item("b", "d", 5, None), Item("a", "d", 1, None), Item("c", "e", 3, None)]
    assert group_items(mixed, TasksPart(together="dialogue"), seed=1) == [("a", "b"), ("c",)]


def test_gold_items_are_met_one_by_one_or_with_their_dialogue():
    mixed = [Item("b", "d", 5, None), Item("a", "d", 1, None), Item("c", "e", 3, None)]
    assert group_gold(mixed, TasksPart(gold_one_in=10)) == [("b",), ("a",), ("c",)]
    assert group_gold(mixed, TasksPart(gold_one_in=10, items_per_task=20)) == [("b",), ("a",), ("c",)]
    assert group_gold(mixed, TasksPart(gold_one_in=10, together="dialogue")) == [("a", "b"), ("c",)]


# References


@pytest.mark.parametrize(
    ("answer", "right", "tolerance", "good"),
    [
        (4, 3, 1, True),
        (4.1, 3, 1, False),
        (True, 1, 0, True),
        ("  A\u0301  b ", "á B", 0, True),
        ("a", "b", 9, False),
        ([[0, 8]], [[0, 10]], 0.2, True),
        ([[0, 8]], [[0, 10]], 0.19, False),
        ([[0, 8, "x"]], [[0, 8, "y"]], 0.5, False),
        ([{"start": 0, "end": 4}], [[0, 4]], 0, True),
        ([[0, 4]], [[0, 4], [6, 10]], 0.5, True),
        ([], [], 0, True),
        ([1, 2], [1, 2, 3], 0.34, True),
        ([1, 2], [1, 2, 3], 0.33, False),
        ([[1, 2, 3]], [[1, 2, 3]], 0, True),
        ([[1, 2, 3]], [[1, 3, 2]], 0.9, False),
        ({"a": 1, "b": 2}, {"a": 1}, 0, True),
        ({"b": 2}, {"a": 1}, 0, False),
        (1, {"a": 1}, 0, False),
        (None, 1, 0, False),
    ],
)
def test_an_answer_matches_within_its_tolerance(answer: Any, right: Any, tolerance: float, good: bool):
    assert matches(answer, right, tolerance) is good
    assert Reference(answer=right, tolerance=tolerance).met_by(answer) is good


def test_a_reference_may_be_written_as_a_bare_value():
    assert Reference.model_validate({"a": 1}).answer == {"a": 1}
    assert Reference.model_validate({"answer": 2, "reason": "so"}).reason == "so"


def test_gold_is_checked_with_and_without_its_item():
    asked = design(
        {"name": "fits", "type": "yes_no"},
        {
            "name": "choice",
            "type": "choice",
            "options": [{"code": 1, "name": "a"}, {"code": 2, "name": "b"}],
            "explanations": {"options": {1: {"need": "required"}}},
        },
        {"name": "spans", "type": "spans"},
    )

    def problems(**answers: Any) -> list[str]:
        gold = {"i": {name: Reference.model_validate(value) for name, value in answers.items()}}
        return list(gold_problems(gold, [asked], SCALES))

    assert problems(fits=True, choice=2, spans=[[0, 99]]) == []
    # A code alone will do, also where a rater would have to explain it.
    assert problems(choice=1) == []
    assert len(problems(choice=3)) == len(problems(choice=True)) == len(problems(fits="maybe")) == 1
    assert "choice, fits, spans" in problems(gone=1)[0]
    asking = Asking(SCALES, ItemParts(passage="Ten letters"))
    short = Asking(SCALES, ItemParts(passage="Ten"))
    gold = {"i": {"spans": Reference(answer=[[0, 11]]), "fits": Reference(answer=True)}}
    assert list(misplaced_gold(gold, {"i": [asking]}, [asked])) == []
    # One condition that shows enough of the text will do.
    assert list(misplaced_gold(gold, {"i": [short, asking]}, [asked])) == []
    assert len(list(misplaced_gold(gold, {"i": [short]}, [asked]))) == 1
    # What needs no item is not checked beside it: that was done with the study file.
    plain = {"i": {"fits": Reference(answer="maybe")}}
    assert list(misplaced_gold(plain, {"i": [asking]}, [asked])) == []


# Designs, labels and conditions on answers


def test_a_design_knows_its_questions_and_scales():
    fit = SCALES["fit"]
    label = {
        "name": "ok",
        "scale": "fit",
        "aspect": "b",
        "rules": [{"when": {"question": "useful", "is": 3}, "code": 1}],
    }
    made = design(
        {"name": "useful", "type": "scale", "scale": "useful", "aspect": "a"},
        # Whatever it says, an attention check measures no aspect.
        {"name": "look", "type": "attention", "asks": "turns_shown", "aspect": "a"},
        {"name": "many", "type": "choices", "options": [{"code": 1, "name": "x"}, {"code": 2, "name": "y"}]},
        feedback=[{"name": "sure", "type": "confidence", "text": "?"}],
        labels=[label, {**label, "name": "other", "aspect": None}],
    )
    assert (made.needs_item, made.attention_checks) == (True, {"look"})
    assert not design({"name": "a", "type": "yes_no"}).needs_item
    assert made.question("many").name == "many"
    assert made.question("sure") is made.question("gone") is None
    assert set(made.answer_scales(SCALES)) == {"useful", "many.1", "many.2", "ok", "other"}
    judged = [(column.name, column.aspect, column.scale) for column in made.judgments(SCALES)]
    assert judged == [("useful", "a", SCALES["useful"]), ("ok", "b", fit)]
    with pytest.raises(ValueError, match="are called useful"):
        design({"name": "useful", "type": "yes_no"}, labels=[{**label, "name": "useful"}])
    with pytest.raises(ValueError, match="are called a"):
        design({"name": "a", "type": "yes_no"}, {"name": "a", "type": "yes_no"})


def test_a_star_stands_for_one_step_of_a_name():
    one, two = (Scale(points=(Point(code=0, name="n"), Point(code=1, name=name))) for name in ("a", "b"))
    scales = {"q.*.fit": one, "q.c1.fit": two, "*": two}
    assert scale_under("q.c0.fit", scales) is one
    assert scale_under("q.c1.fit", scales) is two
    assert scale_under("plain", scales) is two
    assert scale_under("q.c0", scales) is scale_under("q.c0.fit.more", scales) is None


def test_a_label_is_that_of_the_first_rule_that_fits():
    label = DerivedLabel(
        name="l",
        scale="s",
        rules=[
            {"when": [{"question": "a", "is": "yes"}, {"question": "b", "one_of": [2, 3]}], "code": 5},
            {"when": {"question": "a", "answered": False}, "code": 6},
        ],
        otherwise=0,
    )
    answers = [{"a": True, "b": 3}, {"a": True, "b": 1}, {}, {"b": 3}]
    assert [label.derive(each) for each in answers] == [5, 0, 6, 6]
    assert label.codes == [5, 6, 0]
    assert label.model_copy(update={"otherwise": None}).codes == [5, 6]
    assert label.model_copy(update={"otherwise": None}).derive({"a": True}) is None


def test_when_asks_one_thing():
    assert When.model_validate({"question": "a", "is": False}).codes == (0,)
    assert When.model_validate({"question": "a", "one_of": ["yes", 4]}).codes == (1, 4)
    assert When.model_validate({"question": "a", "answered": True}).codes == ()
    assert When.model_validate({"question": "a", "answered": False}).holds({})
    assert not When.model_validate({"question": "a", "answered": True}).holds({})
    assert When.model_validate({"question": "a", "is": 2}).holds({"a": [1, 2]})
    assert not When.model_validate({"question": "a", "is": 2}).holds({"a": "2"})
    assert When.model_validate({"question": "a", "is": 2}).view() == {
        "question": "a",
        "codes": [2],
        "answered": None,
    }
    for wrong in ({}, {"is": 1, "answered": True}, {"one_of": []}):
        with pytest.raises(ValueError, match=r"question|one_of|give one"):
            When.model_validate({"question": "a", **wrong})
    with pytest.raises(ValueError):  # noqa: PT011  pydantic says it in its own words
        When.model_validate("a is 1")


# Answers


def test_a_sheet_for_the_task_follows_those_of_the_items():
    made = design(
        {"name": "fits", "type": "yes_no"},
        {"name": "why", "type": "text", "when": {"question": "fits", "is": "no"}, "min_words": 1},
        feedback=[{"name": "hard", "type": "yes_no", "text": "?", "required": False}],
    )
    askings = [Asking(SCALES), Asking(SCALES)]
    assert [sheet.position for sheet in sheets(made, askings)] == [0, 1, 2]
    given = {"0": {"fits": True, "why": "hidden"}, "1": {"fits": False, "why": "so"}, "2": {"hard": True}}
    stored, problems = check_answers(made, askings, given)
    assert problems == []
    assert [(a.position, a.question, a.value, a.code) for a in stored] == [
        (0, "fits", True, 1),
        (1, "fits", False, 0),
        (1, "why", "so", None),
        (2, "hard", True, 1),
    ]
    kept, problems = check_draft(made, askings, {"0": {"fits": True, "why": "hidden"}, "1": {"fits": False}})
    assert (kept, problems) == ({"0": {"fits": True}, "1": {"fits": False}}, [])
    _, problems = check_answers(made, askings, {"0": {"fits": True}, "1": {"fits": False}})
    assert [(problem.position, problem.question) for problem in problems] == [(1, "why")]
    for bad in ([], {"3": {}}, {"0": []}, {"0": {"gone": 1}}):
        assert len(check_answers(made, askings, bad)[1]) == 1
        assert check_answers(made, askings, bad)[0] == []
        assert check_draft(made, askings, bad)[0] == {}
    assert check_answers(made, askings, {"1": {"gone": 1}})[1][0].position == 1


# Explanations


REASONS = [{"code": "r1", "text": "One."}, {"code": "r2", "text": "Two."}]


def explained(**option: Any) -> Explanations:
    return Explanations.model_validate({"options": {1: option}, "min_words": 2, "max_words": 3})


def test_own_words_have_a_least_and_a_most():
    asked = explained(need="required", reasons=REASONS)

    def taken(value: Any) -> bool:
        try:
            asked.check_complete(1, asked.check(1, value))
        except BadAnswer:
            return False
        return True

    assert [taken({"words": " ".join("w" * n)}) for n in range(5)] == [False, False, True, True, False]
    assert [taken({"reasons": reasons}) for reasons in (["r1"], ["r1", "r2"], ["r1", "r1"], ["r3"])] == [
        True,
        True,
        False,
        False,
    ]
    assert not taken(None)
    ticked = explained(need="required", reasons=REASONS, own_words=False)
    with pytest.raises(BadAnswer):
        ticked.check(1, {"words": "own words"})
    with pytest.raises(BadAnswer, match="reason"):
        ticked.check_complete(1, {})
    assert (asked.need(1), asked.need(2), asked.unknown([1]), asked.unknown([2])) == (
        "required",
        "none",
        [],
        [1],
    )
    assert [str(each) for each in asked.words(1, {"reasons": ["r2"], "words": "so it"})] == [
        "Two.",
        "“so it”",
    ]
    assert asked.words(2, {}) == ()


def test_samples_of_explanations_reach_both_ends():
    random = np.random.default_rng(3)
    asked = explained(need="required", reasons=REASONS)
    drawn = [asked.sample(1, random) for _ in range(300)]
    assert {len(each["words"].split()) for each in drawn if "words" in each} == {2, 3}
    assert {tuple(each.get("reasons", ())) for each in drawn} == {(), ("r1",), ("r2",), ("r1", "r2")}
    assert all(drawn)
    optional = [explained().sample(1, random) for _ in range(300)]
    assert 110 <= sum(not each for each in optional) <= 190
    assert explained(need="none").sample(1, random) == explained().sample(9, random) == {}
    ticked = [
        explained(need="required", reasons=REASONS, own_words=False).sample(1, random) for _ in range(50)
    ]
    assert all(each["reasons"] for each in ticked)
    assert explained(need="none").view(1) is explained().view(2) is None
    assert explained().view(1)["own_words"]  # type: ignore[index]


def test_an_explanation_must_be_possible():
    OptionExplanation(need="required", own_words=False, reasons=REASONS)
    OptionExplanation(own_words=False)
    for wrong in ({"need": "required", "own_words": False}, {"reasons": [REASONS[0], REASONS[0]]}):
        with pytest.raises(ValueError, match=r"required|same code"):
            OptionExplanation.model_validate(wrong)
    with pytest.raises(ValueError, match="min_words"):
        Explanations.model_validate({"options": {1: {}}, "min_words": 4, "max_words": 3})
    Explanations.model_validate({"options": {1: {}}, "min_words": 3, "max_words": 3})


# Examples and stages


def test_an_example_points_at_one_of_its_turns():
    turns = [{"speaker": "user", "text": "a"}, {"speaker": "system", "text": "b"}]
    assert ExampleItem.model_validate({"turns": turns}).at == 1
    assert ExampleItem.model_validate({"turns": turns, "target": 1}).parts.text == "b"
    query = ExampleItem.model_validate({"turns": turns, "kind": "query", "passage": "p", "target": 0})
    assert (query.at, query.parts.text) == (0, "p")
    replies = ExampleItem.model_validate({"turns": turns, "kind": "candidates", "candidates": ["x", "y"]})
    assert replies.parts.candidates == ("x", "y")
    for wrong in (
        {"target": 2},
        {"target": 0},
        {"kind": "query"},
        {"passage": "p"},
        {"kind": "candidates"},
        {"candidates": ["x"]},
    ):
        with pytest.raises(ValueError, match=r"target|exchange|passage|candidates"):
            ExampleItem.model_validate({"turns": turns, **wrong})


def test_more_than_half_of_the_raters_keep_a_part():
    def kept(raters: int, votes: int) -> bool:
        chosen = [Chosen(n, ((0, 4),) if n < votes else ()) for n in range(raters)]
        return (0, 4) in kept_spans(chosen, StagePart(question="q", keep="most"))

    assert [kept(4, n) for n in (2, 3)] == [False, True]
    assert [kept(3, n) for n in (1, 2)] == [False, True]


def test_items_are_made_of_what_was_chosen():
    parent = Item("d#1", "d", 1, "alpha", category="c")
    text = "One is. Two is."
    chosen = [Chosen(11, ((0, 7), (8, 15))), Chosen(12, ((8, 15), (8, 15)))]
    together = stage_items(parent, text, chosen, StagePart(question="q"))
    assert [(item.key, item.payload["passage"]["text"]) for item in together] == [
        ("d#1/0-7", "One is."),
        ("d#1/8-15", "Two is."),
    ]
    first = together[0]
    assert (first.kind, first.dialogue, first.target, first.system, first.category) == (
        "query",
        "d",
        1,
        "alpha",
        "c",
    )
    assert (first.payload["parent"], first.payload["span"], first.payload["chosen_in"]) == (
        "d#1",
        [0, 7],
        None,
    )
    apart = stage_items(parent, text, chosen, StagePart(question="q", keep="one"))
    assert [(item.key, item.payload["chosen_in"]) for item in apart] == [
        ("d#1/0-7@11", 11),
        ("d#1/8-15@11", 11),
        ("d#1/8-15@12", 12),
    ]


def test_a_stage_must_follow_one_that_chooses():
    spans = design({"name": "s", "type": "spans"}).questions[0]
    plain = design({"name": "s", "type": "yes_no"}).questions[0]

    def problems(of_condition: dict[str, str | None], question: Any = spans, **part: Any) -> list[str]:
        stages = {"later": StagePart(question="s", **part)}
        return list(stage_problems(stages, of_condition, {name: {"s": question} for name in of_condition}))

    assert problems({"A": None, "B": "later"}) == []
    assert len(problems({"A": None, "B": "later"}, plain)) == 1
    assert "no work can begin" in problems({"B": "later"})[0]
    assert any("not defined" in told for told in problems({"A": None, "B": "gone"}))
    assert any("has no condition" in told for told in problems({"A": None}))
    assert any(
        "not a condition of an earlier stage" in told
        for told in problems({"A": None, "B": "later"}, after=("B",))
    )
    assert any(
        "not a condition of an earlier stage" in told
        for told in problems({"A": None, "B": "later"}, after=("C",))
    )
    assert list(stage_problems({}, {"A": "x"}, {})) == [
        'condition "A" belongs to stage "x", which is not defined'
    ]
