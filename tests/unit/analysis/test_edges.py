"""Analyses at their edges, on tables small enough to count by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from labelwright.agreement import Bootstrap, Counts, Ratings, get_measure
from labelwright.agreement.estimate import Estimate, Interval
from labelwright.agreement.significance import Significance
from labelwright.analysis import (
    Labels,
    MixedCodes,
    NotLabels,
    majority,
    rank_systems,
    ranking_stability,
)
from labelwright.analysis import agreement as agreement_module
from labelwright.analysis.aggregation import majority_of_patterns
from labelwright.analysis.audit import LabelSet, audit_sets
from labelwright.analysis.audit.checks.codes import unused_codes
from labelwright.analysis.audit.checks.fields import misspelled_fields, placeholder_answers
from labelwright.analysis.audit.checks.items import duplicates
from labelwright.analysis.audit.checks.ratings import positions, ratings_per_item
from labelwright.analysis.audit.checks.times import fast_ratings
from labelwright.analysis.audit.findings import Finding, report, some_sets
from labelwright.analysis.audit.reading import read_sets
from labelwright.analysis.comparing.conditions import consistency, distributions, same_label
from labelwright.analysis.comparing.differences import difference_of_ratings, equalise_ratings
from labelwright.analysis.comparing.replicates import _majority_of, replicate_agreement
from labelwright.analysis.comparing.shifts import shift_of_values
from labelwright.analysis.correlation import rank_correlation
from labelwright.analysis.data.candidates import candidate_labels, preferences, rank_preferences
from labelwright.analysis.data.codes import CodeSets
from labelwright.analysis.data.exports import read_export
from labelwright.analysis.data.item_lists import item_list_rows, read_item_lists
from labelwright.analysis.ranking.claims import check_claims
from labelwright.analysis.rater_models import dawid_skene, mace, one_coin
from labelwright.analysis.results import EstimateRow, EstimateTable
from labelwright.analysis.scores import (
    ItemValues,
    agreement_by_item,
    code_scores,
    item_agreement,
    item_scores,
    normalised_scores,
)
from labelwright.scales import Point, Scale

NAN = float("nan")


def table(**columns: Iterable[Any]) -> Labels:
    return Labels.read({name: list(values) for name, values in columns.items()})


# Aggregation


def test_ties_are_broken_as_asked():
    # Item a: 2, 1 (in this order); item b: 3 twice. Codes 1, 2, 3.
    ratings = Ratings.of(list("aabb"), [2, 1, 3, 3])
    found = {ties: majority(ratings, ties).labels for ties in ("none", "lowest", "highest", "first")}
    assert found == {"none": [None, 3], "lowest": [1, 3], "highest": [2, 3], "first": [2, 3]}
    drawn = {tuple(majority(ratings, "random", seed).labels) for seed in range(20)}
    assert drawn == {(1, 3), (2, 3)}
    tied = majority(ratings, "random", 4)
    assert (tied.seed, tied.facts, tied.posterior.tolist()) == (4, {"tied": 1}, [[0.5, 0.5, 0], [0, 0, 1]])
    assert majority(ratings).seed is None
    assert repr(majority(ratings)) == "majority over 2 items: 3: 1, none: 1"
    assert majority(ratings).frame().to_pydict()["item"] == [0, 1]


def test_majorities_of_patterns_follow_the_tie_rule():
    counts = Counts.of_patterns([[1, 1, 0], [0, 2, 2], [3, 0, 0]], [5, 7, 11], (1, 2, 3))
    assert majority_of_patterns(counts) == {1: 11, 2: 0, 3: 0, None: 12}
    assert majority_of_patterns(counts, "lowest") == {1: 16, 2: 7, 3: 0, None: 0}
    assert majority_of_patterns(counts, "highest") == {1: 11, 2: 5, 3: 7, None: 0}


def _crowd(seed: int = 1) -> tuple[Ratings, np.ndarray]:
    """200 items, five raters; the last one guesses, the others are right nine times out of ten."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(3, size=200)
    label = np.where(
        draw.random((200, 5)) < [0.9, 0.9, 0.9, 0.9, 0.0], truth[:, None], draw.integers(3, size=(200, 5))
    )
    return Ratings.of(np.repeat(np.arange(200), 5), label.ravel(), np.tile(np.arange(5), 200)), truth


@pytest.mark.parametrize("method", [dawid_skene, one_coin, mace])
def test_models_find_the_rater_who_guesses(method: Any):
    ratings, truth = _crowd()
    found = method(ratings)
    assert (found.label == truth).mean() > 0.97
    assert found.posterior.sum(axis=1) == pytest.approx(1)
    # 0.9 + 0.1 / 3 = 0.93 right by chance included; who guesses is right one time in three (MACE: knows none).
    assert found.rater_skill[:4].min() > 0.85
    assert found.rater_skill[4] < 0.45


def test_models_stop_when_nothing_moves_and_count_their_rounds():
    ratings, _ = _crowd()
    stopped = dawid_skene(ratings, iterations=3, tolerance=-1).convergence
    assert (stopped.iterations, stopped.converged) == (3, False)
    fitted = dawid_skene(ratings).convergence
    assert fitted.converged
    assert 1 < fitted.iterations < 100
    # EM never lowers the likelihood, and at convergence hardly raises it.
    assert stopped.log_likelihood < fitted.log_likelihood
    assert 0 <= fitted.change < 1e-3
    assert dawid_skene(ratings, tolerance=2).convergence.iterations == 1
    assert mace(ratings, iterations=2, restarts=1, seed=5).seed == 5
    assert (mace(ratings, 2, 1).convergence.iterations, mace(ratings, 2, 1).convergence.converged) == (
        2,
        False,
    )
    assert mace(ratings).convergence.converged
    one, best = mace(ratings, 5, 1), mace(ratings, 5, 8)
    assert one.posterior.tolist() != best.posterior.tolist()


# Replicates


def test_unanimous_items_come_out_the_same_again():
    assert replicate_agreement(Ratings.of(list("aabb"), [1, 1, 2, 2])) == 1
    assert math.isnan(replicate_agreement(Ratings.of(list("ab"), [1, 2])))
    # Single ratings say nothing about agreement and are left out.
    assert replicate_agreement(Ratings.of(list("aabbc"), [1, 1, 2, 2, 3])) == 1


