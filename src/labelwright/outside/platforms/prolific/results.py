"""Published result files of studies on Prolific, without times and status.

Prolific does not collect answers, so the columns are those of the survey. This reader supports the
format of the CAsT-snippets release: MTurk columns, answers as Python literals, and passage ids written
as the text of a list.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelwright.outside.platforms.mturk.results import parse_answer, read_rows, spans_in


@dataclass(frozen=True)
class ProlificResult:
    """The answers of one participant about one text."""

    place: str
    participant: str
    inputs: Mapping[str, str]
    answers: Any

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The highlighted character spans."""
        return spans_in(self.answers)


def read_results(paths: Iterable[Path | str]) -> list[ProlificResult]:
    """The answers of one or more files, in file order."""
    return [_result(row, place) for place, row in read_rows(paths)]


def _result(row: Mapping[str, str | None], place: str) -> ProlificResult:
    cells = {name: value or "" for name, value in row.items()}
    inputs = {
        name.removeprefix("Input."): unlisted(value)
        for name, value in cells.items()
        if name.startswith("Input.")
    }
    return ProlificResult(place, cells["WorkerId"], inputs, parse_answer(cells["Answer.taskAnswers"], place))


def unlisted(text: str) -> str:
    """A single value from the text of a list.

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
