"""Findings about a model in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
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
