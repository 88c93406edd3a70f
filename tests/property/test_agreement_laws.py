"""Laws that measures keep on random ratings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labelwright.agreement import Bootstrap, Counts, PairTables, Ratings, get_measure, jaccard, measure_names
from labelwright.tables import count_pairs, count_patterns, read

# Twenty measures keep each law; thirty tables each are enough and keep the suite quick.
few = settings(max_examples=30)
MEASURES = [name for name in measure_names() if name != "drop_one_kappa"]


@st.composite
def ratings(draw: st.DrawFn) -> Ratings:
    """Three raters of up to 20 items on up to four codes; at least two codes are used by each rater."""
    codes = draw(st.integers(2, 4))
    items = draw(st.integers(3, 20))
    table = np.array(
        draw(
            st.lists(
                st.lists(st.integers(0, codes - 1), min_size=3, max_size=3), min_size=items, max_size=items
            )
        )
    )
    assume(all(len(set(column)) > 1 for column in table.T))
    return Ratings.of(
        np.repeat(np.arange(items), 3), table.ravel(), np.tile(["x", "y", "z"], items), codes=range(codes)
    )


def _value(name: str, given: Ratings) -> float:
    return get_measure(name)(given, None).value


@pytest.mark.parametrize("name", MEASURES)
@few
@given(given=ratings())
def test_renaming_raters_changes_nothing(name: str, given: Ratings) -> None:
    renamed = replace(given, rater=np.array([2, 0, 1])[given.rater])
    assert _value(name, renamed) == pytest.approx(_value(name, given), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", MEASURES)
@few
@given(given=ratings(), seed=st.integers(0, 2**16))
def test_permuting_rows_changes_nothing(name: str, given: Ratings, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(given.item))
    shuffled = replace(given, item=given.item[order], rater=given.rater[order], code=given.code[order])
    assert _value(name, shuffled) == pytest.approx(_value(name, given), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", [name for name in MEASURES if name != "alpha_ratio"])
@few
@given(given=ratings())
def test_renaming_codes_in_their_order_keeps_the_value(name: str, given: Ratings) -> None:
    # The same places on the scale under other numbers; only ratio distances depend on where zero is.
    renamed = replace(given, codes=tuple(10 + 2 * int(code) for code in given.codes))
    assert _value(name, renamed) == pytest.approx(_value(name, given), abs=1e-9, nan_ok=True)


NOMINAL = ["percentage", "fleiss_kappa", "alpha_nominal", "gwet_ac1", "cohen_kappa"]


@pytest.mark.parametrize("name", NOMINAL)
@few
@given(given=ratings(), seed=st.integers(0, 2**16))
def test_any_renaming_of_codes_keeps_a_nominal_value(name: str, given: Ratings, seed: int) -> None:
    other = np.random.default_rng(seed).permutation(len(given.codes))
    assert _value(name, replace(given, code=other[given.code])) == pytest.approx(
        _value(name, given), abs=1e-9
    )


@pytest.mark.parametrize(
    "name", ["kendall_tau_b", "alpha_ordinal", "cohen_kappa_quadratic", "gwet_ac2_linear"]
)
@given(given=ratings())
def test_turning_the_scale_round_keeps_an_ordinal_value(name: str, given: Ratings) -> None:
    turned = replace(given, code=len(given.codes) - 1 - given.code)
    assert _value(name, turned) == pytest.approx(_value(name, given), abs=1e-9, nan_ok=True)


@few
@given(ratings())
def test_the_engine_counts_what_numpy_counts(given: Ratings) -> None:
    table = read({"item": given.item, "rater": given.rater, "label": given.code})
    [patterns] = count_patterns(table, range(len(given.codes))).values()
    counts = Counts.of_ratings(given)
    assert patterns.counts.tolist() == counts.patterns.tolist()
    assert patterns.items.tolist() == counts.multiplicity.tolist()
    pairs = count_pairs(table, range(len(given.codes)))
    assert pairs.items.tolist() == [given.items] * 3


@given(
    st.lists(
        st.lists(st.lists(st.integers(0, 30), min_size=2, max_size=2), max_size=3), min_size=2, max_size=5
    )
)
def test_jaccard_is_between_0_and_1_and_falls_with_k(drawn: list[list[list[int]]]) -> None:
    raters = [[(min(span), max(span) + 1) for span in spans] for spans in drawn]
    values = [jaccard([raters], k, bootstrap=None).value for k in range(1, len(raters) + 1)]
    assert values[0] == 1
    assert values == sorted(values, reverse=True)
    assert values[-1] == jaccard([raters], bootstrap=None).value


@given(ratings(), st.integers(0, 100))
def test_the_bootstrap_of_counts_and_of_ratings_is_the_same(given: Ratings, seed: int) -> None:
    measure = get_measure("percentage")
    over = Bootstrap(20, seed=seed)
    assert measure(given, over).interval == measure(Counts.of_ratings(given), over).interval  # type: ignore[arg-type]


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 4), st.integers(0, 2)), min_size=2, max_size=60),
    st.booleans(),
)
def test_sums_of_pairs_give_the_kappas_of_their_tables(rows: list[tuple[int, int, int]], many: bool) -> None:
    # Ratings of any shape, also of one rater twice; `many` repeats items until counts need more bits.
    from labelwright.agreement import kappa_of_sums, kappa_of_tables
    from labelwright.tables import sum_pairs

    copies = 1 if not many else 3000
    item, rater, code = (np.tile(column, copies) for column in np.array(rows).T)
    item = item + 9 * np.repeat(np.arange(copies), len(rows))
    given = Ratings(item, rater, code, (0, 1, 2), int(item.max()) + 1, 5)
    expected = kappa_of_tables(PairTables.of_ratings(given).tables)
    sums = sum_pairs(item, rater, code, 3)
    kappa = kappa_of_sums(*(column.astype(float) for column in (sums.items, sums.agreed, sums.chance)))
    assert sorted(kappa) == pytest.approx(sorted(expected), abs=1e-9, nan_ok=True)
