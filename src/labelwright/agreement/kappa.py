"""Cohen's kappa (Cohen 1960; weighted: Cohen 1968), mean over all pairs of raters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from labelwright.agreement._arrays import Floats, Ints, divide, sum_by
from labelwright.agreement.bootstrap import Bootstrap, replicate_features
from labelwright.agreement.errors import UnknownOption
from labelwright.agreement.estimate import UNDEFINED, Estimate, Interval
from labelwright.agreement.intervals import complete_agreement_note, notes_on
from labelwright.agreement.measures import (
    DEFAULT_BOOTSTRAP,
    PAIRS_OF_POSITIONS,
    get_measure,
    pair_measure,
    register_measure,
)
from labelwright.agreement.pairs import mean_over_pairs
from labelwright.agreement.pseudo_items import PseudoItems, pseudo_rows, representative_codes
from labelwright.agreement.ratings import Ratings
from labelwright.agreement.weights import Weighting, closeness
from labelwright.seeds import generator

_DEFINITION = (
    "Cohen's kappa ({} weights) of every pair of raters over the items they share, mean over pairs weighted by the "
    "number of shared items; pairs without a value are left out."
)


def kappa_of_tables(tables: Floats, weighting: Weighting = "plain") -> Floats:
    """Kappa of each table of codes x codes; nan if chance agreement is 1 or the raters share no item.

    >>> round(float(kappa_of_tables(np.array([[20.0, 5.0], [10.0, 15.0]]))), 3)
    0.4
    """
    weights = closeness(range(tables.shape[-1]), weighting)
    total = tables.sum(axis=(-1, -2))
    observed = divide((tables * weights).sum(axis=(-1, -2)), total)
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", rows, weights, columns)
    chance = divide(expected, total**2)
    return divide(observed - chance, 1 - chance)


def kappa_of_sums(items: Floats, agreed: Floats, chance: Floats) -> Floats:
    """Unweighted kappa of pairs of raters from three sums per pair; nan if chance agreement is 1.

    `items` counts the items that the two share, `agreed` those on which they gave the same code, and
    `chance` is the sum over codes of the product of both raters' counts.

    >>> kappa_of_sums(np.array([4.0]), np.array([3.0]), np.array([8.0]))
    array([0.5])
    """
    expected = divide(chance, items**2)
    return divide(divide(agreed, items) - expected, 1 - expected)


def _weighted(weighting: Weighting) -> Callable[[Floats], Floats]:
    return lambda tables: kappa_of_tables(tables, weighting)


pair_measure("cohen_kappa", _DEFINITION.format("plain"))(_weighted("plain"))
pair_measure("cohen_kappa_linear", _DEFINITION.format("linear"), needs_order=True)(_weighted("linear"))
pair_measure("cohen_kappa_quadratic", _DEFINITION.format("quadratic"), needs_order=True)(
    _weighted("quadratic")
)


def cohen_kappa(
    ratings: Ratings,
    weighting: Literal["plain", "linear", "quadratic"] = "plain",
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """Mean Cohen's kappa over all pairs of raters.

    >>> ratings = Ratings.of(list("aabbccdd"), [1, 1, 1, 2, 2, 2, 2, 2], rater=list("xyxyxyxy"))
    >>> cohen_kappa(ratings, bootstrap=None)
    cohen_kappa 0.500 (4 items, 8 ratings)
    """
    if weighting not in ("plain", "linear", "quadratic"):
        raise UnknownOption(f"unknown weighting {weighting!r}.", expected="plain, linear or quadratic.")
    suffix = "" if weighting == "plain" else f"_{weighting}"
    return get_measure(f"cohen_kappa{suffix}")(ratings, bootstrap)


@dataclass(frozen=True)
class DropOneKappa:
    """Cohen's kappa after one rating per item is dropped at random, averaged over many runs.

    This is the procedure that the context study describes for relevance. Only items with the
    most common number of ratings (at least three) count. The interval is over items; the
    standard deviation over runs is in `parts`.
    """

    name: str = "drop_one_kappa"
    definition: str = (
        "Cohen's kappa (plain) after dropping one rating per item at random, mean over seeded runs and over "
        "the remaining pairs of positions."
    )
    runs: int = 1000
    needs_raters: bool = True

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP) -> Estimate:
        """The mean over runs. Positions within an item are used as raters, even if the raters are known."""
        codes, cluster, dropped_items = _complete_rows(ratings)
        seed = bootstrap.seed if bootstrap else 0
        draw = generator(seed, "drop_one_kappa")
        values = _after_dropping(codes, draw, len(ratings.codes), self.runs) if codes.size else np.empty(0)
        defined = values[np.isfinite(values)]
        value = float(defined.mean()) if len(defined) else UNDEFINED
        interval = None
        if bootstrap is not None and len(defined):
            interval = self._interval(value, codes, cluster, len(ratings.codes), bootstrap.over_items)
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=interval,
            items=len(codes),
            ratings=codes.size,
            left_out={
                **ratings.left_out,
                **({"item with another number of ratings": dropped_items} if dropped_items else {}),
            },
            undefined=None
            if len(defined)
            else "no item has three ratings, or all ratings have the same code",
            notes=(
                *PAIRS_OF_POSITIONS,
                *notes_on(value, interval, len(codes), bootstrap),
                *complete_agreement_note(value, interval),
            ),
            parts={
                "runs": float(self.runs),
                "sd_over_runs": float(defined.std()) if len(defined) else UNDEFINED,
            },
        )

    def _interval(
        self, value: float, codes: Ints, cluster: Ints, size: int, bootstrap: Bootstrap
    ) -> Interval | None:
        """Replicates of the kappa of expected tables, which are close to the mean over drops and need no drawing."""
        units, unit = np.unique(cluster, return_inverse=True)
        tables = _expected_tables(codes, size)
        pairs = tables.shape[1] // size**2
        features = np.stack([sum_by(unit, column, len(units)) for column in tables.T], axis=1)
        distinct, times = np.unique(features, axis=0, return_counts=True)
        chosen = representative_codes(np.bincount(codes.ravel(), minlength=size))
        rows, mass = pseudo_rows(chosen, codes.shape[1])
        pseudo = PseudoItems(_expected_tables(rows, size) * (len(codes) / len(units)), mass, len(chosen))

        def of(sums: Floats) -> Floats:
            values = kappa_of_tables(sums.reshape(*sums.shape[:-1], pairs, size, size))
            return mean_over_pairs(values, np.ones_like(values))

        shift = value - float(of(features.sum(axis=0)))
        return bootstrap.interval_around(
            value, shift + replicate_features(distinct, times, pseudo, of, bootstrap)
        )


def _expected_tables(codes: Ints, size: int) -> Floats:
    """Per item: the tables of all pairs of remaining positions, averaged over the position that is dropped."""
    items, positions = codes.shape
    first, second = np.triu_indices(positions - 1, 1)
    tables = np.zeros((items, len(first) * size * size))
    for dropped in range(positions):
        left = np.delete(codes, dropped, axis=1)
        cell = (np.arange(len(first)) * size + left[:, first]) * size + left[:, second]
        np.add.at(tables, (np.arange(items)[:, None], cell), 1 / positions)
    return tables


def _complete_rows(ratings: Ratings) -> tuple[Ints, Ints, int]:
    """Items x positions for items with the most common number of ratings, their clusters, and the number of other items."""
    sizes = np.bincount(ratings.item, minlength=ratings.items)
    wide = sizes[sizes >= 3]
    if not len(wide):
        return np.empty((0, 0), np.int64), np.empty(0, np.int64), ratings.items
    common = int(np.bincount(wide).argmax())
    order = np.lexsort((ratings.rater, ratings.item))
    kept = order[sizes[ratings.item[order]] == common]
    items = ratings.item[kept[::common]]
    cluster = items if ratings.cluster is None else ratings.cluster[items]
    return ratings.code[kept].reshape(-1, common), cluster, int((sizes != common).sum())


def _after_dropping(codes: Ints, draw: np.random.Generator, size: int, runs: int) -> Floats:
    """Mean kappa over the remaining pairs of positions, for each random drop."""
    items, positions = codes.shape
    dropped = draw.integers(positions, size=(runs, items))
    keep = np.arange(positions) != dropped[:, :, None]
    left = np.broadcast_to(codes, keep.shape)[keep].reshape(runs, items, positions - 1)
    first, second = np.triu_indices(positions - 1, 1)
    table = np.arange(runs * len(first)).reshape(runs, 1, -1)
    cell = (table * size + left[:, :, first]) * size + left[:, :, second]
    tables = np.bincount(cell.ravel(), minlength=runs * len(first) * size * size).astype(float)
    values = kappa_of_tables(tables.reshape(runs, len(first), size, size))
    return mean_over_pairs(values, np.ones_like(values))


drop_one_kappa = register_measure(DropOneKappa())
