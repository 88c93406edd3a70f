"""Agreement between raters, from the tallies. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.agreement import DEFAULT_BOOTSTRAP, Counts, Estimate, mean_estimate, measure_ratings
from labelwright.scales import Scale
from labelwright.server.results import queries
from labelwright.server.results.queries.items import item_overlaps
from labelwright.server.tallies.actions.judgments import JoinedVersions, marked_in

MEASURES = ("percentage", "fleiss_kappa")
"""The measures besides the one that fits the scale; `labelwright agreement` gives the same numbers on an export."""


@dataclass(frozen=True, slots=True)
class AgreementFigures:
    """Agreement on a question."""

    by_condition: dict[str, dict[str, Estimate]]
    """By condition and measure."""
    overall: Estimate
    """The main measure over all conditions: raters of one item under one condition are compared."""


def get_agreement(
    joined: JoinedVersions,
    questions: Sequence[str],
    scale: Scale,
    versions: Sequence[int],
    main: str,
    conditions: Sequence[str],
) -> AgreementFigures:
    """Agreement on a question in each condition and over all of them. Takes seconds with many raters, so only jobs call it.

    Judgments inside an answer have several names, such as one for each candidate: raters agree or disagree
    on each, as they do on an item.
    """
    column = {code: place for place, code in enumerate(scale.labels)}
    tables: dict[str, dict[tuple[int, str], list[int]]] = {name: {} for name in conditions}
    for found in queries.item_codes(joined.row, questions, versions, excluded_too=joined.excluded_too):
        if found.code in column and found.condition in tables:
            table = tables[found.condition]
            row = table.setdefault((found.item, found.question), [0] * len(column))
            row[column[found.code]] = found.n
    estimates = {name: _estimates(_rows(table), scale, [main, *MEASURES]) for name, table in tables.items()}
    if len(estimates) == 1:
        return AgreementFigures(estimates, next(iter(estimates.values()))[main])
    rows = [row for table in tables.values() for row in _rows(table)]
    return AgreementFigures(estimates, _estimates(rows, scale, [main])[main])


def _rows(table: dict[tuple[int, str], list[int]]) -> list[tuple[int, list[int]]]:
    return [(item, counted) for (item, _), counted in table.items()]


def _estimates(
    rows: Sequence[tuple[int, list[int]]], scale: Scale, measures: Sequence[str]
) -> dict[str, Estimate]:
    counts = Counts.of_table(
        [counted for _, counted in rows],
        scale.labels,
        # Judgments about one item, inside its answers and in all conditions, are resampled together.
        [item for item, _ in rows],
        outside=scale.outside,
        no_order=scale.no_order,
    )
    return measure_ratings(counts, list(measures), DEFAULT_BOOTSTRAP)


@dataclass(frozen=True, slots=True)
class OverlapFigures:
    """How far raters marked the same parts of the texts, on one question."""

    text: str
    """The question."""
    by_condition: dict[str, Estimate]


def get_overlaps(joined: JoinedVersions) -> list[OverlapFigures]:
    """The overlap of marked parts in each condition that asks to mark some, from the stored overlap of each item."""
    study = joined.newest
    figures = []
    for marked in marked_in(study):
        found = item_overlaps(joined.row, marked.label)
        conditions = [
            name for name in study.conditions if study.design(name).question(marked.question.name) is not None
        ]
        figures.append(
            OverlapFigures(
                marked.question.text,
                {
                    name: mean_estimate(
                        "overlap",
                        [each.overlap for each in found if each.condition == name],
                        "mean over items of the mean Jaccard overlap of the characters that two raters marked",
                        DEFAULT_BOOTSTRAP,
                        ratings=sum(each.raters for each in found if each.condition == name),
                        bounds=(0, 1),
                    )
                    for name in conditions
                },
            )
        )
    return figures
