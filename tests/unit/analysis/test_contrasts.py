"""Comparisons of conditions take labels and names, test a family, and say what they leave out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from labelwright.agreement import Bootstrap, UnknownMeasure, UnknownOption
from labelwright.analysis import (
    Labels,
    NotLabels,
    consistency,
    difference,
    normalised_scores,
    positivity_shift,
    time_saved,
)
from labelwright.scales import Point, Scale

YES_NO = Scale(points=(Point(code=0, name="no"), Point(code=1, name="yes")))


def _study(items: int = 30, raters: int = 3, seed: int = 1, **accuracy: float) -> Labels:
    """Every condition judges the same items; its raters give the true label with this probability."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(2, size=items)
    rows: dict[str, list[object]] = {
        name: [] for name in ("item", "dialogue", "rater", "condition", "label", "seconds")
    }
    for condition, right in accuracy.items():
        for item in range(items):
            for rater in range(raters):
                rows["item"].append(f"i{item:02d}")
                rows["dialogue"].append(f"d{item // 3}")
                rows["rater"].append(f"{condition}{rater}" if condition == "alone" else f"r{rater}")
                rows["condition"].append(condition)
                rows["label"].append(int(truth[item] if draw.random() < right else 1 - truth[item]))
                rows["seconds"].append(float(draw.integers(10, 20) + 5 * (condition == "slow")))
    return Labels.read(rows, scale=YES_NO)


def test_all_pairs_of_conditions_are_one_family_of_tests() -> None:
    labels = _study(base=0.9, poor=0.6, slow=0.9)
    found = difference(labels, "fleiss_kappa", margin=0.3, bootstrap=Bootstrap(99))
    assert [(row.first, row.second) for row in found] == [
        ("base", "poor"),
        ("base", "slow"),
        ("poor", "slow"),
    ]
    # Holm multiplies the smallest of three p-values by three; 1 of 100 is the smallest that 99 permutations give.
    smallest = min(found, key=lambda row: row.test.p)
    assert (smallest.test.p, smallest.test.p_holm) == (0.01, 0.03)
    assert found.get("base", "slow").test.p > 0.05
    assert found.get("base", "slow").equivalence.p < found.get("base", "poor").equivalence.p
    text = repr(found)
    assert "Corrected over the 3 tests of this table." in text
    assert "equivalent within 0.3" in text
    assert "<caption>" in found._repr_html_()
    assert found.frame().num_rows == 3
    assert json.loads(found.records()[0]["left_out"]) == {}


def test_the_reference_or_two_conditions_can_be_named() -> None:
    labels = _study(base=0.9, poor=0.6, slow=0.9)
    against = time_saved(labels, reference="slow")
    assert [(row.first, row.second) for row in against] == [("slow", "base"), ("slow", "poor")]
    assert all(row.value > 3 and row.test.p_holm < 0.01 for row in against)
    [only] = time_saved(labels, between=("slow", "base"))
    assert only.test.p_holm == only.test.p
    assert "Corrected" not in repr(time_saved(labels, between=("slow", "base")))
    with pytest.raises(UnknownOption, match=r"no ratings in 'bace'.*base"):
        difference(labels, "percentage", between=("bace", "slow"))
    with pytest.raises(UnknownMeasure):
        difference(labels, "kapa")


def test_items_of_one_condition_only_are_named_in_every_table() -> None:
    rows = {
        "item": list("aabbcc") + list("aabbdd"),
        "condition": ["C"] * 6 + ["D"] * 6,
        "label": [0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0],
        "seconds": [1.0] * 11 + [None],
    }
    labels = Labels.read(rows)
    said = "2 common items; left out: 1 × item only in C, 1 × item only in D"
    for table in (difference(labels, "percentage"), positivity_shift(labels), time_saved(labels)):
        assert said in repr(table)
        assert said in table._repr_html_()
    assert "1 × rating without seconds" in repr(time_saved(labels))
    [matrix] = consistency(labels)
    assert "C and D: 2 common items; left out: 2 × item in one condition only." in repr(matrix)
    assert "2 common items give a share of equal labels only a few possible values" in repr(matrix)


