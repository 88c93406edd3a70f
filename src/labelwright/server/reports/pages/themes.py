"""Template context of the page of themes."""

from __future__ import annotations

from typing import Any

from labelwright.server.reports.actions.themes import LONGEST_NAME, ThemePage

Context = dict[str, Any]
KEYS = 9
"""The first themes have a digit as their key."""


def themes(found: ThemePage) -> Context:
    """The texts with their themes, and the themes with their counts."""
    by_id = {each.pk: each for each in found.themes}
    return {
        "shown": found.shown,
        "rows": [
            {
                "of": row,
                "about": found.wordings.get(row.question, row.question),
                "themes": [by_id[theme].name for theme in row.themes if theme in by_id],
            }
            for row in found.shown.rows
        ],
        "themes": [
            {"of": each, "texts": found.counts.get(each.pk, 0), "key": n if n <= KEYS else None}
            for n, each in enumerate(found.themes, start=1)
        ],
        "longest": LONGEST_NAME,
        "questions": len(found.wordings),
    }
