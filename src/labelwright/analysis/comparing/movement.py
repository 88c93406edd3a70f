"""Movement of labels: whether raters answer differently after a study was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from labelwright.agreement.significance import Significance
from labelwright.seeds import generator

METHOD = "permutation of versions within items"


@dataclass(frozen=True, slots=True)
class Movement:
    """Whether labels moved between versions, and how many items can tell."""

    test: Significance
    items: int
    """Items with ratings under more than one version; the others say nothing about a change."""


def measure_movement(
    items: Sequence[int], versions: Sequence[int], codes: Sequence[int], runs: int = 2000, seed: int = 0
) -> Movement:
    """Tests whether the codes of the same items differ between versions; one entry of each list per rating.

    If a change moved nothing, the ratings of an item could as well have been given under each other's version. So the
    versions are shuffled within each item, and items that only one version rated have no influence. The statistic sums
    (observed - expected)² / expected over versions and codes. P is (1 + runs at least as high) / (1 + runs); nan if no
    item was rated under two versions.

    >>> moved = measure_movement([1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 2, 2, 1, 1, 2, 2], [3, 3, 1, 1, 3, 3, 1, 1])
    >>> moved.items, round(moved.test.p, 2)
    (2, 0.06)
    """
    item, version, code = (
        np.unique(np.asarray(each), return_inverse=True)[1] for each in (items, versions, codes)
    )
    sizes = _table(item, version)
    informative = (sizes > 0).sum(axis=1) > 1
    used = informative[item] if len(item) else np.zeros(0, dtype=bool)
    if not used.any():
        return Movement(Significance(METHOD, float("nan"), float("nan"), runs, seed), 0)
    item, version, code = item[used], version[used], code[used]
    expected = _expected(item, version, code)
    cells = expected > 0

    def statistic(shuffled: npt.NDArray[np.intp]) -> float:
        table = np.zeros(expected.shape)
        np.add.at(table, (shuffled, code), 1)
        return float((((table - expected)[cells]) ** 2 / expected[cells]).sum())

    observed, draw = statistic(version), generator(seed, "movement")
    home = np.argsort(item, kind="stable")
    higher = 0
    for _ in range(runs):
        shuffled = np.empty_like(version)
        shuffled[home] = version[np.lexsort((draw.random(len(item)), item))]
        higher += statistic(shuffled) >= observed - 1e-9
    p = (1 + higher) / (1 + runs)
    return Movement(Significance(METHOD, p, observed, runs, seed), int(informative.sum()))


def _table(rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    table = np.zeros((rows.max(initial=-1) + 1, columns.max(initial=-1) + 1))
    np.add.at(table, (rows, columns), 1)
    return table


def _expected(
    item: npt.NDArray[np.intp], version: npt.NDArray[np.intp], code: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """How often each version would give each code if the versions of an item's ratings were exchangeable."""
    by_version, by_code = _table(item, version), _table(item, code)
    sizes = by_version.sum(axis=1)
    share = np.divide(by_code, sizes[:, None], out=np.zeros_like(by_code), where=sizes[:, None] > 0)
    return np.asarray(by_version.T @ share)