def test_replicates_of_pure_guessing_agree_by_chance():
    draw = np.random.default_rng(0)
    ratings = Ratings.of(np.repeat(np.arange(600), 3), draw.integers(2, size=1800))
    # Majorities of three coin throws: two replicates are equal half of the time.
    assert replicate_agreement(ratings, runs=50) == pytest.approx(0.5, abs=0.05)
    # With an even number, ties give no label: 3/8 of 4 throws tie, so (5/8)^2 / 2 = 0.195 agree.
    even = Ratings.of(np.repeat(np.arange(600), 4), draw.integers(2, size=2400))
    assert replicate_agreement(even, runs=50) == pytest.approx(0.195, abs=0.05)
    # Lowest wins ties: code 0 has 11/16, so (11/16)^2 + (5/16)^2 = 0.57.
    assert replicate_agreement(even, "lowest", runs=50) == pytest.approx(0.57, abs=0.06)


def test_majorities_in_replicates_follow_the_tie_rule():
    counts = np.array([[[1, 1, 0], [0, 2, 2], [3, 0, 0]]])
    draw = np.random.default_rng(0)
    found = {ties: _majority_of(counts, ties, draw).tolist() for ties in ("none", "lowest", "highest")}
    assert found == {"none": [[-1, -1, 0]], "lowest": [[0, 1, 0]], "highest": [[1, 2, 0]]}
    drawn = np.array([_majority_of(counts, "random", draw)[0] for _ in range(40)])
    assert [set(column) for column in drawn.T.tolist()] == [{0, 1}, {1, 2}, {0}]


# Scores


def test_codes_without_a_place_have_no_score():
    assert code_scores((7,)).tolist() == [0]
    scored = Scale(points=(Point(code=1, name="a", score=0.2), Point(code=2, name="b")))
    assert code_scores((1, 2), scored).tolist()[0] == 0.2
    assert np.isnan(code_scores((1, 2), scored)).tolist() == [False, True]
    placed = Scale(
        points=(Point(code=1, name="a"), Point(code=2, name="b"), Point(code=9, name="x", no_answer=True))
    )
    assert code_scores((1, 2), placed).tolist() == [0, 1]
    assert np.isnan(code_scores(("1", 9), placed)).tolist() == [True, True]


def test_agreement_of_items_with_one_rating_is_undefined():
    # a: 1, 1, 2: one of three pairs; b: one rating; c: two equal.
    ratings = Ratings.of(list("aaabcc"), [1, 1, 2, 1, 2, 2])
    found = item_agreement(ratings)
    assert found.tolist()[::2] == pytest.approx([1 / 3, 1])
    assert math.isnan(found[1])
    assert agreement_by_item(table(item="aaabcc", label=[1, 1, 2, 1, 2, 2])) == pytest.approx(
        {"a": 1 / 3, "c": 1}
    )


def test_scores_are_those_of_each_slices_own_scale():
    labels = table(
        item="aabb", label=[1, 3, 2, 2], category=["x", "x", "y", "y"], aspect=["use"] * 4, rater=list("pqpq")
    )
    assert item_scores(labels) == {"a": 0.5, "b": 0.5}
    found = normalised_scores(labels, bootstrap=None)
    assert found.get(category="x").value == 0.5
    declared = Labels.read(
        {"item": ["a", "b"], "label": [1, 2], "aspect": ["use", "fit"], "category": ["x", "x"]},
        scale={"use": Scale(points=(Point(code=1, name="l", score=0.9), Point(code=2, name="h", score=1)))},
    )
    assert normalised_scores(declared, bootstrap=None).get(aspect="use").value == 0.9


# Shifts and differences


def _values(**items: float) -> ItemValues:
    return ItemValues({name: [value] for name, value in items.items()})


def test_a_shift_is_paired_by_item():
    before, after = _values(a=0, b=0.5, c=1, d=0.1), _values(a=1, b=0.5, c=1.5, e=0)
    found = shift_of_values(before, after, "score", margin=0.75)
    # Moved by 1, 0 and 0.5: mean 0.5, standard deviation 0.5, so an effect of 1 and a standard error of 0.5 / sqrt(3).
    assert (found.value, found.effect_size, found.items) == (0.5, pytest.approx(1), 3)
    # t of 2 degrees of freedom at 0.975 is 4.3027, so 1.2421 on both sides.
    assert found.interval is not None
    assert found.interval.high - 0.5 == pytest.approx(4.3027 * 0.5 / math.sqrt(3), abs=1e-4)
    # Signs of 1 and 0.5: (1.5, 0.5, -0.5, -1.5), two of four as far as 1.5.
    assert found.test.p == 0.5
    # (0.75 - 0.5) / 0.28868 = 0.86603, for which t of 2 degrees of freedom has an upper tail of 0.2388.
    assert found.equivalence is not None
    assert found.equivalence.p == pytest.approx(0.2388, abs=1e-4)
    assert found.reversed().value == -0.5
    assert found.reversed().interval.high == -found.interval.low
    alone = shift_of_values(_values(a=0), _values(a=1), "score")
    assert (alone.value, alone.interval, repr(alone.effect_size)) == (1.0, None, "nan")
    assert math.isnan(shift_of_values(_values(a=0), _values(b=1), "score").value)


def test_no_interval_is_better_than_one_without_width():
    alike = shift_of_values(_values(a=0, b=0, c=0), _values(a=1, b=1, c=1), "score")
    assert (alike.value, alike.interval) == (1.0, None)
    assert "no interval: the difference is the same without any of the items" in repr(alike)
    assert alike.test.p == 0.25  # two of eight patterns of signs


