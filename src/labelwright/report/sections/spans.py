"""The section about marked text: overlap between raters, and with experts."""

from __future__ import annotations

import numpy as np

from labelwright.agreement import (
    Bootstrap,
    correct_tests,
    jaccard,
    score_against_reference,
)
from labelwright.agreement.spans import Combination, jaccard_of_choices, masks
from labelwright.analysis.correlation import rank_correlation
from labelwright.report.cells import (
    column,
    estimate_cell,
    figure,
    p_cells,
    plain,
    result_of,
    section,
    table,
    text,
)
from labelwright.report.sources import Sources
from labelwright.report.spans import MarkedText, SpanSet
from labelwright.report.tree import Json

COMBINED: tuple[Combination, ...] = ("mean", "majority", "similarity")


def span_section(sources: Sources) -> Json | None:
    """Overlap of marked characters; None if the input has no marked texts."""
    given = sources.material.given
    if not given.spans:
        return None
    bootstrap = Bootstrap(seed=sources.seed, level=sources.level)
    blocks = [*_agreement(given.spans, bootstrap)]
    experts = next((each for each in given.spans if each.name == given.span_reference), None)
    if experts is not None:
        blocks += _against_experts(given.spans, experts, bootstrap)
    blocks += [*_sizes(given.spans), *_effort(given.spans), *_confidence(given.spans, bootstrap)]
    about = "Agreement is measured on characters, so that it does not depend on how a text is cut into words."
    return section("spans", "Marked text", [text(about), *blocks])


def _agreement(sets: tuple[SpanSet, ...], bootstrap: Bootstrap) -> list[Json]:
    most = max((len(each.marks) for one in sets for each in one.texts.values()), default=0)
    levels = list(range(most - 1, 1, -1))
    rows: list[Json] = []
    for one in sets:
        marks = [each.marks for each in one.texts.values()]
        usual = int(np.median([len(each) for each in marks])) if marks else 0
        row: Json = {
            "set": one.name,
            "texts": len(marks),
            "annotations": sum(map(len, marks)),
            "per_text": usual,
            "raters": one.raters,
            "jaccard": estimate_cell(jaccard(marks, bootstrap=bootstrap)),
        }
        for k in levels:
            if k < usual:
                row[f"jaccard_{k}"] = estimate_cell(jaccard(marks, k, bootstrap=bootstrap))
        rows.append(row)
    columns = [
        column("set", "Condition"),
        column("texts", "Texts", "count"),
        column("annotations", "Annotations", "count"),
        column("per_text", "Per text", "count"),
        column("raters", "Raters", "count"),
        column("jaccard", "J", "estimate", "jaccard"),
        *(column(f"jaccard_{k}", f"J_{k}", "estimate", "jaccard") for k in levels),
    ]
    drawn = [
        {"panel": each["name"], "name": row["set"], **row[each["key"]]}
        for each in columns[5:]
        for row in rows
        if each["key"] in row
    ]
    caption = "Agreement on marked characters, with 95% intervals over texts."
    note = "Sets with different numbers of raters per text cannot be compared by J; compare J_k at the same number."
    return [
        table("span-agreement", caption, columns, rows, [note], result_of("agreement", measure="jaccard")),
        figure("span-agreement", caption, "estimates", rows=drawn, axis=""),
    ]


def _against_experts(sets: tuple[SpanSet, ...], experts: SpanSet, bootstrap: Bootstrap) -> list[Json]:
    rows: list[Json] = []
    for one in sets:
        keys, references = one.references(experts)
        if one is experts or not keys:
            continue
        marks = [one.texts[key].marks for key in keys]
        for combine in COMBINED:
            scores = score_against_reference(marks, references, combine, bootstrap=bootstrap)
            rows.append(
                {
                    "set": one.name,
                    "combined": combine,
                    "texts": len(keys),
                    "precision": estimate_cell(scores.precision),
                    "recall": estimate_cell(scores.recall),
                    "f1": estimate_cell(scores.f1),
                }
            )
    if not rows:
        return []
    columns = [
        column("set", "Condition"),
        column("combined", "Raters combined by"),
        column("texts", "Texts", "count"),
        column("precision", "Precision", "estimate", "f1"),
        column("recall", "Recall", "estimate", "f1"),
        column("f1", "F1", "estimate", "f1"),
    ]
    drawn = [{"panel": f"F1, {row['combined']}", "name": row["set"], **row["f1"]} for row in rows]
    caption = f"Marked characters against those of {experts.name}, with 95% intervals over texts."
    return [
        table("span-reference", caption, columns, rows, (), result_of("agreement", measure="f1")),
        figure("span-reference", caption, "estimates", rows=drawn, axis=""),
    ]


