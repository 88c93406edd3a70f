"""Replicates: how often an item would get the same label if the condition were repeated with other raters.

This is the baseline for every comparison of conditions. A few ratings per item do not determine it
without a model, so two models are fitted and averaged by how well they fit:

- items differ gradually: each has its own code probabilities, drawn from a Dirichlet distribution;
- items are of a few kinds: each has a true code, which raters give with the same probability for all items.

Both models have as many parameters as there are codes, so their likelihoods can be used as weights.
A few dozen items hardly distinguish the models, and the result lies between them; thousands of
items do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.special import gammaln, logsumexp

from labelwright.agreement import UNDEFINED, Floats, Ints, Ratings
from labelwright.analysis.aggregation import TieRule, item_counts
from labelwright.analysis.data.labels import Labels
from labelwright.seeds import generator

Draw: TypeAlias = Callable[[np.random.Generator, int], Floats]
"""Draws code probabilities of every item given its ratings: runs x items x codes."""


@dataclass(frozen=True)
class _Model:
    log_likelihood: float
    draw: Draw


def replicate_agreement(
    labels: Labels | Ratings, ties: TieRule = "none", runs: int = 200, seed: int = 0
) -> float:
    """The expected share of items with the same majority label in two replicates of this condition.

    Under each model, code probabilities are drawn from their posterior for each item, then two sets
    with the same number of ratings. An item without a majority in one of them counts as disagreement.
    Undefined (nan) if no item has two ratings.
    """
    counts = item_counts(labels.ratings() if isinstance(labels, Labels) else labels)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return UNDEFINED
    if ((counts > 0).sum(axis=1) == 1).all():
        return 1.0
    models = (_by_degrees(counts), _of_kinds(counts))
    fits = np.array([model.log_likelihood for model in models])
    weights = np.exp(fits - logsumexp(fits))
    draw = generator(seed, "replicates")
    shares = [_same_again(model.draw(draw, runs), counts.sum(axis=1), ties, draw) for model in models]
    return float(weights @ shares)


def _same_again(shares: Floats, n: Ints, ties: TieRule, draw: np.random.Generator) -> float:
    one, two = (_majority_of(draw.multinomial(n, shares), ties, draw) for _ in range(2))
    return float(((one == two) & (one >= 0)).mean())


def _by_degrees(counts: Ints) -> _Model:
    """Dirichlet-multinomial, with the concentration estimated from the observed agreement."""
    n = counts.sum(axis=1)
    pooled = counts.sum(axis=0) / n.sum()
    observed = ((counts * (counts - 1)).sum(axis=1) / (n * (n - 1))).mean()
    chance = (pooled**2).sum()
    rho = float(np.clip((observed - chance) / (1 - chance), 1e-3, 0.999)) if chance < 1 else 0.999
    alpha = np.maximum(pooled, 1e-6) * (1 - rho) / rho
    total = alpha.sum()
    likelihood = gammaln(total) - gammaln(total + n) + (gammaln(alpha + counts) - gammaln(alpha)).sum(axis=1)

    def draw(random: np.random.Generator, runs: int) -> Floats:
        shares = np.maximum(random.gamma(counts + alpha, size=(runs, *counts.shape)), 1e-300)
        return np.asarray(shares / shares.sum(axis=-1, keepdims=True))

    return _Model(float(likelihood.sum()), draw)


def _of_kinds(counts: Ints, rounds: int = 200) -> _Model:
    """One-coin Dawid-Skene with one accuracy for all raters, by EM from vote shares."""
    size = counts.shape[1]
    posterior = counts / counts.sum(axis=1, keepdims=True)
    for _ in range(rounds):
        right = float(np.clip((posterior * counts).sum() / counts.sum(), 1e-6, 1 - 1e-6))
        named = np.where(np.eye(size, dtype=bool), right, (1 - right) / max(size - 1, 1))
        joint = np.log(np.maximum(posterior.mean(axis=0), 1e-10)) + counts @ np.log(named)
        posterior = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    likelihood = float(logsumexp(joint, axis=1).sum())

    def draw(random: np.random.Generator, runs: int) -> Floats:
        kind = (random.random((runs, len(counts), 1)) > posterior.cumsum(axis=1)).sum(axis=-1)
        return np.asarray(named[np.minimum(kind, size - 1)])

    return _Model(likelihood, draw)


def _majority_of(counts: Ints, ties: TieRule, draw: np.random.Generator) -> Ints:
    best = counts == counts.max(axis=-1, keepdims=True)
    tied = best.sum(axis=-1) > 1
    if ties == "highest":
        return np.asarray(counts.shape[-1] - 1 - best[..., ::-1].argmax(axis=-1))
    if ties in ("random", "first"):
        return np.asarray((draw.random(best.shape) * best).argmax(axis=-1))
    label = best.argmax(axis=-1)
    return np.asarray(label if ties == "lowest" else np.where(tied, -1, label))
