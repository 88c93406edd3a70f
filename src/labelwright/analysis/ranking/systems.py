"""Systems: rankings by mean score, their uncertainty, and their stability across conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import scipy

from labelwright.agreement import DEFAULT_BOOTSTRAP, UNDEFINED, Bootstrap, Estimate, Floats, Ints
from labelwright.agreement._arrays import divide
from labelwright.agreement.ratings import number_names
from labelwright.analysis.clusters import ClusteredVariance, Clusters, share_interval
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import NotLabels, SeveralQuestions
from labelwright.analysis.pairs import DIGITS, PairDifference, compare_pair, correct_pairs, every_pair
from labelwright.analysis.ranking.rank_ranges import rank_ranges
from labelwright.analysis.results import html_table, text_table
from labelwright.analysis.scores import item_weights, score_map, weight_notes
from labelwright.seeds import generator

LEAST_SHARED = 0.5
"""If the items that all systems share are at least this share of each system's items, only they count."""


@dataclass(frozen=True)
class SystemScore:
    """One system's place in a ranking."""

    system: str
    score: Estimate
    rank: int
    """Equal systems have the same rank."""
    rank_low: int
    """1 plus the number of systems that are certainly better."""
    rank_high: int
    """The number of systems that are not certainly worse. The ranges of all systems hold together."""
    share_best: float
    """The share of replicates in which the system ranked first."""


@dataclass(frozen=True)
class Ranking:
    """Systems from best to worst."""

    systems: tuple[SystemScore, ...]
    replicates: Floats
    """Replicates x systems (in ranking order): the resampled scores."""
    where: Mapping[str, Any]
    differences: tuple[PairDifference, ...] = ()
    """Every pair of systems, with p-values that are corrected over all pairs (Holm)."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How much was left out, by reason."""
    notes: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[str, ...]:
        """The systems' names, best first; equal systems by name."""
        return tuple(each.system for each in self.systems)

    @property
    def winner(self) -> str | None:
        """The system that is certainly better than every other one; None if there is none."""
        best = [each.system for each in self.systems if each.rank_high == 1]
        return best[0] if len(self.systems) > 1 and best else None

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

    @property
    def remarks(self) -> list[str]:
        """What was left out, and the notes."""
        return [*(f"Left out: {n:,} {why}." for why, n in self.left_out.items()), *self.notes]

    def __repr__(self) -> str:
        where = ", ".join(f"{key} {value}" for key, value in self.where.items())
        title = f"Ranking of systems{f', {where}' if where else ''}"
        return "\n".join([title, text_table(*self.cells()), *self.remarks])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption="Ranking of systems", notes=self.remarks)


_SCORE = "Mean score from 0 (worst) to 1 (best): mean over the ratings of an item, then over the items of the system."


@dataclass(frozen=True, eq=False)
class ScoredRatings:
    """The scored ratings of systems. Items, systems and raters are numbered from 0."""

    item: Ints
    system: Ints
    rater: Ints | None
    score: Floats
    weight: Floats
    """One per item."""
    names: tuple[str, ...]
    """The systems, by name."""
    group: Ints | None = None
    """The dialogue of each item, whose items belong together; None if each item stands alone."""

    @property
    def ratings(self) -> Floats:
        """Items x systems: the number of ratings."""
        shape = (len(self.weight), len(self.names))
        cell = self.item * shape[1] + self.system
        return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)

    def means(self, raters: Floats | None = None) -> Floats:
        """Items x systems: the mean score; nan without ratings. `raters` tells how often each rater counts."""
        shape = (len(self.weight), len(self.names))
        cell = self.item * shape[1] + self.system
        counts = np.ones(len(cell)) if raters is None else raters[self.rater]
        sums, n = (
            np.bincount(cell, each, shape[0] * shape[1]).reshape(shape)
            for each in (counts * self.score, counts)
        )
        return np.asarray(np.where(n > 0, sums / np.where(n > 0, n, 1), np.nan))

    def only(self, items: Any) -> ScoredRatings:
        """The ratings of some items, which get new numbers."""
        new = np.cumsum(items) - 1
        kept = items[self.item]
        rater = None if self.rater is None else self.rater[kept]
        group = None if self.group is None else self.group[items]
        return ScoredRatings(
            new[self.item[kept]],
            self.system[kept],
            rater,
            self.score[kept],
            self.weight[items],
            self.names,
            group,
        )

    def clusters(self) -> Clusters:
        """Which ratings belong together: those of one dialogue, or else of one item, and those of one rater."""
        if self.group is None:
            return Clusters.of(self.item, self.rater)
        return Clusters.of(self.group[self.item], self.rater, "dialogue")


