"""Candidates: answers about several candidates of one item, converted for the other analyses."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from labelwright.analysis.counting import NO_ASPECT, ExportRow, counted_rows
from labelwright.analysis.errors import NotLabels

BOTH_BAD = 9
"""The code of a preference question for "both are bad"."""
_PART = re.compile(r"(?P<question>[^.]+)\.(?P<candidate>c\d+)(?P<criterion>\.[^.]+)?")


@dataclass(frozen=True)
class Comparisons:
    """Pairs of systems and the winner of each: the arguments of `bradley_terry`, in its order."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    winner: tuple[str | None, ...]
    """None for a tie."""


def candidate_labels(rows: Iterable[ExportRow], include: Collection[str] = ()) -> dict[str, list[Any]]:
    """The judgments of individual candidates in an export, as columns for `Labels.read`.

    The candidate becomes part of the item (`d1/c0`) instead of the question (`quality.correctness`),
    so that all candidates are measured together for each criterion. Other answers are left out, and so
    are those that do not count, unless `include` names the reason.

    >>> row = {"item": "d1", "question": "quality.c0.correctness", "label": 1, "system": "alpha"}
    >>> candidate_labels([row])
    {'item': ['d1/c0'], 'question': ['quality.correctness'], 'label': [1], 'system': ['alpha']}
    """
    columns: dict[str, list[Any]] = {}
    for row in counted_rows(rows, include):
        if part := _PART.fullmatch(str(row["question"])):
            own = {
                "item": f"{row['item']}/{part['candidate']}",
                "question": part["question"] + (part["criterion"] or ""),
            }
            for name, value in {**row, **own}.items():
                columns.setdefault(name, []).append(value)
    return columns


def preferences(
    rows: Iterable[ExportRow],
    question: str,
    pair: tuple[int, int] = (0, 1),
    both_bad: Literal["tie", "left out"] = "tie",
    include: Collection[str] = (),
) -> Comparisons:
    """The answers to a preference question in an export, as comparisons of the candidates' systems.

    `pair` is the `pair` of the question in the study file. The strength of a preference is ignored.
    Only answers that count are compared, and those left out for the reasons in `include`; the question is
    named here, so it need not measure an aspect.

    >>> rows = [{"question": "better", "label": -1, "candidates": '["alpha", "beta"]'}]
    >>> preferences(rows, "better").winner
    ('alpha',)
    """
    found = []
    for row in counted_rows(rows, (NO_ASPECT, *include)):
        if row["question"] != question or (both_bad == "left out" and row["label"] == BOTH_BAD):
            continue
        one, two = (_systems(row)[place] for place in pair)
        tie = row["label"] in (0, BOTH_BAD)
        found.append((one, two, None if tie else one if row["label"] < 0 else two))
    return _comparisons(found)


def rank_preferences(rows: Iterable[ExportRow], question: str, include: Collection[str] = ()) -> Comparisons:
    """The answers to a ranking question in an export: every pair of candidates is a comparison.

    Only answers that count are compared, as in `preferences`.

    >>> rows = [{"question": "order", "value": "[2, 1, 2]", "candidates": '["alpha", "beta", "gamma"]'}]
    >>> rank_preferences(rows, "order").winner
    ('beta', None, 'beta')
    """
    found = []
    for row in counted_rows(rows, (NO_ASPECT, *include)):
        if row["question"] == question:
            ranked = zip(_systems(row), _parsed(row["value"]), strict=True)
            found += [
                (one, two, None if first == second else one if first < second else two)
                for (one, first), (two, second) in combinations(ranked, 2)
            ]
    return _comparisons(found)


def _systems(row: ExportRow) -> list[str]:
    systems = _parsed(row.get("candidates")) or []
    if not systems or not all(systems):
        raise NotLabels(
            f"the candidates of item {row.get('item', '?')} have no system, so systems cannot be compared.",
            expected="a column `candidates` with a system for each candidate.",
        )
    return [str(system) for system in systems]


def _parsed(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) and value else value


def _comparisons(found: Iterable[tuple[str, str, str | None]]) -> Comparisons:
    columns: Iterator[Any] = zip(*found, strict=True)
    first, second, winner = list(columns) or [(), (), ()]
    return Comparisons(first, second, winner)
