"""Reading label sets from files of several formats, without refusing what an audit should report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelwright import tables
from labelwright.agreement import Ints
from labelwright.analysis.audit.label_sets import ExportFile, LabelSet, numbered
from labelwright.analysis.data.exports import is_export, read_labels
from labelwright.analysis.data.item_lists import ItemLists, normalised, read_item_lists
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import NotLabels

# The columns that separate label sets.
_SPLIT = ("aspect", "question", "condition")
# A column holds the judged text if its values are this long on average and every item has only one.
_LONG_TEXT = 20


def read_sets(
    sources: Sequence[Path | str | Labels],
    columns: Mapping[str, str] | None = None,
    item: str | None = None,
    label: str | None = None,
) -> list[LabelSet]:
    """Label sets from files and labels. JSON files are read as item lists.

    In item lists, `label` and `item` name the fields to use. Without them, the label is the field
    with few distinct integers, and items are paired by the text field that the files share most.
    """
    paths = [source if isinstance(source, Labels) else Path(source) for source in sources]
    lists = {
        path: read_item_lists(path)
        for path in paths
        if isinstance(path, Path) and path.suffix.lower() == ".json"
    }
    shared = item or _pairing_field(list(lists.values()))
    sets: list[LabelSet] = []
    for path in paths:
        if isinstance(path, Labels):
            sets += _sets_of_labels(path, "labels")
        elif path in lists:
            sets.append(_set_of_lists(lists[path], shared, label, len(paths) > 1))
        else:
            sets += _sets_of_table(path, columns or {})
    return sets


def _pairing_field(files: Sequence[ItemLists]) -> str:
    """The content field that identifies the items best in each file and has the most values in common."""
    if not files:
        return ""
    common = [
        name for name in files[0].content_fields() if all(name in each.content_fields() for each in files)
    ]
    if not common:
        raise NotLabels(
            "no field identifies the items in all files.",
            expected="a field with a text for each item.",
            do="Name the field with --item.",
        )
    distinct = {name: sum(len(set(each.texts(name))) for each in files) for name in common}
    # A file may hold an item twice, so the best field is not always unique.
    best = [name for name in common if distinct[name] >= 0.9 * max(distinct.values())]
    overlap = {name: len(set.intersection(*(set(each.texts(name)) for each in files))) for name in best}
    # If several fields are shared equally, the last one shown is the judged text.
    return max(best, key=lambda name: (overlap[name], best.index(name)))


def _set_of_lists(lists: ItemLists, item: str, label: str | None, several: bool) -> LabelSet:
    found = _label_field(lists, label)
    texts, labels, seconds = [], [], []
    times = "task-duration" if "task-duration" in lists.fields else "seconds"
    for fields in lists.items.values():
        text = normalised((fields.get(item) or ("",))[0])
        for position, value in enumerate(fields.get(found, ())):
            texts.append(text)
            labels.append(value)
            seconds.append(_number((fields.get(times) or ())[position : position + 1]))
    name = f"{lists.path.parent.name}/{lists.path.stem}" if several else lists.path.stem
    return LabelSet(
        name,
        found,
        lists.path.stem,
        tuple(texts),
        tuple(labels),
        seconds=tuple(seconds) if any(value is not None for value in seconds) else None,
        keys=tuple(lists.items),
        lists=lists,
    )


def _label_field(lists: ItemLists, label: str | None) -> str:
    found = label if label in lists.fields else None
    candidates = lists.label_fields()
    folder = lists.path.parent.name.lower()
    found = found or (folder if folder in candidates else candidates[0] if len(candidates) == 1 else None)
    if found is None:
        raise NotLabels(
            f"the label field could not be detected. Candidates: {', '.join(candidates) or 'none'}.",
            where=str(lists.path),
            do="Name it with --label.",
        )
    return found


def _number(values: Sequence[str]) -> float | None:
    try:
        return float(values[0])
    except (IndexError, ValueError):
        return None


def _sets_of_table(path: Path, columns: Mapping[str, str]) -> list[LabelSet]:
    table = tables.read_texts(path)
    # Rows are not checked when they are read, because the audit reports what is wrong with them.
    if is_export(table):
        export = ExportFile(path.name, tables.sizes(table)[0])
        labels = read_labels(path, repeated="unchecked")
        return [replace(each, export=export) for each in _sets_of_labels(labels, path.stem)]
    labels = Labels.read(table, columns=columns, repeated="unchecked")
    return split_rows(labels.fetch(labels.columns), path.stem)


def _sets_of_labels(labels: Labels, name: str) -> list[LabelSet]:
    """The sets of labels whose scale may be declared. Points marked as no answer are not labels."""
    sets = split_rows(labels.fetch(labels.columns), name, labels)
    return [_without(each, each.scale.silent if each.scale else ()) for each in sets]


def _without(each: LabelSet, silent: Sequence[int]) -> LabelSet:
    if not silent:
        return each
    kept = np.array([value not in silent for value in each.label], dtype=bool)
    return _rows_of(each, kept)


def _rows_of(each: LabelSet, kept: Any) -> LabelSet:
    places = np.flatnonzero(kept)
    rows: dict[str, Any] = {
        name: tuple(column[place] for place in places)
        for name in ("item", "label", "rater", "seconds")
        if (column := getattr(each, name)) is not None
    }
    row = None if each.row is None else each.row[places]
    return replace(each, **rows, row=row)


def split_rows(rows: pa.Table, name: str, labels: Labels | None = None) -> list[LabelSet]:
    """The label sets of a table with the columns item and label: one for each aspect, question and condition.

    `labels` declare the scales of the sets.
    """
    if not rows.num_rows:
        return [LabelSet(name, "labels", name, (), ())]
    split = [column for column in _SPLIT if column in rows.column_names]
    group, groups = _groups(rows, split)
    seconds = _seconds(rows["seconds"]) if "seconds" in rows.column_names else None
    texts, row = _texts(rows), _equal_rows(rows)
    sets = []
    for number, where in enumerate(groups):
        places = np.flatnonzero(group == number)
        part = rows.take(places)
        aspect = where.get("aspect")
        sets.append(
            LabelSet(
                "/".join([name, *dict.fromkeys(value for value in where.values() if value)]),
                " ".join(dict.fromkeys(filter(None, (aspect, where.get("question"))))) or "labels",
                where.get("condition") or name,
                tuple(_strings(part["item"])),
                tuple(part["label"].to_pylist()),
                rater=tuple(_strings(part["rater"])) if "rater" in rows.column_names else None,
                seconds=None if seconds is None else tuple(seconds[places].tolist()),
                scale=labels.scale_in(where) if labels else None,
                texts=texts,
                odd_times=_odd_times(part["seconds"]) if seconds is not None else {},
                row=row[places],
            )
        )
    return sets


def _groups(rows: pa.Table, split: Sequence[str]) -> tuple[Ints, list[dict[str, str]]]:
    """The number of each row's set, and the values that the sets have in the columns that separate them."""
    group = np.zeros(rows.num_rows, dtype=np.int64)
    for column in split:
        _, places = numbered(_strings(rows[column]))
        group = group * (int(places.max(initial=0)) + 1) + places
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    found = [{column: _strings(rows[column].slice(row, 1))[0] for column in split} for row in first.tolist()]
    order = sorted(range(len(found)), key=lambda number: tuple(found[number].values()))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[group], [found[number] for number in order]


