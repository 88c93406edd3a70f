"""Checks on fields of item lists: placeholders stored as answers, and misspelled names."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from labelwright.analysis.audit.findings import Finding, how_many, some_sets
from labelwright.analysis.audit.label_sets import LabelSet
from labelwright.analysis.audit.plots import BarPlot

_PLACEHOLDERS = {"select", "choose", "n/a", "na", "none", "null", "nan", "-", "please select"}


def placeholder_answers(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Answers that are the placeholder of an unanswered form field."""
    for each in sets:
        if each.lists is None:
            continue
        for name in each.lists.fields:
            values = [value for entry in each.lists.entries(name) for value in entry]
            short = [value for value in values if value.strip().lower() in _PLACEHOLDERS]
            if short and len(set(values)) <= 20:
                yield Finding(
                    "placeholder",
                    "doubtful",
                    each.name,
                    f'{how_many(len(short), "answer", "answers")} to "{name}" only with the placeholder "{short[0]}".',
                    "Treat them as missing.",
                    plot=BarPlot.of("Answers", "number", Counter(values), set(short)),
                )


def misspelled_fields(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Fields of different files whose names are almost equal and never occur together."""
    where: dict[str, set[str]] = {}
    for each in sets:
        for name in each.lists.fields if each.lists else ():
            where.setdefault(name, set()).add(each.name)
    for one, two in combinations([name for name in where if len(name) > 5], 2):
        alike = difflib.SequenceMatcher(None, one, two).ratio() > 0.93
        numbered = re.sub(r"\d+", "", one) == re.sub(r"\d+", "", two)
        if alike and not numbered and not where[one] & where[two]:
            yield Finding(
                "misspelled_field",
                "note",
                some_sets(sorted(where[two]), len(sets)),
                f'the field "{two}" looks like a misspelling of "{one}" in other files.',
                "Treat both as one question.",
                plot=BarPlot.of(
                    "Fields", "number of sets", {one: len(where[one]), two: len(where[two])}, [two]
                ),
            )