def rank_systems(
    labels: Labels,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    where: Mapping[str, Any] | None = None,
    dialogue: str | None = None,
) -> Ranking:
    """Systems ranked by mean score, with the ranks that each can have.

    Items shared by several systems are compared with themselves. An item is shared if the same item id occurs
    with several systems, or if its candidates come from several (see `candidate_labels`). If most items are shared
    by all systems, the others are left out. Items without a system are left out. Items count by their design
    weights. Intervals and rank ranges are about other items, and about other raters if there are at least ten.
    `dialogue` names the column whose items belong together: intervals are then about other dialogues.

    Raises SeveralQuestions if the labels answer more than one question.
    """
    _check_one_question(labels)
    scored, left_out = _scored(labels, dialogue)
    return rank_scored(scored, bootstrap, where, left_out)


def rank_scored(
    scored: ScoredRatings,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    where: Mapping[str, Any] | None = None,
    left_out: Mapping[str, int] | None = None,
) -> Ranking:
    """The ranking of `rank_systems`, from scores in memory."""
    scored, unshared, notes = _compared(scored)
    left_out = {**(left_out or {}), **unshared}
    clusters = scored.clusters()
    ratings = scored.ratings
    estimates, influence, present = system_influences(scored)
    variance = ClusteredVariance.of(influence, clusters, present)
    pairs = _pairs(scored.names, estimates, variance)
    ranges = rank_ranges(scored.names, estimates, pairs, bootstrap.level)
    values = _resampled_scores(scored, clusters, bootstrap)
    first = scipy.stats.rankdata(-np.round(values, DIGITS), axis=1, method="min") == 1
    best = np.argsort(-np.round(estimates, DIGITS), kind="stable")
    found = [
        SystemScore(
            system=scored.names[i],
            score=Estimate(
                "score",
                float(estimates[i]),
                _SCORE,
                share_interval(
                    float(estimates[i]), variance.spread(np.eye(len(best))[i]), bootstrap.level, clusters.over
                ),
                items=int((ratings[:, i] > 0).sum()),
                ratings=int(ratings[:, i].sum()),
            ),
            rank=ranges[scored.names[i]].rank,
            rank_low=ranges[scored.names[i]].low,
            rank_high=ranges[scored.names[i]].high,
            share_best=float(first[:, i].mean()),
        )
        for i in best
    ]
    notes = (*notes, *((clusters.note,) if clusters.note else ()), *weight_notes(scored.weight.tolist()))
    return Ranking(tuple(found), values[:, best], where or {}, pairs, left_out, notes)


def _check_one_question(labels: Labels) -> None:
    for name in labels.never_pooled():
        values = labels.values(name)
        if len(values) > 1:
            raise SeveralQuestions(
                f"the labels belong to {len(values)} {name}s ({', '.join(map(str, values[:5]))}).",
                expected=f"labels of one {name}, because scores of several cannot be pooled.",
                do=f'Choose one: labels.where({name}="{values[0]}").',
            )
    if labels.has("condition"):
        labels.check_codes("condition", "ranking systems")


