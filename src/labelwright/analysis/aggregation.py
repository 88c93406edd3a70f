"""Aggregation: one label per item by majority vote. Models of raters are in `rater_models`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from labelwright.agreement import Code, Counts, Floats, Ints, Ratings, UnknownOption
from labelwright.analysis.data.labels import Labels, Votes
from labelwright.seeds import generator

TieRule: TypeAlias = Literal["none", "lowest", "highest", "first", "random"]


@dataclass(frozen=True)
class Convergence:
    """How the fitting of a model ended."""

    iterations: int
    converged: bool
    """Whether the last iteration changed no probability by more than the tolerance."""
    log_likelihood: float
    change: float
    """The change of the log-likelihood in the last iteration."""

    def __repr__(self) -> str:
        how = "Converged" if self.converged else "Not converged"
        last = "" if math.isnan(self.change) else f", changed by {self.change:.1e} in the last"
        return f"{how} after {self.iterations} iterations: log-likelihood {self.log_likelihood:.3f}{last}"


@dataclass(frozen=True, eq=False)
class Aggregated:
    """The label of every item. Items are numbered as in the ratings."""

    method: str
    codes: tuple[Code, ...]
    label: Ints
    """The index of the label on the scale; -1 if the tie rule gives no label."""
    posterior: Floats
    """Items x codes: the share of votes, or the model's probability."""
    items: pa.Table | None = None
    """The columns that identify items; None if the labels do not come from a table."""
    rater_skill: Floats | None = None
    """How often each rater is right according to the model; None for majority votes."""
    raters: tuple[str, ...] = ()
    """The names of the raters, in the order of `rater_skill`; empty if the labels do not come from a table."""
    definition: str = ""
    seed: int | None = None
    convergence: Convergence | None = None
    """How the fitting ended; None for majority votes."""
    notes: tuple[str, ...] = ()
    """Caveats to report together with the labels."""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> list[Code | None]:
        """The label of each item as a code, or None."""
        return [None if place < 0 else self.codes[place] for place in self.label]

    @property
    def counts(self) -> dict[Code | None, int]:
        """The number of items with each label.

        >>> majority(Ratings.of(["a", "a", "a", "b", "b"], [1, 1, 2, 1, 2])).counts
        {1: 1, 2: 0, None: 1}
        """
        found: dict[Code | None, int] = {
            code: int((self.label == i).sum()) for i, code in enumerate(self.codes)
        }
        return found | {None: int((self.label < 0).sum())}

    def frame(self) -> pa.Table:
        """Item, label and posterior per code as a pyarrow table. Items are numbers if their names are not known."""
        known = (
            {} if self.items is None else dict(zip(self.items.column_names, self.items.columns, strict=True))
        )
        columns: dict[str, Any] = {**(known or {"item": np.arange(len(self.label))}), "label": self.labels}
        columns |= {f"p_{code}": self.posterior[:, i] for i, code in enumerate(self.codes)}
        return pa.table(columns)

    def rater_frame(self) -> pa.Table:
        """Rater and skill as a pyarrow table. Raters are numbers if their names are not known."""
        skill = [] if self.rater_skill is None else self.rater_skill.tolist()
        names: list[Any] = list(self.raters) or list(range(len(skill)))
        return pa.table({"rater": names, "skill": skill})

    def __repr__(self) -> str:
        shares = ", ".join(
            f"{'none' if code is None else code}: {n:,}" for code, n in self.counts.items() if n
        )
        head = f"{self.method} over {len(self.label):,} items: {shares}"
        fitted = [repr(self.convergence)] if self.convergence else []
        return "\n".join([head, *fitted, *self.notes])


def majority(source: Ratings | Labels, ties: TieRule = "none", seed: int = 0) -> Aggregated:
    """The most frequent code of each item's ratings.

    `ties` decides items with several most frequent codes: no label, the lowest or highest
    code on the scale, the one that was given first, or a seeded random one. From `Labels`, the
    engine counts the votes, which is faster than fetching the ratings, and the result
    includes the item names.

    >>> rows = {"item": ["a", "a", "a", "b"], "label": [1, 1, 2, 2]}
    >>> majority(Labels.read(rows)).frame().select(["item", "label"]).to_pylist()
    [{'item': 'a', 'label': 1}, {'item': 'b', 'label': 2}]
    """
    if ties not in ("none", "lowest", "highest", "first", "random"):
        raise UnknownOption(f"unknown tie rule {ties!r}.", expected="none, lowest, highest, first or random.")
    votes = source.votes() if isinstance(source, Labels) else Votes(None, source.codes, item_counts(source))
    best = votes.counts == votes.counts.max(axis=1, keepdims=True, initial=0)
    tied = best.sum(axis=1) > 1
    label = best.argmax(axis=1)  # the lowest of several
    if ties != "lowest" and tied.any():
        label[tied] = _broken(source, best, ties, seed)[tied]
    return Aggregated(
        "majority",
        votes.codes,
        label,
        votes.counts / votes.counts.sum(axis=1, keepdims=True),
        items=votes.items,
        definition=f"Most frequent code of an item's ratings; ties: {ties}.",
        seed=seed if ties == "random" else None,
        notes=source.notes if isinstance(source, Labels) else (),
        facts={"tied": int(tied.sum())},
    )


def item_counts(ratings: Ratings) -> Ints:
    """Items x codes: the number of ratings with each code."""
    size = len(ratings.codes)
    counts = np.bincount(ratings.item * size + ratings.code, minlength=ratings.items * size)
    return np.asarray(counts.reshape(-1, size), dtype=np.int64)


def majority_of_patterns(
    counts: Counts, ties: Literal["none", "lowest", "highest"] = "none"
) -> dict[Code | None, int]:
    """The number of items with each majority label, from counts; items with one rating are not included.

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


def _broken(source: Ratings | Labels, best: Any, ties: TieRule, seed: int) -> Ints:
    items, size = best.shape
    if ties == "highest":
        return np.asarray(size - 1 - best[:, ::-1].argmax(axis=1))
    if ties == "random":
        return np.asarray((generator(seed, "ties").random((items, size)) * best).argmax(axis=1))
    if ties == "first":
        ratings = source.ratings() if isinstance(source, Labels) else source
        first = np.full(items, -1)
        for item, code in zip(ratings.item[::-1], ratings.code[::-1], strict=True):
            first[item] = code if best[item, code] else first[item]
        return first
    return np.full(items, -1)
