"""Sentences: what the main tables say, in words."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.report.tree import Json
from labelwright.report.wording import between, decimal, listed, p_value


def about_range(rows: Sequence[Json], key: str, figure: str, name: str) -> str:
    """In which condition a figure is highest and lowest.

    >>> cells = [{"condition": c, "k": {"value": v, "low": None, "high": None}} for c, v in (("C_0", 0.4), ("C_7", 0.57))]
    >>> about_range(cells, "k", "κ", "relevance")
    'For relevance, κ is highest in C_7 (0.57) and lowest in C_0 (0.40).'
    """
    known = [row for row in rows if row[key]["value"] is not None]
    if not known:
        return ""
    most, least = (pick(known, key=lambda row: row[key]["value"]) for pick in (max, min))
    if len(known) == 1:
        return f"For {name}, {figure} is {_with_interval(most[key])}."
    return (
        f"For {name}, {figure} is highest in {most['condition']} ({_with_interval(most[key])}) and lowest in "
        f"{least['condition']} ({_with_interval(least[key])})."
    )


def about_differences(rows: Sequence[Json], key: str = "difference", level: float = 0.95) -> str:
    """How many differences are certain after correction, and which is the largest."""
    known = [row for row in rows if row[key]["value"] is not None]
    if not known:
        return ""
    certain = [row for row in known if row["p_holm"] is not None and row["p_holm"] < 1 - level]
    largest = max(known, key=lambda row: abs(row[key]["value"]))
    sign = f"{decimal(largest[key]['value'], sign=True)} {between(largest[key], sign=True)}".strip()
    size = f"The largest difference is {sign}, {_named(largest)} (corrected p {p_value(largest['p_holm'])})."
    if len(known) == 1:
        verdict = "The difference is certain." if certain else "It cannot be told from no difference."
        return f"{size.replace('The largest difference', 'The difference')} {verdict}"
    if not certain:
        return f"None of the {len(known)} differences can be told from no difference after correction. {size}"
    names = listed([_named(row) for row in certain])
    verb = "is" if len(certain) == 1 else "are"
    return f"Of {len(known)} differences, {len(certain)} {verb} certain after correction: {names}. {size}"


def _named(row: Json) -> str:
    """What is compared: two conditions of a question, or two systems."""
    where = f" in {row['condition']}" if row.get("condition") else ""
    return f"{row['first']} to {row['second']}{where} ({row['question']})"


def _with_interval(cell: Json) -> str:
    return f"{decimal(cell['value'])} {between(cell)}".strip()