def test_a_relation_needs_three_items_and_two_that_vary():
    one, two = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 9.0}, {"a": 2.0, "b": 4.0, "c": 3.0, "e": 1.0}
    found, test = rank_correlation(one, two, "r", Bootstrap(300))
    # Ranks 1, 2, 3 and 1, 3, 2: 1 - 6 x 2 / 24 = 0.5.
    assert (found.value, found.items, found.left_out) == (
        pytest.approx(0.5),
        3,
        {"item with only one of the two values": 2},
    )
    assert test.statistic == pytest.approx(0.5)
    assert found.interval is not None
    assert found.interval.undefined > 0
    assert rank_correlation({"a": 1.0, "b": 2.0}, two, "r")[0].undefined is not None
    assert rank_correlation({"a": 1.0, "b": 1.0, "c": 1.0}, two, "r")[0].undefined is not None
    assert rank_correlation({"a": 1.0, "b": 2.0, "c": NAN}, two, "r")[0].items == 2
    monotone = {str(n): float(n) for n in range(30)}
    perfect, _ = rank_correlation(
        monotone, {name: value**2 for name, value in monotone.items()}, "r", Bootstrap(50)
    )
    assert perfect.interval is not None
    assert (perfect.interval.low, perfect.interval.high) == (pytest.approx(1), pytest.approx(1))
    falling, _ = rank_correlation(
        monotone, {name: -value for name, value in monotone.items()}, "r", Bootstrap(50)
    )
    assert falling.interval is not None
    assert falling.interval.high == pytest.approx(-1)
    assert rank_correlation(monotone, monotone, "r", None)[0].interval is None


def _named(items: str, labels: list[int], raters: int = 2) -> tuple[Ratings, list[str]]:
    item = [name for name in items for _ in range(raters)]
    return Ratings.of(item, labels, rater=[f"r{n}" for _ in items for n in range(raters)]), sorted(items)


def test_two_sets_are_paired_where_they_share_half_of_their_items():
    one = _named("abcd", [1, 1, 1, 2, 1, 1, 2, 2])
    # Agreeing on a, c and d of one, and on c, d and f of the other; common are c and d, half of four.
    two = _named("cdef", [1, 1, 2, 2, 1, 2, 1, 1])
    paired = difference_of_ratings(one, two, "percentage", bootstrap=Bootstrap(50))
    assert (paired.paired, paired.items, paired.value, paired.ratings_per_item) == (True, 2, 0.0, None)
    assert paired.left_out == {"item only in first": 2, "item only in second": 2}
    three = _named("cdefgh", [1, 1, 2, 2, 1, 2, 1, 1, 1, 2, 1, 2])
    # Two of six are less than half: 3 of 4 against 3 of 6.
    apart = difference_of_ratings(one, three, "percentage", bootstrap=Bootstrap(50))
    assert (apart.paired, apart.value) == (False, pytest.approx(0.5 - 0.75))
    assert "not in pairs" in repr(apart)
    # Variances of the means: (3/16) / 3 = 0.0625 and (1/4) / 5 = 0.05.
    assert apart.interval is not None
    assert apart.test.statistic == pytest.approx(-0.25 / math.sqrt(0.0625 + 0.05))
    assert apart.significant == (not apart.interval.low <= 0 <= apart.interval.high)
    assert repr(apart).startswith("percentage, first to second: 0.750 to 0.500, -0.250 [")


def test_sets_with_more_ratings_are_brought_to_fewer():
    two = _named("ab", [1, 1, 2, 2])
    three = _named("ab", [1, 1, 1, 2, 2, 2], raters=3)
    found = difference_of_ratings(two, three, "percentage", bootstrap=Bootstrap(20))
    assert (found.ratings_per_item, found.value) == (2, 0.0)
    assert "at 2 ratings per item" in found.definition
    assert not found.significant
    # An item with too few ratings in one set is left out of both.
    fewer = (Ratings.of(list("aabbc"), [1, 1, 2, 2, 1]), ["a", "b", "c"])
    more = _named("abc", [1, 1, 1, 2, 2, 1, 2, 2, 2], raters=3)
    at_two = difference_of_ratings(fewer, more, "percentage", bootstrap=Bootstrap(20))
    assert (at_two.items, at_two.left_out) == (2, {"item with fewer than 2 ratings": 1})


def test_the_same_items_are_left_out_together_for_every_kind_of_measure():
    draw = np.random.default_rng(2)
    truth = draw.integers(2, size=60)
    labels = np.where(draw.random((60, 2)) < 0.7, truth[:, None], 1 - truth[:, None])
    names = [f"i{n:02d}" for n in range(60)]
    ratings = Ratings.of(np.repeat(names, 2), labels.ravel(), rater=np.tile(["x", "y"], 60))
    better = Ratings.of(np.repeat(names, 2), np.repeat(truth, 2), rater=np.tile(["x", "y"], 60))
    for name in ("percentage", "cohen_kappa"):
        # A set differs from itself by nothing, without any item: that is no reason for certainty.
        same = difference_of_ratings((ratings, names), (ratings, names), name, bootstrap=Bootstrap(30))
        assert (same.value, same.interval) == (0, None)
        found = difference_of_ratings((ratings, names), (better, names), name, bootstrap=Bootstrap(60))
        assert found.significant
        assert found.interval is not None
        assert found.interval.low < found.value < found.interval.high
        shifted = [f"j{n:02d}" for n in range(60)]
        apart = difference_of_ratings((ratings, names), (better, shifted), name, bootstrap=Bootstrap(60))
        assert (apart.paired, apart.value) == (False, pytest.approx(found.value))


def test_items_with_too_few_ratings_are_left_out_at_equal_n():
    ratings = Ratings.of(list("aaabbc"), [1, 2, 3, 4, 5, 6])
    found = equalise_ratings(ratings, 2, seed=1)
    assert (found.items, np.bincount(found.item).tolist()) == (2, [2, 2])
    assert found.left_out == {"item with fewer than 2 ratings": 1}
    assert set(found.code.tolist()[2:]) == {3, 4}
    drawn = {tuple(equalise_ratings(ratings, 2, seed).code.tolist()[:2]) for seed in range(30)}
    # Two of the three ratings of item a, in the order in which they were given.
    assert drawn == {(0, 1), (0, 2), (1, 2)}
    assert equalise_ratings(ratings, 1).left_out == {}
    assert equalise_ratings(ratings, 2).code.tolist() == equalise_ratings(ratings, 2, seed=0).code.tolist()


# Conditions and claims


