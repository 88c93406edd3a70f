"""Our measures against other people's implementations, on random tables."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labelwright.agreement import Counts, Ratings, get_measure, kappa_of_tables, tau_of_tables
from labelwright.agreement.weights import Weighting
from labelwright.analysis import Comparisons, bradley_terry, dawid_skene, majority, one_coin
from labelwright.analysis.rater_models import mace_run

# The libraries warn about their own dependencies; that is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore")
EXACT = 1e-9


@st.composite
def count_tables(draw: st.DrawFn, *, equal: bool) -> np.ndarray:
    """Items x codes with two to six ratings per item (the same number where `equal`), two codes in use."""
    codes = draw(st.integers(2, 5))
    items = draw(st.integers(2, 25))
    number = draw(st.integers(2, 6))
    rows = []
    for _ in range(items):
        n = number if equal else draw(st.integers(2, 6))
        given = draw(st.lists(st.integers(0, codes - 1), min_size=n, max_size=n))
        rows.append(np.bincount(given, minlength=codes))
    table = np.array(rows)
    assume((table.sum(axis=0) > 0).sum() >= 2)
    return table


@st.composite
def paired_codes(draw: st.DrawFn) -> tuple[int, list[int], list[int]]:
    codes = draw(st.integers(2, 5))
    size = draw(st.integers(2, 40))
    one, two = (draw(st.lists(st.integers(0, codes - 1), min_size=size, max_size=size)) for _ in range(2))
    return codes, one, two


@st.composite
def crowds(draw: st.DrawFn) -> Ratings:
    """Up to 15 items, each judged by some of 5 raters on up to 4 codes; every code and every rater occurs."""
    codes = draw(st.integers(2, 4))
    items = draw(st.integers(3, 15))
    rows = []
    for number in range(items):
        raters = draw(st.lists(st.integers(0, 4), min_size=1, max_size=5, unique=True))
        rows += [(number, rater, draw(st.integers(0, codes - 1))) for rater in raters]
    item, rater, label = map(list, zip(*rows, strict=True))
    return Ratings.of(item, label, rater)


def _counts(table: np.ndarray) -> Any:  # a count measure takes counts, though not every measure does
    return Counts.of_table(table, tuple(range(table.shape[1])))


@given(count_tables(equal=True))
def test_fleiss_kappa_is_that_of_statsmodels(table: np.ndarray) -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    assert get_measure("fleiss_kappa")(_counts(table), None).value == pytest.approx(
        inter_rater.fleiss_kappa(table), abs=EXACT
    )


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@given(table=count_tables(equal=False))
def test_alpha_is_that_of_krippendorff(level: str, table: np.ndarray) -> None:
    krippendorff = pytest.importorskip("krippendorff")
    used = table[:, table.sum(axis=0) > 0]
    values = np.flatnonzero(table.sum(axis=0) > 0)
    expected = krippendorff.alpha(value_counts=used, value_domain=values, level_of_measurement=level)
    assert get_measure(f"alpha_{level}")(_counts(table), None).value == pytest.approx(expected, abs=EXACT)


_IRRCAC = {
    "identity": "gwet_ac1",
    "linear": "gwet_ac2_linear",
    "quadratic": "gwet_ac2_quadratic",
    "ordinal": "gwet_ac2_ordinal",
}


def _irrcac(table: np.ndarray, weights: str, coefficient: str) -> float:
    raw = pytest.importorskip("irrCAC.raw")
    pandas = pytest.importorskip("pandas")
    widest = int(table.sum(axis=1).max())
    rows = [
        np.repeat(np.arange(len(row)), row).tolist() + [np.nan] * (widest - int(row.sum())) for row in table
    ]
    codes = list(range(table.shape[1]))
    found = raw.CAC(pandas.DataFrame(rows), weights=weights, categories=codes, digits=12)
    return float(getattr(found, coefficient)()["est"]["coefficient_value"])


@settings(max_examples=40)
@given(count_tables(equal=False))
def test_gwet_and_fleiss_are_those_of_irrcac(table: np.ndarray) -> None:
    for weights, ours in _IRRCAC.items():
        value = _irrcac(table, weights, "gwet")
        assert get_measure(ours)(_counts(table), None).value == pytest.approx(value, abs=EXACT)
    fleiss = _irrcac(table, "identity", "fleiss")
    assert get_measure("fleiss_kappa")(_counts(table), None).value == pytest.approx(fleiss, abs=EXACT)


def test_items_with_one_rating_are_left_out_of_chance_too() -> None:
    # irrCAC counts the fifth and sixth item in chance agreement only; docs/reference/measures.md says why we do not.
    table = np.array([[2, 0], [1, 1], [0, 2], [2, 0], [1, 0], [1, 0]])
    for weights, ours in (*_IRRCAC.items(), ("identity", "fleiss_kappa")):
        coefficient = "fleiss" if ours == "fleiss_kappa" else "gwet"
        found = get_measure(ours)(_counts(table), None)
        assert found.left_out == {"item with fewer than two ratings": 2}
        assert found.value == pytest.approx(_irrcac(table[:4], weights, coefficient), abs=EXACT)
        assert found.value != pytest.approx(_irrcac(table, weights, coefficient), abs=0.005)


@pytest.mark.parametrize("weighting", ["plain", "linear", "quadratic"])
@given(pair=paired_codes())
def test_cohen_kappa_is_that_of_scikit_learn(
    weighting: Weighting, pair: tuple[int, list[int], list[int]]
) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    codes, one, two = pair
    table = (
        np.bincount(np.array(one) * codes + two, minlength=codes * codes).reshape(codes, codes).astype(float)
    )
    assume(len({*one, *two}) > 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weights = None if weighting == "plain" else weighting
        expected = metrics.cohen_kappa_score(one, two, labels=list(range(codes)), weights=weights)
    assert float(kappa_of_tables(table, weighting)) == pytest.approx(expected, abs=EXACT)


@given(paired_codes())
def test_tau_b_is_that_of_scipy(pair: tuple[int, list[int], list[int]]) -> None:
    from scipy import stats

    codes, one, two = pair
    table = (
        np.bincount(np.array(one) * codes + two, minlength=codes * codes).reshape(codes, codes).astype(float)
    )
    expected = stats.kendalltau(one, two).statistic
    value = float(tau_of_tables(table))
    assert math.isnan(value) if math.isnan(expected) else value == pytest.approx(expected, abs=EXACT)


def _crowd_kit_frame(ratings: Ratings):
    pandas = pytest.importorskip("pandas")
    labels = [ratings.codes[code] for code in ratings.code]
    return pandas.DataFrame({"task": ratings.item, "worker": ratings.rater, "label": labels})


@pytest.mark.parametrize("ours", [dawid_skene, one_coin])
@settings(max_examples=25)
@given(ratings=crowds())
def test_dawid_skene_is_that_of_crowd_kit(ours, ratings: Ratings) -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    assume(len(ratings.codes) > 1)
    method = aggregation.DawidSkene if ours is dawid_skene else aggregation.OneCoinDawidSkene
    # A tolerance below 0 is never reached, so both make exactly ten rounds.
    theirs = method(n_iter=10, tol=-1e9).fit_predict_proba(_crowd_kit_frame(ratings))
    expected = theirs.loc[range(ratings.items), list(ratings.codes)].to_numpy()
    assert ours(ratings, iterations=10, tolerance=-1).posterior == pytest.approx(expected, abs=EXACT)


@settings(max_examples=15)
@given(crowds())
def test_mace_is_that_of_crowd_kit_from_the_same_start(ratings: Ratings) -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    from scipy import stats

    assume(len(ratings.codes) > 1)
    frame = _crowd_kit_frame(ratings)
    raters, size = len(frame["worker"].unique()), len(ratings.codes)
    theirs = aggregation.MACE(n_restarts=1, n_iter=5)
    # Crowd-kit numbers raters and labels by first appearance and sums strategies by sorted label; a frame
    # in which both orders are the same takes that difference out of the comparison.
    frame = frame.sort_values(["worker", "label"], kind="stable").reset_index(drop=True)
    first = frame.drop_duplicates("label")["label"].tolist()
    assume(first == sorted(first))
    start = [stats.uniform(1, 1.5).rvs(size=(raters, width), random_state=0) for width in (2, size)]
    knows, habit = (each / each.sum(axis=1, keepdims=True) for each in start)
    expected = theirs.fit_predict_proba(frame).loc[range(ratings.items), list(ratings.codes)].to_numpy()
    assert mace_run(ratings, knows, habit, iterations=5).posterior == pytest.approx(expected, abs=1e-7)


@given(crowds())
def test_majority_shares_are_those_of_crowd_kit(ratings: Ratings) -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    theirs = aggregation.MajorityVote().fit_predict_proba(_crowd_kit_frame(ratings))
    expected = theirs.loc[range(ratings.items), list(ratings.codes)].to_numpy()
    assert majority(ratings).posterior == pytest.approx(expected, abs=EXACT)


def test_bradley_terry_is_that_of_crowd_kit() -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    pandas = pytest.importorskip("pandas")
    draw = np.random.default_rng(3)
    pairs = [draw.choice(4, 2, replace=False) for _ in range(200)]
    first, second = ([f"s{pair[i]}" for pair in pairs] for i in (0, 1))
    winner = [a if draw.random() < 0.6 else b for a, b in zip(first, second, strict=True)]
    frame = pandas.DataFrame({"left": first, "right": second, "label": winner})
    expected = aggregation.BradleyTerry(n_iter=5000, tol=0).fit_predict(frame)
    compared = Comparisons(tuple(first), tuple(second), tuple(winner))
    found = {each.system: each.strength for each in bradley_terry(compared)}
    assert found == pytest.approx(expected.to_dict(), abs=EXACT)


def _games(draw: np.random.Generator, items: int = 60) -> Comparisons:
    """Comparisons of three systems with ties, and a covariate with an effect."""
    pairs = np.array([(0, 1), (0, 2), (1, 2)])[draw.integers(3, size=5 * items)]
    length = draw.normal(size=5 * items)
    liked = np.array([0.5, 0.0, -0.5])[pairs] @ [1, -1] + 0.7 * length + draw.logistic(size=5 * items)
    names = np.array(["a", "b", "c"])[pairs]
    winner = [
        None if abs(x) < 0.6 else str(one if x > 0 else two)
        for x, (one, two) in zip(liked, names, strict=True)
    ]
    return Comparisons(
        tuple(map(str, names[:, 0])),
        tuple(map(str, names[:, 1])),
        tuple(winner),
        item=tuple(str(n // 5) for n in range(5 * items)),
        rater=tuple(map(str, draw.integers(12, size=5 * items))),
        covariates={"length": tuple(length.tolist())},
    )


def test_davidsons_ties_are_those_of_a_poisson_model() -> None:
    """Davidson's model is log-linear: one Poisson count per outcome, with a constant for each comparison."""
    statsmodels = pytest.importorskip("statsmodels.api")
    games = _games(np.random.default_rng(8), items=20)
    size, rows, counts = len(games), [], []
    for n, (one, two, won) in enumerate(zip(games.first, games.second, games.winner, strict=True)):
        mine, other = (np.array([name == "a", name == "b"], float) for name in (one, two))
        x = games.covariates["length"][n]
        outcomes = (
            (mine, x, 0, won == one),
            ((mine + other) / 2, x / 2, 1, won is None),
            (other, 0, 0, won == two),
        )
        for strength, length, tie, seen in outcomes:
            rows.append(np.concatenate([strength, [length, tie], np.arange(size) == n]))
            counts.append(float(seen))
    model = statsmodels.GLM(np.array(counts), np.array(rows), family=statsmodels.families.Poisson())
    a, b, length, tie = model.fit(tol=1e-12, maxiter=200).params[:4]
    found = bradley_terry(games)
    expected = np.exp([a, b, 0]) / np.exp([a, b, 0]).sum()
    assert [found.get(name).strength for name in "abc"] == pytest.approx(expected, abs=1e-8)
    assert found.tie == pytest.approx(np.exp(tie), abs=1e-8)
    assert found.covariates["length"].value == pytest.approx(length, abs=1e-8)


