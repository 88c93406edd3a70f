"""Agreement of labels, sliced by any columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelwright import tables
from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    CountMeasure,
    Counts,
    Estimate,
    Measure,
    Significance,
    correct_tests,
    get_measure,
    kappa_of_sums,
    permutation_test,
)
from labelwright.agreement.pairs import few_shared_note, mean_over_pairs, mean_shared
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.results import EstimateRow, EstimateTable

DEFAULT_MEASURES = ("percentage", "fleiss_kappa", "alpha_nominal", "alpha_ordinal")
"""The measures that are computed if none is named."""
# Above this number, pairs of raters are counted by the engine and not resampled, because a
# thousand replicates of tens of millions of pairs would take hours.
MANY_RATINGS = 2_000_000
# Up to these numbers, the ratings and a raters x raters table fit into memory. Above them, the
# engine joins the ratings.
MOST_IN_MEMORY = 50_000_000
MOST_RATERS = 3_000


def measure_agreement(
    labels: Labels,
    measures: Sequence[str] = DEFAULT_MEASURES,
    by: Sequence[str] = (),
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> EstimateTable:
    """Agreement for every combination of values of the columns in `by`, per aspect and question.

    The engine computes counts in one pass over the rows. Measures that need raters fetch the
    individual ratings of each slice. Raises MixedCodes if conditions with different codes would
    be pooled.

    >>> rows = {"item": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"], "label": [1, 1, 2, 1]}
    >>> measure_agreement(Labels.read(rows), ["percentage"], bootstrap=None)
    Agreement
    percentage  items
    0.50        2
    """
    if labels.has("condition") and "condition" not in by:
        labels.check_codes("condition", "pooling conditions")
    chosen = [get_measure(name) for name in measures]
    names = list(dict.fromkeys([*labels.never_pooled(), *by]))
    counts = labels.counts(names) if any(isinstance(each, CountMeasure) for each in chosen) else {}
    rows = [
        EstimateRow(
            where,
            _estimates(
                part, chosen, _counts_of(part, counts.get(tuple(where.values())), bootstrap), bootstrap
            ),
        )
        for where, part in labels.slices(by)
    ]
    return EstimateTable(tuple(rows), "Agreement", labels.notes, labels.left_out)


def _counts_of(labels: Labels, counts: Counts | None, bootstrap: Bootstrap | None) -> Counts | None:
    """The counts of a slice, with those items together that are resampled together."""
    together = labels.resampled_together()
    if counts is None or bootstrap is None or together is None:
        return counts
    if together == "item" and len(labels.values("condition")) < 2:
        return counts
    found = tables.count_clusters(labels.table, counts.codes, item=labels.item_key(), cluster=together)
    return counts.with_clusters(found.members, found.many)


def _estimates(
    labels: Labels, measures: Sequence[Measure], counts: Counts | None, bootstrap: Bootstrap | None
) -> dict[str, Estimate]:
    found: dict[str, Estimate] = {}
    by_engine = _pair_kappa(labels, bootstrap) if _too_many(labels, measures) else None
    wants_ratings = any(not isinstance(each, CountMeasure) for each in measures) and by_engine is None
    resamples_raters = bootstrap is not None and bootstrap.raters and not labels.positions
    ratings = labels.ratings() if wants_ratings or resamples_raters else None
    for each in measures:
        if isinstance(each, CountMeasure) and counts is not None:
            found[each.name] = each(ratings if resamples_raters and ratings else counts, bootstrap)
        elif ratings is not None:
            found[each.name] = each(ratings, bootstrap)
        elif each.name == "cohen_kappa" and by_engine is not None:
            found[each.name] = by_engine
        else:
            reason = (
                f"there are more than {MANY_RATINGS:,} ratings; choose a slice or a measure that uses counts"
            )
            found[each.name] = Estimate(each.name, UNDEFINED, each.definition, undefined=reason)
    return found


def _too_many(labels: Labels, measures: Sequence[Measure]) -> bool:
    if all(isinstance(each, CountMeasure) for each in measures) or labels.positions:
        return False
    return tables.sizes(labels.table)[0] > MANY_RATINGS


def _pair_kappa(labels: Labels, bootstrap: Bootstrap | None) -> Estimate:
    """Mean Cohen's kappa over pairs of raters for many ratings, without an interval."""
    aspects = labels.values("aspect") if labels.has("aspect") else [None]
    codes = labels.codes(aspects[0] if len(aspects) == 1 else None)
    rows, raters = tables.sizes(labels.table, ["rater"])
    missing = labels.check_named()
    rows -= missing.get("missing label", 0)
    if tables.runs_here(labels.table) and rows <= MOST_IN_MEMORY and raters <= MOST_RATERS:
        item, rater, code = tables.numbered(labels.table, codes)
        sums, items = (
            tables.sum_pairs(item, rater, code, len(codes)),
            int(np.count_nonzero(np.bincount(item))),
        )
    else:
        sums, items = tables.count_pairs(labels.table, codes), tables.sizes(labels.table, ["item"])[1]
    shared = sums.items.astype(float)
    values = kappa_of_sums(shared, sums.agreed.astype(float), sums.chance)
    defined = np.isfinite(values)
    no_interval = "No interval, because there are too many pairs of ratings to resample."
    return Estimate(
        "cohen_kappa",
        float(mean_over_pairs(values, shared)),
        get_measure("cohen_kappa").definition,
        raters=raters,
        items=items,
        ratings=rows,
        left_out={"pair of raters without a value": n, **missing}
        if (n := int((~defined).sum()))
        else missing,
        undefined=None if defined.any() else "no two raters judged the same item",
        notes=few_shared_note(shared, items) + ((no_interval,) if bootstrap else ()),
        parts={"pairs": float(defined.sum()), "shared_items": mean_shared(shared)},
    )


def significance(
    labels: Labels, measure: str = "fleiss_kappa", by: Sequence[str] = (), runs: int = 1000, seed: int = 0
) -> list[tuple[dict[str, Any], Significance]]:
    """A permutation test of agreement in every slice, with Holm's correction over all slices."""
    parts = list(labels.slices(by))
    tests = [permutation_test(part.ratings(), measure, runs, seed) for _, part in parts]
    return [(where, test) for (where, _), test in zip(parts, correct_tests(tests), strict=True)]
