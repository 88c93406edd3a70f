"""The alternative annotator test and the agreement of models with people."""

from __future__ import annotations

import numpy as np
import pytest

from labelwright.agreement import Bootstrap, get_measure
from labelwright.analysis import Labels, NotLabels
from labelwright.judging import NoModel, agree_with_people, make_panel, split_sides, stand_in


def _labels(items: int = 40, raters: int = 3, *, wrong: float = 0.0, seed: int = 1) -> Labels:
    """People who err in 20% of the cases, and a model that errs in `wrong` of them."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(1, 4, items)
    rows: dict[str, list[object]] = {"item": [], "rater": [], "model": [], "label": []}
    for rater in range(raters + 1):
        share = wrong if rater == raters else 0.2
        given = np.where(draw.random(items) < share, draw.integers(1, 4, items), truth)
        rows["item"] += [f"i{n:02}" for n in range(items)]
        rows["rater"] += [f"r{rater}" if rater < raters else "judge"] * items
        rows["model"] += [int(rater == raters)] * items
        rows["label"] += given.tolist()
    return Labels.read(rows)


def _panel(labels: Labels):
    return make_panel(split_sides(labels), "judge")


def test_a_model_that_is_always_right_stands_in_and_one_that_guesses_does_not():
    right, guess = stand_in(_panel(_labels())), stand_in(_panel(_labels(80, wrong=1.0)))
    assert (right.winning_rate, right.passes) == (1.0, True)
    assert (guess.winning_rate, guess.passes) == (0.0, False)
    assert guess.count("lose") == 3


def test_one_rater_by_hand():
    # Three people and a model on 30 items. r0 is alone on the first 12, where the model is with the others;
    # the model is alone on the next 3; all agree on the rest. So the model is closer on 12 of 30 items and r0 on 3:
    # the difference is 9 / 30, and the model is at least as close on 27 / 30.
    rows = {"item": [], "rater": [], "label": []}
    for n in range(30):
        for rater in ("r0", "r1", "r2", "judge"):
            alone = (rater == "r0" and n < 12) or (rater == "judge" and 12 <= n < 15)
            for name, value in zip(rows, (n, rater, "b" if alone else "a"), strict=True):
                rows[name].append(value)
    found = stand_in(make_panel(split_sides(Labels.read(rows), ["judge"]), "judge"))
    first = found.raters[0]
    assert (found.scoring, first.rater, first.items) == ("accuracy", "r0", 30)
    assert (first.difference, first.advantage) == (pytest.approx(9 / 30), pytest.approx(27 / 30))


def test_the_test_is_refused_with_what_would_do():
    two = stand_in(_panel(_labels(raters=2)))
    assert two.passes is None
    assert "30 such items of one more rater" in two.refused
    few = stand_in(_panel(_labels(items=26)))
    # Each of the three raters has 26 of the 30 items.
    assert "4, 4 and 4 more items of 3 raters" in few.refused
    positions = split_sides(_labels())
    unknown = make_panel(type(positions)(_as_positions(positions.labels), positions.models), "judge")
    assert "a position is not a person" in stand_in(unknown).refused


def _as_positions(labels: Labels) -> Labels:
    from dataclasses import replace

    return replace(labels, positions=True)


def test_people_have_the_alpha_that_the_measure_gives():
    labels = _labels(60)
    found = agree_with_people(_panel(labels), Bootstrap(200))
    people = split_sides(labels).people.ratings()
    assert found.people.value == pytest.approx(get_measure("alpha_ordinal")(people, None).value, abs=1e-12)


def test_a_model_like_another_person_is_as_good_as_a_person_and_a_guess_is_worse():
    like = agree_with_people(_panel(_labels(600, wrong=0.2)), Bootstrap(300))
    assert like.comparison == "as good as a person"
    assert abs(like.difference.value) < 0.06
    guess = agree_with_people(_panel(_labels(100, wrong=1.0)), Bootstrap(300))
    assert guess.comparison == "worse"
    assert guess.judge.interval.low < 0.1


def test_models_are_never_among_people():
    sides = split_sides(_labels())
    assert sides.people.values("rater") == ["r0", "r1", "r2"]
    assert sides.model("judge").values("rater") == ["judge"]


def test_who_is_a_model_must_be_known():
    rows = {"item": ["a", "b"], "rater": ["x", "x"], "label": [1, 2]}
    with pytest.raises(NoModel, match="no rater of these labels is known to be a model"):
        split_sides(Labels.read(rows))
    with pytest.raises(NoModel, match='no label was given by "y"'):
        split_sides(Labels.read(rows), ["y"])
    with pytest.raises(NotLabels, match="a model in some rows"):
        split_sides(Labels.read(rows | {"model": [0, 1]}))
