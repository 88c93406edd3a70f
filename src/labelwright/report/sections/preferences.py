"""The section about preferences: how often each system is preferred, and how strong it is."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.agreement import holm
from labelwright.analysis import Strengths
from labelwright.report.cells import (
    column,
    estimate_cell,
    figure,
    interval_cell,
    plain,
    result_of,
    section,
    table,
    text,
)
from labelwright.report.preferences import PreferenceSet, preferred_pairs
from labelwright.report.sources import Sources
from labelwright.report.tree import Json


def preference_section(sources: Sources) -> Json | None:
    """How often each system is preferred; None if nobody compared candidates."""
    made = [(each, each.strengths(sources.level)) for each in sources.material.given.preferences]
    if not made:
        return None
    pooled = (
        "Comparisons of all conditions are taken together." if sources.material.several_conditions else ""
    )
    return section(
        "preferences",
        "Preferences",
        [text(pooled), *_strength_blocks(made), *_pair_blocks(made, sources.level)],
    )


def _strength_blocks(made: Sequence[tuple[PreferenceSet, Strengths]]) -> list[Json]:
    rows: list[Json] = [
        {
            "question": each.asked.name,
            "rank": "" if one.rank is None else str(one.rank),
            "system": one.system,
            "strength": {"value": plain(one.strength), **interval_cell(one.interval)},
            "ranks": "" if one.rank is None else f"{one.rank_low} to {one.rank_high}",
            "comparisons": one.comparisons,
            "wins": one.wins,
            "ties": one.ties,
            "both_bad": estimate_cell(one.both_bad) if one.both_bad else None,
        }
        for each, strengths in made
        for one in strengths.systems
    ]
    columns = [
        column("question", "Question"),
        column("rank", "Rank"),
        column("system", "System"),
        column("strength", "Strength", "estimate", "strength"),
        column("ranks", "Rank range", "text", "rank_range"),
        column("comparisons", "Comparisons", "count"),
        column("wins", "Preferred", "count"),
        column("ties", "Ties", "count"),
    ]
    if any(row["both_bad"] for row in rows):
        columns.append(column("both_bad", "Both bad", "estimate"))
    caption = "Strength of each system in comparisons of two replies. Strengths sum to 1."
    notes = [note for _, strengths in made for note in strengths.remarks]
    drawn = [{"panel": row["question"], "name": row["system"], **row["strength"]} for row in rows]
    return [
        table("preferences", caption, columns, rows, notes, result_of("systems", across="system")),
        figure("preferences", caption, "estimates", rows=drawn, axis="strength"),
    ]


def _pair_blocks(made: Sequence[tuple[PreferenceSet, Strengths]], level: float) -> list[Json]:
    pairs = [
        (each, pair) for each, strengths in made for pair in preferred_pairs(each.kept, strengths, level)
    ]
    if not pairs:
        return []
    corrected = holm([pair.p for _, pair in pairs])
    rows: list[Json] = [
        {
            "question": each.asked.name,
            "first": pair.first,
            "second": pair.second,
            "share": pair.share,
            "p": plain(pair.p),
            "p_holm": plain(p),
        }
        for (each, pair), p in zip(pairs, corrected, strict=True)
    ]
    columns = [
        column("question", "Question"),
        column("first", "System"),
        column("second", "System"),
        column("share", "First is preferred", "estimate", "preferred"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
    ]
    caption = "How often the first system is preferred to the second, leaving out ties, with 95% intervals."
    family = f"p is corrected over the {len(rows):,} comparisons of this table." if len(rows) > 1 else ""
    drawn = [
        {"panel": row["question"], "name": f"{row['first']} over {row['second']}", **row["share"]}
        for row in rows
    ]
    return [
        table(
            "preferred",
            caption,
            columns,
            rows,
            filter(None, ["t tests of log strengths, clustered by item and by rater.", family]),
            result_of("systems", across="system"),
        ),
        figure("preferred", caption, "estimates", rows=drawn, axis="share preferred"),
    ]
