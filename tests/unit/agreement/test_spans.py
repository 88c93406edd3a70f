"""Spans and sentence selections, on texts small enough to count by hand."""

from __future__ import annotations

import math

import pytest

from labelwright.agreement import (
    cut_spans,
    jaccard,
    jaccard_k,
    score_against_reference,
    selection_jaccard,
    snippet_coverage,
)
from labelwright.agreement.fleiss import fleiss_kappa
from labelwright.agreement.spans import chosen_counts, masks, spans_of

# Three raters of a text of 10 characters: 0-4, 2-6 and 2-8. All three: 2-4 (2); two: 2-6 (4); any: 0-8 (8).
THREE = [[(0, 4)], [(2, 6)], [(2, 8)]]


def test_jaccard_counts_characters() -> None:
    assert jaccard([THREE], bootstrap=None).value == 2 / 8
    assert jaccard_k([THREE], 2, bootstrap=None).value == 4 / 8


def test_nobody_chose_anything_is_full_agreement() -> None:
    assert jaccard([[[], [], []]], bootstrap=None).value == 1


def test_overlapping_spans_of_one_rater_count_once() -> None:
    assert jaccard([[[(0, 4), (2, 4)], [(0, 4)]]], bootstrap=None).value == 1


def test_at_equal_n_all_groups_of_raters_are_averaged() -> None:
    # Pairs: 0-4 & 2-6 share 2 of 6; 0-4 & 2-8 share 2 of 8; 2-6 & 2-8 share 4 of 6.
    found = jaccard([THREE], at=2, bootstrap=None)
    assert found.value == pytest.approx((2 / 6 + 2 / 8 + 4 / 6) / 3)
    assert "at 2 raters" in found.definition


def test_a_text_with_too_few_raters_is_left_out() -> None:
    found = jaccard([THREE, THREE[:1]], bootstrap=None)
    assert (found.value, found.left_out) == (0.25, {"item without a value": 1})


def test_against_reference_in_three_ways() -> None:
    expert = [[(2, 6)]]
    # Rater by rater: precision 2/4, 4/4, 4/6; recall 2/4, 4/4, 4/4; F1 0.5, 1, 0.8.
    mean = score_against_reference([THREE], [expert], "mean", bootstrap=None)
    assert mean.precision.value == pytest.approx((0.5 + 1 + 2 / 3) / 3)
    assert mean.recall.value == pytest.approx((0.5 + 1 + 1) / 3)
    assert mean.f1.value == pytest.approx((0.5 + 1 + 0.8) / 3)
    # More than half: 2-6, exactly the expert's; all three: 2-4, precision 1, recall 1/2.
    assert score_against_reference([THREE], [expert], "majority", bootstrap=None).f1.value == 1
    assert (
        score_against_reference([THREE], [expert], "majority", majority=3, bootstrap=None).recall.value == 0.5
    )
    # The second rater's F1 with the others (0.5 + 0.8) is the highest.
    assert score_against_reference([THREE], [expert], "similarity", bootstrap=None).f1.value == 1


def test_nothing_chosen_scores_zero_against_an_expert() -> None:
    assert score_against_reference([[[], [(0, 2)]]], [[[(0, 2)]]], bootstrap=None).f1.value == 0.5


def test_a_sentence_is_found_by_its_letters_and_digits() -> None:
    text = "Intro. “The  door”, it says, opens. End."
    start, end = text.index("door"), text.index("opens")
    assert cut_spans([(start, end)], text, "The door, it says, opens.") == [(4, 17)]
    assert cut_spans([(0, 3)], text, "not there") is None


def test_masks_and_spans_are_inverse() -> None:
    assert spans_of(masks([[(1, 3), (5, 6)]])[0]) == [(1, 3), (5, 6)]


def test_characters_as_items_give_fleiss_kappa() -> None:
    # Two raters, four characters, chosen 2, 1, 1, 0: observed 0.5, both codes half: chance 0.5, kappa 0.
    counts = chosen_counts([[[(0, 2)], [(0, 1), (2, 3)]]], lengths=[4])
    assert fleiss_kappa(counts, None).value == pytest.approx(0)


def test_selected_sentences() -> None:
    raters = [{"a", "b"}, {"b", "c"}, {"b"}]
    assert selection_jaccard([raters], bootstrap=None).value == pytest.approx(1 / 3)
    assert selection_jaccard([raters], k=1, bootstrap=None).value == 1


def test_a_response_is_scored_by_the_snippets_it_covers() -> None:
    # "two red buses": two of three words are said; "red red": said once, so one of two.
    assert snippet_coverage("Two buses, one red.", ["two red buses now", "red red"]) == pytest.approx(
        (3 / 4 + 1 / 2) / 2
    )
    assert math.isnan(snippet_coverage("Hello", []))
