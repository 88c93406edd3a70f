"""Models of raters: estimate the label of each item together with the reliability of each rater."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import digamma

from labelwright.agreement import Floats, Ratings
from labelwright.analysis.aggregation import Aggregated, item_counts
from labelwright.seeds import generator

# Probabilities are never exactly 0 or 1, so that a single unexpected rating cannot rule out a code.
_SMALLEST = 1e-10


def dawid_skene(ratings: Ratings, iterations: int = 100, tolerance: float = 1e-6) -> Aggregated:
    """The model of Dawid and Skene 1979: one confusion matrix per rater, estimated by EM.

    Starts from vote shares. Stops when no posterior changes by more than `tolerance`.
    """

    def rater_tables(posterior: Floats) -> Floats:
        tables = _expected_tables(ratings, posterior)
        seen = _given(ratings)
        tables = np.where(seen[:, None, :], np.maximum(tables, _SMALLEST), 0.0)
        return np.asarray(tables / np.maximum(tables.sum(axis=2, keepdims=True), 1e-300))

    found = _expectation_maximisation(ratings, rater_tables, iterations, tolerance)
    definition = "Dawid-Skene: a confusion matrix per rater and a prior, by EM from vote shares."
    return _aggregated("dawid_skene", ratings, found, definition)


def one_coin(ratings: Ratings, iterations: int = 100, tolerance: float = 1e-6) -> Aggregated:
    """Dawid-Skene with one accuracy per rater, independent of the true label (Zhang et al. 2016)."""
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
    return _aggregated("one_coin", ratings, found, definition)


@dataclass(frozen=True, eq=False)
class _Fitted:
    posterior: Floats
    tables: Floats
    """Raters x true labels x given labels."""
    iterations: int


def _expectation_maximisation(
    ratings: Ratings, rater_tables: Callable[[Floats], Floats], iterations: int, tolerance: float
) -> _Fitted:
    posterior = item_counts(ratings).astype(float)
    posterior /= posterior.sum(axis=1, keepdims=True)
    prior, tables = posterior.mean(axis=0), rater_tables(posterior)
    done = 0
    for done in range(1, iterations + 1):  # noqa: B007  the number of iterations is part of the result
        before = posterior
        posterior = _posterior(ratings, prior, tables)
        prior, tables = posterior.mean(axis=0), rater_tables(posterior)
        if np.abs(posterior - before).max(initial=0) < tolerance:
            break
    return _Fitted(posterior, tables, done)


def _posterior(ratings: Ratings, prior: Floats, tables: Floats) -> Floats:
    likely = np.log(np.maximum(tables[ratings.rater, :, ratings.code], 1e-300))
    size = len(ratings.codes)
    log = np.stack([np.bincount(ratings.item, likely[:, k], ratings.items) for k in range(size)], axis=1)
    log += np.log(np.maximum(prior, _SMALLEST))
    likelihood = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(likelihood / likelihood.sum(axis=1, keepdims=True))


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


def _aggregated(method: str, ratings: Ratings, found: _Fitted, definition: str) -> Aggregated:
    prior = found.posterior.mean(axis=0)
    skill = np.einsum("k,rkk->r", prior, found.tables)
    return Aggregated(
        method,
        ratings.codes,
        found.posterior.argmax(axis=1),
        found.posterior,
        rater_skill=skill,
        definition=definition,
        iterations=found.iterations,
    )


def mace(
    ratings: Ratings,
    iterations: int = 50,
    restarts: int = 10,
    seed: int = 0,
    prior: tuple[float, float] = (0.5, 0.5),
) -> Aggregated:
    """MACE (Hovy et al. 2013): a rater either knows the label or guesses by a fixed habit; variational EM.

    Keeps the run with the highest likelihood out of `restarts` seeded starts. `prior` is the prior
    of guessing and knowing; habits have a Dirichlet prior of 10 per code.
    """
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
        rater_skill=best.knows[:, 1] / best.knows.sum(axis=1),
        definition="MACE: raters know the label or guess by a fixed habit; variational EM, best of several seeded starts.",
        seed=seed,
        iterations=iterations,
    )


@dataclass(frozen=True, eq=False)
class MaceRun:
    """The result of one start of MACE."""

    posterior: Floats
    knows: Floats
    """Raters x 2: weight of guessing and of knowing."""
    likelihood: float


def mace_run(
    ratings: Ratings,
    knows: Floats,
    habit: Floats,
    *,
    iterations: int = 50,
    prior: tuple[float, float] = (0.5, 0.5),
) -> MaceRun:
    """Runs MACE from the given starting values."""
    for _ in range(iterations):
        expected = _mace_expectations(ratings, knows, habit)
        knows = _variational(expected.knows, np.array(prior))
        habit = _variational(expected.habit, np.full(habit.shape[1], 10.0))
    last = _mace_expectations(ratings, knows, habit)
    return MaceRun(last.joint / last.joint.sum(axis=1, keepdims=True), knows, last.likelihood)


@dataclass(frozen=True, eq=False)
class _Expected:
    joint: Floats
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
    joint = np.exp(log) / size
    total = joint.sum(axis=1)
    truth = joint[ratings.item] / total[ratings.item, None]
    guessed = (truth / given_truth).sum(axis=1) * by_habit
    known = truth[np.arange(len(guessed)), ratings.code] * by_knowing / (by_habit + by_knowing)
    return _Expected(
        joint=joint,
        knows=np.stack(
            [np.bincount(ratings.rater, guessed, raters), np.bincount(ratings.rater, known, raters)], axis=1
        ),
        habit=np.asarray(
            np.bincount(ratings.rater * size + ratings.code, guessed, raters * size), float
        ).reshape(-1, size),
        likelihood=float(np.log(total + 1e-8).sum()),
    )


def _variational(counts: Floats, prior: Floats) -> Floats:
    return np.asarray(np.exp(digamma(counts + prior) - digamma((counts + prior).sum(axis=1, keepdims=True))))
