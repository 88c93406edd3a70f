"""Aggregation: one label per item from its ratings, with a posterior and what is known of the raters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
from scipy.special import digamma

from turnwise.agreement import Counts, Ratings, UnknownOption
from turnwise.agreement.arrays import Code, Floats, Ints
from turnwise.seeds import generator

TieRule: TypeAlias = Literal["none", "lowest", "highest", "first", "random"]
# A probability is never exactly 0 or 1, so that one surprising rating cannot rule a code out for ever.
_SMALLEST = 1e-10


@dataclass(frozen=True, eq=False)
class Aggregated:
    """The label of every item, numbered as in the ratings it was made from."""

    method: str
    codes: tuple[Code, ...]
    label: Ints
    """The place of the label on the scale; -1 where the tie rule gives none."""
    posterior: Floats
    """Items x codes: the share of votes, or the model's probability."""
    rater_skill: Floats | None = None
    """How often each rater is right by the model; none for majority."""
    definition: str = ""
    seed: int | None = None
    iterations: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> list[Code | None]:
        """The label of each item as a code; None where there is none."""
        return [None if place < 0 else self.codes[place] for place in self.label]

    @property
    def counts(self) -> dict[Code | None, int]:
        """How many items have each label.

        >>> majority(Ratings.of(["a", "a", "a", "b", "b"], [1, 1, 2, 1, 2])).counts
        {1: 1, 2: 0, None: 1}
        """
        found: dict[Code | None, int] = {
            code: int((self.label == i).sum()) for i, code in enumerate(self.codes)
        }
        return found | {None: int((self.label < 0).sum())}

    def frame(self) -> pa.Table:
        """Item number, label and posterior per code as a pyarrow table."""
        columns: dict[str, Any] = {"item": np.arange(len(self.label)), "label": self.labels}
        columns |= {f"p_{code}": self.posterior[:, i] for i, code in enumerate(self.codes)}
        return pa.table(columns)

    def __repr__(self) -> str:
        shares = ", ".join(
            f"{'none' if code is None else code}: {n:,}" for code, n in self.counts.items() if n
        )
        return f"{self.method} over {len(self.label):,} items: {shares}"


def majority(ratings: Ratings, ties: TieRule = "none", seed: int = 0) -> Aggregated:
    """The code that more ratings of an item have than any other.

    `ties` says what an item gets whose most frequent codes are equally frequent: no label,
    the lowest or highest code on the scale, the one rated first, or a seeded random one.
    """
    if ties not in ("none", "lowest", "highest", "first", "random"):
        raise UnknownOption(f"unknown tie rule {ties!r}.", expected="none, lowest, highest, first or random.")
    votes = item_counts(ratings).astype(float)
    best = votes == votes.max(axis=1, keepdims=True)
    tied = best.sum(axis=1) > 1
    label = best.argmax(axis=1)
    if tied.any():
        label[tied] = _broken(ratings, best, ties, seed)[tied]
    return Aggregated(
        "majority",
        ratings.codes,
        label,
        votes / votes.sum(axis=1, keepdims=True),
        definition=f"Most frequent code of an item's ratings; ties: {ties}.",
        seed=seed if ties == "random" else None,
        facts={"tied": int(tied.sum())},
    )


def item_counts(ratings: Ratings) -> Ints:
    """Items x codes: how often each code was given."""
    size = len(ratings.codes)
    counts = np.bincount(ratings.item * size + ratings.code, minlength=ratings.items * size)
    return np.asarray(counts.reshape(-1, size), dtype=np.int64)


def majority_of_patterns(
    counts: Counts, ties: Literal["none", "lowest", "highest"] = "none"
) -> dict[Code | None, int]:
    """How many items have each code as their majority label, from counts alone; single ratings not included.

    >>> majority_of_patterns(Counts.of_table([[2, 0], [1, 1], [1, 2]], codes=(0, 1)))
    {0: 1, 1: 1, None: 1}
    """
    best = counts.patterns == counts.patterns.max(axis=1, keepdims=True, initial=0)
    last = best.shape[1] - 1 - best[:, ::-1].argmax(axis=1)
    place = last if ties == "highest" else best.argmax(axis=1)
    tied = (best.sum(axis=1) > 1) & (ties == "none")
    found: dict[Code | None, int] = {
        code: int(counts.multiplicity[(place == i) & ~tied].sum()) for i, code in enumerate(counts.codes)
    }
    return found | {None: int(counts.multiplicity[tied].sum())}


def _broken(ratings: Ratings, best: Any, ties: TieRule, seed: int) -> Ints:
    items, size = best.shape
    if ties == "lowest":
        return np.asarray(best.argmax(axis=1))
    if ties == "highest":
        return np.asarray(size - 1 - best[:, ::-1].argmax(axis=1))
    if ties == "random":
        return np.asarray((generator(seed, "ties").random((items, size)) * best).argmax(axis=1))
    if ties == "first":
        first = np.full(items, -1)
        for item, code in zip(ratings.item[::-1], ratings.code[::-1], strict=True):
            first[item] = code if best[item, code] else first[item]
        return first
    return np.full(items, -1)


def dawid_skene(ratings: Ratings, iterations: int = 100, tolerance: float = 1e-6) -> Aggregated:
    """Dawid and Skene 1979: each rater has a table of how they name each true label, found by EM.

    Starts from vote shares. Stops when no item's posterior moves by more than `tolerance`.
    """

    def rater_tables(posterior: Floats) -> Floats:
        tables = _expected_tables(ratings, posterior)
        seen = _given(ratings)
        tables = np.where(seen[:, None, :], np.maximum(tables, _SMALLEST), 0.0)
        return np.asarray(tables / np.maximum(tables.sum(axis=2, keepdims=True), 1e-300))

    found = _expectation_maximisation(ratings, rater_tables, iterations, tolerance)
    definition = "Dawid-Skene: a confusion table per rater and a prior, by EM from vote shares."
    return _aggregated("dawid_skene", ratings, found, definition)


def one_coin(ratings: Ratings, iterations: int = 100, tolerance: float = 1e-6) -> Aggregated:
    """Dawid-Skene with one number per rater: how often right, whatever the true label (Zhang et al. 2016)."""
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
    for done in range(1, iterations + 1):  # noqa: B007  the number of rounds is part of the result
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
    """MACE (Hovy et al. 2013): a rater either knows the label or answers by a habit; variational EM.

    The run with the highest likelihood of `restarts` seeded starts is kept. `prior` is that
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
        definition="MACE: raters know the label or follow a habit; variational EM, best of seeded restarts.",
        seed=seed,
        iterations=iterations,
    )


@dataclass(frozen=True, eq=False)
class MaceRun:
    """One start of MACE, carried to its end."""

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
    """MACE from given starting values."""
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


METHODS: dict[str, Callable[[Ratings], Aggregated]] = {
    "majority": majority,
    "dawid_skene": dawid_skene,
    "one_coin": one_coin,
    "mace": mace,
}
