"""Intervals: which question they answer, what they allow for, and what they say when they cannot be given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from labelwright.agreement import (
    Bootstrap,
    CountMeasure,
    Counts,
    PairTables,
    Ratings,
    UnknownOption,
    get_measure,
    kappa_of_tables,
    measure_names,
    percentage,
    permutation_test,
)
from labelwright.agreement import counts as counts_module
from labelwright.agreement.counts import weighted_features
from labelwright.agreement.intervals import spread_of_counts
from labelwright.agreement.means import mean_estimate
from labelwright.agreement.pairs import mean_over_pairs
from labelwright.agreement.pseudo_items import pseudo_pairs, pseudo_rows, representative_codes
from labelwright.agreement.spans import chosen_counts

EVERY = measure_names()


def crowd(items: int, raters: int, seed: int = 1, codes: int = 3, accuracy: float = 0.7) -> Ratings:
    """Every rater gives the true code with this probability, and otherwise any."""
    draw = np.random.default_rng(seed)
    true = draw.integers(codes, size=(items, 1))
    given = np.where(
        draw.random((items, raters)) < accuracy, true, draw.integers(codes, size=(items, raters))
    )
    item, rater = np.indices(given.shape).reshape(2, -1)
    return Ratings(item, rater, given.ravel(), tuple(range(codes)), items, raters)


# Which question


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("raters", [3, 5])
def test_few_raters_are_these_raters(name: str, raters: int) -> None:
    found = get_measure(name)(crowd(20, raters), Bootstrap(50, raters=True))
    assert found.interval is not None
    assert found.interval.over == "items"
    assert found.interval.question == "95% intervals for these raters and other items."
    if name != "drop_one_kappa":  # which has positions in place of raters
        assert any(f"these {raters} raters and other items" in note for note in found.notes)


@pytest.mark.parametrize("name", [name for name in EVERY if name != "drop_one_kappa"])
def test_ten_raters_stand_for_others(name: str) -> None:
    ratings = crowd(30, 10)
    # Three raters guess, so that it matters who rates.
    guess = np.random.default_rng(2).integers(3, size=len(ratings.code))
    ratings = replace(ratings, code=np.where(ratings.rater < 3, guess, ratings.code))
    of_items, of_both, of_raters = (
        get_measure(name)(ratings, Bootstrap(200, **over)).interval
        for over in ({}, {"raters": True}, {"raters": True, "items": False})
    )
    assert (of_both.over, of_raters.over) == ("items and raters", "raters")
    assert of_both.question == "95% intervals for other items and other raters."
    assert of_raters.question == "95% intervals for these items and other raters."
    assert (
        of_both.high - of_both.low > max(of_items.high - of_items.low, of_raters.high - of_raters.low) - 1e-9
    )


def test_an_interval_is_over_something() -> None:
    with pytest.raises(UnknownOption, match="neither items nor raters"):
        Bootstrap(items=False)


# How much depends on raters


@pytest.mark.parametrize("name", ["percentage", "alpha_ordinal"])
def test_the_spread_of_raters_is_that_of_leaving_each_out(name: str) -> None:
    draw = np.random.default_rng(3)
    full = crowd(15, 10)
    kept = np.flatnonzero(draw.random(len(full.item)) < 0.5)
    ratings = replace(full, item=full.item[kept], rater=full.rater[kept], code=full.code[kept])
    measure = get_measure(name)
    assert isinstance(measure, CountMeasure)
    found = spread_of_counts(ratings, measure.of)
    _assert_spread(found, ratings, name)


def test_the_spread_of_pairs_is_that_of_leaving_each_out() -> None:
    ratings = crowd(15, 10)
    found = PairTables.of_ratings(ratings).spread(kappa_of_tables)
    _assert_spread(found, ratings, "cohen_kappa")


@pytest.mark.parametrize("name", ["icc1", "icc2"])
def test_the_spread_of_a_correlation_is_that_of_leaving_each_out(name: str) -> None:
    from labelwright.agreement.icc import _one_way_form, _two_way_form

    ratings = crowd(15, 10)
    form = (_one_way_form if name == "icc1" else _two_way_form)(ratings, name)
    without = [_value(name, _without(ratings, ratings.rater == rater)) for rater in range(10)]
    assert form.spread().of_raters == pytest.approx(9 * np.var(without))


def _assert_spread(found, ratings: Ratings, name: str) -> None:
    raters = [_value(name, _without(ratings, ratings.rater == rater)) for rater in np.unique(ratings.rater)]
    each = np.arange(len(ratings.item))
    alone = np.array([_value(name, _without(ratings, each == place)) for place in each])
    assert found.raters == len(raters)
    assert found.of_raters == pytest.approx((len(raters) - 1) * np.var(raters))
    assert found.of_ratings == pytest.approx(((alone - alone.mean()) ** 2).sum())


def _without(ratings: Ratings, left_out: np.ndarray) -> Ratings:
    kept = ~left_out
    return replace(ratings, item=ratings.item[kept], rater=ratings.rater[kept], code=ratings.code[kept])


def _value(name: str, ratings: Ratings) -> float:
    # Raters are numbered anew, because a correlation counts them.
    rater = np.unique(ratings.rater, return_inverse=True)[1]
    return get_measure(name)(replace(ratings, rater=rater), None).value


# No certainty


@pytest.mark.parametrize("name", EVERY)
def test_complete_agreement_is_not_certain(name: str) -> None:
    true = np.repeat(np.arange(24) % 3, 3)
    ratings = Ratings(np.repeat(np.arange(24), 3), np.tile(np.arange(3), 24), true, (0, 1, 2), 24, 3)
    found = get_measure(name)(ratings)
    assert (found.value, found.interval.high) == (pytest.approx(1), pytest.approx(1))
    assert found.interval.low < 0.99
    assert any("lower bound" in note for note in found.notes)


def test_one_code_only_still_allows_for_disagreement() -> None:
    found = percentage(Counts.of_table([[3, 0]] * 41, (0, 1)))
    # With 41 items without any disagreement, 0 to about 7% of items may have some: a third of their pairs agree.
    assert found.value == found.interval.high == 1
    assert 0.9 < found.interval.low < 0.99


def test_values_that_do_not_vary_have_no_interval_unless_their_bounds_are_known() -> None:
    unknown = mean_estimate("m", [3.0] * 30, "d", Bootstrap(50))
    assert unknown.interval is None
    assert unknown.notes == (
        "No interval: 30 items without any variation do not show how others would vary.",
    )
    known = mean_estimate("m", [1.0] * 30, "d", Bootstrap(50), bounds=(0, 1))
    assert known.interval.low < 0.99
    assert known.interval.high == 1


def test_pseudo_items_have_the_codes_that_occur() -> None:
    assert representative_codes(np.array([0, 3, 0, 1])).tolist() == [1, 3]
    assert representative_codes(np.array([0, 3, 0])).tolist() == [0, 1, 2]
    wide = representative_codes(np.ones(300))
    assert (len(wide), wide[0], wide[-1]) == (20, 0, 299)
    rows, mass = pseudo_rows(np.array([0, 1]), 3)
    assert rows.tolist() == [
        [0] * 3,
        [1] * 3,
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [0, 1, 1],
        [1, 0, 1],
        [1, 1, 0],
    ]
    assert mass.tolist() == pytest.approx([0.375, 0.375, *[0.75 / 6] * 6])
    # Of six ratings one or two dissent, at six places each.
    rows, _ = pseudo_rows(np.array([0, 1]), 6)
    assert rows[2:14].tolist()[5:7] == [[0, 0, 0, 0, 0, 1], [1, 1, 0, 0, 0, 0]]
    # The same in shares and pairs: five or four of six with the code, of 30 ordered pairs 10 or 16 unequal.
    shares, pairs = pseudo_pairs(np.array([0, 1]), 2, 6)
    assert shares[2] == pytest.approx(np.array([9 / 12, 3 / 12]))
    assert np.trace(pairs[2]) == pytest.approx(1 - 26 / 60)


def test_an_interval_that_falls_short_says_by_how_much() -> None:
    for name in ("gwet_ac2_quadratic", "gwet_ac2_ordinal"):
        few, many = (get_measure(name)(crowd(items, 3), Bootstrap(50)).notes for items in (99, 100))
        assert "% of simulated data sets." in few[-1]
        assert many == ()


# Crowds


def test_pairs_that_share_more_items_weigh_more() -> None:
    assert mean_over_pairs(np.array([1.0, 0, np.nan]), np.array([30.0, 10, 5])) == 0.75
    # x and y share 40 items and agree on all; x and z share two and agree on neither.
    item = [*np.repeat(np.arange(40), 2), 40, 40, 41, 41]
    label = [*np.repeat(np.arange(40) % 2, 2), 0, 1, 1, 0]
    rater = [*"xy" * 40, *"xzxz"]
    found = get_measure("cohen_kappa")(Ratings.of(item, label, rater=rater), None)
    # Kappa 1 and -1: (40 - 2) / 42, where the plain mean is 0.
    assert found.value == pytest.approx(38 / 42)


def test_raters_who_share_few_items_are_warned_of() -> None:
    full = crowd(100, 40, codes=2)
    drawn = np.random.default_rng(1).random((100, 40)).argsort(axis=1).argsort(axis=1).ravel() < 3
    few = _without(full, ~drawn)
    [note] = [note for note in get_measure("cohen_kappa")(few, None).notes if "share" in note]
    assert "of 100 items on average" in note
    assert "Use alpha" in note
    # All raters on all of few items is no crowd.
    assert get_measure("cohen_kappa")(crowd(10, 3), None).notes == ()


# Clusters


@pytest.mark.parametrize("name", EVERY)
def test_items_of_one_cluster_are_resampled_together(name: str) -> None:
    # 15 dialogues, each four times with the same ratings, say as much as 15, not as 60.
    once = crowd(15, 3)
    four = Ratings(
        np.concatenate([once.item + 15 * copy for copy in range(4)]),
        np.tile(once.rater, 4),
        np.tile(once.code, 4),
        once.codes,
        60,
        3,
        cluster=np.tile(np.arange(15), 4),
    )
    width, together, apart = (
        found.high - found.low
        for found in (
            get_measure(name)(given, Bootstrap(400)).interval
            for given in (once, four, replace(four, cluster=None))
        )
    )
    assert together == pytest.approx(width, rel=0.25)
    assert apart < 0.75 * together


def test_a_cluster_of_ratings_is_that_of_its_counts() -> None:
    ratings = Ratings.of(["a1", "a1", "a2", "a2", "b1"], [0, 1, 0, 0, 1], cluster=["a", "a", "a", "a", "b"])
    assert ratings.cluster.tolist() == [0, 0, 1]
    # b1 has one rating and is left out, so that one dialogue of two items remains.
    assert Counts.of_ratings(ratings).clusters.toarray().tolist() == [[1, 1]]
    assert Ratings.of(["a", "b"], [0, 1], cluster=["x", "y"]).cluster is None


def test_the_characters_of_a_text_are_resampled_together() -> None:
    counts = chosen_counts([[[(0, 2)], [(1, 3)]], [[(0, 1)], []]], [4, 2])
    assert (counts.items, counts.clusters.shape[0]) == (6, 2)


# Positions


def test_sorted_positions_are_no_agreement() -> None:
    # Codes without any relation to their item, sorted inside each item as some exports have them. Shuffled
    # inside positions, nearly all sets would look like agreement.
    draw = np.random.default_rng(5)
    found = []
    for _ in range(40):
        label = np.sort(draw.integers(2, size=(41, 3)), axis=1)
        ratings = Ratings.of(np.repeat(np.arange(41), 3), label.ravel())
        found.append(permutation_test(ratings, "fleiss_kappa", runs=99).p <= 0.05)
    # About two of 40 at 5%; more than seven have a chance of one in a thousand.
    assert sum(found) <= 7


def test_kappa_of_positions_depends_on_the_order_of_rows() -> None:
    [first, second] = get_measure("cohen_kappa")(Ratings.of([0, 0, 1, 1], [0, 1, 1, 1]), None).notes
    assert "Positions, not raters" in first
    assert "order of rows" in second


# Scales with many codes


def test_features_of_many_codes_are_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    patterns = draw.multinomial(4, [0.1] * 10, size=50)
    patterns[3], patterns[4] = 0, np.eye(10, dtype=int)[2]
    weights = draw.random((7, 50))
    dense = weighted_features(patterns, weights)
    monkeypatch.setattr(counts_module, "_FEW_CODES", 9)
    assert weighted_features(patterns, weights) == pytest.approx(dense)
