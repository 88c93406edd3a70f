"""Measures at their edges: where a rule begins, where chunks meet, what is reported beside the value."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from labelwright.agreement import (
    Bootstrap,
    Counts,
    PairTables,
    Ratings,
    chi_squared_tests,
    correct_tests,
    cut_spans,
    drop_one_kappa,
    get_measure,
    holm,
    jaccard,
    measure_names,
    paired_permutation_test,
    permutation_test,
    score_against_reference,
    selection_jaccard,
)
from labelwright.agreement import bootstrap as bootstrap_module
from labelwright.agreement import counts as counts_module
from labelwright.agreement import means as means_module
from labelwright.agreement._arrays import divide
from labelwright.agreement.alpha import krippendorff_alpha
from labelwright.agreement.bootstrap import draw_weights, replicate_counts
from labelwright.agreement.errors import UnequalLengths, UnknownOption
from labelwright.agreement.estimate import Estimate, Interval
from labelwright.agreement.fleiss import fleiss_kappa
from labelwright.agreement.means import mean_estimate, resampled_means
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP
from labelwright.agreement.pseudo_items import PseudoItems
from labelwright.agreement.selections import response_scores
from labelwright.agreement.significance import Significance
from labelwright.agreement.weights import closeness
from labelwright.tables._pair_sums import sum_pairs

NAN = float("nan")


# Significance


def test_up_to_twelve_pairs_all_signs_are_tried():
    # Of 2^12 sign patterns only all plus and all minus have a mean of at least 1.
    exact = paired_permutation_test([1.0] * 12)
    assert (exact.runs, exact.seed, exact.p, exact.statistic) == (4096, None, 2 / 4096, 1.0)
    drawn = paired_permutation_test([1.0] * 13, runs=500, seed=4)
    assert (drawn.runs, drawn.seed) == (500, 4)
    # 2 of 8,192 patterns are as far out: among 500 none or one is drawn, and the observed one counts.
    assert drawn.p in (1 / 501, 2 / 501)
    assert paired_permutation_test([1.0] * 13).runs == 10_000


def test_signs_are_flipped_evenly():
    # Two pairs, 3 and 1: means 2, 1, -1, -2; at least 1 away from 0 are all four, at least 2 are two.
    assert paired_permutation_test([3.0, 1.0]).p == 0.5
    assert paired_permutation_test([3.0, -1.0]).p == 1.0
    assert paired_permutation_test([3.0, 1.0, NAN]).p == 0.5


def test_a_p_value_counts_runs_as_high_as_the_observed_one():
    # Two raters, two items, 0 and 1 each: they agree on both items in half of the shuffles, else on none.
    ratings = Ratings.of([0, 0, 1, 1], [0, 0, 1, 1], rater=["x", "y", "x", "y"])
    found = permutation_test(ratings, get_measure("percentage"), runs=999, seed=2)
    assert found.p == pytest.approx(0.5, abs=0.06)
    assert (found.p * 1000) == pytest.approx(round(found.p * 1000), abs=1e-9)
    assert (found.runs, found.seed, found.statistic) == (999, 2, 1.0)
    # Each rater keeps their codes: who only says 0 never agrees with who only says 1.
    apart = Ratings.of([0, 0, 1, 1], [0, 1, 0, 1], rater=["x", "y", "x", "y"])
    assert permutation_test(apart, get_measure("percentage"), runs=20).p == 1.0
    undefined = permutation_test(Ratings.of([0, 0], [1, 1]), get_measure("fleiss_kappa"), runs=5)
    assert math.isnan(undefined.p)


def test_codes_that_neither_rater_used_are_left_out_of_chi_squared():
    item, rater = [0, 0, 1, 1, 2, 2, 3, 3], list("xyxyxyxy")
    [found] = chi_squared_tests(Ratings.of(item, [0, 0, 1, 1, 0, 0, 1, 1], rater, codes=(0, 1, 2)))
    # [[2, 0], [0, 2]]: 4 (2 x 2 - 0)^2 / (2 x 2 x 2 x 2) = 4.
    assert found.statistic == pytest.approx(4)
    [constant] = chi_squared_tests(Ratings.of(item, [0, 0, 0, 1, 0, 0, 0, 1], rater))
    assert math.isnan(constant.p)


def test_holm_never_falls_and_never_exceeds_one():
    # 3 x 0.2, 2 x 0.25 (raised to 0.6), 1 x 0.9; two of 0.6 become 1.2, cut to 1.
    assert holm([0.2, 0.9, 0.25]) == pytest.approx([0.6, 0.9, 0.6])
    assert holm([0.6, 0.7]) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("p", "told"), [(NAN, "undefined"), (0.0009, "< 0.001"), (0.001, "= 0.001"), (0.04567, "= 0.046")]
)
def test_a_test_is_told_as_papers_tell_it(p: float, told: str):
    assert repr(Significance("t", p, 1.0)) == f"t: p {told}"
    assert repr(correct_tests([Significance("t", p, 1.0)])[0]) == f"t: p {told}, Holm {told}"


# Spans and selections


def test_of_two_equally_similar_raters_the_first_is_taken():
    # Two raters are equally similar to each other; the first is the expert's own choice.
    found = score_against_reference([[[(0, 4)], [(2, 8)]]], [[[(0, 4)]]], "similarity", bootstrap=None)
    assert found.f1.value == 1
    alone = score_against_reference([[[(0, 4)]]], [[[(0, 4)]]], "similarity", bootstrap=None)
    assert alone.f1.value == 1


def test_scores_are_averaged_over_texts_and_experts():
    # First text: precision 1, recall 1/2. Second: two experts, of whom one chose the same and one nothing shared.
    found = score_against_reference(
        [[[(0, 2)]], [[(0, 2)]]], [[[(0, 4)]], [[(0, 2)], [(5, 6)]]], bootstrap=None
    )
    assert found.precision.value == (1 + 1 / 2) / 2
    assert found.recall.value == (1 / 2 + 1 / 2) / 2
    assert (found.f1.items, found.f1.ratings) == (2, 2)
    assert (
        "more than half" in score_against_reference([[[]]], [[[]]], "majority", bootstrap=None).f1.definition
    )
    with pytest.raises(UnknownOption):
        score_against_reference([], [], "loudest", bootstrap=None)  # type: ignore[arg-type]


def test_more_than_half_of_four_raters_are_three():
    four = [[(0, 6)], [(0, 4)], [(0, 2)], []]
    # At least three chose 0-2; two would have chosen 0-4.
    assert score_against_reference([four], [[[(0, 2)]]], "majority", bootstrap=None).f1.value == 1


@pytest.mark.parametrize(("k", "at"), [(3, None), (None, 3), (2, 3)])
def test_a_text_needs_as_many_raters_as_are_asked_for(k: int | None, at: int | None):
    two, three = [[(0, 2)]] * 2, [[(0, 2)]] * 3
    found = jaccard([two, three], k, at=at, bootstrap=None)
    assert (found.value, found.items, found.left_out) == (1, 1, {"item without a value": 1})
    assert found.name == ("jaccard" if k is None else f"jaccard_{k}")
    assert ("3 raters" in found.definition) == (3 in (k, at))


def test_a_part_of_a_text_is_found_only_by_letters():
    assert cut_spans([(0, 1)], "abc", "…") is None
    assert cut_spans([(0, 2)], "abc", "abc") == [(0, 2)]
    # The whole of the part is covered, up to its last letter; nothing of it is covered.
    assert cut_spans([(0, 99)], "x abc", "abc") == [(0, 3)]
    assert cut_spans([(0, 1)], "x abc", "abc") == []


def test_selections_need_two_raters_or_k():
    found = selection_jaccard([[{"a"}], [{"a"}, {"a"}], [{"a"}] * 3], k=3, bootstrap=None)
    assert (found.items, found.name) == (1, "selection_jaccard_3")
    assert selection_jaccard([[{"a"}], [{"a"}, {"b"}]], bootstrap=None).value == 0
    scored = response_scores(["the red bus", "no"], [["red bus"], ["red bus", "no"]], None)
    # 2 of 2 words; then 0 of 2 and 1 of 1.
    assert (scored.value, scored.items) == ((1 + 0.5) / 2, 2)
    assert response_scores(["any"], [["…"]], None).value == 1


# Means, intervals and resampling


def test_an_interval_cuts_equal_tails():
    found = Bootstrap(replicates=101, seed=3, level=0.9).interval(np.append(np.arange(101.0), [NAN, NAN]))
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(5), pytest.approx(95))
    assert (found.level, found.over, found.replicates, found.seed, found.undefined) == (
        0.9,
        "items",
        101,
        3,
        2,
    )
    assert Interval(0, 1, 0.9, "items", 10, 0).undefined == 0
    assert Bootstrap().interval(np.array([1.0, NAN])) is None
    assert Bootstrap().interval(np.array([1.0, 2.0])) is not None
    assert (
        DEFAULT_BOOTSTRAP.replicates,
        DEFAULT_BOOTSTRAP.seed,
        DEFAULT_BOOTSTRAP.level,
        DEFAULT_BOOTSTRAP.raters,
    ) == (1000, 0, 0.95, False)


def test_a_mean_reports_what_it_leaves_out():
    found = mean_estimate(
        "m", [0.0, NAN, 1.0], "d", Bootstrap(50), ratings=7, left_out={"x": 1}, notes=("n",)
    )
    assert (found.value, found.items, found.ratings, found.notes[0]) == (0.5, 2, 7, "n")
    assert found.left_out == {"x": 1, "item without a value": 1}
    assert found.interval is not None
    assert mean_estimate("m", [1.0], "d", Bootstrap(50)).interval is None
    nothing = mean_estimate("m", [NAN], "d", None)
    assert math.isnan(nothing.value)
    assert nothing.undefined == "no item has a value"
    assert mean_estimate("m", [1.0], "d", None).left_out == {}


@pytest.mark.parametrize("at_once", [1, 7, 20_000_000])
def test_means_are_resampled_in_pieces_of_any_size(at_once: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(means_module, "_DRAWN_AT_ONCE", at_once)
    # Two columns resampled together: the second is always three times the first.
    values = np.array([[0.0, 0.0], [1.0, 3.0], [1.0, 3.0], [2.0, 6.0]])
    # Three different rows: 7 numbers are two replicates at once, so the last piece of 11 holds one.
    found = resampled_means(values, Bootstrap(11, seed=1))
    assert found.shape == (11, 2)
    assert found[:, 1] == pytest.approx(3 * found[:, 0])
    # Means of four draws of 0, 1, 1, 2 are quarters between 0 and 2, and about 1 on average.
    assert set(found[:, 0] * 4) <= set(range(9))
    assert found[:, 0].mean() == pytest.approx(1, abs=0.4)


@pytest.mark.parametrize("at_once", [1, 5, 20_000_000])
def test_counts_are_resampled_in_pieces_of_any_size(at_once: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bootstrap_module, "_DRAWN_AT_ONCE", at_once)
    monkeypatch.setattr(counts_module, "_BLOCK", at_once)
    pseudo = PseudoItems(np.ones((1, 1)), np.array([0.5]), 2)
    pieces = list(draw_weights(np.array([5.0, 3, 4]), pseudo, Bootstrap(11, seed=1)))
    # Four numbers a replicate: pieces of 1 // 4 (at least 1), 5 // 4 and all 11 replicates.
    step = {1: 1, 5: 1, 20_000_000: 11}[at_once]
    assert [len(piece) for piece in pieces] == [step] * (11 // step)
    assert all(piece.sum(axis=1) == pytest.approx(12) for piece in pieces)
    counts = Counts.of_patterns([[2, 0], [1, 1], [0, 2]], [5, 3, 4], (0, 1))
    assert counts.sums().pairs == pytest.approx(np.array([[5, 1.5], [1.5, 4]]))
    assert len(replicate_counts(counts, fleiss_kappa.of, Bootstrap(11))) == 11
    assert len(replicate_counts(Counts.of_table([[2, 0]], (0, 1)), fleiss_kappa.of, Bootstrap(11))) == 0
    assert len(replicate_counts(Counts.of_table([[2, 0]] * 2, (0, 1)), fleiss_kappa.of, Bootstrap(11))) == 11


def test_blocks_of_patterns_cover_each_pattern_once(monkeypatch: pytest.MonkeyPatch):
    counts = Counts.of_patterns([[2, 0], [1, 1], [0, 2], [3, 0]], [1] * 4, (0, 1))
    # Two codes: 1 + 2 + 2 x 4 = 11 numbers a pattern, so 22 hold two patterns and 21 hold one.
    for block, expected in ((22, [(0, 2), (2, 4)]), (21, [(0, 1), (1, 2), (2, 3), (3, 4)])):
        monkeypatch.setattr(counts_module, "_BLOCK", block)
        assert [(part.start, part.stop) for part in counts_module._blocks(counts.patterns)] == expected


def _ratings() -> Ratings:
    item = [0, 0, 0, 1, 1, 1, 2, 2]
    return Ratings.of(item, [0, 1, 1, 0, 0, 1, 1, 1], rater=list("xyzxyzxy"))


def test_an_interval_over_pairs_holds_the_value_and_needs_two_items():
    # 40 items, two raters who agree on 30: percentage of the pair's kappa lies within its interval.
    item, label = np.repeat(np.arange(40), 2), np.stack([np.arange(40) % 2, np.arange(40) % 2], axis=1)
    label[:10, 1] = 1 - label[:10, 1]
    ratings = Ratings.of(item, label.ravel(), rater=np.tile(["x", "y"], 40))
    found = get_measure("cohen_kappa")(ratings, Bootstrap(300))
    # Observed 30/40, chance 1/2: kappa 1/2; its standard error is about 0.14.
    assert found.value == pytest.approx(0.5)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (
        pytest.approx(0.22, abs=0.1),
        pytest.approx(0.76, abs=0.1),
    )
    assert (
        get_measure("cohen_kappa")(Ratings.of([0, 0], [0, 1], rater=["x", "y"]), Bootstrap(5)).interval
        is None
    )
    assert get_measure("cohen_kappa")(ratings, None).interval is None


# Pairs, counts and ratings


def test_each_pair_has_its_two_raters():
    found = PairTables.of_ratings(_ratings())
    assert found.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert (found.items, found.ratings, found.left_out) == (3, 8, {})
    # x and y share three items: 0-1, 0-0 and 1-1.
    assert found.tables[0].tolist() == [[1, 1], [0, 1]]
    assert (found.shared.tolist(), found.units) == ([3, 2, 2], 3)
    assert PairTables.of_ratings(Ratings.of([0, 1], [0, 0])).pairs.tolist() == []


@pytest.mark.parametrize("codes", [2, 5, 13, 26, 53, 60])
@pytest.mark.parametrize("items", [1, 3, 4, 15, 16, 17, 70])
def test_packed_sums_are_those_counted_one_by_one(codes: int, items: int):
    # 53 bits hold 13 codes of 4 bits (up to 15 shared items), 26 of 2 bits (up to 3): then fewer are packed together.
    draw = np.random.default_rng(codes * 100 + items)
    one, two = draw.integers(codes, size=(2, items))
    one[: items // 2] = codes - 1
    found = sum_pairs(
        np.tile(np.arange(items), 2), np.repeat([0, 1], items), np.concatenate([one, two]), codes
    )
    chance = np.bincount(one, minlength=codes) @ np.bincount(two, minlength=codes)
    assert (found.items.tolist(), found.agreed.tolist()) == ([items], [(one == two).sum()])
    assert found.chance.tolist() == [chance]


def test_counts_know_their_ratings_and_shares():
    counts = Counts.of_patterns([[2, 1], [1, 1], [1, 0]], [2, 3, 4], (0, 1), left_out={"x": 5})
    assert (counts.items, counts.ratings, counts.ratings_per_item) == (5, 12, (2, 3))
    assert counts.left_out == {"x": 5, "item with fewer than two ratings": 4}
    # Code 0: 2 x 2 + 3 x 1 = 7 of 12.
    assert counts.distribution.tolist() == [7 / 12, 5 / 12]
    empty = Counts.of_table([], (0, 1))
    assert (empty.items, empty.ratings, empty.distribution.tolist()) == (0, 0, [0, 0])
    with pytest.raises(UnequalLengths, match="2 patterns but 1 multiplicities"):
        Counts.of_patterns([[1, 1], [2, 0]], [1], (0, 1))
    assert "different numbers of ratings (2, 3)" in fleiss_kappa(counts, None).notes[0]


def test_ratings_without_raters_are_numbered_by_position():
    ratings = Ratings.of(["b", "a", "b", "a", "b"], [1, 1, 2, 2, None])
    assert (ratings.item.tolist(), ratings.rater.tolist()) == ([1, 0, 1, 0], [0, 0, 1, 1])
    assert (ratings.raters, ratings.positions, ratings.left_out) == (0, True, {"missing label": 1})
    assert Ratings.of(["a"], [1], rater=["x"], positions=True).positions
    assert not Ratings.of(["a"], [1], rater=["x"]).positions
    with pytest.raises(UnequalLengths, match="different lengths: 2, 2, 1"):
        Ratings.of(["a", "b"], [1, 2], rater=["x"])
    empty = Ratings.of([], [], rater=[])
    assert (empty.items, empty.raters, empty.codes) == (0, 0, ())


def test_names_and_numbers_are_codes_in_their_order():
    assert Ratings.of([0, 1, 2, 3], ["b", 2, "a", 1.5]).codes == (1.5, 2, "a", "b")
    assert Ratings.of([0, 1, 2], [7, -3, 7]).code.tolist() == [1, 0, 1]
    assert Ratings.of([0, 1, 2], [True, False, True]).codes == (False, True)


# Coefficients


def test_weights_fall_with_the_distance_on_the_scale():
    # Three codes: ordinal is 1 - (pairs of codes between) / 3: 1 between neighbours, 3 between the ends.
    assert closeness("abc", "ordinal")[0].tolist() == pytest.approx([1, 2 / 3, 0])
    assert closeness("abc", "quadratic")[0].tolist() == [1, 0.75, 0]
    assert closeness("a", "ordinal").tolist() == closeness("a", "linear").tolist() == [[1]]
    with pytest.raises(UnknownOption):
        closeness("ab", "cubic")  # type: ignore[arg-type]


def test_interval_distances_need_numbers_and_ratios_none_below_zero():
    with pytest.raises(UnknownOption, match="need numbers"):
        krippendorff_alpha(Counts.of_table([[1, 1]], ("a", 1)), "interval", None)
    with pytest.raises(UnknownOption, match="does not work with negative codes"):
        krippendorff_alpha(Counts.of_table([[1, 1]], (-1, 1)), "ratio", None)
    with pytest.raises(UnknownOption, match="unknown level"):
        krippendorff_alpha(Counts.of_table([[1, 1]], (0, 1)), "cubic", None)  # type: ignore[arg-type]
    # 0 and 0 are no distance apart, 0 and 2 the whole: alpha is that of two nominal codes.
    table = [[2, 0], [0, 2], [1, 1]]
    ratio = krippendorff_alpha(Counts.of_table(table, (0, 2)), "ratio", None).value
    assert ratio == pytest.approx(krippendorff_alpha(Counts.of_table(table, (0, 2)), "nominal", None).value)


def test_undefined_agreement_says_why():
    one_code = fleiss_kappa(Counts.of_table([[2, 0]], (0, 1)), None)
    assert (
        one_code.undefined
        == "all ratings have the same code, so agreement cannot be distinguished from chance"
    )
    assert fleiss_kappa(Counts.of_table([[1, 0]], (0, 1)), None).undefined == "no item has two ratings"
    pairs = get_measure("cohen_kappa")
    assert (
        pairs(Ratings.of([0, 1], [0, 1], rater=["x", "y"]), None).undefined
        == "no two raters judged the same item"
    )
    same = pairs(Ratings.of([0, 0], [1, 1], rater=["x", "y"]), None)
    assert str(same.undefined).startswith("every pair of raters used only one code")
    assert same.left_out == {"pair of raters without a value": 1}


def test_drop_one_keeps_items_with_the_most_common_number_of_ratings():
    # Items of 3, 3, 4 and 2 ratings: two are kept, all unanimous, so kappa is 1 whatever is dropped.
    item = [0] * 3 + [1] * 3 + [2] * 4 + [3] * 2
    ratings = Ratings.of(item, [0] * 3 + [1] * 3 + [0, 1, 0, 1] + [0, 1])
    found = drop_one_kappa(ratings, None)
    assert (found.value, found.items, found.ratings, found.interval) == (1, 2, 6, None)
    assert found.left_out == {"item with another number of ratings": 2}
    assert found.parts == {"runs": 1000, "sd_over_runs": 0}
    assert drop_one_kappa(Ratings.of([0, 0], [0, 1]), None).undefined is not None
    # One item alone cannot be resampled.
    alone = drop_one_kappa(Ratings.of([0] * 3, [0, 1, 2]), Bootstrap(20))
    assert (alone.items, alone.interval) == (1, None)
    both = drop_one_kappa(replace(ratings, left_out={"missing label": 1}), Bootstrap(20))
    assert both.left_out["missing label"] == 1
    assert both.interval is not None
    assert (both.interval.high, both.interval.replicates) == (1, 20)


def test_one_way_icc_by_hand():
    # Two items, 1 and 3, 5 and 7: means 2 and 6, between 16, within 2; (16 - 2) / (16 + 2) and (16 - 2) / 16.
    ratings = Ratings.of([0, 0, 1, 1, 2], [1, 3, 5, 7, 9])
    one, mean = get_measure("icc1")(ratings, Bootstrap(50)), get_measure("icc1k")(ratings, None)
    assert (one.value, mean.value) == (pytest.approx(14 / 18), pytest.approx(14 / 16))
    assert (one.items, one.ratings, one.raters, mean.interval) == (2, 4, None, None)
    assert one.interval is not None
    # Different numbers of ratings, none different within an item.
    assert get_measure("icc1")(Ratings.of([0, 0, 0, 1, 1], [0, 0, 0, 6, 6]), None).value == 1
    uneven = get_measure("icc1")(Ratings.of([0, 0, 0, 1, 1], [0, 0, 3, 6, 6]), None).value
    # Means 1 and 6, grand 3: between 3 x 4 + 2 x 9 = 30, within 6 / 3 = 2; n0 = 5 - 13/5 = 2.4: 28 / (30 + 1.4 x 2).
    assert uneven == pytest.approx(28 / 32.8)
    assert (
        get_measure("icc1")(Ratings.of([0, 0], ["a", "b"], codes="ab"), None).undefined
        == "the codes are not numbers"
    )
    assert get_measure("icc1")(Ratings.of([0, 0, 1, 1], [2] * 4), None).undefined == "the ratings do not vary"


def test_measures_say_whether_counts_are_enough():
    needs = {name for name in measure_names() if get_measure(name).needs_raters}
    assert needs == {
        name for name in measure_names() if name.startswith(("icc", "cohen", "kendall", "drop_one"))
    }


def test_two_way_icc_needs_two_raters():
    alone = Ratings.of([0, 1], [1, 2], rater=["x", "x"])
    assert get_measure("icc2")(alone, None).undefined == "not every rater judged every item exactly once"
    twice = Ratings.of([0, 0, 0, 1, 1], [1, 2, 3, 3, 4], rater=list("xyyxy"))
    assert get_measure("icc3")(twice, None).undefined is not None
    assert get_measure("icc2")(Ratings.of([0, 0, 1, 1], [1, 2, 3, 4], rater=list("xyxy")), None).raters == 2


def test_a_quotient_of_almost_nothing_is_undefined():
    assert np.isnan(divide(np.array([1.0, 1.0]), np.array([1e-13, 1e-11]))).tolist() == [True, False]


# Reports


def test_an_estimate_is_printed_and_recorded():
    interval = Interval(0.126, 0.5, 0.9, "items", 100, 3)
    plain = Estimate("m", 0.25, "d", items=1200, ratings=2400, notes=("n & m",), left_out={"x": 1500})
    full = replace(plain, interval=interval, parts={"p": NAN})
    assert (plain.text, full.text) == ("0.25", "0.25 [0.13, 0.50]")
    assert repr(full) == "m 0.250 [0.126, 0.500] (90% over items, seed 3; 1,200 items, 2,400 ratings)"
    assert replace(plain, value=NAN, undefined="why").text == "undefined"
    assert plain._repr_html_() == (
        "<p><b>m</b> 0.25<br><small>d</small><br><small>n &amp; m</small><br><small>1,500 left out: x</small></p>"
    )
    record = full.record()
    assert record["notes"] == ["n & m"]
    assert record["parts"] == {"p": None}
    assert record["interval"]["low"] == 0.126  # type: ignore[index]
    assert replace(plain, value=float("inf")).record()["value"] is None