def _sizes(sets: tuple[SpanSet, ...]) -> list[Json]:
    rows: list[Json] = []
    for one in sets:
        marked = [(each.text, spans) for each in one.texts.values() for spans in each.marks]
        if not marked:
            continue
        empty = [sum(not spans for spans in each.marks) for each in one.texts.values()]
        rows.append(
            {
                "set": one.name,
                "spans": plain(np.mean([len(spans) for _, spans in marked])),
                "words": plain(
                    np.mean([sum(len(text[a:b].split()) for a, b in spans) for text, spans in marked])
                ),
                "empty": sum(empty),
                "nobody": sum(
                    n == len(each.marks) for n, each in zip(empty, one.texts.values(), strict=True)
                ),
            }
        )
    columns = [
        column("set", "Condition"),
        column("spans", "Parts per annotation", "number"),
        column("words", "Words per annotation", "number"),
        column("empty", "Annotations without a mark", "count"),
        column("nobody", "Texts that nobody marked", "count"),
    ]
    return [table("span-sizes", "How much raters marked.", columns, rows)]


def _effort(sets: tuple[SpanSet, ...]) -> list[Json]:
    rows: list[Json] = []
    for one in sets:
        seconds = [n for each in one.texts.values() for n in each.seconds if n is not None]
        cents = [n for each in one.texts.values() for n in each.cents if n is not None]
        if seconds or cents:
            rows.append(
                {
                    "set": one.name,
                    "seconds": plain(np.median(seconds)) if seconds else None,
                    "reward": plain(np.mean(cents) / 100) if cents else None,
                    "paid": plain(sum(cents) / 100) if cents else None,
                }
            )
    if not rows:
        return []
    columns = [
        column("set", "Condition"),
        column("seconds", "Median seconds per annotation", "seconds", "seconds"),
        column("reward", "Mean reward", "number"),
        column("paid", "Rewards in all", "number"),
    ]
    note = "Rewards are without the fees of the platform, in units of the currency of the files."
    return [table("span-effort", "Time and reward of marking.", columns, rows, [note], result_of("time"))]


def _confidence(sets: tuple[SpanSet, ...], bootstrap: Bootstrap) -> list[Json]:
    found = []
    for one in sets:
        sure = {
            key: _mean(each) for key, each in one.texts.items() if any(n is not None for n in each.confidence)
        }
        if not sure:
            continue
        shared = {key: _text_jaccard(one.texts[key]) for key in sure}
        found.append((one, rank_correlation(sure, shared, "confidence_against_agreement", bootstrap)))
    tests = correct_tests([test for _, (_, test) in found])
    rows = [
        {"set": one.name, "correlation": estimate_cell(estimate), **p_cells(test), "texts": estimate.items}
        for (one, (estimate, _)), test in zip(found, tests, strict=True)
    ]
    columns = [
        column("set", "Condition"),
        column("correlation", "Spearman's ρ", "estimate", "spearman"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
        column("texts", "Texts", "count"),
    ]
    caption = "Mean confidence in a text against J, over texts."
    return [table("span-confidence", caption, columns, rows, (), result_of("confidence"))] if rows else []


def _mean(text: MarkedText) -> float:
    return float(np.mean([n for n in text.confidence if n is not None]))


def _text_jaccard(text: MarkedText) -> float:
    return jaccard_of_choices(masks(text.marks).sum(axis=0), len(text.marks))