def test_conditions_are_compared_on_their_common_items():
    found = same_label({"a": 0, "b": 1, "c": 0, "d": -1}, {"a": 0, "b": 0, "d": -1, "e": 1}, None)
    assert (found.value, found.items, found.left_out) == (
        pytest.approx(1 / 3),
        3,
        {"item in one condition only": 2},
    )
    rows = {
        "item": list("aabbcc") * 2,
        "rater": list("xy") * 6,
        "condition": ["C0"] * 6 + ["C3"] * 6,
        "label": [1, 1, 2, 2, 1, 2, 1, 1, 1, 1, 1, 1],
    }
    scale = Scale(points=(Point(code=1, name="low"), Point(code=2, name="high")))
    [matrix] = consistency(Labels.read(rows, scale=scale), reference="C3", bootstrap=None)
    assert matrix.get("C3", "C0").value == pytest.approx(1 / 3)
    assert matrix.against_reference()["C0"].value == pytest.approx(1 / 3)
    heads, cells = matrix.cells()
    assert (heads, cells[0][0], cells[0][2], cells[1][2]) == (
        ["condition", "C0", "C3"],
        "C0",
        "33.3",
        "(100)",
    )
    first, second = distributions(Labels.read(rows))
    assert (first.ratings, first.majority, first.no_majority, first.shares) == ((3, 3), (1, 1), 1, (0.5, 0.5))
    assert (second.ratings[0], second.no_majority) == (6, 0)


def test_printed_figures_are_explained():
    printed = {"a": 0.54, "b": 0.60, "c": 0.12, "d": 0.33, "e": 0.5}
    found = check_claims("t", printed, {"a": 0.6045, "b": 0.5451, "c": 0.129, "d": 0.3349, "e": 0.7124})
    assert [claim.verdict for claim in found.claims] == [
        "matches if exchanged",
        "matches if exchanged",
        "matches truncated",
        "matches",
        "differs",
    ]
    assert [claim.explanation for claim in found.claims[2:]] == [
        "truncated, not rounded",
        "",
        "off by +0.212",
    ]
    _, rows = found.cells()
    assert rows[4] == ["e", "0.50", "0.7124", "differs", "off by +0.212"]
    assert repr(found).splitlines()[0] == "t"
    assert found._repr_html_().startswith("<table><caption>t</caption>")
    # Not rounded to 0.12 and not truncated to it: 0.1301.
    assert check_claims("t", {"a": 0.12}, {"a": 0.1301}).claims[0].verdict == "differs"
    assert check_claims("t", {"a": 0.1}, {"a": 0.149}, digits=1).claims[0].verdict == "matches"


# Codes and tables


def test_codes_that_are_moved_by_a_fixed_step_can_be_brought_together():
    sets = CodeSets("use", {"A": (1, 2, 3), "B": (0, 1, 2), "C": (1, 2, 3), "D": (1, 2), "E": (0, 2, 3)})
    assert sets.shift("B") == {0: 1, 1: 2, 2: 3}
    assert [sets.shift(name) for name in "ADE"] == [None, None, None]
    assert "recode B by {0: 1, 1: 2, 2: 3}" in sets.advice()
    assert CodeSets("use", {"A": ("x", "y"), "B": (1, 2)}).shift("B") is None
    # "1", "2" is the common scale here, and a step from 1 to "1" is none.
    assert CodeSets("use", {"A": ("1", 2), "B": (1, 2), "C": ("1", 2)}).shift("B") is None
    two = CodeSets("use", {"A": (1, 2), "B": (2, 3), "C": (3, 4)})
    assert "recode B (and C)" in two.advice()
    assert CodeSets("use", {"A": (1, 2), "B": (1, 2)}).mixed is False
    assert CodeSets("u", {"A": (1,), "B": (1, 2)}).describe() == "A: 1; B: 1, 2"
    with pytest.raises(MixedCodes):
        sets.check("comparing")


def _estimate(value: float = 0.5, interval: Interval | None = None, **facts: Any) -> Estimate:
    return Estimate("m", value, "d", interval=interval, items=1200, **facts)


def test_estimates_become_a_table_and_records():
    interval = Interval(0.4, 0.6, 0.95, "items", 10, 0)
    rows = (
        EstimateRow({"condition": "C<0"}, {"m": _estimate(interval=interval, notes=("n",))}),
        EstimateRow({"condition": "C3"}, {"k": _estimate(NAN, undefined="why", notes=("n",))}),
    )
    found = EstimateTable(rows, "Title")
    assert found.cells() == (
        ["condition", "m", "k", "items"],
        [["C<0", "0.50 [0.40, 0.60]", "", "1,200"], ["C3", "", "undefined", "1,200"]],
    )
    assert repr(found).splitlines() == [
        "Title",
        "condition  m                  k          items",
        "C<0        0.50 [0.40, 0.60]             1,200",
        "C3                            undefined  1,200",
        "95% intervals for these raters and other items.",
        "n",
    ]
    assert "<td>C&lt;0</td>" in found._repr_html_()
    assert found.get("k", condition="C3").undefined == "why"
    assert len(found) == len(list(found)) == 2
    frame = found.frame().to_pylist()
    assert [(row["measure"], row["value"], row["low"], row["high"]) for row in frame] == [
        ("m", 0.5, 0.4, 0.6),
        ("m", None, None, None),
    ]
    # Two spaces, so that people can read the file.
    assert found.json().startswith('[\n  {\n    "condition": "C<0"')
    assert repr(EstimateTable(())) == "items"


# Candidates and systems


def test_comparisons_are_read_from_preferences_and_rankings():
    systems = '["alpha", "beta", "gamma"]'
    rows = [{"question": "better", "label": n, "candidates": systems} for n in (-2, 0, 1, 9)]
    assert preferences(rows, "better").winner == ("alpha", None, "beta", None)
    assert preferences(rows, "better", pair=(1, 2)).first == ("beta",) * 4
    assert preferences(rows, "better").both_bad == (False, False, False, True)
    assert preferences(rows, "other").winner == ()
    ranked = [{"question": "order", "value": [1, 2, 1], "candidates": ["alpha", "beta", "gamma"]}]
    found = rank_preferences(ranked, "order")
    assert list(zip(found.first, found.second, found.winner, strict=True)) == [
        ("alpha", "beta", "alpha"),
        ("alpha", "gamma", None),
        ("beta", "gamma", "gamma"),
    ]
    for missing in ("[]", '["alpha", ""]', None):
        with pytest.raises(NotLabels):
            preferences([{"question": "better", "label": 1, "candidates": missing}], "better")
    parts = [{"item": "d", "question": q, "label": 1} for q in ("rank.c1", "q.c0.fit", "plain", "q.found")]
    assert candidate_labels(parts)["question"] == ["rank", "q.fit"]


