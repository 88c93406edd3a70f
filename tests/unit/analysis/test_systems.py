"""Rankings of systems."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from labelwright.agreement import Bootstrap
from labelwright.analysis import (
    Labels,
    NotLabels,
    SeveralQuestions,
    candidate_labels,
    distributions,
    normalised_scores,
    rank_systems,
    ranking_stability,
)
from labelwright.scales import Scale


def _labels(gap: dict[str, float], conditions: tuple[str, ...] = ("C",), *, shared: bool = False) -> Labels:
    """40 items of three ratings per system and condition; a system's labels are 1 with probability `gap`."""
    draw = np.random.default_rng(4)
    rows: dict[str, list[object]] = {"item": [], "system": [], "condition": [], "label": []}
    for condition in conditions:
        for system, p in gap.items():
            for item in range(40):
                for _ in range(3):
                    rows["item"].append(f"{'' if shared else system}{item}")
                    rows["system"].append(system)
                    rows["condition"].append(condition)
                    rows["label"].append(int(draw.random() < p))
    return Labels.read(rows)


def test_a_clearly_better_system_comes_first_in_every_replicate() -> None:
    found = rank_systems(_labels({"good": 0.8, "poor": 0.2}))
    assert found.order == ("good", "poor")
    assert found.systems[0].share_best == 1
    assert (found.systems[1].rank_low, found.systems[1].rank_high) == (2, 2)
    assert "good" in repr(found)


def test_equal_systems_have_equal_ranks() -> None:
    found = rank_systems(_labels({"one": 0.5, "two": 0.5}), Bootstrap(500))
    assert (found.systems[0].rank_low, found.systems[0].rank_high) == (1, 2)
    assert found.winner is None
    # 0.1 + 0.2 and 0.3 in another order: means that differ by 6e-17 are equal.
    scores = {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1], "c": [0.1, 0.1, 0.1]}
    scale = Scale.model_validate(
        {"points": [{"code": n, "name": str(n), "score": n / 10} for n in range(1, 4)]}
    )
    rows = [(f"i{n}", name, round(10 * score)) for name, of in scores.items() for n, score in enumerate(of)]
    labels = Labels.read(
        dict(zip(("item", "system", "label"), map(list, zip(*rows, strict=True)), strict=True)), scale=scale
    )
    ranking = rank_systems(labels, Bootstrap(50))
    assert [(each.system, each.rank) for each in ranking.systems] == [("a", 1), ("b", 1), ("c", 3)]
    assert ranking_stability(
        Labels.read(
            {"item": list("xyxy") * 2, "system": list("aabb") * 2, "condition": ["C"] * 4 + ["D"] * 4}
            | {"label": [1, 2, 2, 1] * 2}
        ),
        bootstrap=Bootstrap(20),
    ).__repr__().splitlines()[1:3] == ["C: a = b", "D: a = b"]


def test_shared_items_are_compared_with_themselves() -> None:
    # Six items that differ a lot, and one system that is always 0.2 better. Between items the scores vary by more
    # than that, so comparing different items would not tell the systems apart.
    level = [0, 1, 2, 3, 4, 1]
    rows = {
        "item": list("abcdef") * 2,
        "system": ["s"] * 6 + ["t"] * 6,
        "label": level + [each + 1 for each in level],
    }
    found = rank_systems(Labels.read(rows), Bootstrap(200))
    assert (found.winner, found.systems[0].share_best) == ("t", 1)
    # Six equal signs in a row have the probability 2 / 2^6.
    assert found.differences[0].p == pytest.approx(2 / 2**6)
    apart = rank_systems(Labels.read(rows | {"item": list("abcdefghijkl")}), Bootstrap(200))
    assert apart.winner is None
    assert apart.notes[0] == "No item is shared by two systems, so they are compared on different items."


def test_candidates_of_an_item_are_paired() -> None:
    rows = [
        {"item": f"d{n}", "question": f"q.c{place}", "label": n % 3 + place, "system": name, "rater": "x"}
        for n in range(8)
        for place, name in enumerate(("poor", "good"))
    ]
    found = rank_systems(Labels.read(candidate_labels(rows)), Bootstrap(50))
    assert (found.winner, found.systems[0].score.items) == ("good", 8)
    # 1 of 3 steps in every pair, so the difference does not vary.
    assert found.differences[0].spread.error == pytest.approx(0, abs=1e-12)


def test_systems_are_compared_on_the_items_that_all_share() -> None:
    # t was also judged on two hard items, which would make it look worse.
    rows = {
        "item": [*"abcd", *"abcdxy"],
        "system": ["s"] * 4 + ["t"] * 6,
        "label": [2, 3, 4, 5, 3, 4, 5, 5, 1, 1],
    }
    found = rank_systems(Labels.read(rows), Bootstrap(50))
    assert found.order == ("t", "s")
    assert found.left_out == {"items that not all systems share": 2}
    assert "Left out: 2 items that not all systems share." in repr(found)


