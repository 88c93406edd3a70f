"""Conditions: the label distribution in each, and label consistency between them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from labelwright.agreement import DEFAULT_BOOTSTRAP, Bootstrap, Code, Estimate, Ratings, mean_estimate
from labelwright.analysis.aggregation import TieRule, majority
from labelwright.analysis.labels import Labels
from labelwright.analysis.replicates import replicate_agreement
from labelwright.analysis.results import html_table, text_table
from labelwright.analysis.scores import item_weights

ItemName = TypeVar("ItemName", bound=Hashable)


@dataclass(frozen=True)
class LabelDistribution:
    """The number of ratings with each code, and the number of items with each majority label."""

    where: Mapping[str, Any]
    codes: tuple[Code, ...]
    ratings: tuple[int, ...]
    majority: tuple[int, ...]
    no_majority: int
    weighted: tuple[float, ...] = ()
    """The sum of the design weights of the ratings with each code; empty if the labels have no weights."""
    outside: tuple[Code, ...] = ()
    """The codes without a place in the order of the scale."""

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of ratings with each code, by the design weights of their items."""
        counted = self.weighted or self.ratings
        total = sum(counted) or 1
        return tuple(n / total for n in counted)


def distributions(
    labels: Labels, by: Sequence[str] = ("condition",), ties: TieRule = "none"
) -> list[LabelDistribution]:
    """The label distribution for every combination of values of the columns in `by`."""
    found = []
    for where, part in labels.slices(by):
        ratings = part.ratings()
        labelled = majority(ratings, ties)
        given = np.bincount(ratings.code, minlength=len(ratings.codes)).tolist()
        *most, none = labelled.counts.values()
        found.append(
            LabelDistribution(
                where,
                ratings.codes,
                tuple(given),
                tuple(most),
                none,
                _weighted(part, ratings.codes),
                ratings.outside,
            )
        )
    return found


def _weighted(labels: Labels, codes: Sequence[Code]) -> tuple[float, ...]:
    if not labels.has("weight"):
        return ()
    weights, sums = item_weights(labels), dict.fromkeys(codes, 0.0)
    rows = labels.fetch(["item", "label"])
    for item, label in zip(rows["item"].to_pylist(), rows["label"].to_pylist(), strict=True):
        if label in sums:
            sums[label] += weights[item]
    return tuple(sums.values())


@dataclass(frozen=True)
class Consistency:
    """Percentage agreement between the majority labels of every pair of conditions, for one aspect."""

    aspect: str | None
    conditions: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Estimate]
    """The share of common items with the same label, from 0 to 1, with an interval over items."""
    baseline: Mapping[str, float]
    """The agreement expected between two replicates of the same condition."""
    reference: str | None = None

    def get(self, first: str, second: str) -> Estimate:
        """The agreement of two conditions, in either order."""
        return self.pairs[(first, second) if (first, second) in self.pairs else (second, first)]

    def against_reference(self) -> dict[str, Estimate]:
        """The agreement of every condition with the reference condition."""
        assert self.reference is not None, "this consistency has no reference condition"
        return {name: self.get(name, self.reference) for name in self.conditions if name != self.reference}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """The matrix as text, in percent, with the baseline on the diagonal."""
        rows = []
        for first in self.conditions:
            cells = [
                f"({100 * self.baseline[first]:.0f})"
                if first == second
                else _percent(self.get(first, second))
                for second in self.conditions
            ]
            rows.append([first, *cells])
        return ["condition", *self.conditions], rows

    def __repr__(self) -> str:
        title = f"Same label in both conditions, percent{f', {self.aspect}' if self.aspect else ''}"
        note = "In parentheses on the diagonal: expected agreement between two replicates of the condition."
        return "\n".join([title, text_table(*self.cells()), note])

    def _repr_html_(self) -> str:
        return html_table(
            *self.cells(), caption=f"Same label in both conditions, percent {self.aspect or ''}"
        )


def _percent(estimate: Estimate) -> str:
    if estimate.undefined:
        return "undefined"
    between = (
        f" [{100 * estimate.interval.low:.0f}, {100 * estimate.interval.high:.0f}]"
        if estimate.interval
        else ""
    )
    return f"{100 * estimate.value:.1f}{between}"


def consistency(
    labels: Labels,
    *,
    reference: Mapping[str | None, str] | str | None = None,
    ties: TieRule = "none",
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> list[Consistency]:
    """How often the majority labels of the same items agree between conditions, one matrix per aspect.

    Items are paired by their id. Items judged in only one of the two conditions are left out and
    counted. An item without a majority label in one of them counts as disagreement. Raises
    MixedCodes if conditions use different codes and no scale is declared.
    """
    labels.check_codes("condition", "comparing conditions")
    aspects = labels.values("aspect") if labels.has("aspect") else [None]
    chosen = reference if isinstance(reference, Mapping) else dict.fromkeys(aspects, reference)
    return [_consistency_of(labels, aspect, chosen.get(aspect), ties, bootstrap) for aspect in aspects]


def _consistency_of(
    labels: Labels, aspect: str | None, reference: str | None, ties: TieRule, bootstrap: Bootstrap | None
) -> Consistency:
    part = labels if aspect is None else labels.where(aspect=aspect)
    conditions = tuple(part.values("condition"))
    ratings = {name: part.where(condition=name).named_ratings() for name in conditions}
    found = {name: _majority_by_item(*ratings[name], ties) for name in conditions}
    pairs = {(a, b): same_label(found[a], found[b], bootstrap) for a, b in combinations(conditions, 2)}
    seed = bootstrap.seed if bootstrap else 0
    baseline = {name: replicate_agreement(ratings[name][0], ties, seed=seed) for name in conditions}
    return Consistency(aspect, conditions, pairs, baseline, reference)


def _majority_by_item(ratings: Ratings, names: list[str], ties: TieRule) -> dict[str, int]:
    return dict(zip(names, majority(ratings, ties).label.tolist(), strict=True))


def same_label(
    first: Mapping[ItemName, int],
    second: Mapping[ItemName, int],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """The share of items with the same label in both conditions; -1 (no label) never matches.

    >>> same_label({"a": 0, "b": 1, "c": -1}, {"a": 0, "b": 2, "c": -1}, None).value.__round__(3)
    0.333
    """
    common = sorted(set(first) & set(second), key=str)
    same = [float(first[item] == second[item] >= 0) for item in common]
    alone = len(set(first) ^ set(second))
    return mean_estimate(
        "same_label",
        same,
        "Share of items with the same majority label in both conditions. An item without a majority label "
        "in one of them counts as disagreement; items in only one condition are left out.",
        bootstrap,
        left_out={"item in one condition only": alone} if alone else {},
    )
