"""Checks on the rows of labels: what would otherwise be counted as something that it is not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from labelwright import tables
from labelwright.analysis.errors import NotLabels

if TYPE_CHECKING:
    from labelwright.tables import Code, Table

Repeated: TypeAlias = Literal["refused", "kept"]
MOST_CHECKED = 2_000_000
"""Above this number of rows, reading does not check them, because that would take longer than the analysis."""
# A rater gives one rating to an item for each combination of these.
_ONE_RATING = ("item", "rater", "aspect", "question", "condition", "group", "category", "system", "version")


def check_rows(
    table: Table,
    *,
    positions: bool,
    names: Collection[str] = (),
    repeated: Repeated = "refused",
    at_any_size: bool = False,
) -> tuple[str, ...]:
    """Raises NotLabels for rows that cannot be counted as ratings; returns notes on rows that were kept.

    `names` are the names of the points of declared scales, which may be numbers and text.
    """
    named = ["item", *(["rater"] if "rater" in table.columns else [])]
    if not at_any_size and (rows := tables.sizes(table)[0]) > MOST_CHECKED:
        return (f"Not checked for missing raters and repeated rows, because there are {rows:,} ratings.",)
    check_named(table, named)
    _check_types(table, names)
    return () if positions or "rater" not in named else _check_repeated(table, repeated)


def check_named(table: Table, columns: Sequence[str]) -> None:
    """Raises NotLabels if a row has no value in one of these columns."""
    rows, empty = tables.missing(table, columns)
    for name, n in empty.items():
        if n:
            _refuse_missing(name, n, rows)


def _refuse_missing(name: str, n: int, rows: int) -> None:
    other = " If only the order of ratings is known, leave out the column." if name == "rater" else ""
    raise NotLabels(
        f"{n:,} of {rows:,} ratings have no {name}.",
        expected=f"a value in the column {name!r} in every row.",
        do=f"Fill in the missing values or remove these rows.{other}",
        rows=n,
    )


def _check_types(table: Table, names: Collection[str]) -> None:
    """Refuses a label column that mixes numbers with text, because the numbers would become text."""
    if not table["label"].type().is_string():
        return
    used = [code for code in tables.codes_used(table).get((), ()) if code not in names]
    numbers = [code for code in used if _is_number(code)]
    texts = [code for code in used if code not in numbers]
    if numbers and texts:
        raise NotLabels(
            f"the labels are partly numbers ({_some(numbers)}) and partly text ({_some(texts)}).",
            expected="labels of one type.",
            do=f"If the text means that there is no label, read with missing=[{texts[0]!r}]. Otherwise recode it.",
            texts=tuple(texts),
        )


def _is_number(code: Code) -> bool:
    try:
        float(code)
    except ValueError:
        return False
    return True


def _some(codes: Sequence[Code]) -> str:
    shown = ", ".join(repr(code) for code in codes[:3])
    return f"{shown}, ..." if len(codes) > 3 else shown


def _check_repeated(table: Table, repeated: Repeated) -> tuple[str, ...]:
    key = [name for name in _ONE_RATING if name in table.columns]
    extra, example = tables.repeated(table, key)
    if not extra:
        return ()
    which = ", ".join(f"{name} {value!r}" for name, value in example.items() if value is not None)
    if repeated == "refused":
        raise NotLabels(
            f"{extra:,} rows repeat an earlier rating, for example {which}.",
            expected=f"one rating for each combination of {', '.join(key)}.",
            do='Remove the repeated rows, or count them with repeated="kept".',
            rows=extra,
        )
    return (
        f"{extra:,} ratings repeat an earlier rating of the same item by the same rater, and are counted.",
    )
