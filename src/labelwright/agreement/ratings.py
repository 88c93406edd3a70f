"""Ratings: which rater gave which code to which item, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from labelwright.agreement._arrays import Code, Column, Ints
from labelwright.agreement.errors import MissingName, NoOrder, UnequalLengths, UnknownCode

OUTSIDE = "rating outside the order of the scale"
"""Why a measure that uses the order leaves out "both are bad" and the like."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """One entry per rating; items, raters and codes are numbered from 0.

    If only the order of ratings is known, the numbers in `rater` are positions and
    `positions` is true. Every result then notes that a position is not one person.

    >>> ratings = Ratings.of(item=["a", "a", "b", "b"], rater=["x", "y", "x", "y"], label=[1, 1, 2, 1])
    >>> ratings.codes, ratings.items, ratings.raters
    ((1, 2), 2, 2)
    """

    item: Ints
    rater: Ints
    code: Ints
    codes: tuple[Code, ...]
    items: int
    raters: int
    positions: bool = False
    left_out: dict[str, int] = field(default_factory=dict)
    outside: tuple[Code, ...] = ()
    """Codes without a place in the order, such as "both are bad". Measures that use the order leave them out."""
    no_order: str = ""
    """Why the codes have no order; empty if they have one."""
    cluster: Ints | None = None
    """The cluster of each item, if several items belong together: one dialogue in several conditions."""

    @classmethod
    def of(
        cls,
        item: Column,
        label: Column,
        rater: Column | None = None,
        *,
        codes: Sequence[Code] | None = None,
        positions: bool = False,
        outside: Sequence[Code] = (),
        no_order: str = "",
        cluster: Column | None = None,
    ) -> Ratings:
        """Ratings from columns of equal length; missing labels (None or nan) are left out.

        Without `rater`, ratings are numbered by their position within each item. Without
        `codes`, the labels that occur are used as the scale; numbers are in ascending order, and
        text has no order. Pass the codes of the scale in their order if there is one, because
        unused codes matter for some measures. Items with the same `cluster`, such as one dialogue
        in several conditions, are resampled together.
        """
        columns = [len(column) for column in (item, label, rater, cluster) if column is not None]
        if len(set(columns)) > 1:
            raise UnequalLengths(
                f"the columns have different lengths: {', '.join(map(str, columns))}.",
                expected="one entry per rating in each column.",
            )
        labels, present = _labels(label)
        scale = tuple(codes) if codes is not None else _sorted_codes(labels)
        items = number_names(item, present, "item")[1]
        raters = None if rater is None else number_names(rater, present, "rater")[1]
        missing = int((~present).sum())
        return cls(
            item=items,
            rater=_positions(items) if raters is None else raters,
            code=_index_codes(labels, scale),
            codes=scale,
            items=int(items.max(initial=-1)) + 1,
            raters=0 if raters is None else int(raters.max(initial=-1)) + 1,
            positions=positions or raters is None,
            left_out={"missing label": missing} if missing else {},
            outside=tuple(code for code in outside if code in scale),
            no_order=no_order or ("" if codes is not None else why_no_order(scale)),
            cluster=None if cluster is None else _clusters(items, number_names(cluster, present)[1]),
        )

    def in_order(self) -> Ratings:
        """The ratings whose codes have a place in the order; the others are left out and counted.

        Items keep their numbers. Raises NoOrder if the codes have no order.

        >>> found = Ratings.of(list("aab"), [0, 1, 9], codes=(0, 1, 9), outside=(9,)).in_order()
        >>> found.codes, found.code.tolist(), found.left_out[OUTSIDE]
        ((0, 1), [0, 1], 1)
        """
        check_order(self.no_order)
        if not self.outside:
            return self
        inside = [place for place, code in enumerate(self.codes) if code not in self.outside]
        new = np.full(len(self.codes), -1)
        new[inside] = np.arange(len(inside))
        kept = new[self.code] >= 0
        dropped = int((~kept).sum())
        return replace(
            self,
            item=self.item[kept],
            rater=self.rater[kept],
            code=new[self.code[kept]],
            codes=tuple(self.codes[place] for place in inside),
            left_out={**self.left_out, **({OUTSIDE: dropped} if dropped else {})},
            outside=(),
        )


def check_order(no_order: str) -> None:
    """Raises NoOrder if there is a reason why codes have no order."""
    if no_order:
        raise NoOrder(
            f"{no_order}, so their order is not known.",
            do="Declare the scale of the labels (`--scale` on the command line), or use a nominal measure.",
        )


def why_no_order(codes: Sequence[Code]) -> str:
    """Why codes without a declared scale have no order; empty for numbers.

    >>> why_no_order((1, 2, 3)), why_no_order(("fair", "good"))
    ('', 'the labels are text, and no scale is declared for them')
    """
    named = any(isinstance(code, str) for code in codes)
    return "the labels are text, and no scale is declared for them" if named else ""


def _clusters(item: Ints, cluster: Ints) -> Ints | None:
    """The cluster of each item; None if every item is its own."""
    of_item = np.zeros(int(item.max(initial=-1)) + 1, dtype=np.int64)
    of_item[item] = cluster
    return of_item if len(np.unique(of_item)) < len(of_item) else None


def _labels(label: Column) -> tuple[np.ndarray, np.ndarray]:
    """The labels that are not missing, and a mask of their places."""
    values = np.asarray(label)
    if values.dtype.kind in "iub":
        return values, np.ones(len(values), dtype=bool)
    values = np.asarray(label, dtype=object)
    # nan is the only value that differs from itself.
    present = np.array([value is not None and value == value for value in values], dtype=bool)  # noqa: PLR0124
    return values[present], present


def _sorted_codes(labels: np.ndarray) -> tuple[Code, ...]:
    seen = np.unique(labels).tolist() if labels.dtype.kind in "iub" else set(labels.tolist())
    return tuple(sorted(seen, key=lambda code: (isinstance(code, str), code)))


def _index_codes(labels: np.ndarray, codes: tuple[Code, ...]) -> Ints:
    index = {code: i for i, code in enumerate(codes)}
    if labels.dtype.kind in "iub":
        distinct, inverse = _distinct(labels)
        return _look_up(distinct.tolist(), index)[inverse]
    return _look_up(labels.tolist(), index)


def _look_up(labels: Sequence[Code], index: dict[Code, int]) -> Ints:
    try:
        return np.array([index[label] for label in labels], dtype=np.int64)
    except KeyError as missing:
        raise UnknownCode(
            f"label {missing.args[0]!r} is not a code of the scale.",
            expected=f"one of {', '.join(map(repr, index))}.",
            do="Declare the scale of these labels, or recode them.",
        ) from None


def number_names(values: Column, present: np.ndarray, what: str = "item") -> tuple[np.ndarray, Ints]:
    """The distinct names among those present, sorted, and the number of each row. Row order does not affect results.

    Raises MissingName if a present row has no name, because all such rows would count as one item or rater.
    """
    names = np.asarray(values)
    if names.dtype.kind == "f":
        _refuse_missing(np.isnan(names) & present, what)
    if names.dtype == object or names.ndim != 1:
        # nan is the only value that differs from itself.
        _refuse_missing(np.array([value is None or value != value for value in values]) & present, what)  # noqa: PLR0124
        names = np.array([str(value) for value in values])
    return _distinct(names[present])


def _refuse_missing(missing: np.ndarray, what: str) -> None:
    if missing.any():
        raise MissingName(
            f"{int(missing.sum()):,} ratings have no {what}.",
            expected=f"the {what} of every rating.",
            do=f"Fill in the missing values or leave out these ratings. Without any known {what}, leave out the column."
            if what == "rater"
            else "Fill in the missing values or leave out these ratings.",
        )


def _distinct(values: np.ndarray) -> tuple[np.ndarray, Ints]:
    """The distinct values, ascending, and the index of each row. Dense integers are not sorted."""
    if values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 4 * len(values):
            offsets = values.astype(np.int64) - low
            seen = np.zeros(high - low + 1, dtype=bool)
            seen[offsets] = True
            return np.flatnonzero(seen) + low, (np.cumsum(seen) - 1)[offsets]
    distinct, inverse = np.unique(values, return_inverse=True)
    return distinct, inverse.astype(np.int64)


def _positions(item: Ints) -> Ints:
    order = np.argsort(item, kind="stable")
    sizes = np.bincount(item)
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int64)
    position = np.empty_like(item)
    position[order] = np.arange(item.size) - np.repeat(starts, sizes)
    return position
