"""Live agreement, from the tallies and from single ratings. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from labelwright.agreement import Bootstrap, Counts, Estimate, Ratings, measure_ratings
from labelwright.scales import Scale
from labelwright.server.results import queries
from labelwright.server.results.queries import LabelState
from labelwright.study import Study

REPLICATES = 1000
MOST_RATINGS = 200_000
"""Kappa needs single ratings and uses the first ones up to this number. The other measures use the tallies."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """Everything that determines the result; the cache key."""

    questions: tuple[str, ...]
    scale: Scale
    batches: tuple[int, ...]
    main: str
    conditions: tuple[str, ...]
    seed: int


def get_agreement(
    study: Study, questions: Sequence[str], scale: Scale, batches: Sequence[int], main: str
) -> dict[str, dict[str, Estimate]]:
    """Agreement on a question in each condition; computed once for each state of the labels.

    Judgments inside an answer have several names, such as one for each candidate: raters agree or disagree
    on each, as they do on an item.

    Each process caches it, because it takes seconds with many raters and the page requests it again and again.
    """
    asked = _Measured(tuple(questions), scale, tuple(batches), main, tuple(study.conditions), study.seed)
    return _measured(asked, queries.label_state(asked.batches))


@lru_cache(maxsize=256)
def _measured(asked: _Measured, _state: LabelState | None) -> dict[str, dict[str, Estimate]]:
    column = {code: place for place, code in enumerate(asked.scale.labels)}
    tables: dict[str, dict[tuple[int, str], list[int]]] = {name: {} for name in asked.conditions}
    for found in queries.item_codes(asked.questions, asked.batches):
        if found.code in column:
            table = tables[found.condition]
            row = table.setdefault((found.item, found.question), [0] * len(column))
            row[column[found.code]] = found.n
    bootstrap = Bootstrap(replicates=REPLICATES, seed=asked.seed % 2**32)
    ratings = _ratings(asked)
    measured: dict[str, dict[str, Estimate]] = {}
    for name, table in tables.items():
        # Judgments inside answers about one item are resampled together.
        counts = Counts.of_table(list(table.values()), asked.scale.labels, [item for item, _ in table])
        measured[name] = measure_ratings(counts, ["percentage", asked.main], bootstrap)
        if name in ratings:
            measured[name] |= measure_ratings(ratings[name], ["cohen_kappa"], bootstrap)
    return measured


def _ratings(asked: _Measured) -> dict[str, Ratings]:
    """Single ratings in the order of submission; a position is not a rater, and the result says so."""
    codes = asked.scale.labels
    columns: dict[str, tuple[list[str], list[int], list[int]]] = {}
    for rating in queries.single_ratings(asked.questions, codes, asked.batches, MOST_RATINGS):
        judged, given, items = columns.setdefault(rating.condition, ([], [], []))
        judged.append(f"{rating.item} {rating.question}")
        given.append(rating.code)
        items.append(rating.item)
    return {
        name: Ratings.of(judged, given, codes=codes, cluster=items)
        for name, (judged, given, items) in columns.items()
    }
