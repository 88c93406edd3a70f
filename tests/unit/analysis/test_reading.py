"""Rows that are not ratings are refused or reported when labels are read, never counted as something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from labelwright.agreement import Ratings, UnknownCode
from labelwright.agreement.errors import MissingName
from labelwright.analysis import (
    Labels,
    NotLabels,
    SeveralQuestions,
    item_scores,
    majority,
    measure_agreement,
)
from labelwright.analysis.data import row_checks
from labelwright.scales import Point, Scale
from labelwright.tables import UnreadableTable

ROWS: dict[str, list[Any]] = {
    "item": ["a", "a", "b", "b"],
    "rater": ["x", "y", "x", "y"],
    "label": [1, 2, 2, 2],
}


@pytest.mark.parametrize("column", ["item", "rater"])
@pytest.mark.parametrize("nothing", [None, "", "  "])
def test_a_rating_without_item_or_rater_is_refused(column: str, nothing: str | None) -> None:
    # All such ratings used to count as one item or one rater called "None".
    with pytest.raises(NotLabels, match=f"1 of 4 ratings have no {column}. Expected a value"):
        Labels.read(ROWS | {column: [*ROWS[column][:3], nothing]})


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_arrays_refuse_them_too(nothing: float | None) -> None:
    with pytest.raises(MissingName, match="1 ratings have no rater"):
        Ratings.of(["a", "a"], [1, 2], [1.0, nothing])
    with pytest.raises(MissingName, match="1 ratings have no item"):
        Ratings.of([nothing, 2.0], [1, 2], ["x", "y"])
    # Without a label there is no rating to attribute.
    assert Ratings.of(["a", "a"], [1, None], [1.0, nothing]).left_out == {"missing label": 1}


def test_a_repeated_rating_is_refused_unless_it_is_kept() -> None:
    rows = {name: [*values, values[0]] for name, values in ROWS.items()}
    with pytest.raises(NotLabels, match="1 rows repeat an earlier rating, for example item 'a', rater 'x'"):
        Labels.read(rows)
    kept = Labels.read(rows, repeated="kept")
    assert "1 ratings repeat an earlier rating" in repr(kept)
    assert "1 ratings repeat an earlier rating" in repr(
        measure_agreement(kept, ["percentage"], bootstrap=None)
    )
    # The same rater may rate an item once in every condition, and at every unknown position.
    Labels.read(rows | {"condition": ["C"] * 4 + ["D"]})
    Labels.read({name: values for name, values in rows.items() if name != "rater"})


def test_numbers_mixed_with_text_are_refused_and_can_be_declared_missing() -> None:
    rows = ROWS | {"label": ["1", "2", "2", "n/a"]}
    with pytest.raises(NotLabels, match=r"partly numbers \('1', '2'\) and partly text \('n/a'\)") as caught:
        Labels.read(rows)
    assert "missing=['n/a']" in str(caught.value)
    assert measure_agreement(Labels.read(rows, missing=["n/a"]), bootstrap=None).get(
        "percentage"
    ).left_out == {
        "missing label": 1,
        "item with fewer than two ratings": 1,
    }
    with pytest.raises(UnreadableTable, match="column 'label' mixes values of different types"):
        Labels.read(ROWS | {"label": [1, 2, 2, "n/a"]})
    named = Scale(points=(Point(code=0, name="1"), Point(code=1, name="2"), Point(code=2, name="n/a")))
    assert Labels.read(rows, scale=named).codes() == (0, 1, 2)


def test_many_rows_are_read_without_checks_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_checks, "MOST_CHECKED", 3)
    labels = Labels.read(ROWS | {"rater": ["x", "y", "x", None]})
    assert "Not checked for missing raters and repeated rows, because there are 4 ratings." in repr(labels)
    with pytest.raises(NotLabels, match="have no rater"):
        labels.check()


def test_recoding_names_every_code_or_says_which_it_would_drop() -> None:
    labels = Labels.read(ROWS)
    with pytest.raises(UnknownCode, match="these codes occur but are not recoded: 2"):
        labels.recoded({1: 0})
    assert labels.recoded({1: 0, 2: None}).ratings().left_out == {"missing label": 3}
    with pytest.raises(NotLabels, match="no rows to recode: item='z'"):
        labels.recoded({1: 0, 2: 1}, item="z")
    # Rows that are not recoded keep their values: 1.5 used to become 2.
    halves = Labels.read(ROWS | {"label": [1.0, 2.0, 1.5, 2.0]})
    with pytest.raises(NotLabels, match=r"label 1\.5 in other rows is not a whole number"):
        halves.recoded({1.0: 0, 2.0: 1}, item="a")


def test_ratings_of_several_questions_are_not_pooled() -> None:
    labels = Labels.read(
        ROWS | {"item": ["a"] * 4, "question": ["q1", "q1", "q2", "q2"]},
    )
    for pooled in (labels.ratings, labels.named_ratings, lambda: majority(labels)):
        with pytest.raises(SeveralQuestions, match=r"2 values of 'question' \(q1, q2\)"):
            pooled()
    two = Labels.read(ROWS | {"condition": ["C", "D", "C", "D"]})
    with pytest.raises(SeveralQuestions, match="condition"):
        two.named_ratings()


def test_a_label_off_the_scale_is_no_missing_score() -> None:
    scale = Scale(points=(Point(code=1, name="no"), Point(code=2, name="yes")))
    with pytest.raises(UnknownCode, match="label 7"):
        item_scores(Labels.read(ROWS | {"label": [1, 2, 2, 7]}, scale=scale))


def test_a_label_that_is_nan_names_no_item() -> None:
    labels = Labels.read({"item": ["a", "b", "c"], "label": np.array([1.0, np.nan, 2.0])})
    ratings, names = labels.named_ratings()
    assert (ratings.items, names) == (2, ["a", "c"])