def _scored(labels: Labels, dialogue: str | None = None) -> tuple[ScoredRatings, dict[str, int]]:
    scores, weights = score_map(labels), item_weights(labels)
    unit = "shared_item" if labels.has("shared_item") else "item"
    rater = ["rater"] if labels.has("rater") and not labels.positions else []
    more = [*rater, *([dialogue] if dialogue else [])]
    rows = labels.fetch(list(dict.fromkeys(["item", unit, "system", "label", *more])))
    columns = {name: np.array(rows[name].to_pylist(), dtype=object) for name in rows.column_names}
    named = np.array([value not in (None, "") for value in columns["system"]], dtype=bool)
    number = np.array([scores.get(label, np.nan) for label in columns["label"]], dtype=float)
    kept = named & np.isfinite(number)
    left_out = {
        "items without a system": len(set(columns["item"][~named])),
        "ratings without a score": int((named & ~np.isfinite(number)).sum()),
    }
    if not kept.any():
        raise NotLabels(
            "no rating has both a system and a score.", expected="a column `system`, and labels with scores."
        )
    names, system = number_names(columns["system"], kept)
    units, item = number_names(columns[unit], kept)
    by_unit = dict(zip(columns[unit][kept].astype(str), columns["item"][kept], strict=True))
    group = (
        None if dialogue is None else _group_of(item, number_names(columns[dialogue], kept)[1], len(units))
    )
    return (
        ScoredRatings(
            item,
            system,
            number_names(columns["rater"], kept)[1] if rater else None,
            number[kept],
            np.array([weights[by_unit[str(each)]] for each in units]),
            tuple(map(str, names)),
            group,
        ),
        {why: n for why, n in left_out.items() if n},
    )


def _group_of(item: Ints, group: Ints, items: int) -> Ints:
    """The group of each item, from that of its ratings."""
    found = np.zeros(items, dtype=np.int64)
    found[item] = group
    return found


def _compared(scored: ScoredRatings) -> tuple[ScoredRatings, dict[str, int], tuple[str, ...]]:
    """The ratings that are compared, how many items are not, and a note if systems are compared on different items."""
    judged = scored.ratings > 0
    shared = judged.all(axis=1)
    if shared.all() or not (judged.sum(axis=1) > 1).any():
        own = not shared.all()
        note = "No item is shared by two systems, so they are compared on different items."
        return scored, {}, (note,) if own else ()
    if shared.sum() >= max(2.0, LEAST_SHARED * judged.sum(axis=0).max()):
        return scored.only(shared), {"items that not all systems share": int((~shared).sum())}, ()
    note = "Few items are shared by all systems, so systems are partly compared on different items."
    return scored, {}, (note,)


def system_influences(scored: ScoredRatings) -> tuple[Floats, Floats, Floats]:
    """The mean score of each system; ratings x systems: how far each rating moves it, and which means it is part of."""
    ratings, means = scored.ratings, scored.means()
    weight = scored.weight[:, None] * (ratings > 0)
    total = weight.sum(axis=0)
    estimates = np.nansum(weight * np.nan_to_num(means), axis=0) / total
    return estimates, *_influences(scored, estimates, ratings, total)


def _influences(
    scored: ScoredRatings, means: Floats, ratings: Floats, total: Floats
) -> tuple[Floats, Floats]:
    """Ratings x systems: how far each rating moves each mean, and which means it is part of."""
    rows = np.arange(len(scored.item))
    influence, present = np.zeros((len(rows), len(means))), np.zeros((len(rows), len(means)))
    share = scored.weight[scored.item] / ratings[scored.item, scored.system] / total[scored.system]
    influence[rows, scored.system] = share * (scored.score - means[scored.system])
    present[rows, scored.system] = 1
    return influence, present