@pytest.mark.parametrize("cluster", ["item", "rater"])
def test_standard_errors_are_those_of_a_logit_with_clusters(cluster: str) -> None:
    statsmodels = pytest.importorskip("statsmodels.api")
    games = _games(np.random.default_rng(9))
    kept = [n for n, won in enumerate(games.winner) if won is not None]
    one, two, won, unit, length = (
        np.array(column)[kept]
        for column in (
            games.first,
            games.second,
            games.winner,
            getattr(games, cluster),
            games.covariates["length"],
        )
    )
    design = np.column_stack([*((one == name) * 1.0 - (two == name) for name in "ab"), length])
    number = np.unique(unit, return_inverse=True)[1]
    fit = statsmodels.Logit((won == one) * 1.0, design).fit(
        disp=0, tol=1e-12, cov_type="cluster", cov_kwds={"groups": number, "use_correction": False}
    )
    sides = (tuple(one), tuple(two), tuple(won))
    found = bradley_terry(Comparisons(*sides, item=tuple(unit), covariates={"length": tuple(length)}))
    [ab] = [each for each in found.differences if (each.first, each.second) == ("a", "b")]
    assert ab.value == pytest.approx(fit.params[0] - fit.params[1], abs=1e-8)
    # Ours is corrected for the number of clusters, by n / (n - 1).
    n = number.max() + 1
    theirs = np.array([1, -1, 0]) @ fit.cov_params() @ [1, -1, 0]
    assert ab.spread.error**2 == pytest.approx(theirs * n / (n - 1), rel=1e-6)


def test_nltk_alpha_is_ours() -> None:
    agreement = pytest.importorskip("nltk.metrics.agreement")
    draw = np.random.default_rng(5)
    table = draw.integers(3, size=(40, 4))
    task = agreement.AnnotationTask([(r, i, int(table[i, r])) for i in range(40) for r in range(4)])
    ratings = Ratings.of(np.repeat(np.arange(40), 4), table.ravel(), np.tile(np.arange(4), 40))
    assert get_measure("alpha_nominal")(ratings, None).value == pytest.approx(task.alpha(), abs=EXACT)
    assert get_measure("cohen_kappa")(ratings, None).value == pytest.approx(task.kappa(), abs=EXACT)