def _systems() -> Labels:
    """Ten items of two systems each, alpha better on all of them in C0 and on none in C3; gamma only in C0."""
    rows = []
    for condition in ("C0", "C3"):
        for n in range(10):
            high = condition == "C0"
            rows += [
                (f"i{n}", "alpha", condition, 2 if high else 1),
                (f"i{n}", "beta", condition, 1 if high else 2),
            ]
            rows += [(f"i{n}", "gamma", condition, 1 + n % 2)] * (condition == "C0")
    columns = zip(("item", "system", "condition", "label"), zip(*rows, strict=True), strict=True)
    return Labels.read({name: list(column) for name, column in columns})


def test_systems_are_ranked_with_how_sure_that_is():
    ranking = rank_systems(_systems().where(condition="C0"), Bootstrap(200))
    assert ranking.order == ("alpha", "gamma", "beta")
    alpha, gamma, beta = ranking.systems
    assert (alpha.rank, alpha.rank_low, alpha.rank_high, alpha.share_best) == (1, 1, 1, 1.0)
    assert (alpha.score.value, gamma.score.value, beta.score.value) == (1, 0.5, 0)
    assert (gamma.rank_low, gamma.rank_high, gamma.score.items) == (2, 2, 10)
    # Half of ten coin throws: the 95% interval is about 0.2 to 0.8.
    assert gamma.score.interval is not None
    assert gamma.score.interval.low == pytest.approx(0.2, abs=0.11)
    assert ranking.cells()[1][0] == ["1", "alpha", "1.00 [0.66, 1.00]", "1 to 1", "100%", "10"]
    assert repr(ranking).startswith("Ranking of systems\nrank  system")
    assert ranking._repr_html_().startswith("<table><caption>Ranking of systems</caption>")


def test_systems_with_items_of_their_own_are_resampled_apart():
    labels = table(item="abcdefgh", system=["s"] * 4 + ["t"] * 4, label=[1, 1, 2, 2, 1, 2, 2, 2])
    ranking = rank_systems(labels, Bootstrap(400))
    # Means 3/4 and 1/2 of four items each; replicates have the same means, with standard errors of about 0.22 and 0.25.
    assert [each.system for each in ranking.systems] == ["t", "s"]
    assert ranking.replicates.mean(axis=0).tolist() == pytest.approx([0.75, 0.5], abs=0.05)
    assert ranking.replicates.std(axis=0).tolist() == pytest.approx([0.217, 0.25], abs=0.03)
    # Drawn apart, they move apart.
    together = np.asarray(np.corrcoef(ranking.replicates.T))
    assert abs(together[0, 1]) < 0.2


def test_shared_items_move_systems_together():
    labels = table(item="abcdabcd", system=["s"] * 4 + ["t"] * 4, label=[1, 1, 2, 3, 1, 1, 2, 3])
    ranking = rank_systems(labels, Bootstrap(100))
    assert ranking.replicates[:, 0].tolist() == pytest.approx(ranking.replicates[:, 1].tolist())
    # Scores 0, 0, 0.5 and 1: mean 0.375.
    assert ranking.replicates.mean() == pytest.approx(0.375, abs=0.07)


def test_an_order_that_turns_round_is_not_kept():
    found = ranking_stability(_systems(), bootstrap=Bootstrap(50))
    assert found.tau == {("C0", "C3"): pytest.approx(-1)}
    assert found.kept == {("alpha", "beta"): 0.0}
    assert repr(found).splitlines() == [
        "Ranking by condition",
        "C0: alpha > gamma > beta",
        "C3: beta > alpha",
        "alpha and beta are in the same order in all conditions in 0% of replicates",
    ]
    alone = ranking_stability(
        table(item="aabb", system="ssss", condition=["x", "y"] * 2, label=[1, 1, 2, 2]),
        bootstrap=Bootstrap(5),
    )
    assert math.isnan(alone.tau["x", "y"])


# Labels


def test_labels_are_sliced_and_stay_on_their_scale():
    labels = table(item="aabb", rater="xyxy", label=[1, 2, 2, 3], category="ccdd", condition="mnmn")
    assert labels.where(category="d").codes() == (1, 2, 3)
    assert labels.where(condition="n").codes() == (2, 3)
    assert labels.where(condition="n", category="d").codes() == (2, 3)
    assert labels.where(category="d").where(category="d").codes() == (1, 2, 3)
    assert [where for where, _ in labels.slices(["category"])] == [{"category": "c"}, {"category": "d"}]
    assert next(labels.slices())[0] == {}
    assert labels.item_key() == ("item", "condition")
    assert labels.item_key(["condition"]) == ("item",)
    assert repr(labels) == "Labels: 4 ratings of 2 items by 2 raters, codes 1, 2, 3"
    assert (
        repr(table(item="ab", label=[1, 2]))
        == "Labels: 2 ratings of 2 items at unknown positions, codes 1, 2"
    )
    many = table(item=list(range(12)), label=list(range(12)))
    assert repr(many).endswith("codes 12 values")
    assert repr(table(item=list(range(11)), label=list(range(11)))).endswith("9, 10")


def test_no_answer_is_no_label_unless_asked():
    scale = Scale(
        points=(Point(code=1, name="Yes"), Point(code=2, name="No"), Point(code=0, name="?", no_answer=True))
    )
    rows = {"item": list("aaabbb"), "rater": list("xyzxyz"), "label": ["Yes", "?", "Yes", "No", "?", None]}
    labels = Labels.read(rows, scale=scale)
    assert labels.codes() == (1, 2)
    ratings, names = labels.named_ratings()
    assert (ratings.code.tolist(), ratings.left_out, names) == ([0, 0, 1], {"missing label": 3}, ["a", "b"])
    [counts] = labels.counts().values()
    assert counts.left_out == {"no answer or missing label": 3, "item with fewer than two ratings": 1}
    silent = Labels.read({"item": ["a", "b"], "label": [0, 1]}, scale=scale)
    assert silent.named_ratings()[1] == ["b"]
    counted = Labels.read(rows, scale=scale, no_answer="label")
    assert len(counted.ratings().code) == 5
    assert table(item="a", label=[None]).codes() == (0,)


