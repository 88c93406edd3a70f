"""The page that lists published beside recomputed says what our code gives today, and leaves nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reproduction.figures import recomputed_here
from tests.reproduction.published import needs_data, published

pytestmark = needs_data
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "reproduction.md"


def _rows() -> dict[str, list[str]]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return {name.strip("`"): rest for name, *rest in cells}


def test_every_recomputed_figure_is_on_the_page() -> None:
    assert set(_rows()) == set(recomputed_here())


def test_the_page_says_what_the_code_gives() -> None:
    stated = {name: float(cells[1]) for name, cells in _rows().items()}
    digits = {name: len(cells[1].partition(".")[2]) for name, cells in _rows().items()}
    assert stated == {name: round(value, digits[name]) for name, value in recomputed_here().items()}


def test_the_page_quotes_the_printed_figures() -> None:
    for name, cells in _rows().items():
        entry, _, part = name.partition(" ")
        printed = published(entry)[part] if part else published(entry)
        assert cells[0] == (printed if isinstance(printed, str) else f"{printed:g}"), name


def test_a_row_that_differs_is_explained() -> None:
    unexplained = [
        name
        for name, (printed, recomputed, explanation) in _rows().items()
        if not explanation and abs(float(printed.split()[0]) - float(recomputed)) > 0.0051
    ]
    assert unexplained == []


@pytest.mark.parametrize("study", ["siro", "cast"])
def test_both_studies_are_there(study: str) -> None:
    assert any(name.startswith(study) for name in _rows())
