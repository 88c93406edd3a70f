"""Findings of probes and versions in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