def _strings(column: pa.ChunkedArray) -> list[str]:
    return ["" if value is None else str(value) for value in column.to_pylist()]


def _seconds(column: pa.ChunkedArray) -> Any:
    """Times as numbers, None where there is none."""
    return np.array([None if value is None else _number([value]) for value in column.to_pylist()], object)


def _odd_times(column: pa.ChunkedArray) -> Mapping[str, int]:
    return Counter(
        str(value) for value in column.to_pylist() if value is not None and _number([value]) is None
    )


def _texts(rows: pa.Table) -> dict[str, str]:
    """The judged text of each item: the longest column of texts with one value per item."""
    found: dict[str, str] = {}
    longest: float = _LONG_TEXT
    _, item = numbered(_strings(rows["item"]))
    for name in rows.column_names:
        column = rows[name]
        if name in {"item", "rater", "label"} or not pa.types.is_string(column.type):
            continue
        length = pc.mean(pc.utf8_length(column)).as_py() or 0
        if length <= longest:
            continue
        _, text = numbered(_strings(column))
        if len(np.unique(item * (int(text.max()) + 1) + text)) == int(item.max()) + 1:
            found = dict(zip(_strings(rows["item"]), _strings(column), strict=True))
            longest = length
    return found


def _equal_rows(rows: pa.Table) -> Ints:
    """A number for each row; rows that are equal in every column have the same number."""
    number = np.zeros(rows.num_rows, dtype=np.int64)
    for name in rows.column_names:
        column = rows[name]
        values = column if pa.types.is_string(column.type) else pa.chunked_array([pa.array(_strings(column))])
        places = values.combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy()
        number = np.unique(number * (int(places.max(initial=0)) + 2) + places + 1, return_inverse=True)[1]
    return number.astype(np.int64)
