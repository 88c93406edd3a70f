"""Checks on columns: labels that were exchanged with the values of another column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from labelwright.agreement import Ints
from labelwright.analysis.audit.findings import Finding, first_few
from labelwright.analysis.audit.label_sets import LabelSet, numbered
from labelwright.analysis.audit.plots import BarPlot

_FEW, _MANY = 11, 30
_LEAST_ITEMS = 10
_FAR_BELOW = -5.0
# A value belongs to the column in which it occurs so many times as often as in the other.
_CLEARLY = 5


def exchanged_columns(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Label columns that hold the values of another column: ids, times or conditions."""
    for each in sets:
        other = _many_labels(each) or _below_chance(each)
        if other:
            column, why = other
            yield _exchanged(
                each.name, column, why, {"labels": len(each.codes), column: _distinct(each, column)}
            )
    yield from _design_labels(sets)


def _exchanged(where: str, column: str, why: str, numbers: dict[str, float]) -> Finding:
    return Finding(
        "exchanged_columns",
        "wrong",
        where,
        why,
        f"Check whether the columns label and {column} were exchanged, and name the right ones with --column.",
        plot=BarPlot.of("Columns", "number of different values", numbers, ["labels"]),
    )


def _distinct(each: LabelSet, column: str) -> int:
    columns = {"item": len(each.items), "rater": len(each.raters), "seconds": len(np.unique(each.times))}
    return columns[column]


def _many_labels(each: LabelSet) -> tuple[str, str] | None:
    """Far more different labels than another column has values, where that column looks like a scale."""
    labels = len(each.codes)
    if labels < _MANY:
        return None
    if not each.values.numeric:
        for column, names in (("item", each.items), ("rater", each.raters)):
            if 2 <= len(names) <= _FEW and labels >= 5 * len(names):
                return column, (
                    f"the labels are {labels} different texts, and the {column} column has only {len(names)} values "
                    f"({first_few(names)})."
                )
    if 2 <= len(each.odd_times) <= _FEW and sum(each.odd_times.values()) > 0.5 * len(each.item):
        return "seconds", (
            f"there are {labels} different labels, and the times are the words {first_few(each.odd_times)}."
        )
    times = each.times[np.isfinite(each.times)]
    levels = np.unique(times)
    if len(times) == len(each.item) and 2 <= len(levels) <= _FEW and (levels == np.round(levels)).all():
        return "seconds", (
            f"there are {labels} different labels, and the times have only {len(levels)} values "
            f"({first_few(f'{level:g}' for level in levels)})."
        )
    return None


def _below_chance(each: LabelSet) -> tuple[str, str] | None:
    """Labels that nearly never repeat within an item, as ids of raters do."""
    if each.values.slider or each.rater is None or len(each.codes) < 3 or len(each.items) < _LEAST_ITEMS:
        return None
    found = each.shuffled
    if found is None or found.deviation > _FAR_BELOW:
        return None
    return "rater", (
        f"ratings of one item have the same label {found.observed:.0%} of the time, where {found.expected:.0%} would be "
        "chance. Labels never differ this regularly, but ids of raters do."
    )


def _design_labels(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Labels that every item has equally often, over all sets of an aspect, as conditions do."""
    if len(sets) < 2:
        return
    items, item = numbered([name for each in sets for name in each.item])
    labels, label = numbered([str(value) for each in sets for value in each.label])
    if not 2 <= len(labels) <= _FEW or len(items) < _LEAST_ITEMS:
        return
    counts: Ints = np.bincount(item * len(labels) + label, minlength=len(items) * len(labels)).reshape(
        -1, len(labels)
    )
    if (counts == counts[0]).all() and counts[0].min() > 0 and counts[0].sum() >= 4:
        conditions = list(dict.fromkeys(each.condition for each in sets))
        yield Finding(
            "exchanged_columns",
            "wrong",
            "all sets",
            f"each of the {len(items)} items has every label equally often ({first_few(labels)}), as a design would give.",
            "Check whether the columns label and condition were exchanged, and name the right ones with --column.",
            {"conditions": first_few(conditions)},
            BarPlot.of(
                "Labels", "ratings of every item", dict(zip(labels, counts[0].tolist(), strict=True)), labels
            ),
        )


def exchanged_values(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Rows in which the label is the id of a rater or an item, and that column holds a label."""
    labels = Counter(chain.from_iterable(map(str, each.label) for each in sets))
    for column in ("rater", "item"):
        ids: Counter[str] = Counter(chain.from_iterable(getattr(each, column) or () for each in sets))
        known = {name for name, n in ids.items() if n >= _CLEARLY * labels[name]}
        codes = {label for label, n in labels.items() if n >= _CLEARLY * ids[label]}
        for each in sets:
            own = getattr(each, column) or ()
            rows = [n for n, name in enumerate(own) if name in codes and str(each.label[n]) in known]
            if rows and len(rows) < 0.5 * len(own):
                yield Finding(
                    "exchanged_values",
                    "wrong",
                    each.name,
                    f"in {len(rows)} of {len(own)} rows the label is an id of the {column} column and the {column} is a "
                    f"label, e.g. label {each.label[rows[0]]!r} with {column} {own[rows[0]]!r}.",
                    "Put these values back into their columns.",
                    plot=BarPlot.of(
                        "Rows",
                        "number",
                        {"in order": len(own) - len(rows), "exchanged": len(rows)},
                        ["exchanged"],
                    ),
                )
