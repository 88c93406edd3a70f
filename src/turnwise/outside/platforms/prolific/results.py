"""Result files of studies run through Prolific, as researchers publish them: no times, no status.

Prolific collects no answers itself, so the columns are those of the survey behind it. This
reader takes the shape of the CAsT-snippets release: MTurk's columns, answers as Python
literals, and passage ids written as the text of a list.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.outside.platforms.mturk.results import parse_answer, spans_in


@dataclass(frozen=True)
class ProlificResult:
    """One participant's answer about one text."""

    place: str
    participant: str
    inputs: Mapping[str, str]
    answers: Any

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The character spans highlighted in the text."""
        return spans_in(self.answers)


def read_results(paths: Iterable[Path | str]) -> list[ProlificResult]:
    """The answers of one or more files, in their order."""
    return [result for path in paths for result in _read_file(Path(path))]


def _read_file(path: Path) -> list[ProlificResult]:
    csv.field_size_limit(10_000_000)
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        return [_result(row, f"{path}:{reader.line_num}") for row in reader]


def _result(row: Mapping[str, str], place: str) -> ProlificResult:
    inputs = {
        name.removeprefix("Input."): unlisted(value)
        for name, value in row.items()
        if name.startswith("Input.")
    }
    return ProlificResult(place, row["WorkerId"], inputs, parse_answer(row["Answer.taskAnswers"], place))


def unlisted(text: str) -> str:
    """A single value that was written as the text of a list.

    >>> unlisted("['MARCO_56-5']"), unlisted("MARCO_56-5")
    ('MARCO_56-5', 'MARCO_56-5')
    """
    if not text.startswith("['"):
        return text
    try:
        values = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return str(values[0]) if isinstance(values, list) and len(values) == 1 else text