def test_names_become_codes_only_within_their_aspect():
    use = Scale(points=(Point(code=1, name="low"), Point(code=2, name="high")))
    fit = Scale(points=(Point(code=7, name="low"), Point(code=8, name="high")))
    rows = {
        "item": list("aabb"),
        "label": ["low", "high", "low", "high"],
        "aspect": ["use", "use", "fit", "fit"],
    }
    labels = Labels.read(rows, scale={"use": use, "fit": fit})
    assert labels.where(aspect="use").fetch(["label"])["label"].to_pylist() == [1, 2]
    assert labels.where(aspect="fit").fetch(["label"])["label"].to_pylist() == [7, 8]
    assert labels.with_scale(use, "new").scale_of("new") is use
    kept = labels.recoded({1: 5, 2: None}, aspect="use")
    # A code that is mapped to None becomes missing, in the rows named.
    assert kept.where(aspect="use").fetch(["label"])["label"].to_pylist() == [5, None]
    assert kept.where(aspect="fit").fetch(["label"])["label"].to_pylist() == [7, 8]
    with pytest.raises(NotLabels, match="no column 'label'"):
        Labels.read({"item": ["a"], "grade": [1]})
    assert Labels.read({"task": ["a"], "worker": ["x"], "answer": [1]}).has("item", "rater", "label")


def test_many_ratings_are_paired_without_resampling(monkeypatch: pytest.MonkeyPatch):
    labels = table(item="aabbcc", rater="xyxyxy", label=[1, 1, 2, 2, 1, 2])
    wanted = get_measure("cohen_kappa")(labels.ratings(), None)
    monkeypatch.setattr(agreement_module, "MANY_RATINGS", 5)
    for memory in (6, 5):
        monkeypatch.setattr(agreement_module, "MOST_IN_MEMORY", memory)
        found = agreement_module.measure_agreement(
            labels, ["cohen_kappa", "kendall_tau_b", "percentage"], bootstrap=Bootstrap(20)
        )
        kappa = found.get("cohen_kappa")
        assert (kappa.value, kappa.items, kappa.ratings, kappa.raters) == (
            pytest.approx(wanted.value),
            3,
            6,
            2,
        )
        assert (kappa.interval, kappa.left_out, kappa.parts) == (
            None,
            {},
            {"pairs": 1.0, "shared_items": 3.0},
        )
        assert kappa.notes == ("No interval, because there are too many pairs of ratings to resample.",)
        assert "more than 5 ratings" in str(found.get("kendall_tau_b").undefined)
        assert found.get("percentage").value == pytest.approx(2 / 3)
    monkeypatch.setattr(agreement_module, "MANY_RATINGS", 5)
    gaps = Labels.read({"item": list("aabbcc"), "rater": list("xyxyxy"), "label": [1, 1, 2, 2, 1, None]})
    partly = agreement_module.measure_agreement(gaps, ["cohen_kappa"], bootstrap=None).get()
    assert (partly.ratings, partly.left_out) == (5, {"missing label": 1})
    nobody = table(item="aabbcc", label=[1, 1, 2, 2, 1, 2]).fetch(["item", "label"])
    unnamed = Labels.read(
        nobody.append_column("rater", [["x", "y", "x", "y", "x", None]]), repeated="unchecked"
    )
    with pytest.raises(NotLabels, match="1 of 6 ratings have no rater"):
        agreement_module.measure_agreement(unnamed, ["cohen_kappa"])
    monkeypatch.setattr(agreement_module, "MANY_RATINGS", 6)
    assert (
        agreement_module.measure_agreement(labels, ["cohen_kappa"], bootstrap=Bootstrap(20)).get().interval
        is not None
    )


def test_raters_are_resampled_only_where_they_are_known():
    known = table(item="a" * 10 + "b" * 10, rater="abcdefghij" * 2, label=[1, 1, 2, 1] * 5)
    both = Bootstrap(30, raters=True)
    assert (
        agreement_module.measure_agreement(known, ["percentage"], bootstrap=both).get().interval.over
        == "items and raters"
    )
    positions_only = table(item="aabb", label=[1, 1, 2, 1])
    assert (
        agreement_module.measure_agreement(positions_only, ["percentage"], bootstrap=both).get().interval.over
        == "items"
    )


def test_a_crowd_has_the_same_kappa_in_memory_and_on_the_engine(monkeypatch: pytest.MonkeyPatch):
    # 60 items, each judged by 3 of 12 raters: pairs share between none and several items.
    draw = np.random.default_rng(4)
    rater = np.concatenate([draw.choice(12, 3, replace=False) for _ in range(60)])
    item, label = np.repeat(np.arange(60), 3), draw.integers(2, size=180)
    labels = table(item=item.tolist(), rater=rater.tolist(), label=label.tolist())
    here = agreement_module.measure_agreement(labels, ["cohen_kappa"], bootstrap=None).get()
    monkeypatch.setattr(agreement_module, "MANY_RATINGS", 5)
    for memory in (180, 5):
        monkeypatch.setattr(agreement_module, "MOST_IN_MEMORY", memory)
        there = agreement_module.measure_agreement(labels, ["cohen_kappa"], bootstrap=None).get()
        assert there.value == pytest.approx(here.value, abs=1e-12)
        assert (there.notes, there.parts, there.left_out) == (here.notes, here.parts, here.left_out)
    assert "Use alpha" in here.notes[0]


def test_pooled_conditions_resample_the_dialogue():
    # Every dialogue has the same ratings in four conditions, which say no more than those in one.
    draw = np.random.default_rng(4)
    label = draw.integers(2, size=(1, 25, 3)) | (draw.random((1, 25, 3)) < 0.3)
    condition, item, rater = np.indices((4, 25, 3)).reshape(3, -1).tolist()
    four = np.tile(label, (4, 1, 1)).ravel().astype(int).tolist()
    labels = table(item=item, rater=rater, condition=condition, label=four)
    names = ["percentage", "cohen_kappa", "icc1"]
    pooled = agreement_module.measure_agreement(labels, names)
    one = agreement_module.measure_agreement(labels.where(condition=0), names)
    for name in names:
        wide, narrow = pooled.get(name).interval, one.get(name).interval
        assert wide.high - wide.low == pytest.approx(narrow.high - narrow.low, rel=0.15)


