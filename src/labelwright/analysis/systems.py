"""Systems: rankings, their uncertainty, and their stability across conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    Estimate,
    Floats,
    Interval,
    UnknownOption,
)
from labelwright.analysis.labels import Labels
from labelwright.analysis.results import html_table, text_table
from labelwright.analysis.scores import item_scores
from labelwright.seeds import generator


@dataclass(frozen=True)
class SystemScore:
    """One system's place in a ranking."""

    system: str
    score: Estimate
    rank: int
    rank_low: int
    """The best rank in the central 95% of replicates."""
    rank_high: int
    share_best: float
    """The share of replicates in which the system ranked first."""


@dataclass(frozen=True)
class Ranking:
    """Systems from best to worst."""

    systems: tuple[SystemScore, ...]
    replicates: Floats
    """Replicates x systems (in ranking order): the resampled scores."""
    where: Mapping[str, Any]

    @property
    def order(self) -> tuple[str, ...]:
        """The systems' names, best first."""
        return tuple(each.system for each in self.systems)

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        heads = ["rank", "system", "score", "rank range", "first in", "items"]
        rows = [
            [
                str(s.rank),
                s.system,
                s.score.text,
                f"{s.rank_low} to {s.rank_high}",
                f"{s.share_best:.0%}",
                f"{s.score.items:,}",
            ]
            for s in self.systems
        ]
        return heads, rows

    def __repr__(self) -> str:
        where = ", ".join(f"{key} {value}" for key, value in self.where.items())
        return "\n".join([f"Ranking of systems{f', {where}' if where else ''}", text_table(*self.cells())])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption="Ranking of systems")


_SCORE = "Mean score from 0 (worst) to 1 (best): mean over the ratings of an item, then over the items of the system."


def rank_systems(
    labels: Labels, bootstrap: Bootstrap = DEFAULT_BOOTSTRAP, where: Mapping[str, Any] | None = None
) -> Ranking:
    """Systems ranked by mean score. Items shared by several systems are resampled together.

    An item is shared if the same item id occurs with several systems.
    """
    scores = {str(name): item_scores(labels.where(system=name)) for name in labels.values("system")}
    names = sorted(scores)
    values = _resampled_scores([scores[name] for name in names], bootstrap)
    means = np.array([np.mean(list(scores[name].values())) for name in names])
    best = np.argsort(-means, kind="stable")
    ranks = stats.rankdata(-values, axis=1, method="min")
    tail = (1 - bootstrap.level) / 2
    found = [
        SystemScore(
            system=names[i],
            score=Estimate(
                "score",
                float(means[i]),
                _SCORE,
                bootstrap.interval(values[:, i]),
                items=len(scores[names[i]]),
            ),
            rank=place,
            rank_low=int(np.quantile(ranks[:, i], tail, method="nearest")),
            rank_high=int(np.quantile(ranks[:, i], 1 - tail, method="nearest")),
            share_best=float((ranks[:, i] == 1).mean()),
        )
        for place, i in enumerate(best, start=1)
    ]
    return Ranking(tuple(found), values[:, best], where or {})


def _resampled_scores(scores: Sequence[Mapping[Any, float]], bootstrap: Bootstrap) -> Floats:
    """The mean score of each system in each replicate, with one weight per item for all systems."""
    items = sorted({item for each in scores for item in each}, key=str)
    table = np.array([[each.get(item, np.nan) for each in scores] for item in items])
    present = ~np.isnan(table)
    draw = generator(bootstrap.seed, "bootstrap", "items")
    if (present.sum(axis=1) > 1).any():
        weights = draw.multinomial(len(items), np.full(len(items), 1 / len(items)), size=bootstrap.replicates)
        return np.asarray(weights @ np.nan_to_num(table) / np.maximum(weights @ present, 1))
    columns = []
    for i in range(len(scores)):
        own = table[present[:, i], i]
        weights = draw.multinomial(len(own), np.full(len(own), 1 / len(own)), size=bootstrap.replicates)
        columns.append(weights @ own / len(own))
    return np.stack(columns, axis=1)


@dataclass(frozen=True)
class Stability:
    """How stable a ranking of systems is across conditions."""

    rankings: Mapping[str, Ranking]
    tau: Mapping[tuple[str, str], float]
    """Kendall's tau-b between the systems' scores in two conditions; nan with fewer than two systems."""
    kept: Mapping[tuple[str, str], float]
    """For every pair of systems: the share of replicates in which the same system is better in all conditions."""

    def __repr__(self) -> str:
        orders = [f"{name}: {' > '.join(ranking.order)}" for name, ranking in self.rankings.items()]
        kept = [
            f"{a} and {b} are in the same order in all conditions in {p:.0%} of replicates"
            for (a, b), p in self.kept.items()
        ]
        return "\n".join(["Ranking by condition", *orders, *kept])