def test_raters_of_one_condition_only_are_a_caveat() -> None:
    assert "No rater judged both" in repr(difference(_study(base=0.9, alone=0.9), "percentage"))
    assert "No rater judged both" not in repr(difference(_study(base=0.9, other=0.9), "percentage"))


def test_dependent_items_are_left_out_together() -> None:
    labels = _study(base=0.9, poor=0.7)
    by_item = difference(labels, "percentage").get()
    by_dialogue = difference(labels, "percentage", unit="dialogue").get()
    assert by_item.value == by_dialogue.value
    assert (by_item.interval.replicates, by_dialogue.interval.replicates) == (30, 10)
    assert by_dialogue.interval.over == "dialogues"
    assert positivity_shift(labels, unit="dialogue").get().interval.replicates == 10
    with pytest.raises(NotLabels, match="belongs to several values of 'condition'"):
        difference(labels, "percentage", unit="condition")


def test_conditions_can_be_any_column() -> None:
    labels = _study(base=0.9, poor=0.6)
    versions = Labels.read(
        labels.fetch(list(labels.columns)).append_column("version", [["v1", "v2"] * 90]), scale=YES_NO
    )
    found = positivity_shift(versions, across="version").get("v1", "v2")
    # An item counts once in each condition, and both are left out together.
    assert (found.items, found.interval.replicates) == (60, 30)


def test_every_question_has_its_own_matrix() -> None:
    labels = _study(base=0.9, poor=0.6)
    rows = labels.fetch(list(labels.columns))
    asked = Labels.read(
        {name: rows[name].to_pylist() * 2 for name in rows.column_names}
        | {"question": ["q1"] * 180 + ["q2"] * 180},
        scale=YES_NO,
    )
    # Pooled, every item would have six ratings in each condition.
    assert [each.where for each in consistency(asked)] == [{"question": "q1"}, {"question": "q2"}]


def test_the_same_label_is_compared_with_what_shuffled_ratings_give() -> None:
    # One item, 0 0 0 in one condition and 1 1 1 in the other. Of the 20 splits of three 0s and three 1s, no one gives
    # the same majority twice, so the observed value is as expected and p is 1.
    rows = {"item": ["a"] * 6, "condition": ["C"] * 3 + ["D"] * 3, "label": [0, 0, 0, 1, 1, 1]}
    [matrix] = consistency(Labels.read(rows, scale=YES_NO))
    assert (matrix.get("C", "D").value, matrix.expected["C", "D"], matrix.test("D", "C").p) == (0, 0, 1)
    # Four items with five 0s and one 1 would always be the same.
    rows = {
        "item": [item for item in "abcd" for _ in range(3)] * 2,
        "condition": ["C"] * 12 + ["D"] * 12,
        "label": [0] * 12 + [0, 0, 1] * 4,
    }
    [matrix] = consistency(Labels.read(rows, scale=YES_NO))
    assert (matrix.get("C", "D").value, matrix.expected["C", "D"]) == (1, pytest.approx(1))
    # All four are the same, and Wilson's interval does not claim certainty: z^2 / (4 + z^2) = 0.49 is its upper tail.
    assert matrix.get("C", "D").interval.low == pytest.approx(1 - 0.4899, abs=1e-4)


def test_scores_without_a_value_are_counted() -> None:
    scale = Scale(points=(*YES_NO.points, Point(code=2, name="partly", mixed=True)))
    rows = {"item": list("aabb"), "label": [0, 1, 2, 1], "category": ["c"] * 4}
    found = normalised_scores(Labels.read(rows, scale=scale), bootstrap=None).get()
    assert (found.value, found.ratings, found.left_out) == (0.75, 3, {"rating without a score": 1})


def test_few_varied_items_are_a_caveat_with_its_figure() -> None:
    # Two of twelve items have a 1 in C, and three in D.
    rows = {
        "item": [f"i{n:02d}" for n in range(12) for _ in range(2)] * 2,
        "condition": ["C"] * 24 + ["D"] * 24,
        "label": [1, 1, 1, 0] + [0] * 20 + [1, 1, 0, 0, 1, 0, 1, 1] + [0] * 16,
    }
    said = "Only 2 items of one condition have any label other than the most frequent one: with so few, 95% intervals"
    assert said in repr(difference(Labels.read(rows), "alpha_nominal"))