def test_significance_is_corrected_over_all_slices():
    labels = table(
        item="aabbccaabbcc", rater="xyxyxyxyxyxy", label=[1, 1, 2, 2, 1, 1] * 2, condition="mmmmmmnnnnnn"
    )
    found = agreement_module.significance(labels, "percentage", ["condition"], runs=50, seed=1)
    assert [where for where, _ in found] == [{"condition": "m"}, {"condition": "n"}]
    assert all(
        isinstance(test, Significance) and test.p_holm == pytest.approx(min(1, 2 * test.p))
        for _, test in found
    )


# Files


def test_an_export_is_read_with_the_newest_scales(tmp_path: Path):
    path = tmp_path / "answers.csv"
    path.write_text(
        "version,item,rater,question,aspect,label,role\n2,a,x,q,use,1,item\n2,a,y,q,use,2,item\n"
        "2,a,x,why,,,item\n2,g,x,q,use,2,gold\n"
    )
    assert read_export(path).codes("use") == (1, 2)
    point = {"code": 1, "name": "Low"}
    scales = [{"points": [point, {"code": code, "name": "High"}]} for code in (5, 2)]
    versions = [
        {"version": n, "aspects": {"use": scale}, "questions": {"q": scale}}
        for n, scale in enumerate(scales, 1)
    ]
    path.with_suffix(".scales.json").write_text(json.dumps({"versions": versions}))
    labels = read_export(path)
    assert labels.scale_of("use").codes == (1, 2)
    assert labels.fetch(["item"])["item"].to_pylist() == ["a", "a"]


def _lists(tmp_path: Path, name: str = "use/c0.json", **fields: list[list[Any]]) -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    content = {f"k{i}": {field: values[i] for field, values in fields.items()} for i in range(2)}
    path.write_text(json.dumps(content))
    return path


def test_item_lists_become_rows(tmp_path: Path):
    duration: dict[str, Any] = {"task-duration": [[3.5, 9], [4, ""]]}
    path = _lists(
        tmp_path,
        text=[["A b!", "A b!"], ["C", "C"]],
        use=[[1, 2], [2, 2]],
        **duration,
    )
    lists = read_item_lists(path)
    assert lists.fields == ("text", "use", "task-duration")
    assert lists.content_fields() == ["text"]
    assert lists.label_fields() == ["use"]
    rows = item_list_rows(
        lists, "use", "text", {"seconds": "task-duration", "gone": "no"}, condition="C_0"
    ).to_pylist()
    assert [(row["item"], row["position"], row["label"], row["seconds"]) for row in rows[:2]] == [
        ("a b", 0, 1, 3.5),
        ("a b", 1, 2, 9.0),
    ]
    assert (rows[3]["seconds"], rows[3]["condition"], "gone" in rows[3]) == (None, "C_0", False)
    (tmp_path / "x.json").write_text("[1]")
    with pytest.raises(NotLabels):
        read_item_lists(tmp_path / "x.json")


def test_fields_with_two_to_eleven_whole_numbers_look_like_labels(tmp_path: Path):
    fields: dict[str, Any] = {
        "one": [[1] * 6, [1] * 6],
        "two": [[-1] * 6, [1] * 6],
        "eleven": [list(range(6)), list(range(5, 11))],
        "twelve": [list(range(6)), list(range(6, 12))],
        "words": [["a"] * 6, ["b"] * 6],
    }
    assert read_item_lists(_lists(tmp_path, **fields)).label_fields() == ["two", "eleven"]


def test_label_sets_are_read_from_lists_and_tables(tmp_path: Path):
    text = [["A", "A"], ["B", "B"]]
    lists = _lists(tmp_path, text=text, use=[[1, 2], [2, 2]], seconds=[[7, 8], [9, 10]])
    [found] = read_sets([lists])
    assert (found.name, found.aspect, found.condition, found.seconds) == (
        "c0",
        "use",
        "c0",
        (7.0, 8.0, 9.0, 10.0),
    )
    assert (found.items, found.codes, found.majority, found.keys) == (
        ("a", "b"),
        (1, 2),
        {"a": None, "b": 2},
        ("k0", "k1"),
    )
    longer: dict[str, Any] = {"task-duration": [[1, 2], [3, 4]]}
    [timed] = read_sets([_lists(tmp_path, "use/c1.json", text=text, use=[[1, 2], [2, 2]], **longer)])
    assert timed.seconds == (1.0, 2.0, 3.0, 4.0)
    [plain] = read_sets([_lists(tmp_path, "other/c2.json", text=text, mark=[[1, 2], [2, 2]])])
    assert (plain.seconds, plain.aspect) == (None, "mark")
    both = _lists(tmp_path, "other/c3.json", text=text, mark=[[1, 2], [2, 2]], rank=[[1, 2], [3, 2]])
    with pytest.raises(NotLabels, match="mark, rank"):
        read_sets([both])
    assert read_sets([both], label="rank")[0].codes == (1, 2, 3)
    csv = tmp_path / "t.csv"
    csv.write_text("item,rater,label,condition,seconds\na,x,1,m,3\na,y,2,m,4\na,x,1,n,5\n")
    first, second = read_sets([csv])
    assert (first.name, first.aspect, first.condition, first.rater) == ("t/m", "labels", "m", ("x", "y"))
    assert second.seconds == (5,)


# Audit


def _set(name: str, item: str, label: list[int | None], **facts: Any) -> LabelSet:
    return LabelSet(name, "use", name, tuple(item), tuple(label), **facts)


def _kinds(*sets: LabelSet) -> list[str]:
    return [finding.kind for finding in audit_sets(sets)]


def test_fast_ratings_are_three_or_one_in_a_hundred():
    def fast(number: int, total: int) -> bool:
        times = (4.9,) * number + (5.0,) * (total - number)
        each = _set("s", "a" * total, [1] * total, seconds=times)
        return bool(list(fast_ratings([each])))

    assert [fast(n, 100) for n in (2, 3)] == [False, True]
    assert [fast(n, 600) for n in (5, 6)] == [False, True]
    assert not fast(0, 100)


