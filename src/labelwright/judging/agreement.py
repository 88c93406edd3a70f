"""Agreement of a model with people, beside that of people with each other, on the same items.

Both are Krippendorff's alpha with the same distance. For the model, a coincidence is the pair of its label and that of
one person; all people of an item together weigh as much as one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from labelwright.agreement import DEFAULT_BOOTSTRAP, UNDEFINED, Bootstrap, Estimate, Floats, Ints
from labelwright.agreement.alpha import nominal_distance, ordinal_distance
from labelwright.judging.sides import Panel
from labelwright.seeds import generator

Comparison: TypeAlias = Literal["as good as a person", "worse", "undecided"]
MARGIN = 0.1
"""A model whose agreement is at most this much lower counts as good as a person."""
FEWEST_ITEMS = 20

_WITH_EACH_OTHER = "Krippendorff's alpha of people, {} distance, on items that the model judged."
_WITH_PEOPLE = (
    "Krippendorff's alpha of the model and one person, {} distance, over all people of each item; every item has "
    "the same weight."
)
_DIFFERENCE = "Agreement of the model with people minus agreement of people with each other."


@dataclass(frozen=True)
class ModelAgreement:
    """Both agreements, and how far the model's falls behind."""

    model: str
    people: Estimate
    judge: Estimate
    difference: Estimate
    margin: float = MARGIN

    @property
    def comparison(self) -> Comparison:
        """What the interval of the difference shows."""
        interval = self.difference.interval
        if interval is None:
            return "undecided"
        if interval.low > -self.margin:
            return "as good as a person"
        return "worse" if interval.high < 0 else "undecided"


@dataclass(frozen=True, eq=False)
class _Features:
    """Sums over an item from which both alphas are computed."""

    between: Floats
    """Items x codes x codes: pairs of different people, weighted so that a rating counts once."""
    across: Floats
    """Items x codes x codes: pairs of the model and a person; they add up to one for each item."""
    cluster: Ints


def agree_with_people(panel: Panel, bootstrap: Bootstrap = DEFAULT_BOOTSTRAP) -> ModelAgreement:
    """The agreement of a model with people for one question, with intervals over items (or dialogues)."""
    features = _features(panel)
    size = len(panel.people.codes)
    ordered = panel.numbers is not None
    totals = features.between.sum(axis=(0, 2))
    distance = ordinal_distance(totals) if ordered else nominal_distance(size)
    people, judge = _alphas(features.between.sum(axis=0), features.across.sum(axis=0), distance)
    drawn = _replicates(features, distance, bootstrap)
    name = "alpha_ordinal" if ordered else "alpha_nominal"
    kind = "ordinal" if ordered else "nominal"
    items = len(features.between)

    def estimate(value: float, values: Floats, definition: str) -> Estimate:
        known = bool(np.isfinite(value))
        return Estimate(
            name,
            value if known else UNDEFINED,
            definition.format(kind),
            interval=bootstrap.over_items.interval(values) if known and items >= FEWEST_ITEMS else None,
            items=items,
            ratings=int(panel.known.sum()),
            raters=None if panel.people.positions else panel.people.raters,
            undefined=None if known else "the labels do not vary, or no item has two people",
            notes=() if items >= FEWEST_ITEMS else (_few(items),),
        )

    return ModelAgreement(
        panel.model,
        estimate(people, drawn[:, 0], _WITH_EACH_OTHER),
        estimate(judge, drawn[:, 1], _WITH_PEOPLE),
        replace(estimate(judge - people, drawn[:, 1] - drawn[:, 0], _DIFFERENCE), name="difference"),
    )


def _few(items: int) -> str:
    return f"No interval: there are {items} items, and intervals were checked with {FEWEST_ITEMS} and more."


def _features(panel: Panel) -> _Features:
    """One row for each item that the model judged."""
    size, people = len(panel.people.codes), panel.people
    kept = np.flatnonzero(panel.judged >= 0)
    counts = np.bincount(people.item * size + people.code, minlength=people.items * size).reshape(-1, size)
    counts = counts[kept].astype(float)
    ratings = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
    between = pairs / np.maximum(ratings - 1, 1)[:, None, None]
    model = np.eye(size)[panel.judged[kept]]
    share = counts / ratings[:, None]
    across = model[:, :, None] * share[:, None, :]
    return _Features(between, (across + across.transpose(0, 2, 1)) / 2, panel.cluster[kept])


def _alphas(between: Floats, across: Floats, distance: Floats) -> tuple[float, float]:
    return float(_alpha(between, distance)), float(_alpha(across * 2, distance))


def _alpha(coincidences: Floats, distance: Floats) -> Floats:
    totals = coincidences.sum(axis=-1)
    ratings = totals.sum(axis=-1)
    observed = (coincidences * distance).sum(axis=(-1, -2))
    expected = np.einsum("...i,...j,ij->...", totals, totals, distance)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(1 - (ratings - 1) * observed / expected)


def _replicates(features: _Features, distance: Floats, bootstrap: Bootstrap) -> Floats:
    """Both alphas with other weights of the clusters (Bayesian bootstrap)."""
    draw = generator(bootstrap.seed, "bootstrap", "judge agreement")
    _, cluster = np.unique(features.cluster, return_inverse=True)
    clusters = int(cluster.max(initial=-1)) + 1
    if clusters < 2:
        return np.empty((0, 2))
    size = distance.shape[0]
    flat = np.zeros((clusters, 2, size, size))
    np.add.at(flat[:, 0], cluster, features.between)
    np.add.at(flat[:, 1], cluster, 2 * features.across)
    weights = draw.dirichlet(np.ones(clusters), size=bootstrap.replicates) * clusters
    sums = np.einsum("rc,cskl->rskl", weights, flat, optimize=True)
    return _alpha(sums, distance)
