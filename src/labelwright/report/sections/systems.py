"""The section about systems: scores, differences, and whether the ranking holds under every condition."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.agreement import holm
from labelwright.analysis import Ranking
from labelwright.analysis.pairs import PairDifference
from labelwright.report.cells import (
    column,
    estimate_cell,
    figure,
    plain,
    result_of,
    section,
    table,
    text,
    unknown,
)
from labelwright.report.sentences import about_differences
from labelwright.report.sources import NotComputed, ReportedQuestion, Sources, attempt, refusals
from labelwright.report.tree import Json


def pair_cell(pair: PairDifference, level: float = 0.95) -> Json:
    """The difference of two systems with its t interval."""
    reach = pair.spread.quantile(level) * pair.spread.error
    return {"value": plain(pair.value), "low": plain(pair.value - reach), "high": plain(pair.value + reach)}


def system_section(sources: Sources) -> Json | None:
    """Scores of systems with intervals, their differences, and the ranking in every condition.

    None if systems were only compared with each other, which is another section.
    """
    if len(sources.material.systems) < 2:
        if sources.material.given.preferences:
            return None
        why = "The ratings name fewer than two systems, so none can be called better."
        return section("systems", "Systems", [unknown(why, "A column `system` would name them.")])
    made = [(each, attempt(each.after.ranking)) for each in sources.scored]
    found = [(each, ranking) for each, ranking in made if isinstance(ranking, Ranking)]
    refused = [(each.asked.name, one) for each, one in made if isinstance(one, NotComputed)]
    blocks = [*_score_blocks(found), *_pair_blocks(found, sources.level)] if found else []
    if sources.material.several_conditions:
        blocks += _by_condition(sources, [each for each, _ in found])
    return section("systems", "Systems", [*blocks, *refusals(refused)])


def _score_blocks(found: Sequence[tuple[ReportedQuestion, Ranking]]) -> list[Json]:
    rows: list[Json] = [
        {
            "question": each.asked.name,
            "rank": one.rank,
            "system": one.system,
            "score": estimate_cell(one.score),
            "ranks": f"{one.rank_low} to {one.rank_high}",
            "first": plain(one.share_best),
            "items": one.score.items,
        }
        for each, ranking in found
        for one in ranking.systems
    ]
    columns = [
        column("question", "Question"),
        column("rank", "Rank", "count"),
        column("system", "System"),
        column("score", "Mean score", "estimate", "score"),
        column("ranks", "Rank range", "text", "rank_range"),
        column("first", "First in", "share"),
        column("items", "Items", "count"),
    ]
    notes = [note for _, ranking in found for note in ranking.remarks]
    over = found[0][1].systems[0].score.interval
    about = f"95% intervals are about other {over.over}." if over else ""
    caption = "Mean score of each system from 0 (worst) to 1 (best)."
    drawn = [{"panel": row["question"], "name": row["system"], **row["score"]} for row in rows]
    return [
        table("systems", caption, columns, rows, [about, *notes], result_of("systems", across="system")),
        figure("systems", f"{caption} {about}", "estimates", rows=drawn, axis="mean score, 0 to 1"),
    ]


def _pair_blocks(found: Sequence[tuple[ReportedQuestion, Ranking]], level: float) -> list[Json]:
    pairs = [(each, pair) for each, ranking in found for pair in ranking.differences]
    corrected = holm([pair.p for _, pair in pairs])
    rows = [
        {
            "question": each.asked.name,
            "first": pair.first,
            "second": pair.second,
            "difference": pair_cell(pair, level),
            "p": plain(pair.p),
            "p_holm": plain(p),
        }
        for (each, pair), p in zip(pairs, corrected, strict=True)
    ]
    caption = "Difference of mean scores between two systems, first minus second, with 95% intervals."
    family = f"p is corrected over the {len(rows):,} comparisons of this table." if len(rows) > 1 else ""
    return [
        text(about_differences(rows, level=level)),
        table(
            "system-differences",
            caption,
            _pair_columns(),
            rows,
            filter(
                None, ["t tests with standard errors clustered by item or dialogue, and by rater.", family]
            ),
            result_of("systems", across="system"),
        ),
    ]


def _pair_columns() -> list[Json]:
    return [
        column("question", "Question"),
        column("first", "System"),
        column("second", "System"),
        column("difference", "Difference", "difference", "score"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
    ]


def _by_condition(sources: Sources, questions: Sequence[ReportedQuestion]) -> list[Json]:
    """The comparison of systems in every condition, as one family, and whether the order is the same in all."""
    rankings = [
        (each, condition, ranking)
        for each in questions
        for condition in sources.material.conditions
        if isinstance(ranking := attempt(lambda e=each, c=condition: e.after.ranking(c)), Ranking)  # type: ignore[misc]
    ]
    pairs = [(each, condition, pair) for each, condition, ranking in rankings for pair in ranking.differences]
    corrected = holm([pair.p for _, _, pair in pairs])
    rows: list[Json] = [
        {
            "question": each.asked.name,
            "condition": condition,
            "first": pair.first,
            "second": pair.second,
            "difference": pair_cell(pair, sources.level),
            "p": plain(pair.p),
            "p_holm": plain(p),
        }
        for (each, condition, pair), p in zip(pairs, corrected, strict=True)
    ]
    if not rows:
        return []
    columns = _pair_columns()
    columns.insert(1, column("condition", "Condition"))
    drawn = [
        {
            "panel": f"{row['question']}: {row['first']} minus {row['second']}",
            "name": row["condition"],
            **row["difference"],
        }
        for row in rows
    ]
    caption = "Difference of mean scores between two systems in each condition, with 95% intervals."
    notes = [f"p is corrected over the {len(rows):,} comparisons of this table."]
    return [
        table(
            "systems-by-condition", caption, columns, rows, notes, result_of("systems", across="condition")
        ),
        figure("systems-by-condition", caption, "estimates", rows=drawn, axis="difference of scores"),
        text(*_stability(rows)),
    ]


def _stability(rows: Sequence[Json]) -> list[str]:
    """One sentence per pair of systems: whether the same one is ahead in every condition."""
    grouped: dict[tuple[str, str, str], list[Json]] = {}
    for row in rows:
        grouped.setdefault((row["question"], row["first"], row["second"]), []).append(row)
    return [_stability_of(*pair, own) for pair, own in grouped.items()]


def _stability_of(question: str, first: str, second: str, rows: Sequence[Json]) -> str:
    ahead = {name: [] for name in (first, second)}  # type: dict[str, list[str]]
    for row in rows:
        value = row["difference"]["value"] or 0.0
        if value:
            ahead[first if value > 0 else second].append(row["condition"])
    certain = [row for row in rows if (row["p_holm"] or 1) < 0.05]
    winners = {first if row["difference"]["value"] > 0 else second for row in certain}
    if len(winners) > 1:
        return f"{question}: the order of {first} and {second} is reversed between conditions, for certain."
    if ahead[first] and ahead[second]:
        where = " and ".join(f"{name} in {', '.join(own)}" for name, own in ahead.items())
        return (
            f"{question}: the order of {first} and {second} is not the same in all conditions ({where} ahead), but no "
            "reversal is certain."
        )
    one = first if ahead[first] else second
    return f"{question}: {one} is ahead in all {len(rows)} conditions, for certain in {len(certain)} of them."
