"""Candidates: answers about several candidates of one item, converted for the other analyses."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from labelwright.agreement.errors import UnequalLengths
from labelwright.analysis.data.counting import NO_ASPECT, ExportRow, counted_rows
from labelwright.analysis.errors import NotLabels

BOTH_BAD = 9
"""The code of a preference question for "both are bad"."""
_PART = re.compile(r"(?P<question>[^.]+)\.(?P<candidate>c\d+)(?P<criterion>\.[^.]+)?")


@dataclass(frozen=True)
class Comparisons:
    """Pairs of systems and the winner of each, for `bradley_terry`. Every column has one entry per comparison."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    winner: tuple[str | None, ...]
    """None for a tie, and for "both are bad"."""
    both_bad: tuple[bool, ...] = ()
    """Whether the rater said that both are bad. This and the following columns are empty if nothing is known."""
    item: tuple[str, ...] = ()
    rater: tuple[str, ...] = ()
    weight: tuple[float, ...] = ()
    """The design weight of the item."""
    covariates: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """By name: the value of the first candidate minus that of the second, such as its length."""

    def __post_init__(self) -> None:
        columns = (self.second, self.winner, self.both_bad, self.item, self.rater, self.weight)
        lengths = {len(self.first), *(len(each) for each in (*columns, *self.covariates.values()) if each)}
        if len(lengths) > 1 or len(self.second) != len(self.winner) or len(self.first) != len(self.second):
            raise UnequalLengths(
                "the columns of the comparisons have different lengths.", expected="one entry per comparison."
            )

    def __len__(self) -> int:
        return len(self.first)


def candidate_labels(rows: Iterable[ExportRow], include: Collection[str] = ()) -> dict[str, list[Any]]:
    """The judgments of individual candidates in an export, as columns for `Labels.read`.

    The candidate becomes part of the item (`d1/c0`) instead of the question (`quality.correctness`),
    so that all candidates are measured together for each criterion. The item itself is in `shared_item`, by
    which `rank_systems` pairs systems. Other answers are left out, and so are those that do not count, unless
    `include` names the reason.

    >>> row = {"item": "d1", "question": "quality.c0.correctness", "label": 1, "system": "alpha"}
    >>> labels = candidate_labels([row])
    >>> labels["item"], labels["shared_item"], labels["question"]
    (['d1/c0'], ['d1'], ['quality.correctness'])
    """
    columns: dict[str, list[Any]] = {}
    for row in counted_rows(rows, include):
        if part := _PART.fullmatch(str(row["question"])):
            own = {
                "item": f"{row['item']}/{part['candidate']}",
                "shared_item": row["item"],
                "question": part["question"] + (part["criterion"] or ""),
            }
            for name, value in {**row, **own}.items():
                columns.setdefault(name, []).append(value)
    return columns


def preferences(
    rows: Iterable[ExportRow],
    question: str,
    pair: tuple[int, int] = (0, 1),
    covariates: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    include: Collection[str] = (),
) -> Comparisons:
    """The answers to a preference question in an export, as comparisons of the candidates' systems.

    `pair` is the `pair` of the question in the study file. The strength of a preference is ignored. `covariates`
    gives, by name and item, a value of each candidate in the order of the item: `{"length": {"d1": [120, 80]}}`.
    Only answers that count are compared, and those left out for the reasons in `include`; the question is
    named here, so it need not measure an aspect.

    >>> rows = [{"item": "d1", "question": "better", "label": -1, "candidates": '["alpha", "beta"]'}]
    >>> preferences(rows, "better").winner
    ('alpha',)
    """
    found = []
    for row in counted_rows(rows, (NO_ASPECT, *include)):
        if row["question"] != question or row["label"] is None:
            continue
        one, two = (_systems(row)[place] for place in pair)
        both_bad = row["label"] == BOTH_BAD
        tie = both_bad or row["label"] == 0
        winner = None if tie else one if row["label"] < 0 else two
        found.append(_Compared(row, pair, one, two, winner, both_bad))
    return _comparisons(found, covariates or {})


def rank_preferences(
    rows: Iterable[ExportRow],
    question: str,
    covariates: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    include: Collection[str] = (),
) -> Comparisons:
    """The answers to a ranking question in an export: every pair of candidates is a comparison.

    Only answers that count are compared, as in `preferences`.

    >>> rows = [{"question": "order", "value": "[2, 1, 2]", "candidates": '["alpha", "beta", "gamma"]'}]
    >>> rank_preferences(rows, "order").winner
    ('beta', None, 'beta')
    """
    found = []
    for row in counted_rows(rows, (NO_ASPECT, *include)):
        if row["question"] == question:
            ranked = enumerate(zip(_systems(row), _parsed(row["value"]), strict=True))
            for (i, (one, first)), (j, (two, second)) in combinations(ranked, 2):
                winner = None if first == second else one if first < second else two
                found.append(_Compared(row, (i, j), one, two, winner))
    return _comparisons(found, covariates or {})


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


class _Compared(NamedTuple):
    """One comparison, with the row of the export and the places of the two candidates in the item."""

    row: ExportRow
    places: tuple[int, int]
    first: str
    second: str
    winner: str | None
    both_bad: bool = False


def _comparisons(
    found: Sequence[_Compared], covariates: Mapping[str, Mapping[str, Sequence[float]]]
) -> Comparisons:
    return Comparisons(
        tuple(each.first for each in found),
        tuple(each.second for each in found),
        tuple(each.winner for each in found),
        tuple(each.both_bad for each in found),
        _column(found, "item"),
        _column(found, "rater"),
        tuple(1.0 if each.row.get("weight") is None else float(each.row["weight"]) for each in found),
        {
            name: tuple(_covariate(each, name, values) for each in found)
            for name, values in covariates.items()
        },
    )


def _column(found: Sequence[_Compared], name: str) -> tuple[str, ...]:
    """The values of a column of the export; empty if a row does not have it."""
    values = [each.row.get(name) for each in found]
    return () if any(value is None for value in values) else tuple(map(str, values))


def _covariate(compared: _Compared, name: str, values: Mapping[str, Sequence[float]]) -> float:
    item = str(compared.row.get("item", "?"))
    given = values.get(item, ())
    first, second = compared.places
    if len(given) <= second:
        raise NotLabels(
            f"the covariate {name!r} has no value for each candidate of item {item}.",
            expected="one number per candidate, in the order of the item.",
        )
    return float(given[first]) - float(given[second])
