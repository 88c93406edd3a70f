"""Row shifts: labels of a rater that belong to a row above or below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.associations import FEWEST_EFFECTIVE, associate_rows, critical
from labelwright.analysis.audit.crossing import Crossing

_LAGS = (-3, -2, -1, 1, 2, 3)
_FEWEST_ROWS = 20
_WRONG = 0.001


@dataclass(frozen=True)
class RowShift:
    """A rater whose labels fit other rows better than their own."""

    rater: str
    lag: int
    part: str
    rows: int
    own: float
    moved: float
    by_lag: dict[int, float]


def find_row_shifts(crossing: Crossing, usual: float) -> list[RowShift]:
    """For each rater, the best move of all rows or of the second half that is clearly better than none.

    `usual` is the usual correlation of a rater with the others.
    """
    if not usual > 0.2:
        return []
    rows = np.flatnonzero(np.isfinite(crossing.others[:, 0]))
    rows = rows[np.argsort(crossing.rater[rows], kind="stable")]
    found: dict[str, RowShift] = {}
    for part, chosen in (("all items", rows), ("the second half", _second_half(crossing, rows))):
        for shift in _shifts(crossing, chosen, part, usual):
            found.setdefault(shift.rater, shift)
    return list(found.values())


def _second_half(crossing: Crossing, rows: Ints) -> Ints:
    raters = crossing.rater[rows]
    counts = np.bincount(raters, minlength=len(crossing.raters))
    starts = np.cumsum(counts) - counts
    return rows[np.arange(len(rows)) - starts[raters] >= counts[raters] / 2]


def _shifts(crossing: Crossing, rows: Ints, part: str, usual: float) -> Iterator[RowShift]:
    moves = {lag: _moved(crossing, rows, lag) for lag in (0, *_LAGS)}
    found = {lag: associate_rows(crossing, own, others) for lag, (own, others) in moves.items()}
    enough = found[0].ratings >= _FEWEST_ROWS
    sound = {lag: enough & (each.effective >= FEWEST_EFFECTIVE) for lag, each in found.items()}
    values = {lag: np.where(sound[lag], each.value, np.nan) for lag, each in found.items()}
    best = np.nan_to_num(np.array([values[lag] for lag in _LAGS]), nan=-2)
    place = best.argmax(axis=0)
    top = best.max(axis=0)
    differences = np.array([_difference(crossing, *moves[lag]) for lag in _LAGS])
    difference = differences[place, np.arange(len(place))]
    size = np.maximum(found[0].ratings - 4, 1)
    limit = critical(_WRONG, 2 * len(_LAGS) * int(enough.sum()))
    # Neighbouring items may be alike, so the labels must fit clearly better there than in their own rows.
    gap = limit * np.sqrt(difference * np.maximum(1 - np.nan_to_num(values[0]) ** 2, 0) / size)
    sure = (top > limit / np.sqrt(size)) & (top - values[0] > np.maximum(0.2 * usual, gap))
    for number in np.flatnonzero(sure):
        by_lag = {lag: float(each[number]) for lag, each in values.items() if np.isfinite(each[number])}
        lag = _LAGS[place[number]]
        rater, rows_used = crossing.raters[number], int(found[0].ratings[number])
        yield RowShift(rater, lag, part, rows_used, by_lag[0], by_lag[lag], by_lag)


def _difference(crossing: Crossing, own: Ints, others: Ints) -> Floats:
    """For each rater: how much what others say changes over the move; 2 if the rows are unrelated."""
    raters, size = crossing.rater[own], len(crossing.raters)
    change = ((crossing.others[own] - crossing.others[others]) ** 2).sum(axis=1)
    spread = (crossing.others[own] ** 2).sum(axis=1)
    total = np.bincount(raters, spread, size)
    return np.asarray(np.bincount(raters, change, size) / np.where(total > 1e-9, total, np.inf))


def _moved(crossing: Crossing, rows: Ints, lag: int) -> tuple[Ints, Ints]:
    """Pairs of rows of one rater that are `lag` rows apart: where a label is, and where it would belong."""
    size = len(rows) - abs(lag)
    if size <= 0:
        return rows[:0], rows[:0]
    own, others = (rows[:size], rows[lag:]) if lag >= 0 else (rows[-lag:], rows[:size])
    same = crossing.rater[own] == crossing.rater[others]
    return own[same], others[same]
