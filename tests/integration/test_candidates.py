"""Grid, preference and ranking from the page to the store, the export and the analysis library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from labelwright.analysis import (
    Labels,
    bradley_terry,
    candidate_labels,
    measure_agreement,
    preferences,
    rank_preferences,
    rank_systems,
)
from labelwright.corpus import Dialogue, Turn
from tests.integration.test_assignment import visitors
from tests.studies import NOW, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

SYSTEMS = ("alpha", "beta", "gamma")
"""From best to worst, in the eyes of these raters."""
CORRECT = [
    {"code": 1, "name": "Correct", "score": 1},
    {"code": 0, "name": "Not correct", "score": 0},
    {"code": 9, "name": "I don't know", "no_answer": True},
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "name": "quality",
        "type": "grid",
        "text": "Judge each reply.",
        "criteria": [
            {
                "name": "correctness",
                "title": "Correctness",
                "aspect": "usefulness",
                "options": CORRECT,
                "explanations": {
                    "options": {0: {"need": "required", "reasons": [{"code": "grammar", "text": "Grammar"}]}}
                },
            }
        ],
    },
    {"name": "better", "type": "preference", "text": "Which is better?", "aspect": "usefulness"},
    {
        "name": "order",
        "type": "ranking",
        "text": "Put them in order.",
        "ties": True,
        "aspect": "usefulness",
    },
]


def load(
    questions: list[dict[str, Any]] = QUESTIONS, **changes: Any
) -> tuple[Any, dict[str, tuple[str, ...]]]:
    """A study on six items, in each of which the systems stand in another order."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", "a long password of a test")
    stored = {f"d{n}": systems for n, systems in enumerate(permutations(SYSTEMS))}
    corpus = [
        Dialogue(
            key,
            (Turn("user", "Hi"),),
            {"candidates": [{"text": f"I am {system}.", "system": system} for system in systems]},
        )
        for key, systems in stored.items()
    ]
    design = {"title": "T", "lead": "Judge.", "instructions": "Judge.", "questions": questions}
    text = study_text(
        designs={"only": design},
        conditions={"one": {}},
        items={"kind": "candidates"},
        redundancy=6,
        pools=pool(raters=6),
        **changes,
    )
    return load_study(parse(text), text, corpus, NOW, owner, opened=True), stored


def answers(systems: tuple[str, ...]) -> dict[str, Any]:
    """What a rater answers who finds alpha best, beta and gamma alike but gamma not correct."""
    cells: dict[str, Any] = {f"c{n}": {"correctness": {"choice": 1}} for n in range(3)}
    cells[f"c{systems.index('gamma')}"] = {
        "correctness": {"choice": 0, "explanation": {"reasons": ["grammar"]}}
    }
    first, second = systems[:2]
    better = 0 if "alpha" not in (first, second) else -1 if first == "alpha" else 1
    order = [1 if system == "alpha" else 2 for system in systems]
    return {"0": {"quality": cells, "better": better, "order": order}}


def test_each_system_gets_its_answers_whatever_the_order_on_the_page():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rating.actions.task_page import get_task
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import StudyRow

    loaded, stored = load()
    places: Counter[tuple[str, int]] = Counter()
    for rater in visitors(loaded, 6):
        for _ in stored:
            offered = offer(rater, NOW)
            (shown,) = get_task(offered.assignment).items
            systems = tuple(candidate["system"] for candidate in shown.item.payload["candidates"])
            places.update((systems[index], place) for place, index in enumerate(shown.order))
            submit(offered.token, answers(systems), NOW)
    # 36 pages: each system stood at each of the three places in a third of them.
    assert set(places.values()) == {12}
    rows = list(get_answers(StudyRow.objects.get()))

    cell = next(r for r in rows if r["item"] == "d0" and r["question"] == "quality.c2.correctness")
    assert (cell["system"], cell["label"], cell["name"]) == ("gamma", 0, "Not correct")
    assert cell["candidates"] == '["alpha", "beta", "gamma"]'
    assert cell["value"] == '{"choice": 0, "explanation": {"reasons": ["grammar"]}}'
    # d5 holds gamma, beta, alpha in this order, so that its first two are as good as each other.
    tied = next(r for r in rows if r["item"] == "d5" and r["question"] == "better")
    assert (tied["label"], tied["name"]) == (0, "tie")

    labels = Labels.read(candidate_labels(r for r in rows if r["question"].startswith("quality.")))
    ranking = rank_systems(labels.with_scale(parse_scale()))
    assert {each.system: each.score.value for each in ranking.systems} == {"alpha": 1, "beta": 1, "gamma": 0}
    assert measure_agreement(labels, ["alpha_nominal"]).rows[0].estimates["alpha_nominal"].value == 1

    for compared in (preferences(rows, "better"), rank_preferences(rows, "order")):
        found = bradley_terry(compared)
        # These raters are unanimous: alpha never loses, so its strength has no limit and nothing is ranked.
        assert found.unranked is not None
        strengths = {each.system: each.strength for each in found}
        assert strengths["alpha"] > strengths["beta"] == pytest.approx(strengths["gamma"])
    # Two of six items put alpha beside one other system: 12 comparisons each, besides 12 ties of the others.
    assert Counter(preferences(rows, "better").winner) == {"alpha": 24, None: 12}


