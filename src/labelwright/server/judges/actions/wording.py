"""Findings about a model in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from labelwright.server.judges.actions.draws import Reach
from labelwright.server.judges.actions.versions import DeclaredVersion, estimate_of
from labelwright.server.store.models import JudgeRun


def probe_lines(run: JudgeRun) -> Iterator[str]:
    """What a probe found, a line for each question."""
    if run.figures is None:
        yield f"{run.kind}: not finished."
        return
    for each in run.figures["questions"]:
        if "refused" in each:
            yield f"{run.kind}, {each['question']}: {each['refused']}"
            continue
        people = f" People: {_bias(each['people'])}." if each["people"] else ""
        yield (
            f"{run.kind}, {each['question']}: {_bias(each['judge'])} on {each['judge']['n']:,} items. "
            f"A bias of {each['smallest']:g} is {each['presence']}.{people}"
        )


def _bias(bias: Mapping[str, Any]) -> str:
    return f"{bias['value']:+.2f} [{bias['low']:+.2f}, {bias['high']:+.2f}]"


def version_lines(found: Sequence[DeclaredVersion], most: int) -> Iterator[str]:
    """All versions with both figures, newest first, and disagreements of the newest on development items."""
    for declared in found:
        for question in _questions(declared):
            seen, unseen = (
                estimate.text if (estimate := estimate_of(run, question)) else "none yet"
                for run in (declared.development, declared.held_out)
            )
            yield (
                f"Version {declared.version.number}, {question}: development {seen}, held-out {unseen}. "
                f"{declared.version.change}"
            )
    newest = found[0].development if found else None
    for each in (newest.figures or {}).get("questions", []) if newest else []:
        yield f"{each['question']}: {each['differ']:,} of {each['items']:,} development items differ."
        for one in each["disagreements"][:most]:
            yield f"{one['item']}: people {', '.join(map(str, one['people']))}; model {one['model']}"


def _questions(declared: DeclaredVersion) -> list[str]:
    run = declared.development
    return [each["name"] for each in (run.figures or {}).get("questions", [])] if run else []


def reach_lines(rows: Sequence[Reach]) -> Iterator[str]:
    """How far the interval of each score reaches, and what that means."""
    for row in rows:
        yield (
            f"{row.name}: {row.value:.2f} [{row.low:.2f}, {row.high:.2f}], reaches {row.half:.2f} to each side; "
            f"people have rated {row.labelled:,} of {row.items:,}."
        )
    yield say_certainty(rows)


def say_excess(scores: Sequence[Mapping[str, Any]]) -> str:
    """Which systems the model alone scores too high or too low, and whether it ranks them as people do.

    >>> def row(name: str, people: float, model: float) -> dict[str, Any]:
    ...     excess = model - people
    ...     ends = {"value": excess, "low": excess - 0.1, "high": excess + 0.1}
    ...     return {"name": name, "people": {"value": people}, "model": {"value": model}, "excess": ends}
    >>> say_excess([row("fern", 3.0, 3.5), row("gorse", 2.8, 3.0)])
    'Alone, the judge scores every system too high, by 0.20 to 0.50. It ranks the systems as people do.'
    >>> say_excess([row("fern", 3.0, 3.5), row("gorse", 2.6, 2.4), row("heath", 2.1, 2.05)])
    'Alone, the judge scores fern too high (by 0.50) and gorse too low (by 0.20). It ranks the systems as people do.'
    >>> say_excess([row("fern", 3.0, 3.05)]), say_excess([row("all items", 3.0, 2.5)])
    ('Whether the judge alone scores too high or too low is not certain.', 'Alone, the judge scores too low, by 0.50.')
    """
    known = [row for row in scores if row.get("excess") and row["excess"]["low"] is not None]
    if not known:
        return ""
    high = [row for row in known if row["excess"]["low"] > 0]
    low = [row for row in known if row["excess"]["high"] < 0]
    if not high and not low:
        said = "Whether the judge alone scores too high or too low is not certain."
    elif len(scores) in (len(high), len(low)):
        every = "every system " if len(scores) > 1 else ""
        said = f"Alone, the judge scores {every}too {'high' if high else 'low'}, by {_say_amounts(scores)}."
    else:
        each = [_say_one(row, "high") for row in high] + [_say_one(row, "low") for row in low]
        said = f"Alone, the judge scores {join_names(each)}."
    return f"{said} {_say_order(scores)}".strip()


def _say_amounts(scores: Sequence[Mapping[str, Any]]) -> str:
    amounts = sorted({f"{abs(row['excess']['value']):.2f}" for row in scores}, key=float)
    return amounts[0] if len(amounts) == 1 else f"{amounts[0]} to {amounts[-1]}"


def _say_one(row: Mapping[str, Any], word: str) -> str:
    return f"{row['name']} too {word} (by {_say_amounts([row])})"


def _say_order(scores: Sequence[Mapping[str, Any]]) -> str:
    """Whether the model ranks the systems as people do. Two that are equal are in any order.

    >>> def row(name: str, people: float, model: float) -> dict[str, Any]:
    ...     return {"name": name, "people": {"value": people}, "model": {"value": model}}
    >>> _say_order([row("fern", 3, 2), row("gorse", 2, 3)])
    'Its order of the systems differs from people’s: gorse, fern. See the differences for which are certain.'
    >>> _say_order([row("fern", 3, 3.5), row("gorse", 3, 3.6)])
    'It ranks the systems as people do.'
    """
    if len(scores) < 2:
        return ""
    reversed_pairs = any(
        (one["people"]["value"] - other["people"]["value"])
        * (one["model"]["value"] - other["model"]["value"])
        < 0
        for one, other in combinations(scores, 2)
    )
    if not reversed_pairs:
        return "It ranks the systems as people do."
    order = ", ".join(_names(sorted(scores, key=lambda row: -row["model"]["value"])))
    return (
        f"Its order of the systems differs from people’s: {order}. See the differences for which are certain."
    )


def _names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(row["name"]) for row in rows]


def join_names(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> join_names(["fern"]), join_names(["fern", "gorse", "heath"])
    ('fern', 'fern, gorse and heath')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def say_certainty(rows: Sequence[Reach]) -> str:
    """What the rows mean, in a sentence.

    >>> def sentence(needed: int) -> str:
    ...     return say_certainty([Reach("fern", 0.5, 0.3, 0.7, 100, 160, needed)])
    >>> sentence(0)
    'All scores are certain enough. People need not rate more items.'
    >>> say_certainty([])
    'No score has an interval yet. People have rated too few items.'
    >>> sentence(40)
    'fern is not certain enough: if people rate about 40 more items, a share of 88%, it is expected to be.'
    >>> sentence(90)
    'fern is not certain enough, and the items that are left are too few. Add dialogues, or accept a wider interval.'
    """
    if not rows:
        return "No score has an interval yet. People have rated too few items."
    most = max(rows, key=lambda row: row.missing)
    if not most.needed:
        return "All scores are certain enough. People need not rate more items."
    said = f"{most.name} is not certain enough"
    if most.missing > 1:
        return f"{said}, and the items that are left are too few. Add dialogues, or accept a wider interval."
    share = math.ceil(100 * (most.labelled + most.needed) / most.items)
    return (
        f"{said}: if people rate about {most.needed:,} more items, a share of {share}%, it is expected to be."
    )
