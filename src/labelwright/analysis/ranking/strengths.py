"""Strengths: systems compared in pairs, by the model of Bradley and Terry with Davidson's ties."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import softmax

from labelwright.agreement import UNDEFINED, Estimate, Floats, Interval, UnknownOption
from labelwright.agreement.ratings import number_names
from labelwright.analysis.clusters import ClusteredVariance, Clusters, share_interval
from labelwright.analysis.data.candidates import Comparisons
from labelwright.analysis.pairs import PairDifference, compare_pair, correct_pairs, every_pair
from labelwright.analysis.ranking.paired_model import (
    NumberedComparisons,
    PairFit,
    connected_groups,
    fit_pairs,
    why_unlimited,
    with_half_wins,
)
from labelwright.analysis.ranking.rank_ranges import rank_ranges
from labelwright.analysis.results import html_table, text_table
from labelwright.analysis.scores import weight_notes

BothBad: TypeAlias = Literal["left out", "tie"]


@dataclass(frozen=True)
class Strength:
    """One system's strength."""

    system: str
    strength: float
    """Strengths sum to 1. Leaving out ties, system a beats system b with probability a / (a + b)."""
    interval: Interval | None
    rank: int | None
    """Equal systems have the same rank. None if the systems cannot be ranked; `Strengths.unranked` says why."""
    rank_low: int | None
    """1 plus the number of systems that are certainly stronger."""
    rank_high: int | None
    """The number of systems that are not certainly weaker. The ranges of all systems hold together."""
    comparisons: int
    wins: int
    ties: int
    both_bad: Estimate | None = None
    """The share of the system's comparisons in which the rater said that both are bad; None if nobody ever did."""


@dataclass(frozen=True)
class Strengths:
    """Systems from strongest to weakest, or by name if they cannot be ranked."""

    systems: tuple[Strength, ...]
    tie: float
    """Davidson's parameter: two equal systems tie with probability tie / (2 + tie). 0 without ties."""
    covariates: Mapping[str, Estimate] = field(default_factory=dict)
    """How much one unit more of a covariate adds to the log odds of being preferred."""
    differences: tuple[PairDifference, ...] = ()
    """Every pair of systems, as differences of log strengths, with p-values corrected over all pairs (Holm)."""
    unranked: str | None = None
    """Why the systems cannot be ranked; None if they are."""
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Any:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    @property
    def order(self) -> tuple[str, ...]:
        """The systems' names, in the order of the table."""
        return tuple(each.system for each in self.systems)

    @property
    def winner(self) -> str | None:
        """The system that is certainly stronger than every other one; None if there is none."""
        best = [each.system for each in self.systems if each.rank_high == 1]
        return best[0] if len(self.systems) > 1 and best else None

    def get(self, system: str) -> Strength:
        """The strength of one system."""
        return next(each for each in self.systems if each.system == system)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        heads = ["rank", "system", "strength", "rank range", "comparisons", "wins", "ties"]
        bad = any(each.both_bad for each in self.systems)
        rows = [
            [
                "-" if each.rank is None else str(each.rank),
                each.system,
                _value_text(each),
                "-" if each.rank is None else f"{each.rank_low} to {each.rank_high}",
                f"{each.comparisons:,}",
                f"{each.wins:,}",
                f"{each.ties:,}",
                *([each.both_bad.text if each.both_bad else ""] if bad else []),
            ]
            for each in self.systems
        ]
        return heads + ["both bad"] * bad, rows

    @property
    def remarks(self) -> list[str]:
        """Why there is no ranking, the covariates and the notes."""
        unranked = [f"Not ranked: {self.unranked}"] if self.unranked else []
        return [*unranked, *(repr(each) for each in self.covariates.values()), *self.notes]

    def __repr__(self) -> str:
        return "\n".join(["Strengths of systems", text_table(*self.cells()), *self.remarks])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption="Strengths of systems", notes=self.remarks)


def _value_text(each: Strength) -> str:
    return Estimate("strength", each.strength, "", each.interval).text


