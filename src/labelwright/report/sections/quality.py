"""The section about quality control: what was excluded, and every figure before and after exclusion."""

from __future__ import annotations

import numpy as np

from labelwright.agreement import Estimate
from labelwright.analysis import EstimateTable, Exclusion, Ranking
from labelwright.analysis.clusters import Clusters
from labelwright.analysis.comparing.exclusion import exclusion_of_work
from labelwright.report.arrays import numbers_of
from labelwright.report.cells import column, estimate_cell, figure, plain, section, table, text, unknown
from labelwright.report.facts import QualityFacts
from labelwright.report.material import ReportMaterial
from labelwright.report.sections.systems import pair_cell
from labelwright.report.sources import ReportedQuestion, Sources, attempt
from labelwright.report.terms import term_name
from labelwright.report.tree import Json


def exclusion_of(material: ReportMaterial, level: float = 0.95) -> Exclusion:
    """The share of work that was excluded in each condition. Judgments of one task count once."""
    chosen = np.arange(material.rows.num_rows)
    if material.has("assignment"):
        chosen = np.unique(numbers_of(material.rows["assignment"]), return_index=True)[1]
    columns = {name: column.number[chosen] for name, column in material.columns.items()}
    return exclusion_of_work(
        material.conditions,
        columns["condition"],
        material.excluded[chosen].astype(float),
        Clusters.of(columns["item"], columns["rater"] if material.names_raters else None),
        level,
    )


def quality_section(sources: Sources) -> Json:
    """Rules, verdicts, exclusion per condition, and figures before and after it."""
    facts = sources.facts.quality
    blocks = _rule_blocks(facts) if facts else [unknown("Quality rules and verdicts are not known.")]
    if not sources.material.excluded.any():
        known = sources.material.marks_exclusion
        blocks.append(
            text("Nothing was excluded.")
            if known
            else unknown("Whether ratings were excluded is not known.", "A column `excluded` would say it.")
        )
        return section("quality", "Quality control", blocks)
    blocks += [*_exclusion_blocks(exclusion_of(sources.material, sources.level)), *_before_after(sources)]
    return section("quality", "Quality control", blocks)


def _rule_blocks(facts: QualityFacts) -> list[Json]:
    blocks: list[Json] = []
    if facts.rules:
        columns = [
            column("rule", "Rule"),
            column("about", "What it looks for"),
            column("flagged", "Flagged", "count"),
            column("excluded", "Excluded", "count", "excluded"),
            column("conditions", "By condition"),
        ]
        rows = [
            {
                **each.model_dump(include={"rule", "about", "flagged", "excluded"}),
                "conditions": ", ".join(f"{one.name} {one.count:,}" for one in each.by_condition),
            }
            for each in facts.rules
        ]
        blocks.append(table("rules", "Assignments that quality rules flagged.", columns, rows))
    if facts.verdicts:
        rows = [{"verdict": each.name, "n": each.count} for each in facts.verdicts]
        columns = [column("verdict", "Verdict"), column("n", "Assignments", "count")]
        blocks.append(table("verdicts", "Verdicts on flagged work.", columns, rows))
    if facts.gold_passed is not None:
        blocks.append(text(f"Raters answered {100 * facts.gold_passed:.1f}% of the gold items as expected."))
    return blocks


def _exclusion_blocks(found: Exclusion) -> list[Json]:
    rows: list[Json] = [
        {
            "condition": each.condition,
            "work": each.work,
            "excluded": each.excluded,
            "share": estimate_cell(each.share),
        }
        for each in found.conditions
    ]
    columns = [
        column("condition", "Condition"),
        column("work", "Submitted", "count"),
        column("excluded", "Excluded", "count", "excluded"),
        column("share", "Share excluded", "estimate", "excluded"),
    ]
    pairs = [
        {
            "first": pair.first,
            "second": pair.second,
            "difference": pair_cell(pair, found.level),
            "p": plain(pair.p),
            "p_holm": plain(pair.p_holm),
        }
        for pair in found.differences
    ]
    pair_columns = [
        column("first", "Condition"),
        column("second", "Condition"),
        column("difference", "Difference of shares", "difference", "excluded"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
    ]
    drawn = [{"panel": "share excluded", "name": row["condition"], **row["share"]} for row in rows]
    caption = "Excluded work by condition, with 95% intervals."
    return [
        text(found.verdict),
        table("exclusion", caption, columns, rows, found.notes),
        figure("exclusion", caption, "estimates", rows=drawn, axis="share of submitted work"),
        *(
            [table("exclusion-pairs", "Differences of the share excluded.", pair_columns, pairs)]
            if pairs
            else []
        ),
    ]


def _before_after(sources: Sources) -> list[Json]:
    """Agreement, scores and differences of systems, with all ratings and with those that count."""
    rows = [row for each in sources.questions for row in _figures_of(each, sources.level)]
    if not rows:
        return []
    columns = [
        column("question", "Question"),
        column("figure", "Figure"),
        column("of", "Of"),
        column("before", "Before exclusion", "estimate", "excluded"),
        column("after", "After exclusion", "estimate", "excluded"),
        column("change", "Change", "number"),
    ]
    moved = [abs(row["change"]) for row in rows if row["change"] is not None]
    most = f"The largest change is {max(moved):.3f}." if moved else ""
    return [table("before-after", "Every figure before and after exclusion.", columns, rows, [most])]


def _figures_of(each: ReportedQuestion, level: float) -> list[Json]:
    if each.before is None:
        return []
    found: list[tuple[str, str, Json, Json]] = []
    pairs = [
        (attempt(each.before.agreement), attempt(each.after.agreement)),
        (
            attempt(lambda: each.before.scores(["condition"])),  # type: ignore[union-attr]
            attempt(lambda: each.after.scores(["condition"])),
        ),
    ]
    for before, after in pairs:
        if isinstance(before, EstimateTable) and isinstance(after, EstimateTable):
            found += _matched(before, after)
    rankings = attempt(each.before.ranking), attempt(each.after.ranking)
    if isinstance(rankings[0], Ranking) and isinstance(rankings[1], Ranking):
        found += _matched_pairs(rankings[0], rankings[1], level)
    return [
        {
            "question": each.asked.name,
            "figure": name,
            "of": of,
            "before": before_cell,
            "after": after_cell,
            "change": _change(before_cell, after_cell),
        }
        for name, of, before_cell, after_cell in found
    ]


def _matched(before: EstimateTable, after: EstimateTable) -> list[tuple[str, str, Json, Json]]:
    known = {str(row.where.get("condition")): row.estimates for row in after}
    nothing = Estimate("", float("nan"), "", undefined="nothing is left")
    return [
        (
            term_name(name),
            condition,
            estimate_cell(estimate),
            estimate_cell(known.get(condition, {}).get(name, nothing)),
        )
        for row in before
        for condition in [str(row.where.get("condition"))]
        for name, estimate in row.estimates.items()
    ]


def _matched_pairs(before: Ranking, after: Ranking, level: float) -> list[tuple[str, str, Json, Json]]:
    known = {(pair.first, pair.second): pair for pair in after.differences}
    return [
        (
            "Difference of systems",
            f"{pair.first} minus {pair.second}",
            pair_cell(pair, level),
            pair_cell(known[pair.first, pair.second], level),
        )
        for pair in before.differences
        if (pair.first, pair.second) in known
    ]


def _change(before: Json, after: Json) -> float | None:
    if before["value"] is None or after["value"] is None:
        return None
    return float(after["value"] - before["value"])
