"""Models of raters: estimate the label of each item together with the reliability of each rater."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.special import digamma, logsumexp

from labelwright.agreement import UNDEFINED, Floats, Ratings
from labelwright.agreement.measures import POSITIONS_NOTE
from labelwright.analysis.aggregation import Aggregated, Convergence, item_counts
from labelwright.analysis.data.labels import Labels
from labelwright.seeds import generator

# Probabilities are never exactly 0 or 1, so that a single unexpected rating cannot rule out a code.
_SMALLEST = 1e-10
_MACE_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class _Rated:
    """Ratings with the names of their items and raters, as far as they are known."""

    ratings: Ratings
    items: pa.Table | None = None
    raters: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: Labels | Ratings) -> _Rated:
        """From labels of one aspect and question, or from ratings without names."""
        if isinstance(source, Ratings):
            return cls(source, notes=(POSITIONS_NOTE,) if source.positions else ())
        notes = (*source.notes, *((POSITIONS_NOTE,) if source.positions else ()))
        return cls(source.ratings(), source.votes().items, tuple(source.rater_names()), notes)


def dawid_skene(source: Labels | Ratings, iterations: int = 1000, tolerance: float = 1e-6) -> Aggregated:
    """The model of Dawid and Skene 1979: one confusion matrix per rater, estimated by EM.

    Starts from vote shares. Stops when no posterior changes by more than `tolerance`; `convergence`
    says whether that happened. From labels, the result includes the names of items and raters.

    >>> rows = {"item": list("aaabbb"), "rater": list("xyzxyz"), "label": [1, 1, 2, 2, 2, 2]}
    >>> dawid_skene(Labels.read(rows)).frame().select(["item", "label"]).to_pylist()
    [{'item': 'a', 'label': 1}, {'item': 'b', 'label': 2}]
    """
    rated = _Rated.of(source)
    ratings = rated.ratings

    def rater_tables(posterior: Floats) -> Floats:
        tables = _expected_tables(ratings, posterior)
        seen = _given(ratings)
        tables = np.where(seen[:, None, :], np.maximum(tables, _SMALLEST), 0.0)
        return np.asarray(tables / np.maximum(tables.sum(axis=2, keepdims=True), 1e-300))

    found = _expectation_maximisation(ratings, rater_tables, iterations, tolerance)
    definition = "Dawid-Skene: a confusion matrix per rater and a prior, by EM from vote shares."
    return _aggregated("dawid_skene", rated, found, definition)


def one_coin(source: Labels | Ratings, iterations: int = 1000, tolerance: float = 1e-6) -> Aggregated:
    """Dawid-Skene with one accuracy per rater, independent of the true label (Zhang et al. 2016)."""
    rated = _Rated.of(source)
    ratings = rated.ratings
    size = len(ratings.codes)
    raters = int(ratings.rater.max(initial=-1)) + 1

    def rater_tables(posterior: Floats) -> Floats:
        right = posterior[ratings.item, ratings.code]
        given = np.bincount(ratings.rater, minlength=raters)
        skill = np.bincount(ratings.rater, right, raters) / np.maximum(given, 1)
        wrong = (1 - skill) / max(size - 1, 1)
        tables = np.where(np.eye(size, dtype=bool), skill[:, None, None], wrong[:, None, None])
        return np.clip(tables, _SMALLEST, 1 - _SMALLEST)

    found = _expectation_maximisation(ratings, rater_tables, iterations, tolerance)
    definition = "One-coin Dawid-Skene: one accuracy per rater and a prior, by EM from vote shares."
    return _aggregated("one_coin", rated, found, definition)


@dataclass(frozen=True, eq=False)
class _Fitted:
    posterior: Floats
    tables: Floats
    """Raters x true labels x given labels."""
    convergence: Convergence


def _expectation_maximisation(
    ratings: Ratings, rater_tables: Callable[[Floats], Floats], iterations: int, tolerance: float
) -> _Fitted:
    posterior = item_counts(ratings).astype(float)
    posterior /= posterior.sum(axis=1, keepdims=True)
    likelihoods = [UNDEFINED]
    moved = np.inf
    while len(likelihoods) <= iterations and not moved < tolerance:
        before = posterior
        posterior, likelihood = _posterior(ratings, before.mean(axis=0), rater_tables(before))
        likelihoods.append(likelihood)
        moved = float(np.abs(posterior - before).max(initial=0))
    *_, last, final = [UNDEFINED, *likelihoods]
    convergence = Convergence(len(likelihoods) - 1, moved < tolerance, final, final - last)
    return _Fitted(posterior, rater_tables(posterior), convergence)


def _posterior(ratings: Ratings, prior: Floats, tables: Floats) -> tuple[Floats, float]:
    """The probability of every label of every item, and the log-likelihood of all ratings."""
    likely = np.log(np.maximum(tables[ratings.rater, :, ratings.code], 1e-300))
    size = len(ratings.codes)
    log = np.stack([np.bincount(ratings.item, likely[:, k], ratings.items) for k in range(size)], axis=1)
    log += np.log(np.maximum(prior, _SMALLEST))
    highest = log.max(axis=1, keepdims=True)
    likelihood = np.exp(log - highest)
    total = likelihood.sum(axis=1, keepdims=True)
    return np.asarray(likelihood / total), float((np.log(total) + highest).sum())


def _expected_tables(ratings: Ratings, posterior: Floats) -> Floats:
    size = len(ratings.codes)
    raters = int(ratings.rater.max(initial=-1)) + 1
    cell = ratings.rater * size + ratings.code
    sums = [
        np.bincount(cell, posterior[ratings.item, k], raters * size).reshape(raters, size)
        for k in range(size)
    ]
    return np.stack(sums, axis=1)


def _given(ratings: Ratings) -> Any:
    size = len(ratings.codes)
    raters = int(ratings.rater.max(initial=-1)) + 1
    return np.bincount(ratings.rater * size + ratings.code, minlength=raters * size).reshape(raters, size) > 0


def _aggregated(method: str, rated: _Rated, found: _Fitted, definition: str) -> Aggregated:
    prior = found.posterior.mean(axis=0)
    skill = np.einsum("k,rkk->r", prior, found.tables)
    return Aggregated(
        method,
        rated.ratings.codes,
        found.posterior.argmax(axis=1),
        found.posterior,
        items=rated.items,
        rater_skill=skill,
        raters=rated.raters,
        definition=definition,
        convergence=found.convergence,
        notes=rated.notes,
    )


def mace(
    source: Labels | Ratings,
    iterations: int = 50,
    restarts: int = 10,
    seed: int = 0,
    prior: tuple[float, float] = (0.5, 0.5),
) -> Aggregated:
    """MACE (Hovy et al. 2013): a rater either knows the label or guesses by a fixed habit; variational EM.

    Keeps the run with the highest likelihood out of `restarts` seeded starts. `prior` is the prior
    of guessing and knowing; habits have a Dirichlet prior of 10 per code. All iterations are run;
    `convergence` says whether the last one changed a probability by more than 0.001.
    """
    rated = _Rated.of(source)
    ratings = rated.ratings
    draw = generator(seed, "mace")
    raters, size = int(ratings.rater.max(initial=-1)) + 1, len(ratings.codes)
    runs = []
    for _ in range(restarts):
        knows, habit = draw.uniform(1, 2.5, (raters, 2)), draw.uniform(1, 2.5, (raters, size))
        start = knows / knows.sum(axis=1, keepdims=True), habit / habit.sum(axis=1, keepdims=True)
        runs.append(mace_run(ratings, *start, iterations=iterations, prior=prior))
    best = max(runs, key=lambda run: run.likelihood)
    return Aggregated(
        "mace",
        ratings.codes,
        best.posterior.argmax(axis=1),
        best.posterior,
        items=rated.items,
        rater_skill=best.knows[:, 1] / best.knows.sum(axis=1),
        raters=rated.raters,
        definition="MACE: raters know the label or guess by a fixed habit; variational EM, best of several seeded starts.",
        seed=seed,
        convergence=best.convergence,
        notes=rated.notes,
    )


@dataclass(frozen=True, eq=False)
class MaceRun:
    """The result of one start of MACE."""

    posterior: Floats
    knows: Floats
    """Raters x 2: weight of guessing and of knowing."""
    likelihood: float
    convergence: Convergence


def mace_run(
    ratings: Ratings,
    knows: Floats,
    habit: Floats,
    *,
    iterations: int = 50,
    prior: tuple[float, float] = (0.5, 0.5),
) -> MaceRun:
    """Runs MACE from the given starting values."""
    last = _mace_expectations(ratings, knows, habit)
    moved = change = UNDEFINED
    for _ in range(iterations):
        before = last
        knows = _variational(before.knows, np.array(prior))
        habit = _variational(before.habit, np.full(habit.shape[1], 10.0))
        last = _mace_expectations(ratings, knows, habit)
        change = last.likelihood - before.likelihood
        moved = float(np.abs(last.posterior - before.posterior).max(initial=0))
    convergence = Convergence(iterations, moved < _MACE_TOLERANCE, last.likelihood, change)
    return MaceRun(last.posterior, knows, last.likelihood, convergence)


@dataclass(frozen=True, eq=False)
class _Expected:
    posterior: Floats
    knows: Floats
    habit: Floats
    likelihood: float


def _mace_expectations(ratings: Ratings, knows: Floats, habit: Floats) -> _Expected:
    size, raters = len(ratings.codes), len(knows)
    by_habit = knows[ratings.rater, 0] * habit[ratings.rater, ratings.code]
    by_knowing = knows[ratings.rater, 1]
    is_code = ratings.code[:, None] == np.arange(size)
    given_truth = by_habit[:, None] + by_knowing[:, None] * is_code
    log = np.stack(
        [np.bincount(ratings.item, np.log(given_truth[:, k]), ratings.items) for k in range(size)], axis=1
    )
    posterior = np.exp(log - logsumexp(log, axis=1, keepdims=True))
    truth = posterior[ratings.item]
    guessed = (truth / given_truth).sum(axis=1) * by_habit
    known = truth[np.arange(len(guessed)), ratings.code] * by_knowing / (by_habit + by_knowing)
    return _Expected(
        posterior=posterior,
        knows=np.stack(
            [np.bincount(ratings.rater, guessed, raters), np.bincount(ratings.rater, known, raters)], axis=1
        ),
        habit=np.asarray(
            np.bincount(ratings.rater * size + ratings.code, guessed, raters * size), float
        ).reshape(-1, size),
        likelihood=float((logsumexp(log, axis=1) - np.log(size)).sum()),
    )


def _variational(counts: Floats, prior: Floats) -> Floats:
    return np.asarray(np.exp(digamma(counts + prior) - digamma((counts + prior).sum(axis=1, keepdims=True))))
