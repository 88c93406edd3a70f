"""Label sets: the input of an audit, read from files in several formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from labelwright.agreement import Ratings
from labelwright.analysis.errors import NotLabels
from labelwright.analysis.exports import read_labels
from labelwright.analysis.item_lists import ItemLists, normalised, read_item_lists
from labelwright.tables import Code


@dataclass(frozen=True, eq=False)
class LabelSet:
    """The ratings of one aspect in one condition."""

    name: str
    aspect: str
    condition: str
    item: tuple[str, ...]
    label: tuple[Code | None, ...]
    rater: tuple[str, ...] | None = None
    seconds: tuple[float | None, ...] | None = None
    keys: tuple[str, ...] = ()
    """The item ids in the file, one per item, if items are not paired by them."""
    lists: ItemLists | None = None
    """The whole file, if it is a JSON file of item lists."""

    @cached_property
    def items(self) -> tuple[str, ...]:
        """The distinct items in file order."""
        return tuple(dict.fromkeys(self.item))

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """The codes that occur, ascending."""
        used = {label for label in self.label if label is not None}
        return tuple(sorted(used, key=lambda code: (isinstance(code, str), code)))

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings as arrays, with positions if the raters are not known."""
        return Ratings.of(list(self.item), list(self.label), None if self.rater is None else list(self.rater))

    @cached_property
    def item_names(self) -> list[str]:
        """The item names in the order of the item numbers in `ratings`."""
        return sorted({item for item, label in zip(self.item, self.label, strict=True) if label is not None})

    @cached_property
    def majority(self) -> dict[str, Code | None]:
        """The majority label of each item; None if there is a tie."""
        given: dict[str, list[Code]] = {}
        for item, label in zip(self.item, self.label, strict=True):
            if label is not None:
                given.setdefault(item, []).append(label)
        return {item: _most(labels) for item, labels in given.items()}


def _most(labels: Sequence[Code]) -> Code | None:
    (first, n), *rest = Counter(labels).most_common(2)
    return None if rest and rest[0][1] == n else first


def read_sets(
    paths: Sequence[Path | str],
    columns: Mapping[str, str] | None = None,
    item: str | None = None,
    label: str | None = None,
) -> list[LabelSet]:
    """Label sets from files. JSON files are read as item lists.

    In item lists, `label` and `item` name the fields to use. Without them, the label is the field
    with few distinct integers, and items are paired by the text field that the files share most.
    """
    lists = {Path(path): read_item_lists(path) for path in paths if Path(path).suffix == ".json"}
    shared = item or _pairing_field(list(lists.values()))
    sets: list[LabelSet] = []
    for path in map(Path, paths):
        if path in lists:
            sets.append(_set_of_lists(lists[path], shared, label, len(paths) > 1))
        else:
            sets += _sets_of_table(path, columns or {})
    return sets


def _pairing_field(files: Sequence[ItemLists]) -> str:
    """The content field that is unique within each file and has the most values in common."""
    if not files:
        return ""
    common = [
        name for name in files[0].content_fields() if all(name in each.content_fields() for each in files)
    ]
    unique = [name for name in common if all(len(set(each.texts(name))) == len(each.items) for each in files)]
    if not unique:
        raise NotLabels(
            "no field identifies the items in all files.",
            expected="a field with a different text for each item.",
            do="Name the field with --item.",
        )
    overlap = {name: len(set.intersection(*(set(each.texts(name)) for each in files))) for name in unique}
    # If several fields are shared equally, the last one shown is the judged text.
    return max(unique, key=lambda name: (overlap[name], unique.index(name)))


def _set_of_lists(lists: ItemLists, item: str, label: str | None, several: bool) -> LabelSet:
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
    texts, labels, seconds = [], [], []
    times = "task-duration" if "task-duration" in lists.fields else "seconds"
    for fields in lists.items.values():
        for position, value in enumerate(fields.get(found, ())):
            texts.append(normalised(fields[item][0]))
            labels.append(int(value))
            seconds.append(float(fields[times][position]) if times in fields else None)
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


def _sets_of_table(path: Path, columns: Mapping[str, str]) -> list[LabelSet]:
    labels = read_labels(path, columns=columns, repeated="unchecked")  # the audit reports what is wrong
    kept = [name for name in ("aspect", "condition") if labels.has(name)]
    sets = []
    for where, part in labels.slices(kept):
        names = ["item", "label", *(name for name in ("rater", "seconds") if labels.has(name))]
        rows: dict[str, list[Any]] = part.fetch(names).to_pydict()
        parts = [path.stem, *(str(where[name]) for name in kept)]
        sets.append(
            LabelSet(
                "/".join(parts),
                str(where.get("aspect", "labels")),
                str(where.get("condition", path.stem)),
                tuple(map(str, rows["item"])),
                tuple(rows["label"]),
                rater=tuple(map(str, rows["rater"])) if "rater" in rows else None,
                seconds=tuple(rows["seconds"]) if "seconds" in rows else None,
            )
        )
    return sets


def by_aspect(sets: Sequence[LabelSet]) -> dict[str, list[LabelSet]]:
    """The sets of each aspect."""
    grouped: dict[str, list[LabelSet]] = {}
    for each in sets:
        grouped.setdefault(each.aspect, []).append(each)
    return grouped
