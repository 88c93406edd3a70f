"""What counts: the one definition of the answers that figures are made from, applied to the rows of an export.

An answer counts if it was submitted, its data are in use, it is about an item of the study (and not about a gold
item, an attention check, a qualification or the task as a whole), its question measures an aspect, and a person gave it.
An export has submitted answers only. The database view `counted_answer` states the same for the server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from labelwright import tables
from labelwright.crowd import DataUse, RaterKind
from labelwright.errors import LabelwrightError, did_you_mean

if TYPE_CHECKING:
    from labelwright.tables import Table

ExportRow: TypeAlias = Mapping[str, Any]

REASONS = {
    "left_out": "in excluded data",
    "gold": "about gold items",
    "attention": "to attention checks",
    "qualification": "in a qualification",
    "task": "about a task as a whole",
    "no_aspect": "to questions that measure no aspect",
    "model": "by models",
    "earlier_version": "to questions that a later version changed",
}
"""The reasons why answers do not count, and how a sentence names such answers."""

NO_ASPECT = "no_aspect"
EARLIER_VERSION = "earlier_version"
ITEM_ROLE = "item"

# In this order: the first rule that an answer breaks is the reason why it does not count.
_RULES = {"data_use": DataUse.USED, "role": ITEM_ROLE, "aspect": None, "rater_kind": RaterKind.PERSON}
"""The value that counts in each column; None for any value."""


class UnknownReason(LabelwrightError):
    """An argument that asks for answers left out for a reason that does not exist."""

    code = "analysis.unknown_reason"


def check_reasons(include: Iterable[str]) -> None:
    """Raises UnknownReason for a word that is not one of the reasons."""
    for reason in include:
        if reason not in REASONS:
            raise UnknownReason(
                f'answers are never left out for the reason "{reason}".',
                expected=f"one of {', '.join(REASONS)}.",
                do=did_you_mean(reason, REASONS),
            )


def reason_left_out(row: ExportRow, include: Collection[str] = ()) -> str:
    """Why an answer does not count; empty if it does. Columns that a row does not have are not tested.

    >>> reason_left_out({"data_use": "used", "role": "gold", "aspect": "usefulness", "rater_kind": "person"})
    'gold'
    >>> reason_left_out({"data_use": "used", "role": "gold"}, include=["gold"])
    ''
    """
    reasons = (_reason(column, row[column]) for column in _RULES if column in row)
    return next((reason for reason in reasons if reason and reason not in include), "")


def counted_rows(rows: Iterable[ExportRow], include: Collection[str] = ()) -> list[ExportRow]:
    """The rows of an export that count, and those left out for the reasons in `include`."""
    check_reasons(include)
    return [row for row in rows if not reason_left_out(row, include)]


def counted(table: Table, include: Collection[str] = ()) -> tuple[Table, dict[str, int]]:
    """The same for a table, and how many rows were left out for each reason."""
    check_reasons(include)
    columns = [column for column in _RULES if column in tables.columns(table)]
    combinations = tables.row_counts(table, columns) if columns else {}
    left_out: dict[str, int] = {}
    for values, n in combinations.items():
        if reason := reason_left_out(dict(zip(columns, values, strict=True)), include):
            left_out[reason] = left_out.get(reason, 0) + n
    if not left_out:
        return table, {}
    kept = {
        column: [
            value for value in {values[place] for values in combinations} if _kept(column, value, include)
        ]
        for place, column in enumerate(columns)
    }
    return tables.among(table, kept), in_order(left_out)


def in_order(left_out: Mapping[str, int]) -> dict[str, int]:
    """The reasons that occur, always in the same order."""
    return {reason: left_out[reason] for reason in REASONS if left_out.get(reason)}


def describe_left_out(left_out: Mapping[str, int]) -> str:
    """What was left out, in one sentence; empty if nothing was.

    >>> describe_left_out({"left_out": 13, "gold": 12})
    'Left out: 13 answers in excluded data, 12 about gold items.'
    """
    if not left_out:
        return ""
    (first, n), *rest = in_order(left_out).items()
    parts = [f"{n:,} answer{'' if n == 1 else 's'} {REASONS[first]}"]
    parts += [f"{n:,} {REASONS[reason]}" for reason, n in rest]
    return f"Left out: {', '.join(parts)}."


def _reason(column: str, value: Any) -> str:
    counts = _RULES[column]
    if counts is None:
        return "" if value else NO_ASPECT
    return "" if value == counts else str(value)


def _kept(column: str, value: Any, include: Collection[str]) -> bool:
    reason = _reason(column, value)
    return not reason or reason in include