def bradley_terry(compared: Comparisons, *, both_bad: BothBad = "left out", level: float = 0.95) -> Strengths:
    """Strengths of systems from pairwise preferences (Bradley and Terry 1952), with ties (Davidson 1970).

    The log odds that a beats b are the difference of their log strengths, plus a coefficient times the difference
    of each covariate. "Both are bad" does not say which one is better: it is left out of the model, and its rate
    is reported for each system; `both_bad="tie"` counts it as a tie instead. Items count by their design weights.

    Intervals and rank ranges treat comparisons of the same item as belonging together, and those by the same
    rater if there are at least ten raters (see `labelwright.analysis.clusters`).

    Systems are not ranked if there are no comparisons, if some were never compared with the others, even
    indirectly, or if some never lost to the others: their strength has no upper limit then, and half a win and
    half a loss are added for every pair that met, so that numbers can be shown.

    >>> compared = Comparisons(("a", "a", "b", "a"), ("b", "c", "c", "b"), ("a", "c", "b", "b"))
    >>> bradley_terry(compared).order
    ('b', 'c', 'a')
    """
    if both_bad not in ("left out", "tie"):
        raise UnknownOption(f"unknown treatment {both_bad!r} of both bad.", expected="left out or tie.")
    numbered = _numbered(compared, both_bad)
    notes = _notes(compared, numbered, both_bad)
    problem = why_unlimited(numbered)
    if problem is not None:
        return _unranked(compared, numbered, problem, notes, level)
    fit = fit_pairs(numbered)
    if fit is None:
        reason = "a covariate separates the winners from the losers, so its coefficient has no limit."
        return _unranked(compared, numbered, reason, notes, level)
    return _ranked(compared, numbered, fit, notes, level)


def _numbered(compared: Comparisons, both_bad: BothBad) -> NumberedComparisons:
    names = tuple(sorted({*compared.first, *compared.second}))
    place = {name: i for i, name in enumerate(names)}
    bad = np.array(compared.both_bad or [False] * len(compared), dtype=bool)
    kept = ~bad if both_bad == "left out" else np.ones(len(compared), dtype=bool)
    first, second = (
        np.array([place[name] for name in side], dtype=np.int64)[kept]
        for side in (compared.first, compared.second)
    )
    share = [
        _share(a, w, b) for a, b, w in zip(compared.first, compared.second, compared.winner, strict=True)
    ]
    weight = np.array(compared.weight or [1.0] * len(compared), dtype=float)
    given = np.array([*compared.covariates.values()], dtype=float)
    given = given.reshape(len(compared.covariates), len(compared)).T
    units = np.where(given.std(axis=0) > 0, given.std(axis=0), 1.0) if len(given) else np.ones(given.shape[1])
    return NumberedComparisons(
        names,
        first,
        second,
        np.array(share, dtype=float)[kept],
        weight[kept],
        (given / units)[kept],
        units,
        _clusters(compared, kept),
    )


def _share(first: str, winner: str | None, second: str) -> float:
    if winner is None:
        return 0.5
    if winner not in (first, second):
        raise UnknownOption(
            f"the winner {winner!r} is not one of the two systems.", expected=f"{first!r} or {second!r}."
        )
    return float(winner == first)


def _clusters(compared: Comparisons, kept: Any) -> Clusters:
    every = np.arange(len(compared))
    item = number_names(compared.item or every, kept)[1]
    rater = number_names(compared.rater, kept)[1] if compared.rater else None
    return Clusters.of(item, rater)


def _notes(compared: Comparisons, numbered: NumberedComparisons, both_bad: BothBad) -> tuple[str, ...]:
    notes = []
    if bad := sum(compared.both_bad):
        how = "are left out of the strengths" if both_bad == "left out" else "count as ties"
        notes.append(f"{bad:,} of {len(compared):,} comparisons call both systems bad; they {how}.")
    if not compared.item:
        notes.append("The items are not known, so every comparison counts as an item of its own.")
    if numbered.clusters.note:
        notes.append(numbered.clusters.note)
    return (*notes, *weight_notes(numbered.weight.tolist()))


def _ranked(
    compared: Comparisons, numbered: NumberedComparisons, fit: PairFit, notes: tuple[str, ...], level: float
) -> Strengths:
    size = len(numbered.names)
    variance = ClusteredVariance.of(fit.influence, numbered.clusters)
    units = np.eye(fit.influence.shape[1])
    pairs = correct_pairs(
        [
            compare_pair(
                numbered.names[a],
                numbered.names[b],
                float(fit.logs[a] - fit.logs[b]),
                variance.spread(units[a] - units[b]),
            )
            for a, b in every_pair(numbered.names)
        ]
    )
    ranges = rank_ranges(numbered.names, fit.logs, pairs, level)
    strengths = softmax(fit.logs)
    intervals = [_interval(i, strengths, variance, level, numbered.clusters.over) for i in range(size)]
    rates = _both_bad_rates(compared, numbered.names, level)
    systems = [
        _strength(numbered, i, float(strengths[i]), intervals[i], rates.get(name), ranges[name])
        for i, name in enumerate(numbered.names)
    ]
    return Strengths(
        tuple(sorted(systems, key=lambda each: (each.rank, each.system))),
        fit.tie,
        _covariates(compared, numbered, fit, variance, level),
        pairs,
        None,
        notes,
    )