def _pairs(names: Sequence[str], means: Floats, variance: ClusteredVariance) -> tuple[PairDifference, ...]:
    units = np.eye(len(names))
    return correct_pairs(
        [
            compare_pair(names[a], names[b], float(means[a] - means[b]), variance.spread(units[a] - units[b]))
            for a, b in every_pair(names)
        ]
    )


def _resampled_scores(scored: ScoredRatings, clusters: Clusters, bootstrap: Bootstrap) -> Floats:
    """The mean score of each system in each replicate. Raters are resampled if results are about other raters."""
    drawn = _drawn_items(scored, bootstrap) * scored.weight
    if clusters.rater is None:
        return _weighted_means(drawn, scored.means())
    draw = generator(bootstrap.seed, "bootstrap", "raters")
    size = int(clusters.rater.max()) + 1
    raters = draw.multinomial(size, np.full(size, 1 / size), size=bootstrap.replicates).astype(float)
    return np.array(
        [_weighted_means(items, scored.means(each)) for items, each in zip(drawn, raters, strict=True)]
    )


def _weighted_means(items: Floats, means: Floats) -> Floats:
    """The mean of each column over items that count as often as they were drawn; nan if none was."""
    judged = np.isfinite(means)
    return divide(items @ np.where(judged, means, 0), items @ judged.astype(float))


def _drawn_items(scored: ScoredRatings, bootstrap: Bootstrap) -> Floats:
    """Replicates x items: how often each item is drawn. If no item is shared, each system draws from its own.

    Items of one dialogue are drawn together.
    """
    draw = generator(bootstrap.seed, "bootstrap", "items")
    judged = scored.ratings > 0
    if scored.group is not None:
        _, group = np.unique(scored.group, return_inverse=True)
        size = int(group.max()) + 1
        return np.asarray(
            draw.multinomial(size, np.full(size, 1 / size), bootstrap.replicates)[:, group], float
        )
    apart = not (judged.sum(axis=1) > 1).any()
    drawn = np.zeros((bootstrap.replicates, len(judged)))
    for own in judged.T if apart else [np.ones(len(judged), dtype=bool)]:
        n = int(own.sum())
        drawn[:, own] = draw.multinomial(n, np.full(n, 1 / n), size=bootstrap.replicates)
    return drawn


@dataclass(frozen=True)
class Stability:
    """How stable a ranking of systems is across conditions."""

    rankings: Mapping[str, Ranking]
    tau: Mapping[tuple[str, str], float]
    """Kendall's tau-b between the systems' scores in two conditions; nan with fewer than two systems."""
    kept: Mapping[tuple[str, str], float]
    """For every pair of systems: the share of replicates in which the same system is better in all conditions."""

    def __repr__(self) -> str:
        orders = [f"{name}: {_order_text(ranking)}" for name, ranking in self.rankings.items()]
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
        signs = np.stack([np.sign(np.round(each[:, i] - each[:, j], DIGITS)) for each in scores.values()])
        kept[systems[i], systems[j]] = float((np.abs(signs.sum(axis=0)) == len(signs)).mean())
    return Stability(rankings, tau, kept)


def _columns(ranking: Ranking, systems: Sequence[str]) -> Floats:
    return ranking.replicates[:, [ranking.order.index(name) for name in systems]]


def _tau(first: Ranking, second: Ranking, systems: Sequence[str]) -> float:
    if len(systems) < 2:
        return UNDEFINED
    one, two = (
        {each.system: round(each.score.value, DIGITS) for each in ranking.systems}
        for ranking in (first, second)
    )
    return float(
        scipy.stats.kendalltau([one[name] for name in systems], [two[name] for name in systems]).statistic
    )


def _order_text(ranking: Ranking) -> str:
    """The systems from best to worst: `a > b = c`."""
    signs = [
        " = " if above.rank == below.rank else " > "
        for above, below in zip(ranking.systems, ranking.systems[1:], strict=False)
    ]
    return "".join(name + sign for name, sign in zip(ranking.order, [*signs, ""], strict=True))
