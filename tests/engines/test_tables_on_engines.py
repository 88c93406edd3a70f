"""Every counting function gives the same, right counts on DuckDB and on Spark."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labelwright import tables

pytestmark = pytest.mark.filterwarnings("ignore")  # Spark's own libraries warn about what they use

CODES = (0, 1, 2)
Row = tuple[str, str, str, int | None]


def _rows() -> list[Row]:
    """Sixty items in two conditions, two to five ratings each, some without a label and one off the scale."""
    draw = random.Random(4)
    rows: list[Row] = []
    for number in range(60):
        raters = draw.sample("abcdefg", draw.randint(2, 5))
        rows += [
            (f"i{number}", rater, "C_0" if number % 3 else "C_7", draw.choice([0, 1, 1, 2, None]))
            for rater in raters
        ]
    return [*rows, ("i1", "z", "C_0", 9)]


ROWS = _rows()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "labels.parquet"
    names = ("item", "rater", "condition", "label")
    pq.write_table(pa.table(dict(zip(names, map(list, zip(*ROWS, strict=True)), strict=True))), path)
    return path


@pytest.fixture
def table(engine: Any, place: Path) -> Any:
    return tables.read(place, engine)


def _patterns_by_hand(condition: str | None) -> Counter[tuple[int, ...]]:
    items: dict[str, list[int]] = {}
    for item, _, where, label in ROWS:
        if condition in (None, where):
            counts = items.setdefault(item, [0, 0, 0])
            if label in CODES:
                counts[CODES.index(label)] += 1
    return Counter(tuple(counts) for counts in items.values())


def _as_counter(found: tables.Patterns) -> Counter[tuple[int, ...]]:
    return Counter(dict(zip(map(tuple, found.counts.tolist()), found.items.tolist(), strict=True)))


def test_patterns_of_all_rows(table: Any) -> None:
    [(group, found)] = tables.count_patterns(table, CODES).items()
    assert group == ()
    assert _as_counter(found) == _patterns_by_hand(None)
    assert found.other == sum(label not in CODES for *_, label in ROWS)


def test_patterns_by_condition(table: Any) -> None:
    found = tables.count_patterns(table, CODES, by=["condition"])
    assert {group: _as_counter(patterns) for group, patterns in found.items()} == {
        (condition,): _patterns_by_hand(condition) for condition in ("C_0", "C_7")
    }


def test_patterns_where_ratings_do_not_fit_into_one_number(table: Any) -> None:
    # Fifteen codes leave 3 bits each, so items with more than 7 ratings need a column per code.
    tripled = table.union(table).union(table)
    [found] = tables.count_patterns(tripled, (*CODES, *range(10, 22))).values()
    expected = Counter(
        {tuple(3 * n for n in p) + (0,) * 12: items for p, items in _patterns_by_hand(None).items()}
    )
    assert _as_counter(found) == expected


@pytest.mark.parametrize("more", [(), tuple(range(10, 50))])  # packed into one number, and a column per code
def test_counts_of_every_item(table: Any, more: tuple[int, ...]) -> None:
    expected = {(item, where): [0] * (len(CODES) + 1) for item, _, where, _ in ROWS}
    for item, _, where, label in ROWS:
        expected[item, where][CODES.index(label) if label in CODES else -1] += 1
    found = tables.count_items(table, (*CODES, *more), item=("item", "condition"))
    items = [tuple(row.values()) for row in found.items.to_pylist()]
    given = found.counts[:, : len(CODES)].tolist()
    assert {
        item: [*counts, other] for item, counts, other in zip(items, given, found.other.tolist(), strict=True)
    } == expected
    assert not found.counts[:, len(CODES) :].any()


def test_pairs_of_raters(table: Any) -> None:
    by_item: dict[str, list[tuple[str, int]]] = {}
    for item, rater, _, label in ROWS:
        if label in CODES:
            by_item.setdefault(item, []).append((rater, label))
    expected: dict[tuple[str, str], Counter[tuple[int, int]]] = {}
    for ratings in by_item.values():
        for (one, a), (two, b) in combinations(sorted(ratings), 2):
            expected.setdefault((one, two), Counter())[a, b] += 1
    found = tables.count_pairs(table, CODES)
    assert found.items.tolist() == [sum(expected[pair].values()) for pair in sorted(expected)]
    assert found.agreed.tolist() == [sum(expected[pair][c, c] for c in CODES) for pair in sorted(expected)]
    first = [[sum(expected[pair][c, k] for k in CODES) for c in CODES] for pair in sorted(expected)]
    second = [[sum(expected[pair][k, c] for k in CODES) for c in CODES] for pair in sorted(expected)]
    assert found.first.tolist() == first
    assert found.second.tolist() == second


def test_codes_rows_and_distinct_values(table: Any) -> None:
    assert tables.codes_used(table) == {(): (0, 1, 2, 9)}
    assert tables.row_counts(table, ["condition"])["C_7",] == sum(row[2] == "C_7" for row in ROWS)
    assert tables.distinct(table, ["condition"]) == [("C_0",), ("C_7",)]
    assert tables.fetch(tables.where(table, {"rater": "z"}), ["item", "label"]).to_pylist() == [
        {"item": "i1", "label": 9}
    ]


def test_rows_are_chosen_and_changed_alike(table: Any) -> None:
    chosen = tables.among(table, {"condition": ["C_7"], "label": [2, None]})
    assert tables.sizes(chosen) == (sum(row[2] == "C_7" and row[3] in (2, None) for row in ROWS),)
    rest = tables.without(table, ["condition", "rater"], [("C_7", "a"), ("C_0", "b")])
    assert tables.sizes(rest) == (sum((row[2], row[1]) not in {("C_7", "a"), ("C_0", "b")} for row in ROWS),)
    changed = tables.extended(table, "item", "rater", {"z": "/z"})
    changed = tables.replaced(changed, "condition", {"C_0": "none"})
    assert {("i1/z", "none"), ("i1", "none"), ("i0", "C_7")} <= set(
        tables.distinct(changed, ["item", "condition"])
    )


def test_agreement_is_the_same_whatever_the_engine(
    engine: Any, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from labelwright.analysis import Labels, measure_agreement
    from labelwright.analysis import agreement as module
    from labelwright.scales import Point, Scale

    # The rating off the scale is dropped here; kappa is asked of the engine's own join.
    monkeypatch.setattr(module, "MANY_RATINGS", 10)
    monkeypatch.setattr(module, "MOST_RATERS", 0)
    scale = Scale(points=tuple(Point(code=code, name=str(code)) for code in CODES))
    rows = tables.read(place, engine)
    labels = Labels.read(rows.filter(rows.rater != "z"), scale=scale)
    found = measure_agreement(
        labels, ["percentage", "alpha_ordinal", "cohen_kappa"], by=["condition"], bootstrap=None
    )
    in_memory = [row for row in ROWS if row[1] != "z"]
    columns = dict(
        zip(("item", "rater", "condition", "label"), map(list, zip(*in_memory, strict=True)), strict=True)
    )
    monkeypatch.undo()
    expected = measure_agreement(
        Labels.read(columns, scale=scale),
        ["percentage", "alpha_ordinal", "cohen_kappa"],
        by=["condition"],
        bootstrap=None,
    )
    for one, other in zip(found, expected, strict=True):
        assert one.where == other.where
        for name, estimate in one.estimates.items():
            assert estimate.value == pytest.approx(other.estimates[name].value, abs=1e-12)


@pytest.mark.parametrize("more", [(), tuple(range(10, 30))], ids=["packed", "wide"])
def test_clusters_of_items(table: Any, more: tuple[int, ...]) -> None:
    """Raters as clusters: the patterns of the items that each of them judged, and how many raters have the same."""
    by_hand: dict[str, list[tuple[int, ...]]] = {}
    for _, rater, _, label in ROWS:
        by_hand.setdefault(rater, []).append(tuple(int(label == code) for code in (*CODES, *more)))
    found = tables.count_clusters(table, (*CODES, *more), item=["item"], cluster="rater")
    assert Counter(
        {
            tuple(sorted(map(tuple, each.tolist()))): n
            for each, n in zip(found.members, found.many, strict=True)
        }
    ) == Counter(tuple(sorted(items)) for items in by_hand.values())


def test_a_sample_is_drawn_by_all_tasks_of_spark(spark_engine: Any, place: Path) -> None:
    # Numbering the rows of each stratum would give a whole stratum to one task.
    rows = tables.read(place, spark_engine)
    drawn = tables.first_within(rows, "item", "condition", {"C_0": 3, "C_7": 2, "none": 0})
    plan = spark_engine.raw_sql(drawn.compile())._jdf.queryExecution().executedPlan().toString()
    assert "TakeOrdered" in plan
    assert "Window" not in plan
    assert tables.row_counts(drawn, ["condition"]) == {("C_0",): 3, ("C_7",): 2}


def test_addresses_are_read_by_an_engine_that_knows_them(engine: Any, place: Path) -> None:
    assert tables.sizes(tables.read(f"file://{place}", engine)) == (len(ROWS),)
    assert tables.sizes(tables.read(f"file://{place}")) == (len(ROWS),)
    with pytest.raises(tables.UnreadableTable, match="--engine spark"):
        tables.read("s3a://logs/labels.parquet")
