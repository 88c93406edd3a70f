"""Result files from Mechanical Turk: CSV with one row per assignment."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelwright.errors import LabelwrightError

_LARGEST_CELL = 10_000_000


class BadResult(LabelwrightError):
    """A row of a result file that cannot be read."""

    code = "mturk.bad_result"


@dataclass(frozen=True)
class MturkResult:
    """One assignment: worker, inputs, answers, working time and reward."""

    place: str
    """File and line, for error messages."""
    worker: str
    inputs: Mapping[str, str]
    """The `Input.` columns, without the prefix."""
    answers: Any
    """The parsed answers of the HIT; None if the file has no answer column."""
    seconds: float | None
    reward_cents: int | None
    approved: bool
    rejection: str
    """The requester's text in the Reject column, or an empty string."""
    other: Mapping[str, str]
    """Every other column."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The highlighted character spans, in the order in which they were given."""
        return spans_in(self.answers)


def read_results(paths: Iterable[Path | str]) -> list[MturkResult]:
    """The assignments of one or more result files, in file order."""
    return [_result(row, place) for place, row in read_rows(paths)]


def read_rows(paths: Iterable[Path | str]) -> Iterator[tuple[str, dict[str, str | None]]]:
    """The rows of files with MTurk columns, each with its file and line."""
    # Passages and answers exceed the csv module's default limit of 128 kB per cell.
    csv.field_size_limit(_LARGEST_CELL)
    for path in map(Path, paths):
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            if "WorkerId" not in (reader.fieldnames or []):
                raise BadResult(
                    "there is no column WorkerId.", where=str(path), expected="an MTurk result file."
                )
            yield from ((f"{path}:{reader.line_num}", row) for row in reader)


def _result(row: Mapping[str, str | None], place: str) -> MturkResult:
    cells = {name: value or "" for name, value in row.items() if name}
    answer = cells.get("Answer.taskAnswers", "")
    known = ("WorkerId", "WorkTimeInSeconds", "Reward", "Approve", "Reject", "Answer.taskAnswers")
    return MturkResult(
        place=place,
        worker=cells["WorkerId"],
        inputs={
            name.removeprefix("Input."): value for name, value in cells.items() if name.startswith("Input.")
        },
        answers=parse_answer(answer, place) if answer else None,
        seconds=float(cells["WorkTimeInSeconds"]) if cells.get("WorkTimeInSeconds") else None,
        reward_cents=_cents(cells.get("Reward", "")),
        approved=bool(cells.get("Approve")),
        rejection=cells.get("Reject", ""),
        other={
            name: value
            for name, value in cells.items()
            if not name.startswith("Input.") and name not in known
        },
    )


def parse_answer(text: str, place: str = "") -> Any:
    """An answer in JSON or as a Python literal (single quotes, True), because files contain both.

    >>> parse_answer('[{"a": true}]'), parse_answer("[{'a': True}]")
    ([{'a': True}], [{'a': True}])
    """
    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(text)
        except (ValueError, SyntaxError):
            continue
    raise BadResult(
        f"the answer is neither JSON nor a Python literal: {text[:60]}",
        where=place or None,
        expected="a list.",
    )


def spans_in(answers: Any) -> list[tuple[int, int]]:
    """The half-open spans of every `entities` list in an answer.

    >>> spans_in([{"task": {"entities": [{"startOffset": 3, "endOffset": 7, "label": "x"}]}}])
    [(3, 7)]
    """
    if isinstance(answers, Mapping):
        own = [(int(e["startOffset"]), int(e["endOffset"])) for e in answers.get("entities", [])]
        return own + [
            span for name, value in answers.items() if name != "entities" for span in spans_in(value)
        ]
    if isinstance(answers, Sequence) and not isinstance(answers, str):
        return [span for value in answers for span in spans_in(value)]
    return []


def chosen_flag(answers: Any, question: str) -> str | None:
    """The chosen option of a radio question, which MTurk stores as one flag per option; None if none is set.

    >>> chosen_flag([{"confidence": {"low": False, "high": True}}], "confidence")
    'high'
    """
    for part in answers if isinstance(answers, list) else [answers]:
        flags = part.get(question, {}) if isinstance(part, Mapping) else {}
        for option, chosen in flags.items():
            if chosen:
                return str(option)
    return None


def _cents(reward: str) -> int | None:
    found = re.search(r"(\d+)\.(\d\d)", reward)
    return int(found[1]) * 100 + int(found[2]) if found else None