def test_what_cannot_be_ranked_is_refused_or_left_out() -> None:
    rows = {"item": list("aabb"), "system": ["s", "t", None, ""], "label": [1, 2, 1, 2]}
    found = rank_systems(Labels.read(rows), Bootstrap(20))
    assert found.left_out == {"items without a system": 1}
    assert "Left out: 1 items without a system." in repr(found)
    with pytest.raises(NotLabels, match="no rating has both"):
        rank_systems(Labels.read({**rows, "system": [None] * 4}))
    for name in ("question", "aspect"):
        with pytest.raises(
            SeveralQuestions, match=rf'labels belong to 2 {name}s \(q, r\).*where\({name}="q"\)'
        ):
            rank_systems(Labels.read({**rows, name: ["q", "q", "r", "r"]}))


def test_rankings_use_design_weights() -> None:
    # s is good on the rare item, which was drawn with nine times its share; t on the common one.
    rows = {
        "item": list("abab"),
        "system": list("sstt"),
        "label": [1, 0, 0, 1],
        "weight": [0.2, 1.8, 0.2, 1.8],
    }
    found = rank_systems(Labels.read(rows), Bootstrap(20))
    assert {each.system: each.score.value for each in found.systems} == {
        "t": pytest.approx(0.9),
        "s": pytest.approx(0.1),
    }
    assert "Items count by their design weights" in found.notes[-1]
    means = normalised_scores(Labels.read(rows), by=["system"], bootstrap=Bootstrap(20))
    assert means.get(system="t").value == pytest.approx(0.9)
    assert distributions(Labels.read(rows), by=["system"])[0].shares == pytest.approx((0.9, 0.1))
    for wrong in ([1, 2, 3, 4], [0, 1, 0, 1]):
        with pytest.raises(NotLabels, match="one weight above 0"):
            rank_systems(Labels.read({**rows, "weight": wrong}))


def test_a_score_is_never_certain() -> None:
    labels = Labels.read(
        {"item": list("abcde") * 2, "system": ["s"] * 5 + ["t"] * 5, "label": [1] * 5 + [0] * 5}
    )
    best, worst = rank_systems(labels, Bootstrap(20)).systems
    assert best.score.interval is not None
    assert worst.score.interval is not None
    # Wilson's interval of 5 of 5 with t(4) = 2.776: 1 / (1 + 2.776^2 / 5) = 0.393.
    assert (best.score.interval.low, best.score.interval.high) == (pytest.approx(0.393, abs=1e-3), 1)
    assert (worst.score.interval.low, worst.score.interval.high) == (0, pytest.approx(0.607, abs=1e-3))


def test_stability_says_whether_the_order_holds_under_every_condition() -> None:
    stable = ranking_stability(_labels({"good": 0.8, "poor": 0.2}, ("C_0", "C_7")), bootstrap=Bootstrap(200))
    assert stable.kept["good", "poor"] == 1
    assert stable.tau["C_0", "C_7"] == pytest.approx(1)
    tossed = ranking_stability(
        _labels({"one": 0.5, "two": 0.5}, ("C_0", "C_3", "C_7")), bootstrap=Bootstrap(200)
    )
    assert tossed.kept["one", "two"] < 0.9
    assert "C_3: " in repr(tossed)


def test_copies_of_an_item_in_one_dialogue_make_nothing_more_certain():
    # Four items of a dialogue with the same ratings tell no more than one of them.
    label = np.random.default_rng(3).integers(1, 6, size=(20, 2, 3))
    rows: dict[str, list[object]] = {"item": [], "dialogue": [], "system": [], "rater": [], "label": []}
    for dialogue, system, rater, copy in product(range(20), range(2), range(3), range(4)):
        rows["item"].append(f"{dialogue}/{copy}")
        rows["dialogue"].append(str(dialogue))
        rows["system"].append(f"s{system}")
        rows["rater"].append(f"r{rater}")
        rows["label"].append(int(label[dialogue, system, rater]))
    every = Labels.read(rows)
    once = {name: values[::4] for name, values in rows.items()}
    [copied] = rank_systems(every, Bootstrap(10), dialogue="dialogue").differences
    [alone] = rank_systems(Labels.read(once), Bootstrap(10)).differences
    assert copied.p == pytest.approx(alone.p)
    assert rank_systems(every, Bootstrap(10)).differences[0].p < alone.p
    assert (
        rank_systems(every, Bootstrap(10), dialogue="dialogue").systems[0].score.interval.over == "dialogues"
    )