def _strength(
    numbered: NumberedComparisons,
    i: int,
    value: float,
    interval: Interval | None,
    bad: Estimate | None,
    found: Any = None,
) -> Strength:
    mine = (numbered.first == i) | (numbered.second == i)
    won = np.where(numbered.first == i, numbered.share == 1, (numbered.second == i) & (numbered.share == 0))
    return Strength(
        numbered.names[i],
        value,
        interval,
        found.rank if found else None,
        found.low if found else None,
        found.high if found else None,
        int(mine.sum()),
        int(won.sum()),
        int((mine & numbered.tied).sum()),
        bad,
    )


def _interval(
    i: int, strengths: Floats, variance: ClusteredVariance, level: float, over: str
) -> Interval | None:
    """An interval of a strength, from its log odds."""
    others = np.where(np.arange(len(strengths)) == i, 0, strengths)
    contrast = np.zeros(variance.items.sums.shape[1])
    contrast[: len(strengths)] = -others / others.sum()
    contrast[i] = 1
    spread = variance.spread(contrast)
    if math.isnan(spread.error):
        return None
    middle = math.log(strengths[i] / others.sum())
    reach = spread.quantile(level) * spread.error
    low, high = (1 / (1 + math.exp(-(middle + side * reach))) for side in (-1, 1))
    return Interval(low, high, level, over, 0, 0)


def _covariates(
    compared: Comparisons,
    numbered: NumberedComparisons,
    fit: PairFit,
    variance: ClusteredVariance,
    level: float,
) -> dict[str, Estimate]:
    found = {}
    for place, name in enumerate(compared.covariates):
        spread = variance.spread(np.eye(fit.influence.shape[1])[len(numbered.names) + place])
        value, unit = float(fit.covariates[place]), float(numbered.units[place])
        reach = spread.quantile(level) * spread.error
        interval = None
        if not math.isnan(reach):
            ends = ((value - reach) / unit, (value + reach) / unit)
            interval = Interval(*ends, level, numbered.clusters.over, 0, 0)
        definition = f"Log odds of being preferred, per unit of {name} more than the other."
        items = len(np.unique(numbered.clusters.item))
        found[name] = Estimate(
            name, value / unit, definition, interval, items=items, ratings=len(numbered.first)
        )
    return found


def _both_bad_rates(compared: Comparisons, names: Sequence[str], level: float) -> dict[str, Estimate]:
    """For each system, the share of its comparisons in which both were called bad; empty if nobody ever did."""
    if not any(compared.both_bad):
        return {}
    weight = np.array(compared.weight or [1.0] * len(compared), dtype=float)
    bad = np.array(compared.both_bad, dtype=float)
    first, second = np.array(compared.first), np.array(compared.second)
    found = {}
    for name in names:
        mine = (first == name) | (second == name)
        clusters = _clusters(compared, mine)
        rate = float(np.average(bad[mine], weights=weight[mine]))
        influence = weight[mine] * (bad[mine] - rate) / weight[mine].sum()
        spread = ClusteredVariance.of(influence[:, None], clusters).spread(np.ones(1))
        found[name] = Estimate(
            "both_bad",
            rate,
            'Share of the comparisons of a system in which the rater said "both are bad".',
            share_interval(rate, spread, level, clusters.over),
            items=len(np.unique(clusters.item)),
            ratings=int(mine.sum()),
        )
    return found


_HALF_WINS = (
    "Half a win and half a loss were added for every pair of systems that met. Without them, strengths have no "
    "limit, so these numbers have no intervals and no ranks."
)


def _unranked(
    compared: Comparisons, numbered: NumberedComparisons, reason: str, notes: tuple[str, ...], level: float
) -> Strengths:
    """Strengths without ranks: with half wins added if that makes them finite, otherwise undefined."""
    fit = None
    if len(numbered.first) and len(connected_groups(numbered, "weak")) == 1:
        fit = fit_pairs(with_half_wins(numbered))
    strengths = softmax(fit.logs) if fit else np.full(len(numbered.names), UNDEFINED)
    rates = _both_bad_rates(compared, numbered.names, level)
    systems = [
        _strength(numbered, i, float(strengths[i]), None, rates.get(name))
        for i, name in enumerate(numbered.names)
    ]
    half = (_HALF_WINS,) if fit else ()
    return Strengths(tuple(systems), fit.tie if fit else 0.0, {}, (), reason, (*half, *notes))