def test_feedback_tells_answers_by_the_letters_that_the_rater_saw():
    from django.utils import translation

    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.profiles.actions.comparison import compare_with_others
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rating.actions.task_page import get_task

    loaded, _ = load(language="it")
    for rater in visitors(loaded, 3):
        offered = offer(rater, NOW)
        (shown,) = get_task(offered.assignment).items
        systems = tuple(candidate["system"] for candidate in shown.item.payload["candidates"])
        submit(offered.token, answers(systems), NOW)
        letter = {systems[index]: "ABC"[place] for place, index in enumerate(shown.order)}
        with translation.override("it"):
            (beside,) = compare_with_others([offered.assignment])
        assert dict(beside.candidates) == {letter[system]: f"I am {system}." for system in SYSTEMS}
        grid, better, order = ([told(line) for line in answer.lines] for answer in beside.answers)
        assert grid == [
            (
                each,
                "Correctness",
                ["Not correct" if system == "gamma" else "Correct"],
                ["Grammar"] * (system == "gamma"),
            )
            for each, system in sorted((each, system) for system, each in letter.items())
        ]
        first = "Sono ugualmente buone"
        if "alpha" in systems[:2]:
            first = f"{letter['alpha']} è migliore"
        assert better == [("", "", [first], [])]
        assert order[0] == (letter["alpha"], "", ["posto 1"], [])
        assert {one[0] for one in order[1:]} == {letter["beta"], letter["gamma"]}
        assert {one[2][0] for one in order[1:]} == {"posto 2"}


def three_raters(
    loaded: Any, stored: dict[str, tuple[str, ...]], answered: Callable[[tuple[str, ...]], Any] = answers
) -> list[str]:
    """The tokens of three raters who have judged every item."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool, TaskItem

    links = make_links(loaded.study, Pool.objects.get(), 3, 60, NOW)
    tokens = [link.token for link in links]
    for token in tokens:
        for _ in stored:
            offered = offer(get_visitor(token, NOW), NOW)
            key = TaskItem.objects.get(task__assignment=offered.assignment).item.key
            submit(offered.token, answered(stored[key]), NOW)
    return tokens


BOTH_BAD = [
    {
        "name": "better",
        "type": "preference",
        "text": "Which is better?",
        "aspect": "usefulness",
        "both_bad": "Both are bad",
    }
]


def find_both_bad(systems: tuple[str, ...]) -> dict[str, Any]:
    """What a rater answers who finds alpha best, and the others bad."""
    first, second = systems[:2]
    better = 9 if "alpha" not in (first, second) else -1 if first == "alpha" else 1
    return {"0": {"better": better}}


def test_others_are_counted_line_by_line_by_the_same_letters():
    from labelwright.server.profiles.actions.comparison import compare_with_others
    from labelwright.server.store.models import Assignment

    three_raters(*load())
    for one in Assignment.objects.all():
        (beside,) = compare_with_others([one.pk])
        lines = [line for answer in beside.answers for line in answer.lines]
        # All three find the same, so the two others say of each thing what this rater says.
        assert [line.others for line in lines] == [[(line.said[0], 2)] for line in lines]


def test_the_requester_reads_the_labels_of_each_system():
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.results.actions.overview import measure_overview

    loaded, stored = load()
    three_raters(loaded, stored)
    flag_block(NOW)
    grid, better, order = measure_overview(loaded.study).questions
    assert [grid.text, order.text] == [
        "Judge each reply. Correctness",
        "Put them in order. Rank, 1 for the best.",
    ]
    # Six items, three raters, whatever the place of a system in the item.
    assert grid.labels == {"alpha": {1: 18}, "beta": {1: 18}, "gamma": {0: 18}}
    assert order.labels == {"alpha": {1: 18}, "beta": {2: 18}, "gamma": {2: 18}}
    # Only the two first candidates are compared; each system is in four of the six pairs.
    assert better.labels == {"alpha": {1: 12}, "beta": {-1: 6, 0: 6}, "gamma": {-1: 6, 0: 6}}
    assert [point.name for point in better.scale.points] == [
        "the other one is better",
        "tie",
        "this one is better",
    ]
    # Each of the three candidates of the six items is a thing to agree on.
    assert grid.agreement["one"]["percentage"].items == 18
    assert grid.agreement["one"]["alpha_nominal"].value == order.agreement["one"]["alpha_ordinal"].value == 1


def test_both_bad_is_apart_from_the_order_on_the_overview():
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.results.pages.overview import overview

    loaded, stored = load(BOTH_BAD)
    three_raters(loaded, stored, find_both_bad)
    flag_block(NOW)
    figures = measure_overview(loaded.study)
    [better] = figures.questions
    # Two of six items compare beta with gamma; three raters find both bad. The other four have a clear order, in
    # which 9 would be far above 1.
    estimate = better.agreement["one"]["alpha_ordinal"]
    assert (estimate.value, estimate.items) == (1, 4)
    assert estimate.left_out["rating outside the order of the scale"] == 6
    assert better.agreement["one"]["percentage"].items == 6
    [question] = overview(figures)["questions"]
    assert "leaves out 6 ratings outside the order (“Both are bad”)." in question["agreement"]["note"]
    assert question["labels"]["head"] == [
        "System",
        "the other one is better",
        "tie",
        "this one is better",
        "Both are bad",
        "All",
    ]
    [spec] = question["labels"]["specs"]["light"]["datasets"].values()
    beta = {row["point"]: (row["start"], row["end"]) for row in spec if row["condition"] == "beta"}
    # Half of beta's comparisons were lost, half were both bad, which is drawn after a gap.
    assert beta["this one is better"] == (0.5, 0.5)
    assert beta["Both are bad"] == (0.525, 1.025)


def told(line: Any) -> tuple[str, str, list[str], list[str]]:
    return line.letter, line.about, line.said, line.why


def parse_scale() -> Any:
    from labelwright.scales import Scale

    return Scale.model_validate({"points": CORRECT, "ordered": False})
