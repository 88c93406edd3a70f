"""Agreement between raters, from the tallies. Reads only."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.agreement import DEFAULT_BOOTSTRAP, Counts, Estimate, measure_ratings
from labelwright.scales import Scale
from labelwright.server.results import queries

MEASURES = ("percentage", "fleiss_kappa")
"""The measures besides the one that fits the scale; `labelwright agreement` gives the same numbers on an export."""


def get_agreement(
    study: int,
    questions: Sequence[str],
    scale: Scale,
    versions: Sequence[int],
    main: str,
    conditions: Sequence[str],
) -> dict[str, dict[str, Estimate]]:
    """Agreement on a question in each condition. Takes seconds with many raters, so only jobs call it.

    Judgments inside an answer have several names, such as one for each candidate: raters agree or disagree
    on each, as they do on an item.
    """
    column = {code: place for place, code in enumerate(scale.labels)}
    tables: dict[str, dict[tuple[int, str], list[int]]] = {name: {} for name in conditions}
    for found in queries.item_codes(study, questions, versions):
        if found.code in column and found.condition in tables:
            table = tables[found.condition]
            row = table.setdefault((found.item, found.question), [0] * len(column))
            row[column[found.code]] = found.n
    return {name: _estimates(table, scale, main) for name, table in tables.items()}


def _estimates(table: dict[tuple[int, str], list[int]], scale: Scale, main: str) -> dict[str, Estimate]:
    counts = Counts.of_table(
        list(table.values()),
        scale.labels,
        # Judgments inside answers about one item are resampled together.
        [item for item, _ in table],
        outside=scale.outside,
        no_order=scale.no_order,
    )
    return measure_ratings(counts, [main, *MEASURES], DEFAULT_BOOTSTRAP)
