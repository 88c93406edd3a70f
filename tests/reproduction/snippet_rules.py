"""The rules of the snippet study on its 5,565 rows, beside the flags that the authors stored.

Writes the table of docs/explanation/snippet-flags.md:

    python -m tests.reproduction.snippet_rules
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from labelwright.outside.platforms.mturk import MturkResult
from labelwright.quality import AnswerContent, OtherRating, Work, flags
from labelwright.quality.rules.span_length import SpanLength
from labelwright.quality.rules.span_overlap import SpanOverlap
from tests.reproduction.snippet_study import large_scale

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "snippet-flags.md"
BEGIN, END = "<!-- rows -->\n", "<!-- end of rows -->\n"
LENGTH = SpanLength(rule="span_length", share=0.5, empty=True)
ANYBODY, TWO_OTHERS = (SpanOverlap(rule="span_overlap", others=others) for others in (1, 2))


@dataclass(frozen=True)
class CheckedRow:
    """A row of the released files: what the authors stored, and what our rules find."""

    turn: str
    passage: str
    worker: str
    stored: str
    """`too long`, `agreement` or nothing."""
    empty: bool
    long: bool
    alone: bool
    """Shares no character with any other rater."""
    outside: bool
    """Shares no character with what both others marked."""


@cache
def checked_rows() -> tuple[CheckedRow, ...]:
    """All rows of the large-scale files."""
    found = []
    for text in large_scale().values():
        contents = [AnswerContent(tuple(spans), len(text.text)) for spans in text.raters]
        for place, result in enumerate(text.results):
            assert isinstance(result, MturkResult)
            others = [OtherRating(content=each) for n, each in enumerate(contents) if n != place]
            found.append(_checked(result, contents[place], others))
    return tuple(found)


def _checked(result: MturkResult, own: AnswerContent, others: list[OtherRating]) -> CheckedRow:
    work = Work("paragraph", 60, {}, contents={"0:spans": own}, other_ratings={"0:spans": others})
    evidence = {rule.version: found for rule, found in flags([LENGTH, ANYBODY, TWO_OTHERS], work)}
    length = evidence.get(LENGTH.version, {"empty": [], "long": {}})
    stored = result.rejection or ""
    return CheckedRow(
        result.inputs["turn_id"],
        result.inputs["passage_id"],
        result.worker,
        "too long" if "long" in stored else "agreement" if stored else "nothing",
        bool(length["empty"]),
        bool(length["long"]),
        ANYBODY.version in evidence,
        TWO_OTHERS.version in evidence,
    )


def _kind(row: CheckedRow) -> str:
    if row.empty:
        return "nothing marked"
    if row.long:
        return (
            "a span over half of the passage, and alone" if row.alone else "a span over half of the passage"
        )
    return "shares nothing with any other rater" if row.alone else "neither"


def table() -> str:
    """The rows by what the rules find and what the authors stored, with one row of each kind as an example."""
    rows = checked_rows()
    counts = Counter((_kind(row), row.stored) for row in rows)
    examples = {(_kind(row), row.stored): row for row in reversed(rows)}
    lines = ["| our rules find | the authors stored | rows | for example |", "|---|---|---|---|"]
    for (kind, stored), n in sorted(counts.items()):
        row = examples[kind, stored]
        example = f"{row.turn}, {row.passage}, {row.worker}"
        lines.append(f"| {kind} | {stored} | {n:,} | {example} |")
    return "\n".join(lines) + "\n"


def with_table(page: str) -> str:
    """The page with the table as the files give it."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
