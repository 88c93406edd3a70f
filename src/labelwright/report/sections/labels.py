"""Sections about labels: distributions, agreement, consistency between conditions, shifts and confidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from labelwright.agreement import correct_tests
from labelwright.analysis import Consistency, Contrast, ContrastTable, EstimateTable, LabelDistribution
from labelwright.report.cells import (
    column,
    contrast_cell,
    estimate_cell,
    figure,
    p_cells,
    plain,
    result_of,
    section,
    table,
    text,
    unknown,
)
from labelwright.report.sentences import about_differences, about_range
from labelwright.report.sources import NotComputed, ReportedQuestion, Sources, attempt, refusals
from labelwright.report.terms import term_name
from labelwright.report.tree import Json

_THESE_RATERS = (
    "The intervals are about these raters and other items; other raters may be more or less lenient."
)
_NO_CONDITIONS = "The ratings belong to one condition, so there is nothing to compare."


def label_section(sources: Sources) -> Json:
    """The label distribution per condition, the majority labels and the mean scores."""
    blocks: list[Json] = []
    for each in sources.questions:
        found = each.after.label_shares()
        blocks.append(_distribution_table(each, found))
        blocks.append(_distribution_figure(each, found))
    blocks += _score_tables(sources)
    return section("labels", "Label distributions", blocks)


def _distribution_table(each: ReportedQuestion, found: Sequence[LabelDistribution]) -> Json:
    codes = list(dict.fromkeys(code for one in found for code in one.codes))
    scale = each.asked.kept.scale
    names = {code: _point_name(code, scale) for code in codes}
    columns = [
        column("condition", "Condition"),
        *(column(f"n_{place}", names[code], "count") for place, code in enumerate(codes)),
        *(column(f"share_{place}", f"{names[code]}, share", "share") for place, code in enumerate(codes)),
        *(
            column(f"majority_{place}", f"{names[code]}, majority", "count", "majority")
            for place, code in enumerate(codes)
        ),
        column("no_majority", "No majority", "count", "majority"),
    ]
    rows = [_distribution_row(one, codes) for one in found]
    result = result_of("distribution", each.asked.where, "condition")
    return table(
        f"labels-{each.asked.key}", f"Labels of {each.asked.name} by condition.", columns, rows, (), result
    )


def _point_name(code: Any, scale: Any) -> str:
    return f"{code} {scale.name_of(code)}" if scale and str(code) != scale.name_of(code) else str(code)


def _distribution_row(one: LabelDistribution, codes: Sequence[Any]) -> Json:
    row: Json = {"condition": str(one.where.get("condition")), "no_majority": one.no_majority}
    for place, code in enumerate(codes):
        if code in one.codes:
            at = one.codes.index(code)
            row |= {
                f"n_{place}": one.ratings[at],
                f"share_{place}": one.shares[at],
                f"majority_{place}": one.majority[at],
            }
    return row


def _distribution_figure(each: ReportedQuestion, found: Sequence[LabelDistribution]) -> Json:
    bars = [
        {
            "condition": str(one.where.get("condition")),
            "codes": list(one.codes),
            "ratings": list(one.ratings),
            "outside": list(one.outside),
        }
        for one in found
    ]
    caption = f"Share of ratings with each label of {each.asked.name}, by condition."
    return figure(
        f"labels-{each.asked.key}",
        caption,
        "distribution",
        bars=bars,
        aspect=each.asked.name,
        ordered=not each.asked.kept.no_order,
    )


def _score_tables(sources: Sources) -> list[Json]:
    """Mean scores by condition, and by category if items have one."""
    by = [["condition"]]
    if sources.material.has("category"):
        by += (
            [["category"], ["condition", "category"]]
            if sources.material.several_conditions
            else [["category"]]
        )
    found = [_score_table(sources, names) for names in by]
    return [block for part in found for block in part]


def _score_table(sources: Sources, by: list[str]) -> list[Json]:
    made = [(each, attempt(lambda e=each: e.after.scores(by))) for each in sources.questions]  # type: ignore[misc]
    rows: list[Json] = [
        {
            "question": each.asked.name,
            **{name: str(row.where[name]) for name in by},
            "score": estimate_cell(row.estimates["score"]),
            "items": row.estimates["score"].items,
        }
        for each, found in made
        if isinstance(found, EstimateTable)
        for row in found
        if not row.estimates["score"].undefined
    ]
    if not rows:
        return []
    columns = [
        column("question", "Question"),
        *(column(name, name.capitalize()) for name in by),
        column("score", "Mean score", "estimate", "score"),
        column("items", "Items", "count"),
    ]
    drawn = [
        {"panel": row["question"], "name": " ".join(str(row[name]) for name in by), **row["score"]}
        for row in rows
    ]
    key = "scores-" + "-".join(by)
    caption = f"Mean score from 0 (worst) to 1 (best) by {' and '.join(by)}, with 95% intervals over items."
    return [
        table(key, caption, columns, rows, [_THESE_RATERS], result_of("distribution", across=by[0])),
        figure(key, caption, "estimates", rows=drawn, axis="mean score, 0 to 1"),
    ]


def agreement_section(sources: Sources) -> Json:
    """Agreement per condition with intervals and tests, and differences to the reference condition."""
    blocks: list[Json] = []
    if not sources.material.names_raters:
        blocks.append(
            text(
                "The data do not say who gave which rating. Measures over pairs of raters are therefore means over pairs "
                "of positions, and no interval speaks for other raters."
            )
        )
    tests = _agreement_tests(sources)
    for each in sources.questions:
        found = attempt(each.after.agreement)
        if isinstance(found, NotComputed):
            blocks += refusals([(each.asked.name, found)])
            continue
        blocks += _agreement_blocks(each, found, tests[each.asked.key])
    if sources.material.several_conditions:
        blocks += _difference_blocks(
            sources,
            "agreement-differences",
            f"Difference of {term_name(sources.measure)} to {sources.material.reference}",
            lambda each: each.after.agreement_differences(sources.measure),
            result_of("agreement", across="condition", measure=sources.measure),
            sources.measure,
        )
    return section("agreement", "Agreement", blocks)


def _agreement_tests(sources: Sources) -> dict[str, list[Json]]:
    """The tests of all questions and conditions, corrected as one family."""
    made = {each.asked.key: attempt(each.after.agreement_tests) for each in sources.questions}
    flat = [test for tests in made.values() if not isinstance(tests, NotComputed) for test in tests]
    corrected = iter(correct_tests(flat))
    return {
        key: [] if isinstance(tests, NotComputed) else [p_cells(next(corrected)) for _ in tests]
        for key, tests in made.items()
    }


def _agreement_blocks(each: ReportedQuestion, found: EstimateTable, tests: list[Json]) -> list[Json]:
    names = list(dict.fromkeys(name for row in found for name in row.estimates))
    columns = [
        column("condition", "Condition"),
        *(column(name, term_name(name), "estimate", name) for name in names),
        column("p_holm", "p, corrected", "p", "p"),
        column("items", "Items", "count"),
        column("ratings", "Ratings", "count"),
    ]
    rows: list[Json] = []
    for place, row in enumerate(found):
        sizes = next(iter(row.estimates.values()))
        rows.append(
            {
                "condition": str(row.where.get("condition")),
                **{name: estimate_cell(row.estimates[name]) for name in names},
                **(tests[place] if place < len(tests) else {}),
                "items": sizes.items,
                "ratings": sizes.ratings,
            }
        )
    drawn = [
        {"panel": term_name(name), "name": row["condition"], **row[name]} for name in names for row in rows
    ]
    caption = f"Agreement on {each.asked.name} by condition, with 95% intervals."
    key = f"agreement-{each.asked.key}"
    about = " p tests whether raters agree more than by chance, corrected over all rows of this section."
    return [
        text(about_range(rows, "fleiss_kappa", term_name("fleiss_kappa"), each.asked.name)),
        table(key, caption + about, columns, rows, found.notes, result_of("agreement", each.asked.where)),
        figure(key, caption, "estimates", rows=drawn, axis=""),
    ]


def _difference_blocks(
    sources: Sources,
    key: str,
    caption: str,
    make: Callable[[ReportedQuestion], list[Contrast]],
    result: Json,
    term: str,
) -> list[Json]:
    """A table of contrasts of all questions, corrected as one family, with its figure."""
    made = [(each, attempt(lambda e=each: make(e))) for each in sources.questions]  # type: ignore[misc]
    refused = [(each.asked.name, found) for each, found in made if isinstance(found, NotComputed)]
    pairs = [(each, one) for each, found in made if not isinstance(found, NotComputed) for one in found]
    whole = ContrastTable.of([one for _, one in pairs], caption)
    rows = [_contrast_row(each, one) for (each, _), one in zip(pairs, whole, strict=True)]
    blocks = refusals(refused)
    if not rows:
        return blocks
    columns = [
        column("question", "Question"),
        column("first", "From"),
        column("second", "To"),
        column("before", "Before", "number", term),
        column("after", "After", "number", term),
        column("difference", "Difference", "difference", "difference"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
        column("items", "Items", "count"),
    ]
    if any(row["effect_size"] is not None for row in rows):
        columns.insert(-1, column("effect_size", "Effect size", "number", "effect_size"))
    drawn = [
        {"panel": row["question"], "name": f"{row['first']} to {row['second']}", **row["difference"]}
        for row in rows
    ]
    sentence = f"{caption}, with 95% intervals."
    return [
        text(about_differences(rows, level=sources.level)),
        table(key, sentence, columns, rows, whole.notes, result),
        figure(key, sentence, "estimates", rows=drawn, axis="difference"),
        *blocks,
    ]


def _contrast_row(each: ReportedQuestion, one: Contrast) -> Json:
    return {
        "question": each.asked.name,
        "first": str(one.first),
        "second": str(one.second),
        "before": plain(one.values[0]),
        "after": plain(one.values[1]),
        "difference": contrast_cell(one),
        **p_cells(one.test),
        "effect_size": plain(one.effect_size),
        "items": one.items,
    }


def consistency_section(sources: Sources) -> Json:
    """How often two conditions give an item the same label, beside what replicates would give."""
    title = "Consistency between conditions"
    if not sources.material.several_conditions:
        return section("consistency", title, [unknown(_NO_CONDITIONS)])
    blocks: list[Json] = []
    refused = []
    for each in sources.questions:
        found = attempt(each.after.consistency)
        if isinstance(found, NotComputed):
            refused.append((each.asked.name, found))
        elif len(found.conditions) > 1:
            blocks += _consistency_blocks(each, found)
    return section("consistency", title, [*blocks, *refusals(refused)])


def _consistency_blocks(each: ReportedQuestion, found: Consistency) -> list[Json]:
    rows = []
    for one, two in combinations(found.conditions, 2):
        same = found.get(one, two)
        rows.append(
            {
                "first": one,
                "second": two,
                "same": estimate_cell(same),
                "expected": plain(found.expected[one, two]),
                **p_cells(found.test(one, two)),
                "items": same.items,
            }
        )
    columns = [
        column("first", "Condition"),
        column("second", "Condition"),
        column("same", "Same label", "estimate", "same_label"),
        column("expected", "Expected without effect", "number", "same_label"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
        column("items", "Items", "count"),
    ]
    caption = f"Share of items with the same majority label of {each.asked.name} in two conditions."
    baseline = {name: plain(share) for name, share in found.baseline.items()}
    repeated = [{"condition": name, "replicates": share} for name, share in baseline.items()]
    key = f"consistency-{each.asked.key}"
    return [
        figure(
            key,
            f"{caption} In brackets: what two replicates of the same condition would share.",
            "matrix",
            conditions=list(found.conditions),
            rows=rows,
            baseline=baseline,
            aspect=each.asked.name,
        ),
        table(
            key, caption, columns, rows, found.notes, result_of("consistency", each.asked.where, "condition")
        ),
        table(
            f"replicates-{each.asked.key}",
            f"Expected share of equal majority labels of {each.asked.name} if a condition were repeated.",
            [column("condition", "Condition"), column("replicates", "Replicates", "number", "replicates")],
            repeated,
        ),
    ]


def shift_section(sources: Sources) -> Json:
    """How far labels move towards the positive end between conditions."""
    title = "Positivity shift"
    if not sources.material.several_conditions:
        return section("shift", title, [unknown(_NO_CONDITIONS)])
    blocks = _difference_blocks(
        sources,
        "shift",
        f"Shift of the mean score from {sources.material.reference}",
        lambda each: each.after.shifts(),
        result_of("shift", across="condition"),
        "score",
    )
    return section("shift", title, blocks)


def confidence_section(sources: Sources) -> Json:
    """Whether raters agree more on items that they are surer about."""
    title = "Confidence and agreement"
    if not sources.material.has("confidence"):
        return section("confidence", title, [unknown("The ratings have no column `confidence`.")])
    made = [
        (each, name, attempt(lambda e=each, c=name: e.after.confidence(c)))  # type: ignore[misc]
        for each in sources.questions
        for name in each.asked.kept.conditions
    ]
    found = [(each, name, one) for each, name, one in made if not isinstance(one, NotComputed)]
    tests = correct_tests([test for _, _, (_, test) in found])
    rows = [
        {
            "question": each.asked.name,
            "condition": name,
            "correlation": estimate_cell(estimate),
            **p_cells(test),
            "items": estimate.items,
        }
        for (each, name, (estimate, _)), test in zip(found, tests, strict=True)
    ]
    columns = [
        column("question", "Question"),
        column("condition", "Condition"),
        column("correlation", "Spearman's ρ", "estimate", "spearman"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
        column("items", "Items", "count"),
    ]
    caption = "Mean confidence of an item against the share of its raters who agree."
    blocks = [table("confidence", caption, columns, rows, (), result_of("confidence"))] if rows else []
    refused = [(f"{each.asked.name} {name}", one) for each, name, one in made if isinstance(one, NotComputed)]
    return section("confidence", title, [*blocks, *refusals(refused)])
