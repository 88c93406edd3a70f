"""Expected design: what a study was meant to collect."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExpectedDesign:
    """The conditions, items, raters and ratings that the files should hold. What is None is not checked."""

    conditions: tuple[str, ...] | None = None
    ratings_per_item: int | None = None
    """The number of ratings of each item, in each condition and aspect."""
    items: int | None = None
    """The number of items in each condition and aspect."""
    raters: int | None = None
    """The number of raters over all files."""