def ranking_stability(
    labels: Labels, across: str = "condition", bootstrap: Bootstrap = DEFAULT_BOOTSTRAP
) -> Stability:
    """The ranking in every condition, how similar the rankings are, and how stable each pairwise order is."""
    labels.check_codes(across, "comparing rankings")
    rankings = {
        str(value): rank_systems(labels.where(**{across: value}), bootstrap, {across: value})
        for value in labels.values(across)
    }
    systems = sorted(set.intersection(*(set(ranking.order) for ranking in rankings.values())))
    scores = {name: _columns(ranking, systems) for name, ranking in rankings.items()}
    tau = {(a, b): _tau(rankings[a], rankings[b], systems) for a, b in combinations(rankings, 2)}
    kept = {}
    for i, j in combinations(range(len(systems)), 2):
        signs = np.stack([np.sign(each[:, i] - each[:, j]) for each in scores.values()])
        kept[systems[i], systems[j]] = float((np.abs(signs.sum(axis=0)) == len(signs)).mean())
    return Stability(rankings, tau, kept)


def _columns(ranking: Ranking, systems: Sequence[str]) -> Floats:
    return ranking.replicates[:, [ranking.order.index(name) for name in systems]]


def _tau(first: Ranking, second: Ranking, systems: Sequence[str]) -> float:
    if len(systems) < 2:
        return UNDEFINED
    one, two = ({each.system: each.score.value for each in ranking.systems} for ranking in (first, second))
    return float(stats.kendalltau([one[name] for name in systems], [two[name] for name in systems]).statistic)


@dataclass(frozen=True)
class Strength:
    """One system's Bradley-Terry strength."""

    system: str
    strength: float
    """Strengths sum to 1, and system a beats system b with probability a / (a + b)."""
    interval: Interval | None
    comparisons: int


def bradley_terry(
    first: Sequence[str],
    second: Sequence[str],
    winner: Sequence[str | None],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> tuple[Strength, ...]:
    """Strengths from pairwise preferences (Bradley and Terry 1952; MM algorithm of Hunter 2004), best first.

    There is one entry per comparison. `winner` is one of the two systems, or None for a tie, which
    counts as half a win for each. Intervals resample comparisons. If a system never won or never
    lost, its strength would not be finite, so half a win and half a loss are added for every pair of
    systems that met.

    >>> [each.system for each in bradley_terry(["a", "a", "b"], ["b", "c", "c"], ["a", "a", "b"], None)]
    ['a', 'b', 'c']
    """
    systems = sorted({*first, *second})
    place = {name: i for i, name in enumerate(systems)}
    one, two = (np.array([place[name] for name in side], dtype=int) for side in (first, second))
    share = np.array([_share(a, w, b) for a, b, w in zip(first, second, winner, strict=True)], dtype=float)
    strengths = _strengths(_wins(one, two, share, len(systems)))
    replicates = [] if bootstrap is None else _resampled_strengths(one, two, share, len(systems), bootstrap)
    found = [
        Strength(
            name,
            float(strengths[i]),
            bootstrap.interval(np.array([each[i] for each in replicates])) if bootstrap else None,
            int(((one == i) | (two == i)).sum()),
        )
        for i, name in enumerate(systems)
    ]
    return tuple(sorted(found, key=lambda each: -each.strength))


def _share(first: str, winner: str | None, second: str) -> float:
    if winner is None:
        return 0.5
    if winner not in (first, second):
        raise UnknownOption(
            f"the winner {winner!r} is not one of the two systems.", expected=f"{first!r} or {second!r}."
        )
    return float(winner == first)


def _wins(one: Any, two: Any, share: Floats, size: int) -> Floats:
    wins = np.bincount(one * size + two, share, size * size) + np.bincount(
        two * size + one, 1 - share, size * size
    )
    return np.asarray(wins.reshape(size, size))


def _strengths(wins: Floats, rounds: int = 10_000, tolerance: float = 1e-12) -> Floats:
    met = wins + wins.T
    if not (wins.sum(axis=1) > 0).all() or not (wins.sum(axis=0) > 0).all():
        wins = wins + 0.5 * (met > 0)
        met = wins + wins.T
    strength = np.full(len(wins), 1 / len(wins))
    for _ in range(rounds):
        rate = (met / (strength[:, None] + strength[None, :])).sum(axis=1)
        new = wins.sum(axis=1) / np.maximum(rate, 1e-300)
        new /= new.sum()
        moved = np.abs(new - strength).max()
        strength = new
        if moved < tolerance:
            break
    return strength


def _resampled_strengths(one: Any, two: Any, share: Floats, size: int, bootstrap: Bootstrap) -> list[Floats]:
    draw = generator(bootstrap.seed, "bootstrap", "comparisons")
    drawn = (draw.integers(len(one), size=len(one)) for _ in range(bootstrap.replicates))
    return [
        _strengths(_wins(one[rows], two[rows], share[rows], size), rounds=200, tolerance=1e-8)
        for rows in drawn
    ]
