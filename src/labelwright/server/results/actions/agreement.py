"""Live agreement, from the tallies. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from labelwright.agreement import DEFAULT_BOOTSTRAP, Counts, Estimate, measure_ratings
from labelwright.scales import Scale
from labelwright.server.results import queries
from labelwright.server.results.queries import LabelState

MEASURES = ("percentage", "fleiss_kappa")
"""The measures besides the one that fits the scale; `labelwright agreement` gives the same numbers on an export."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """Everything that determines the result; the cache key."""

    study: int
    questions: tuple[str, ...]
    scale: Scale
    versions: tuple[int, ...]
    main: str
    conditions: tuple[str, ...]


def get_agreement(
    study: int,
    questions: Sequence[str],
    scale: Scale,
    versions: Sequence[int],
    main: str,
    conditions: Sequence[str],
) -> dict[str, dict[str, Estimate]]:
    """Agreement on a question in each condition; computed once for each state of the labels.

    Judgments inside an answer have several names, such as one for each candidate: raters agree or disagree
    on each, as they do on an item.

    Each process caches it, because it takes seconds with many raters and the page requests it again and again.
    """
    asked = _Measured(study, tuple(questions), scale, tuple(versions), main, tuple(conditions))
    return _measured(asked, queries.label_state(study))


@lru_cache(maxsize=256)
def _measured(asked: _Measured, _state: LabelState | None) -> dict[str, dict[str, Estimate]]:
    column = {code: place for place, code in enumerate(asked.scale.labels)}
    tables: dict[str, dict[tuple[int, str], list[int]]] = {name: {} for name in asked.conditions}
    for found in queries.item_codes(asked.study, asked.questions, asked.versions):
        if found.code in column and found.condition in tables:
            table = tables[found.condition]
            row = table.setdefault((found.item, found.question), [0] * len(column))
            row[column[found.code]] = found.n
    return {name: _estimates(table, asked) for name, table in tables.items()}


def _estimates(table: dict[tuple[int, str], list[int]], asked: _Measured) -> dict[str, Estimate]:
    scale = asked.scale
    counts = Counts.of_table(
        list(table.values()),
        scale.labels,
        # Judgments inside answers about one item are resampled together.
        [item for item, _ in table],
        outside=scale.outside,
        no_order=scale.no_order,
    )
    return measure_ratings(counts, [asked.main, *MEASURES], DEFAULT_BOOTSTRAP)