def test_a_code_is_hardly_used_below_two_or_one_in_a_hundred():
    def rare(times: int, total: int) -> bool:
        labels: list[int | None] = [*([1] * times), *([2] * (total - times))]
        return bool(list(unused_codes([_set("s", "a" * total, labels)])))

    assert [rare(n, 50) for n in (1, 2)] == [True, False]
    assert [rare(n, 400) for n in (3, 4)] == [True, False]
    # One code alone has no range that another could be missing from.
    assert not list(unused_codes([_set("s", "a", [1])]))
    assert [found.what for found in unused_codes([_set("s", "aaaa", [1, 1, 3, 3])])] == [
        "codes never used: [2]; codes rarely used: none."
    ]


def test_placeholders_are_looked_for_among_few_different_answers(tmp_path: Path):
    def found(different: int) -> bool:
        answers = [["Select", *(f"x{n}" for n in range(different - 1))], ["Select"] * different]
        lists = read_item_lists(_lists(tmp_path, answer=answers))
        return bool(list(placeholder_answers([_set("s", "a", [1], lists=lists)])))

    assert [found(n) for n in (20, 21)] == [True, False]


def test_fields_that_differ_by_a_letter_are_found_unless_they_are_numbered_or_stand_together(tmp_path: Path):
    def found(first: list[str], second: list[str]) -> list[str]:
        sets = []
        for number, names in enumerate((first, second)):
            fields: dict[str, Any] = {name: [["x"], ["y"]] for name in names}
            lists = read_item_lists(_lists(tmp_path, f"use/f{number}.json", **fields))
            sets.append(_set(f"s{number}", "a", [1], lists=lists))
        return [finding.what for finding in misspelled_fields(sets)]

    assert found(["explanation"], ["explanaton"]) == [
        'the field "explanaton" looks like a misspelling of "explanation" in other files.'
    ]
    assert found(["explanation1"], ["explanation2"]) == []
    assert found(["explanation", "explanaton"], ["explanaton"]) == []
    assert found(["explanation"], ["confidence"]) == []


def test_double_ratings_are_counted_and_the_first_three_shown():
    each = _set("s", "aabbccdd", [1, 2] * 4, rater=("x",) * 8)
    [finding] = duplicates([each])
    assert finding.what == "4 items have several ratings with the same rater id."
    assert finding.evidence == {"first": [("a", "x"), ("b", "x"), ("c", "x")], "rater ids": 1}


def test_ratings_are_counted_against_the_usual_number():
    # Two items have three ratings and one has two; one rating has no label.
    [finding] = ratings_per_item([_set("s", "aaabbbcc", [1, 1, 1, 2, 2, 2, 1, 1])])
    assert finding.what == "1 item does not have 3 ratings like the others."
    assert finding.evidence == {"items by number of ratings": {2: 1, 3: 2}}
    assert not list(ratings_per_item([_set("s", "aabb", [1, 1, 2, 2])]))


def test_one_set_alone_cannot_differ_from_others():
    one = _set("A", "aabb", [1, 1, 2, 2], rater=("p", "q", "p", "q"))
    assert not {"item_count", "items_differ", "item_order", "ids_differ"} & set(_kinds(one))
    fewer = _set("B", "aa", [1, 1], rater=("p", "q"))
    found = audit_sets([one, fewer])
    assert found.of("item_count")[0].evidence == {"A": 2, "B": 1}
    # Item b is in one of two sets, which is not more than half of them.
    assert found.of("items_differ")[0].evidence == {"items missing from most other sets": {"A": 1}}


def test_rater_ids_look_like_positions_only_where_all_are_numbers_and_judged_everything():
    def found(*raters: str) -> list[str]:
        return [each.kind for each in positions([_set("A", "aabb", [1, 1, 2, 2], rater=raters)])]

    assert found("rater1", "rater2", "rater1", "rater2") == ["positions"]
    assert found("rater1", "anna", "rater1", "anna") == []
    assert found("rater1", "rater2", "rater1", "rater3") == []


def test_findings_are_sorted_and_told():
    findings = [
        Finding("n", "note", "A", "note.", "Say so."),
        Finding("w", "wrong", "B", "wrong.", "Mend it.", {"why": {"x": 1}, "long": "y" * 301}),
    ]
    found = report(2, 1500, findings)
    assert [finding.kind for finding in found] == ["w", "n"]
    assert str(found.findings[0]) == "wrong: B: wrong. Mend it."
    lines = repr(found).splitlines()
    assert lines[0] == "2 label sets, 1,500 ratings: 1 wrong, 1 note"
    assert lines[2:5] == ["WRONG  B: wrong.", "    why: x: 1", "    long: " + "y" * 297 + "..."]
    assert repr(report(1, 1, [])) == "1 label set, 1 ratings: no problems found"
    assert json.loads(found.json())["findings"][0]["kind"] == "w"
    assert found.json().startswith('{\n  "files": 2')
    names = [f"s{n}" for n in range(8)]
    assert (some_sets(names[:2], 2), some_sets(names[:1], 1)) == ("all sets", "s0")
    assert (some_sets(names[:6], 8), some_sets(names[:7], 8)) == ("s0, s1, s2, s3, s4, s5", "7 sets")


# Charts


def test_charts_of_a_running_study_hold_their_rows():
    from labelwright.analysis import live_charts

    drawn = live_charts.submissions_over_time([{"at": "2026-11-15T10:00:00Z", "n": 4}], 40).to_dict()
    assert [layer["mark"]["type"] for layer in drawn["layer"]] == ["line", "rule", "point"]
    assert drawn["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, 40]
    rows = [{"condition": "C0", "value": 0.5, "low": 0.1, "high": 0.8, "text": "0.5"}]
    agreement = live_charts.agreement_by_condition(rows, ["C0"], ["alpha"]).to_dict()
    assert agreement["layer"]
    ends = {"start": 0.0, "end": 1.0, "middle": 0.5, "outside": False}
    points = [{"condition": "C0", "point": "Good", "n": 9, "text": "9", "last": True, **ends}]
    below = live_charts.agreement_by_condition([{**rows[0], "low": -0.3}], ["C0"], ["alpha"]).to_dict()
    # The axis begins at 0, or lower where an interval does.
    domains = [chart["layer"][0]["encoding"]["x"]["scale"]["domain"] for chart in (agreement, below)]
    assert domains == [[0.0, 1], [-0.3, 1]]
    labels = live_charts.labels_by_condition(points, ["C0"], {"Bad": False, "Good": False}).to_dict()
    assert labels["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 1]
