"""Where tables may come from."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from labelwright import tables

ROWS = {"item": ["a", "a", "b"], "label": [1, 2, 1]}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frames(library: str) -> None:
    frames = pytest.importorskip(library)
    frame = frames.table(ROWS) if library == "pyarrow" else frames.DataFrame(ROWS)
    assert tables.row_counts(tables.read(frame), ["item"]) == {("a",): 2, ("b",): 1}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_files(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"labels.{ending}"
    if ending == "csv":
        path.write_text("item,label\na,1\na,2\nb,1\n")
    elif ending == "jsonl":
        rows = [dict(zip(ROWS, values, strict=True)) for values in zip(*ROWS.values(), strict=True)]
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        import pyarrow.parquet as pq

        pq.write_table(pa.table(ROWS), path)
    assert tables.codes_used(tables.read(path), by=["item"]) == {("a",): (1, 2), ("b",): (1,)}


def test_a_folder_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    for part in ("one", "two"):
        pq.write_table(pa.table(ROWS), tmp_path / f"{part}.parquet")
    assert tables.row_counts(tables.read(tmp_path), ["item"]) == {("a",): 4, ("b",): 2}


def test_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(tables.UnreadableTable, match="no such file"):
        tables.read(tmp_path / "none.csv")
    odd = tmp_path / "labels.xyz"
    odd.write_text("")
    with pytest.raises(tables.UnreadableTable, match="unknown file extension"):
        tables.read(odd)
    broken = tmp_path / "labels.parquet"
    broken.write_text("not parquet")
    with pytest.raises(tables.UnreadableTable, match=r"labels\.parquet"):
        tables.read(broken)
    with pytest.raises(tables.UnreadableTable, match="object"):
        tables.read(object())


def test_a_missing_column_names_the_nearest() -> None:
    with pytest.raises(tables.MissingColumn, match='Did you mean "label"'):
        tables.count_patterns(tables.read(ROWS), (1, 2), label="labels")


@pytest.mark.parametrize(
    ("rows_at_once", "most_places"), [(1000, 1000), (20_000_000, 1000), (1000, 100)], ids=str
)
def test_numbered_items_are_counted_by_place_as_named_ones_are_by_group(
    rows_at_once: int, most_places: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    monkeypatch.setattr("labelwright.tables._places._ROWS_AT_ONCE", rows_at_once)
    monkeypatch.setattr("labelwright.tables._places._MOST_PLACES", most_places)
    draw = np.random.default_rng(2)
    items = draw.integers(-5, 200, size=3000)
    labels = [None if value == 4 else int(value) for value in draw.integers(0, 6, size=3000)]
    numbered = tables.read({"item": items, "label": labels})
    named = tables.read({"item": [f"i{item}" for item in items], "label": labels})
    [one], [other] = (tables.count_patterns(each, (0, 1, 2, 3)).values() for each in (numbered, named))
    assert one.counts.tolist() == other.counts.tolist()
    assert one.items.tolist() == other.items.tolist()
    assert one.other == other.other == sum(label is None or label > 3 for label in labels)


def test_more_ratings_than_fit_their_bits_are_still_counted() -> None:
    # Two codes leave 17 bits each: 131,072 equal ratings of one item run over.
    rows = {"item": [1] * 131_072 + [2], "label": [0] * 131_072 + [1]}
    [found] = tables.count_patterns(tables.read(rows), (0, 1)).values()
    assert found.counts.tolist() == [[0, 1], [131_072, 0]]
    items = tables.count_items(tables.read(rows), (0, 1))
    assert sorted(items.counts.tolist()) == [[0, 1], [131_072, 0]]


def test_numbers_with_large_gaps_are_grouped() -> None:
    [found] = tables.count_patterns(tables.read({"item": [1, 10**12], "label": [0, 1]}), (0, 1)).values()
    assert found.counts.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    "labels", [pa.array([0, 255, None], pa.uint8()), pa.array([-128, 127, None], pa.int8())]
)
def test_the_ends_of_a_narrow_type_are_codes_like_any(labels: pa.Array) -> None:
    rows = tables.read({"item": pa.array([1, 1, 2]), "label": labels})
    [found] = tables.count_patterns(rows, labels.to_pylist()[:2]).values()
    assert (found.counts.tolist(), found.other) == ([[0, 0], [1, 1]], 1)


def test_codes_far_apart_are_grouped() -> None:
    rows = tables.read({"item": [1, 1, 2], "label": [0, 2**40, 0]})
    [found] = tables.count_patterns(rows, (0, 2**40)).values()
    assert found.counts.tolist() == [[1, 0], [1, 1]]


def test_an_empty_table_has_no_patterns() -> None:
    empty = pa.table({"item": pa.array([], pa.int64()), "label": pa.array([], pa.int64())})
    assert tables.count_patterns(tables.read(empty), (0, 1)) == {}
