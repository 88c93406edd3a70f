"""Item lists: JSON files with one object per item, whose fields are lists with one entry per rating.

This is the format of the released context study. Item keys have no meaning, entries are in the order
of collection, and there are no rater ids, so entries are positions.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from labelwright.analysis.errors import NotLabels


@dataclass(frozen=True)
class ItemLists:
    """One file, with items in file order."""

    path: Path
    items: Mapping[str, Mapping[str, tuple[str, ...]]]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of all items, in order of first appearance."""
        return tuple(dict.fromkeys(name for fields in self.items.values() for name in fields))

    def entries(self, field: str) -> list[tuple[str, ...]]:
        """The entries of a field, one tuple per item; empty if the item does not have the field."""
        return [fields.get(field, ()) for fields in self.items.values()]

    def content_fields(self) -> list[str]:
        """The fields with the same value for every rating of an item: the content shown to raters."""
        return [name for name in self.fields if all(len(set(values)) == 1 for values in self.entries(name))]

    def label_fields(self) -> list[str]:
        """The fields that look like labels: few distinct integers."""
        return [name for name in self.fields if name and _few_whole_numbers(self.entries(name))]

    def texts(self, field: str) -> list[str]:
        """The normalised text of a content field, one per item."""
        return [normalised(values[0]) if values else "" for values in self.entries(field)]


def read_item_lists(path: Path | str) -> ItemLists:
    """Reads a file of item lists; raises NotLabels if it has another format."""
    place = Path(path)
    try:
        loaded = json.loads(place.read_text(encoding="utf-8"), object_pairs_hook=_keep_repeated)
        items = {
            key: {name: tuple(map(str, values)) for name, values in fields.items()}
            for key, fields in loaded.items()
        }
    except (ValueError, AttributeError, TypeError) as problem:
        raise NotLabels(
            "this file is not a JSON object of items whose fields are lists.",
            where=str(place),
            expected="one list entry per rating in every field.",
        ) from problem
    return ItemLists(place, items)


def _keep_repeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object that keeps both values of a repeated key, the later ones under `key (2)`."""
    kept: dict[str, Any] = {}
    for key, value in pairs:
        n = 1
        while (name := key if n == 1 else f"{key} ({n})") in kept:
            n += 1
        kept[name] = value
    return kept


def item_list_rows(
    lists: ItemLists, label: str, item: str, more: Mapping[str, str] | None = None, **constants: str
) -> pa.Table:
    """Rows with `item` (the normalised text of that field), `position`, `label`, and the columns in `more`.

    `more` maps further columns to fields, e.g. `{"seconds": "task-duration"}`. `constants` are columns
    with a single value, e.g. `condition="C_0"`.
    """
    rows = []
    for fields in lists.items.values():
        name = normalised(fields[item][0])
        for position, value in enumerate(fields[label]):
            row: dict[str, Any] = {"item": name, "position": position, "label": _number(value), **constants}
            row |= {
                column: _number(fields[source][position])
                for column, source in (more or {}).items()
                if source in fields
            }
            rows.append(row)
    return pa.Table.from_pylist(rows)


def normalised(text: str) -> str:
    """Text without differences that are irrelevant for pairing: case, spaces, punctuation, Unicode variants.

    >>> normalised('  Have you  SEEN "Seven"?')
    'have you seen seven'
    """
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def _few_whole_numbers(entries: Sequence[Sequence[str]]) -> bool:
    """Whether a field holds 2 to 11 different whole numbers, apart from a few blanks or texts among them."""
    values = [value.strip() for each in entries for value in each]
    whole = [value for value in values if re.fullmatch(r"-?\d+", value)]
    return 1 < len(set(whole)) <= 11 and len(whole) >= 0.8 * len(values)


def _number(value: str) -> int | float | str | None:
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value or None
