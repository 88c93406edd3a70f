"""Labels carry their scale, and sets with different codes are never compared silently."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from pydantic import ValidationError

from labelwright.agreement import Bootstrap, UnknownCode
from labelwright.analysis import (
    Labels,
    MixedCodes,
    NotLabels,
    consistency,
    item_scores,
    majority,
    measure_agreement,
    significance,
)
from labelwright.scales import Point, Scale

USEFUL = Scale(points=(Point(code=0, name="Not"), Point(code=1, name="Somewhat"), Point(code=2, name="Very")))


def _two_conditions(second: list[int]) -> dict[str, list[Any]]:
    """Three items with two ratings each, in two conditions."""
    item = ["a", "a", "b", "b", "c", "c"]
    return {
        "item": item * 2,
        "rater": ["x", "y"] * 6,
        "condition": ["C_0"] * 6 + ["C_3"] * 6,
        "label": [0, 0, 1, 1, 2, 2, *second],
    }


SHIFTED = _two_conditions([1, 1, 2, 2, 3, 3])


def test_shifted_codes_are_caught_and_the_error_says_how_to_recode() -> None:
    with pytest.raises(MixedCodes) as caught:
        consistency(Labels.read(SHIFTED))
    assert "C_0: 0, 1, 2; C_3: 1, 2, 3" in str(caught.value)
    assert "recode C_3 by {1: 0, 2: 1, 3: 2}" in str(caught.value)


def test_recoded_labels_can_be_compared() -> None:
    # Raw codes would agree on no item; meant the same, all three labels are equal.
    [found] = consistency(Labels.read(SHIFTED).recoded({1: 0, 2: 1, 3: 2}, condition="C_3"))
    assert found.get("C_0", "C_3").value == 1


def test_a_declared_scale_allows_a_code_that_nobody_used() -> None:
    rows = _two_conditions([0, 0, 1, 1, 1, 1])
    with pytest.raises(MixedCodes, match="declare the scale"):
        consistency(Labels.read(rows))
    [found] = consistency(Labels.read(rows, scale=USEFUL))
    assert found.get("C_0", "C_3").value == pytest.approx(2 / 3)


def test_conditions_with_different_codes_are_not_pooled_either() -> None:
    with pytest.raises(MixedCodes, match="pooling conditions"):
        measure_agreement(Labels.read(SHIFTED))
    assert len(measure_agreement(Labels.read(SHIFTED), ["percentage"], by=["condition"])) == 2


def test_a_label_off_the_declared_scale_is_an_error() -> None:
    with pytest.raises(UnknownCode, match="label 3"):
        measure_agreement(Labels.read(SHIFTED, scale=USEFUL), ["percentage"])


def test_names_of_points_become_codes() -> None:
    labels = Labels.read({"item": ["a", "a"], "label": ["Very", "Not"]}, scale=USEFUL)
    assert sorted(labels.ratings().code.tolist()) == [0, 2]


def test_crowd_kit_columns_are_found() -> None:
    labels = Labels.read({"task": ["t1", "t1"], "worker": ["w1", "w2"], "label": ["yes", "no"]})
    assert repr(labels) == "Labels: 2 ratings of 1 items by 2 raters, codes no, yes"


def test_columns_may_have_any_name() -> None:
    labels = Labels.read(
        {"d": ["a", "a"], "who": ["x", "y"], "score": [1, 2]},
        columns={"item": "d", "rater": "who", "label": "score"},
    )
    assert labels.values("item") == ["a"]


@pytest.mark.parametrize("rows", [0, 3])
def test_where_every_label_is_missing_each_measure_is_undefined(rows: int) -> None:
    table = pa.table({"item": ["a", "a", "b"], "rater": [1, 2, 1], "label": pa.nulls(3, pa.int64())})
    labels = Labels.read(table.slice(0, rows))
    for name in ("percentage", "fleiss_kappa", "alpha_ordinal", "cohen_kappa", "gwet_ac1"):
        assert measure_agreement(labels, [name]).get(name).undefined, name
    assert len(majority(labels, "lowest").label) == 0


def test_a_table_without_labels_says_what_is_missing() -> None:
    with pytest.raises(NotLabels, match="no column 'label'"):
        Labels.read({"item": ["a"], "value": [1]})


def test_without_raters_the_result_says_positions() -> None:
    found = measure_agreement(
        Labels.read({"item": ["a", "a", "b", "b"], "label": [1, 2, 1, 1]}), ["cohen_kappa"]
    )
    assert "Positions, not raters" in repr(found)


def test_slices_by_any_column_with_aspects_apart() -> None:
    rows = {
        "item": ["a", "a", "b", "b"] * 2,
        "rater": ["x", "y"] * 4,
        "aspect": ["relevance"] * 4 + ["usefulness"] * 4,
        "group": ["g1", "g1", "g2", "g2"] * 2,
        "label": [0, 0, 1, 0, 3, 3, 4, 5],
    }
    found = measure_agreement(Labels.read(rows), ["percentage"], by=["group"], bootstrap=None)
    assert [row.where for row in found] == [
        {"aspect": aspect, "group": group} for aspect in ("relevance", "usefulness") for group in ("g1", "g2")
    ]
    assert found.get(aspect="usefulness", group="g1").value == 1
    assert found.get(aspect="usefulness", group="g2").value == 0


def test_an_item_in_two_conditions_is_two_items_when_pooled() -> None:
    # Within a condition the two ratings agree; across conditions they would not.
    rows = {
        "item": ["a"] * 4,
        "rater": ["x", "y"] * 2,
        "condition": ["C", "C", "D", "D"],
        "label": [0, 0, 1, 1],
    }
    found = measure_agreement(Labels.read(rows, scale=USEFUL), ["percentage", "cohen_kappa"], bootstrap=None)
    assert (found.get("percentage").value, found.get("percentage").items) == (1, 2)
    assert found.get("cohen_kappa").value == 1


def test_results_are_records_frames_and_html() -> None:
    rows = {"item": ["a", "a", "b", "b"], "rater": ["x", "y"] * 2, "label": [1, 1, 1, 1]}
    found = measure_agreement(Labels.read(rows), ["percentage", "alpha_nominal"], bootstrap=Bootstrap(50))
    assert found.frame().to_pylist()[1]["undefined"] is not None
    assert found.records()[1]["value"] is None
    assert "<table>" in found._repr_html_()
    assert '"replicates": 50' in found.json()


def test_a_hostile_label_is_text_in_html() -> None:
    rows = {"item": ["a", "a"], "group": ["<script>alert(1)</script>"] * 2, "label": [1, 2]}
    assert "<script>" not in measure_agreement(Labels.read(rows), ["percentage"], by=["group"])._repr_html_()


def test_significance_is_corrected_over_slices() -> None:
    rows = {
        "item": [item for item in "abcdefgh" for _ in range(2)] * 2,
        "rater": ["x", "y"] * 16,
        "condition": ["C"] * 16 + ["D"] * 16,
        "label": [0, 0, 1, 1, 0, 0, 1, 1] * 2 + [0, 1, 1, 0, 0, 1, 1, 0] * 2,
    }
    found = {
        where["condition"]: test
        for where, test in significance(Labels.read(rows), by=["condition"], runs=200)
    }
    assert found["C"].p_holm == pytest.approx(2 * found["C"].p)
    assert found["C"].p < 0.05 < found["D"].p


def test_a_declared_scale_is_found_for_an_aspect_with_a_space_in_its_name() -> None:
    rows = {**SHIFTED, "aspect": ["good fit"] * len(SHIFTED["item"])}
    wide = Scale(points=(*USEFUL.points, Point(code=3, name="Extremely")))
    declared = Labels.read(rows, scale={"good fit": wide})
    assert measure_agreement(declared, ["percentage"], bootstrap=None).get("percentage").items == 6
    with pytest.raises(MixedCodes, match="good fit"):
        measure_agreement(Labels.read(rows, scale={"good": wide}), ["percentage"])


@pytest.mark.parametrize("in_memory", [True, False])
def test_many_ratings_give_the_same_kappa_by_sums(monkeypatch: pytest.MonkeyPatch, in_memory: bool) -> None:
    from labelwright.analysis import agreement as module

    labels = Labels.read(_two_conditions([0, 0, 1, 2, 2, 2])).where(condition="C_3")
    direct = measure_agreement(labels, ["cohen_kappa"], by=["condition"], bootstrap=None).get()
    monkeypatch.setattr(module, "MANY_RATINGS", 2)
    monkeypatch.setattr(module, "MOST_RATERS", 100 if in_memory else 0)
    by_sums = measure_agreement(labels, ["cohen_kappa", "kendall_tau_b"], by=["condition"], bootstrap=None)
    assert by_sums.get("cohen_kappa").value == pytest.approx(direct.value)
    assert (by_sums.get("cohen_kappa").items, by_sums.get("cohen_kappa").ratings) == (3, 6)
    assert "more than 2 ratings" in str(by_sums.get("kendall_tau_b").undefined)


KNOWN = Scale(
    points=(
        Point(code=0, name="Failed"),
        Point(code=1, name="In part", mixed=True),
        Point(code=2, name="Succeeded"),
        Point(code=9, name="I cannot tell", no_answer=True),
    )
)
DOUBTED = {"item": ["a", "a", "a", "b", "b", "b"], "rater": ["x", "y", "z"] * 2, "label": [2, 2, 9, 1, 9, 0]}


def test_no_answer_is_no_label_unless_asked():
    # Of a's ratings the pair (2, 2) agrees; of b's the pair (1, 0) does not: 1/2. With 9 as a label, a has
    # one agreeing pair of three and b none: 1/6.
    labels = Labels.read(DOUBTED, scale=KNOWN)
    assert (
        measure_agreement(labels, ["percentage"], bootstrap=None).rows[0].estimates["percentage"].value == 0.5
    )
    assert labels.ratings().codes == (0, 1, 2)
    assert labels.ratings().left_out == {"missing label": 2}
    assert labels.named_ratings()[1] == ["a", "b"]
    counted = Labels.read(DOUBTED, scale=KNOWN, no_answer="label")
    found = measure_agreement(counted, ["percentage"], bootstrap=None).rows[0].estimates["percentage"]
    assert found.value == pytest.approx(1 / 6)


def test_mixed_and_no_answer_are_left_out_of_means():
    # Failed is 0 and succeeded is 1, the two that have a place; b's mean is that of 0 alone.
    for how in ("left_out", "label"):
        labels = Labels.read(DOUBTED, scale=KNOWN, no_answer=how)
        assert item_scores(labels) == {"a": 1.0, "b": 0.0}


def test_a_code_off_the_scale_is_still_an_error_beside_no_answer():
    with pytest.raises(UnknownCode, match="label 7"):
        measure_agreement(Labels.read(DOUBTED | {"label": [2, 2, 9, 1, 7, 0]}, scale=KNOWN), ["percentage"])


def test_a_marked_point_has_no_score():
    for mark in ("mixed", "no_answer"):
        with pytest.raises(ValidationError, match="cannot have a score"):
            Point.model_validate({"code": 1, "name": "x", "score": 0.5, mark: True})
