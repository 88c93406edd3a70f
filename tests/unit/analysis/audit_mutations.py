"""Mutations of label files: each plants one error at a given strength, which the audit must find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tests.unit.analysis.audit_files import Columns

Draw: TypeAlias = np.random.Generator
Change: TypeAlias = Callable[[Columns, float, Draw], Columns]


@dataclass(frozen=True)
class Mutation:
    """One kind of error."""

    name: str
    kinds: tuple[str, ...]
    """The findings of which one must be reported."""
    of: str
    """What the strengths are shares of."""
    strengths: tuple[float, ...]
    change: Change
    needs: frozenset[str] = frozenset()
    """`conditions`, `times`, `order` or `words`: what a file must have for this error."""


MUTATIONS: list[Mutation] = []


def mutation(
    name: str, kinds: str, of: str, strengths: tuple[float, ...], needs: str = ""
) -> Callable[[Change], Change]:
    """Registers a mutation."""

    def register(change: Change) -> Change:
        planted = Mutation(name, tuple(kinds.split()), of, strengths, change, frozenset(needs.split()))
        MUTATIONS.append(planted)
        return change

    return register


def _copy(columns: Columns) -> Columns:
    return {name: list(values) for name, values in columns.items()}


def _raters(columns: Columns) -> list[Any]:
    """The raters by their number of ratings, the busiest first."""
    return [
        name
        for name, _ in sorted(Counter(columns["rater"]).items(), key=lambda pair: (-pair[1], str(pair[0])))
    ]


def _rows(columns: Columns, column: str, value: Any) -> list[int]:
    return [n for n, each in enumerate(columns[column]) if each == value]


def _some(rows: list[int], share: float, draw: Draw) -> list[int]:
    size = max(1, round(share * len(rows)))
    return sorted(int(row) for row in draw.choice(rows, size, replace=False))


def _codes(columns: Columns) -> list[Any]:
    return sorted(set(columns["label"]), key=lambda code: (isinstance(code, str), code))


def _only(columns: Columns, rows: list[int]) -> Columns:
    return {name: [values[row] for row in rows] for name, values in columns.items()}


def _joined(one: Columns, two: Columns) -> Columns:
    return {name: [*values, *two[name]] for name, values in one.items()}


def _second_id(columns: Columns, share: float, draw: Draw) -> Columns:
    """The file without the second busiest rater, who now has the rows of the busiest."""
    first, second = _raters(columns)[:2]
    kept = _only(columns, [n for n, name in enumerate(columns["rater"]) if name != second])
    copied = _only(columns, _rows(columns, "rater", first))
    copied["rater"] = [second] * len(copied["rater"])
    honest = _some(list(range(len(copied["label"]))), 1 - share, draw) if share < 1 else []
    for row in honest:
        said = [kept["label"][n] for n in _same_unit(kept, copied, row) if kept["rater"][n] != first]
        copied["label"][row] = said[0] if said else copied["label"][row]
    if "seconds" in copied:
        copied["seconds"] = [round(float(np.exp(draw.normal(3.2, 0.5))), 2) for _ in copied["label"]]
    return _joined(kept, copied)


def _same_unit(columns: Columns, of: Columns, row: int) -> list[int]:
    """The rows with the same item, aspect and condition as a row of another table."""
    keys = [name for name in ("item", "aspect", "condition") if name in columns]
    return [n for n in range(len(columns["item"])) if all(columns[key][n] == of[key][row] for key in keys)]


@mutation("copied rater", "copied_rater", "labels of a rater", (1.0,))
def _copied_rater(columns: Columns, share: float, draw: Draw) -> Columns:
    return _second_id(columns, share, draw)


@mutation("nearly copied pair of raters", "near_copies copied_rater", "labels of a rater", (0.95, 0.9))
def _near_copies(columns: Columns, share: float, draw: Draw) -> Columns:
    return _second_id(columns, share, draw)


def _relabel(columns: Columns, rows: list[int], label: Callable[[Any], Any]) -> Columns:
    changed = _copy(columns)
    for row in rows:
        changed["label"][row] = label(changed["label"][row])
    return changed


def _reversal(columns: Columns) -> Callable[[Any], Any]:
    codes = _codes(columns)
    if isinstance(codes[0], str):
        return dict(zip(codes, reversed(codes), strict=True)).__getitem__
    return lambda label: codes[0] + codes[-1] - label


@mutation("reversed rater", "reversed_rater", "labels of a rater", (1.0, 0.9), "order")
def _reversed_rater(columns: Columns, share: float, draw: Draw) -> Columns:
    rows = _some(_rows(columns, "rater", _raters(columns)[0]), share, draw)
    return _relabel(columns, rows, _reversal(columns))


@mutation("random rater", "random_rater", "labels of a rater", (1.0,))
def _random_rater(columns: Columns, share: float, draw: Draw) -> Columns:
    codes = _codes(columns)
    rows = _some(_rows(columns, "rater", _raters(columns)[0]), share, draw)
    return _relabel(columns, rows, lambda _: codes[int(draw.integers(len(codes)))])


@mutation("constant rater", "constant_rater", "labels of a rater", (1.0, 0.98))
def _constant_rater(columns: Columns, share: float, draw: Draw) -> Columns:
    rare = min(Counter(columns["label"]).items(), key=lambda pair: pair[1])[0]
    rows = _some(_rows(columns, "rater", _raters(columns)[0]), share, draw)
    return _relabel(columns, rows, lambda _: rare)


def _moved(columns: Columns, rows: list[int]) -> Columns:
    """The labels of some rows, each one row further down."""
    changed = _copy(columns)
    for row, before in zip(rows, [rows[-1], *rows[:-1]], strict=True):
        changed["label"][row] = columns["label"][before]
    return changed


@mutation("labels of a rater shifted by a row", "shifted_rows", "labels of a rater", (1.0, 0.5))
def _shifted_rows(columns: Columns, share: float, draw: Draw) -> Columns:
    rows = _rows(columns, "rater", _raters(columns)[0])
    return _moved(columns, rows[round((1 - share) * len(rows)) :])


@mutation("all times of a rater equal", "equal_times", "times of a rater", (1.0,), "times")
def _equal_times(columns: Columns, share: float, draw: Draw) -> Columns:
    changed = _copy(columns)
    for row in _rows(columns, "rater", _raters(columns)[0]):
        changed["seconds"][row] = 30.0
    return changed


@mutation("all times equal", "equal_times", "times", (1.0,), "times")
def _all_times_equal(columns: Columns, share: float, draw: Draw) -> Columns:
    return {**columns, "seconds": [25.0] * len(columns["seconds"])}


@mutation("impossible speed", "impossible_times", "ratings", (0.05, 0.01), "times")
def _impossible_speed(columns: Columns, share: float, draw: Draw) -> Columns:
    changed = _copy(columns)
    for row in _some(list(range(len(columns["seconds"]))), share, draw):
        changed["seconds"][row] = 0.2
    return changed


@mutation("a rater ten times as fast", "fast_rater", "times of a rater", (1.0,), "times")
def _fast_rater(columns: Columns, share: float, draw: Draw) -> Columns:
    changed = _copy(columns)
    for row in _rows(columns, "rater", _raters(columns)[0]):
        changed["seconds"][row] = round(changed["seconds"][row] / 10, 2)
    return changed


@mutation("times in milliseconds", "time_unit", "times", (1.0,), "times")
def _milliseconds(columns: Columns, share: float, draw: Draw) -> Columns:
    return {**columns, "seconds": [round(1000 * value) for value in columns["seconds"]]}


@mutation("positions named judge1, judge2, ...", "positions", "ratings", (1.0,))
def _positions(columns: Columns, share: float, draw: Draw) -> Columns:
    place: Counter[tuple[Any, ...]] = Counter()
    names = []
    keys = [columns[name] for name in ("item", "aspect", "condition") if name in columns]
    for key in zip(*keys, strict=True):
        place[key] += 1
        names.append(f"judge{place[key]}")
    return {**columns, "rater": names}


@mutation("condition copied from another", "copied_condition", "items", (1.0, 0.95), "conditions")
def _copied_condition(columns: Columns, share: float, draw: Draw) -> Columns:
    items = sorted(set(columns["item"]))
    copied = {items[n] for n in _some(list(range(len(items))), share, draw)}
    kept = [
        n for n, name in enumerate(columns["condition"]) if name != "C1" or columns["item"][n] not in copied
    ]
    source = [n for n in _rows(columns, "condition", "C0") if columns["item"][n] in copied]
    added = _only(columns, source)
    added["condition"] = ["C1"] * len(source)
    return _joined(_only(columns, kept), added)


@mutation(
    "scale reversed in a condition",
    "reversed_condition",
    "labels of a condition",
    (1.0, 0.9),
    "conditions order",
)
def _reversed_condition(columns: Columns, share: float, draw: Draw) -> Columns:
    rows = _some(_rows(columns, "condition", "C1"), share, draw)
    return _relabel(columns, rows, _reversal(columns))


@mutation("codes shifted in a condition", "mixed_codes", "labels of a condition", (1.0,), "conditions order")
def _shifted_codes(columns: Columns, share: float, draw: Draw) -> Columns:
    width = max(columns["label"]) - min(columns["label"]) + 1
    step = 1 if width <= 20 else width
    return _relabel(columns, _rows(columns, "condition", "C1"), lambda label: label + step)


@mutation("items under two ids", "two_ids", "items", (0.1, 0.02))
def _two_ids(columns: Columns, share: float, draw: Draw) -> Columns:
    changed, items = _copy(columns), sorted(set(columns["item"]))
    chosen = {items[n] for n in _some(list(range(len(items))), share, draw)}
    seen: Counter[Any] = Counter()
    for row, item in enumerate(columns["item"]):
        seen[item] += 1
        if item in chosen and seen[item] > 1:
            changed["item"][row] = f" {str(item).upper()}"
    return changed


@mutation("items with the same text under two ids", "two_ids", "items", (0.1, 0.02))
def _same_text(columns: Columns, share: float, draw: Draw) -> Columns:
    items = sorted(set(columns["item"]))
    texts = {
        item: f"The reply to question {n} of the conversation about {item}." for n, item in enumerate(items)
    }
    for n in _some(list(range(1, len(items))), share, draw):
        texts[items[n]] = texts[items[n - 1]]
    return {**columns, "reply": [texts[item] for item in columns["item"]]}


@mutation("ratings of an item copied to another id", "two_ids", "items", (0.1, 0.02), "times")
def _copied_items(columns: Columns, share: float, draw: Draw) -> Columns:
    items = sorted(set(columns["item"]))
    chosen = {items[n] for n in _some(list(range(len(items))), share, draw)}
    added = _only(columns, [n for n, item in enumerate(columns["item"]) if item in chosen])
    added["item"] = [f"new-{hash(item) % 1_000_003}" for item in added["item"]]
    return _joined(columns, added)


@mutation("codes with other case or spaces", "code_spelling", "labels", (0.1, 0.01))
def _spaces(columns: Columns, share: float, draw: Draw) -> Columns:
    rows = _some(list(range(len(columns["label"]))), share, draw)
    return _relabel(
        columns, rows, lambda label: f" {label.upper()}" if isinstance(label, str) else f"{label} "
    )


@mutation("misspelled codes", "similar_codes", "labels", (0.01,), "words")
def _misspelled(columns: Columns, share: float, draw: Draw) -> Columns:
    usual = Counter(label for label in columns["label"] if len(label) > 2).most_common(1)[0][0]
    rows = _some(_rows(columns, "label", usual), share, draw)
    return _relabel(columns, rows, lambda label: label[:2] + label[1:])


@mutation("free text among codes", "stray_values", "labels", (0.05, 0.005))
def _free_text(columns: Columns, share: float, draw: Draw) -> Columns:
    rows, words = _some(list(range(len(columns["label"]))), share, draw), iter(range(10_000))
    return _relabel(
        columns,
        rows,
        lambda label: f"I read it {next(words)} times, and it is closer to {label} than to others",
    )


@mutation("blank and placeholder labels", "blank_labels", "labels", (0.05, 0.005))
def _blanks(columns: Columns, share: float, draw: Draw) -> Columns:
    blanks = iter(["", "N/A", "nan", "#N/A", "  ", "Please select"] * len(columns["label"]))
    return _relabel(columns, _some(list(range(len(columns["label"]))), share, draw), lambda _: next(blanks))


@mutation("columns label and rater exchanged", "exchanged_columns", "rows", (1.0,))
def _label_and_rater(columns: Columns, share: float, draw: Draw) -> Columns:
    return {**columns, "label": columns["rater"], "rater": columns["label"]}


@mutation("columns label and item exchanged", "exchanged_columns", "rows", (1.0,), "short")
def _label_and_item(columns: Columns, share: float, draw: Draw) -> Columns:
    return {**columns, "label": columns["item"], "item": columns["label"]}


@mutation("columns label and seconds exchanged", "exchanged_columns", "rows", (1.0,), "times short")
def _label_and_seconds(columns: Columns, share: float, draw: Draw) -> Columns:
    return {**columns, "label": columns["seconds"], "seconds": columns["label"]}


@mutation("columns label and condition exchanged", "exchanged_columns", "rows", (1.0,), "conditions short")
def _label_and_condition(columns: Columns, share: float, draw: Draw) -> Columns:
    return {**columns, "label": columns["condition"], "condition": columns["label"]}


@mutation("label and rater exchanged in some rows", "exchanged_values", "rows", (0.05, 0.005))
def _values_exchanged(columns: Columns, share: float, draw: Draw) -> Columns:
    changed = _copy(columns)
    for row in _some(list(range(len(columns["label"]))), share, draw):
        changed["label"][row], changed["rater"][row] = columns["rater"][row], columns["label"][row]
    return changed


@mutation("duplicate rows", "duplicate_rows", "rows", (0.05, 0.005))
def _duplicate_rows(columns: Columns, share: float, draw: Draw) -> Columns:
    return _joined(columns, _only(columns, _some(list(range(len(columns["label"]))), share, draw)))


@mutation("ratings without a rater id", "missing_ids", "rows", (0.05, 0.005))
def _missing_ids(columns: Columns, share: float, draw: Draw) -> Columns:
    changed = _copy(columns)
    for row in _some(list(range(len(columns["label"]))), share, draw):
        changed["rater"][row] = ""
    return changed
