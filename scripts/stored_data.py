"""Writes the tables of docs/reference/stored-data.md from the inventory of the database:

.venv/bin/python -m scripts.stored_data
"""

from __future__ import annotations

from pathlib import Path

from labelwright.crowd import ConsentPart, RetentionPart
from labelwright.server.profiles.pages.stored_data import as_markdown, stored_data

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "stored-data.md"
BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->"


def with_tables(page: str) -> str:
    """The page with the tables of the default policy."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + as_markdown(stored_data(RetentionPart(), ConsentPart())) + END + after


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
