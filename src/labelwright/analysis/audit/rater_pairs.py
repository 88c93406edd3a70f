"""Pairs of raters: how often two raters agree, and how often two people who work alone would."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.stats import binom

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.crossing import Crossing

FEWEST_SHARED = 10
# Above this number of raters, a raters x raters table is kept sparse.
_MOST_DENSE = 2_000


@dataclass(frozen=True, eq=False)
class RaterPairs:
    """Pairs of raters who share enough items."""

    one: Ints
    two: Ints
    shared: Ints
    agreed: Ints
    expected: Floats
    """The share of items on which the pair would agree if both worked alone.

    Agreement beyond chance is a product of two raters' reliabilities if their errors are independent
    (Spearman's one-factor model), so it follows from the agreement of each with all others. It is never
    taken to be less than how often one of them agrees with the others, or than their use of codes gives.
    """
    most: Floats
    """Half-way from how often they agree with others to 1: the expected share if it cannot be estimated."""
    modelled: NDArray[np.bool_]
    """Whether there were other pairs to estimate the expected share from."""
    usual: float
    """The share of agreement over all pairs of ratings."""

    def p(self, expected: Floats) -> Floats:
        """The chance of at least this much agreement, corrected for the number of pairs."""
        return np.asarray(binom.sf(self.agreed - 1, self.shared, expected) * len(self.one))


def count_rater_pairs(crossing: Crossing) -> RaterPairs:
    """The pairs that share at least ten items, in the order of the raters."""
    one, two, shared, agreed = _counted(crossing)
    raters = len(crossing.raters)
    of_rater = np.bincount(one, shared, raters) + np.bincount(two, shared, raters)
    agreed_of = np.bincount(one, agreed, raters) + np.bincount(two, agreed, raters)
    total, agreed_total = int(shared.sum()), int(agreed.sum())
    usual = agreed_total / total if total else float("nan")
    kept = shared >= FEWEST_SHARED
    one, two, shared, agreed = one[kept], two[kept], shared[kept], agreed[kept]
    first = _rate(agreed_of[one] - agreed, of_rater[one] - shared)
    second = _rate(agreed_of[two] - agreed, of_rater[two] - shared)
    rest = _rate(
        agreed_total - agreed_of[one] - agreed_of[two] + agreed, total - of_rater[one] - of_rater[two] + shared
    )
    chance = crossing.chance
    beyond = [(rate - chance) / (1 - chance) if chance < 1 else rate * 0 for rate in (first, second, rest)]
    modelled = np.isfinite(beyond[2]) & (np.nan_to_num(beyond[2]) > 0.05)
    product = beyond[0] * beyond[1] / np.where(modelled, beyond[2], 1.0)
    predicted = chance + (1 - chance) * np.clip(np.nan_to_num(product), 0, 0.99)
    seen = np.maximum(np.nan_to_num(first), np.nan_to_num(second))
    by_codes = _agreement_by_codes(crossing, one, two)
    least = np.maximum(np.maximum(seen, by_codes), 0.01)
    most = np.minimum((1 + least) / 2, 1.0)
    expected = np.where(modelled, np.minimum(np.maximum(predicted, least), 1.0), most)
    return RaterPairs(one, two, shared, agreed, expected, most, modelled, usual)


def _rate(agreed: Floats, shared: Floats) -> Floats:
    return np.asarray(np.where(shared > 0, agreed / np.maximum(shared, 1), np.nan))


def _counted(crossing: Crossing) -> tuple[Ints, Ints, Ints, Ints]:
    """Both raters of every pair that shares an item, the shared items, and those they agree on."""
    raters = len(crossing.raters)
    dense = raters <= _MOST_DENSE
    shared = np.zeros(raters * raters, dtype=np.int64) if dense else coo_matrix((raters, raters)).tocsr()
    agreed = shared.copy()
    for left, right in crossing.pairs():
        low = np.minimum(crossing.rater[left], crossing.rater[right])
        high = np.maximum(crossing.rater[left], crossing.rater[right])
        same = crossing.agree(left, right)
        if dense:
            cell = low * raters + high
            shared += np.bincount(cell, minlength=raters * raters)
            agreed += np.bincount(cell[same], minlength=raters * raters)
        else:
            shared = shared + coo_matrix((np.ones(len(low)), (low, high)), (raters, raters)).tocsr()
            agreed = agreed + coo_matrix((same.astype(float), (low, high)), (raters, raters)).tocsr()
    if dense:
        cells = np.flatnonzero(shared)
        return cells // raters, cells % raters, shared[cells], agreed[cells]
    found = shared.tocoo()
    values = np.asarray(agreed[found.row, found.col]).ravel() if found.nnz else np.zeros(0)
    return (
        found.row.astype(np.int64),
        found.col.astype(np.int64),
        found.data.astype(np.int64),
        values.astype(np.int64),
    )


def _agreement_by_codes(crossing: Crossing, one: Ints, two: Ints) -> Floats:
    """How often two raters would agree if each gave codes at random in the shares that they used them."""
    codes = int(crossing.code.max(initial=0)) + 1
    if crossing.close.any() or codes > 1000:
        return np.zeros(len(one))
    cells = np.bincount(crossing.rater * codes + crossing.code, minlength=len(crossing.raters) * codes)
    shares = cells.reshape(-1, codes) / np.maximum(crossing.ratings_of, 1)[:, None]
    return np.concatenate(
        [
            (shares[one[at : at + 100_000]] * shares[two[at : at + 100_000]]).sum(axis=1)
            for at in range(0, len(one), 100_000)
        ]
        or [np.zeros(0)]
    )
