"""Template context of the overview: figures, charts with their tables, and links to the items behind them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from labelwright.agreement import Estimate
from labelwright.agreement.ratings import OUTSIDE
from labelwright.analysis import live_charts as charts
from labelwright.analysis.data.counting import REASONS
from labelwright.charts import DARK, LIGHT, Chart, Colours, segments, themed
from labelwright.crowd import DataUse, StudyState
from labelwright.scales import Point
from labelwright.server.results.actions import agreement
from labelwright.server.results.actions.overview import ConditionProgress, Overview
from labelwright.server.results.actions.question_figures import QuestionFigures
from labelwright.server.results.pages import question_rows
from labelwright.server.results.pages.versions import plan_line
from labelwright.server.web.money import amounts, money
from labelwright.study import Study

Context = dict[str, Any]
MOST_LATE = 5
"""Raters with late submissions that the overview names."""
LEAST_SHARE_LABELLED = 0.08
"""A smaller part of a bar has no room for its number; the number is in the table."""
MEASURES = {
    "alpha_ordinal": "Krippendorff’s α, ordinal",
    "alpha_nominal": "Krippendorff’s α, nominal",
    "percentage": "Share of agreeing pairs",
    "fleiss_kappa": "Fleiss’ κ",
}


def overview(figures: Overview) -> Context:
    """The page of a study, as plain values that can be stored."""
    wanted, stored, counts = figures.wanted, figures.stored, figures.counts
    return {
        "name": figures.study.title,
        "version": figures.version,
        "sha256": figures.sha256[:7],
        "loaded": figures.loaded_at.isoformat(),
        "plan": plan_line(figures.plan) if figures.plan else None,
        "changed": bool(figures.changed_at),
        "wanted": wanted,
        "stored": stored,
        "unflagged": counts.unflagged,
        "raters": counts.raters,
        "at_work": figures.at_work,
        "to_review": counts.to_review,
        "counted": figures.counted,
        "conditions": [_condition(figures.study, condition) for condition in figures.conditions],
        "percent": math.floor(100 * stored / wanted) if wanted else 0,
        "needs": _needs(figures),
        "owed": amounts(figures.owed),
        "hourly": _hourly(figures),
        "seconds": _seconds(figures.median_seconds),
        "spread": _spread(figures.conditions),
        "over_time": _over_time(figures),
        "axis": (ends := question_rows.axis([question.overall for question in figures.questions])),
        "questions": [_question(figures, question, ends) for question in figures.questions],
        "compared": [
            *(question_rows.overlaps(each) for each in figures.overlaps),
            *(question_rows.systems(each) for each in figures.systems),
        ],
        "forecast": _forecast(figures),
        "time": _time(figures),
        "left_out": [
            {"n": n, "reason": reason, "why": REASONS[reason]} for reason, n in figures.left_out.items()
        ],
        "left_out_total": sum(figures.left_out.values()),
        "exclusion": _exclusion(figures),
        "before": False,
    }


def before_exclusion(figures: Overview) -> Context | None:
    """The same page with the figures that count excluded data like the others; None if nothing was excluded."""
    before = figures.before
    if before is None:
        return None
    alike = replace(
        figures,
        questions=before.questions,
        systems=before.systems,
        # The overlap of marked parts is stored without excluded data.
        overlaps=[],
        counted=before.counted,
        left_out={reason: n for reason, n in figures.left_out.items() if reason != DataUse.LEFT_OUT},
        median_seconds=before.median_seconds,
        conditions=[replace(each, seconds=before.seconds.get(each.name)) for each in figures.conditions],
    )
    return overview(alike) | {"before": True}


def _exclusion(figures: Overview) -> Context | None:
    found = figures.exclusion
    if found is None:
        return None
    ends = question_rows.axis([each.share for each in found.conditions])
    return {
        "axis": ends,
        "verdict": found.verdict,
        "differs": bool(found.differing),
        "notes": list(found.notes),
        "rows": [
            {
                "name": each.condition,
                "work": each.work,
                "excluded": each.excluded,
                "interval": question_rows.interval(each.share, ends),
                "text": _shares(each.share),
            }
            for each in found.conditions
        ],
        "questions": [
            {
                "text": after.text,
                "before": before.overall.text,
                "after": after.overall.text,
                "n_before": sum(question_rows.all_labels(before).values()),
                "n_after": sum(question_rows.all_labels(after).values()),
            }
            for before, after in zip(figures.before.questions, figures.questions, strict=True)
        ]
        if figures.before
        else [],
    }


def _shares(share: Estimate) -> str:
    ends = share.interval
    between = f" [{ends.low:.0%}, {ends.high:.0%}]" if ends else ""
    return f"{share.value:.0%}{between}"


def _condition(study: Study, condition: ConditionProgress) -> Context:
    # Nothing comes before a whole dialogue.
    whole = study.items.kind == "dialogue"
    return {
        "name": condition.name,
        "shown": "" if whole else study.condition(condition.name).context.in_words,
        "stored": condition.stored,
        "wanted": condition.wanted,
        "flagged": condition.flagged,
        "seconds": _seconds(condition.seconds[1] if condition.seconds else None),
    }


def _seconds(seconds: float | None) -> str | None:
    return f"{seconds:.0f}" if seconds is not None else None


def _needs(figures: Overview) -> list[Context]:
    root = f"/studies/{figures.row.public_id}"
    needs = []
    if figures.counts.to_review:
        n = figures.counts.to_review
        needs.append(
            {
                "text": f"{n:,} task{_s(n)} to review",
                "href": f"{root}/review",
                "go": "Review",
                "permission": "review",
            }
        )
    for late in figures.late[:MOST_LATE]:
        text = (
            f"{late.tasks:,} late submission{_s(late.tasks)} of {late.rater}, without a place: decide on pay"
        )
        needs.append(
            {"text": text, "href": f"{root}/raters/{late.rater}#late", "go": "Decide", "permission": "review"}
        )
    if len(figures.late) > MOST_LATE:
        n = len(figures.late) - MOST_LATE
        text = f"Late submissions of {n:,} more rater{_s(n)}"
        needs.append({"text": text, "href": f"{root}/raters", "go": "Raters", "permission": "review"})
    if figures.counts.unanswered:
        n = figures.counts.unanswered
        text = f"{n:,} unanswered question{_s(n)} from raters"
        needs.append(
            {"text": text, "href": f"{root}/messages", "go": "Answer", "permission": "manage_raters"}
        )
    if figures.counts.without_gold:
        n = figures.counts.without_gold
        text = f"{n:,} rater{_s(n)} {'has' if n == 1 else 'have'} met every gold item: add gold items to go on checking"
        needs.append({"text": text, "href": f"{root}/raters", "go": "Raters", "permission": "edit"})
    return [*needs, *_few_raters(figures, root)]


def _few_raters(figures: Overview, root: str) -> Iterator[Context]:
    """Said only while the study is open, see `shown_needs`."""
    text = few_raters(figures.people, figures.raters_needed)
    if text:
        yield {
            "text": text,
            "href": f"{root}/raters",
            "go": "Invite raters",
            "permission": "manage_raters",
            "state": StudyState.OPEN,
        }


def few_raters(raters: int, needed: int) -> str:
    """What is said about a study that has fewer raters than it needs; empty if it has enough.

    >>> few_raters(0, 15), few_raters(2, 15), few_raters(15, 15)
    ('No raters yet: at least 15 are needed', '2 raters so far: at least 15 are needed', '')
    """
    if raters >= needed:
        return ""
    return f"{f'{raters:,} rater{_s(raters)} so far' if raters else 'No raters yet'}: at least {needed:,} are needed"


def shown_needs(needs: Sequence[Context], permitted: Collection[str], state: str) -> list[Context]:
    """The stored needs that concern somebody with these permissions, in the present state of the study."""
    return [
        need
        for need in needs
        if need.get("permission", "view") in permitted and need.get("state", state) == state
    ]


def _specs(build: Callable[[Colours], Chart]) -> dict[str, Any]:
    """A chart for light and for dark pages."""
    return {"light": themed(build(LIGHT)), "dark": themed(build(DARK), DARK)}


def _s(n: int) -> str:
    return "" if n == 1 else "s"


def _hourly(figures: Overview) -> str | None:
    pay = figures.study.pool.pay
    seconds = figures.median_seconds
    if not seconds or not pay.cents:
        return None
    return money(round(pay.cents * 3600 / seconds), pay.currency)


def _spread(conditions: list[ConditionProgress]) -> int:
    stored = [condition.stored for condition in conditions]
    return max(stored) - min(stored)


def _over_time(figures: Overview) -> Context | None:
    if not figures.over_time:
        return None
    points = [{"at": at.isoformat(), "n": n} for at, n in figures.over_time]
    first, last = figures.over_time[0][0], figures.over_time[-1][0]
    # A change after the last submission is not on the axis yet.
    marks = [
        {"at": at.isoformat(), "name": f"version {n}"} for n, at in figures.changed_at if first <= at <= last
    ]
    return {
        "id": "over-time",
        "label": f"Stored submissions over time, {figures.stored:,} of {figures.wanted:,}",
        "specs": _specs(lambda _: charts.submissions_over_time(points, figures.wanted, marks)),
        "head": ["Until", "Submissions"],
        "rows": [[{"at": at.isoformat()}, f"{n:,}"] for at, n in figures.over_time],
    }


def _forecast(figures: Overview) -> Context | None:
    found = figures.forecast
    if found is None:
        return None
    return {
        "at": found.at.isoformat(),
        "earliest": found.earliest.isoformat(),
        "latest": found.latest.isoformat(),
        "left": found.left,
        "per_day": f"{found.per_day:,.0f}" if found.per_day >= 10 else f"{found.per_day:.1f}",
    }


def _question(figures: Overview, question: QuestionFigures, axis: Context) -> Context:
    counts = question_rows.all_labels(question)
    # Seen from both sides, wins and losses are equal: the bar would only show the ties.
    n = sum(counts.values()) // (2 if question.comparison else 1)
    # Of two systems, the win rates and the ties say everything.
    mirrored = question.comparison and len(question.labels) <= 2
    return {
        "kind": question_rows.scale_in_words(question.scale),
        "bar": [] if question.comparison else question_rows.bar(counts, _points(question), question.scale),
        "legend": [] if mirrored else _legend(question),
        "comparison": question_rows.ties_in_words(question, n) if question.comparison else "",
        "n": n,
        "interval": question_rows.interval(question.overall, axis),
        "measure": MEASURES[question.main],
        "few": "" if mirrored else _few(question),
        "name": _slug(question),
        "text": question.text,
        "by": "system" if question.by_system else "condition",
        "labels": None if mirrored else _labels(figures, question),
        "agreement": _agreement(question),
    }


def _legend(question: QuestionFigures) -> list[list[str]]:
    drawn = question_rows.shades(question.scale)
    return [[drawn[point.code], point.name] for point in _points(question)]


def _few(question: QuestionFigures) -> str:
    """The conditions or systems with too few judgments for a bar, which are listed instead."""
    few = {name: sum(counts.values()) for name, counts in question.labels.items()}
    listed = [f"{name} ({n})" for name, n in few.items() if n < charts.FEWEST_JUDGMENTS]
    return ", ".join(listed)


def _slug(question: QuestionFigures) -> str:
    """The name of a question as part of an HTML id."""
    return question.name.replace("*", "each").replace(".", "-")


def _points(question: QuestionFigures) -> list[Point]:
    """The points of the scale, those outside its order last; for ranks, only up to the largest one given."""
    given = {code for counts in question.labels.values() for code in counts}
    ranks = question.by_system and all(point.name == str(point.code) for point in question.scale.points)
    shown = [point for point in question.scale.points if not ranks or point.code <= max(given, default=2)]
    return sorted(shown, key=lambda point: not point.placed)


def _labels(figures: Overview, question: QuestionFigures) -> Context | None:
    points = _points(question)
    rows, table = [], []
    for condition, counts in question.labels.items():
        total = sum(counts.values())
        cells: list[Any] = [condition]
        addresses = {} if question.comparison else _item_addresses(figures, question, condition, points)
        if total >= charts.FEWEST_JUDGMENTS:
            rows += _bar(condition, points, counts, addresses, ordered=question.scale.ordered)
        for point in points:
            n = counts.get(point.code, 0)
            share = _percent(n, total)
            # A comparison is counted from both sides, so there is no list of items behind one of its numbers.
            linked = {"text": f"{n:,}", "href": addresses.get(point.code), "share": share}
            cells.append(linked if addresses else f"{n:,} ({share or '–'})")
        table.append([*cells, f"{total:,}"])
    names = [point.name for point in points]
    return {
        "id": f"labels-{_slug(question)}",
        "label": f"Share of judgments per {'system' if question.by_system else 'condition'}: {question.text}",
        "specs": _specs(
            lambda colours: charts.labels_by_condition(
                rows,
                list(question.labels),
                {point.name: not point.placed for point in points},
                colours,
                ordered=question.scale.ordered,
            )
        )
        if rows
        else None,
        "empty": f"Shown from {charts.FEWEST_JUDGMENTS} judgments in a {'line' if question.by_system else 'condition'}.",
        "head": ["System" if question.by_system else "Condition", *names, "All"],
        "rows": table,
        "open": not rows,
    }


def _item_addresses(
    figures: Overview, question: QuestionFigures, group: str, points: list[Point]
) -> dict[int, str]:
    """The list of items behind each code that was given in a condition, or to a system."""
    several = len(figures.study.conditions) > 1
    # With several conditions, a group by system is named "condition, system".
    condition, _, system = group.partition(", ") if several else ("", "", group)
    chosen = {"condition": condition, "system": system} if question.by_system else {"condition": group}
    return {
        point.code: f"/studies/{figures.row.public_id}/items?"
        + urlencode({**{k: v for k, v in chosen.items() if v}, "question": question.name, "code": point.code})
        for point in points
    }


def _bar(
    condition: str, points: list[Point], counts: dict[int, int], addresses: dict[int, str], *, ordered: bool
) -> list[Context]:
    """The parts of one bar; points outside the order of the scale are drawn apart from the others."""
    total = sum(counts.values())
    shares = [counts.get(point.code, 0) / total for point in points]
    outside = [not point.placed for point in points]
    best = len(points) - 1 - sum(outside)
    return [
        {
            "condition": condition,
            "point": point.name,
            "n": counts.get(point.code, 0),
            "start": start,
            "end": end,
            "middle": (start + end) / 2,
            "outside": outside[place],
            # Only the strongest colour of a ramp needs light text.
            "last": ordered and place == best,
            "href": addresses.get(point.code),
            "text": f"{shares[place]:.0%}" if shares[place] >= LEAST_SHARE_LABELLED else "",
        }
        for place, (point, (start, end)) in enumerate(zip(points, segments(shares, outside), strict=True))
    ]


def _percent(n: int, total: int) -> str:
    return f"{n / total:.0%}" if total else ""


def _agreement(question: QuestionFigures) -> Context:
    rows = [
        {
            "condition": condition,
            "value": found[question.main].value,
            "low": _low(found[question.main]),
            "high": _high(found[question.main]),
            "text": f"{found[question.main].value:.2f}",
        }
        for condition, found in question.agreement.items()
        if not math.isnan(found[question.main].value)
    ]
    names = [question.main, *agreement.MEASURES]
    return {
        "id": f"agreement-{_slug(question)}",
        "label": f"Agreement per condition: {question.text}",
        "specs": _specs(
            lambda _: charts.agreement_by_condition(
                rows, list(question.agreement), [f"{MEASURES[question.main]},", "95% interval over items"]
            )
        )
        if rows
        else None,
        "empty": "Undefined, because all raters gave the same answer."
        if any(found[question.main].items for found in question.agreement.values())
        else "Shown once two raters have rated the same item.",
        "head": ["Condition", *[MEASURES[name] for name in names], "Items"],
        "rows": [
            [
                condition,
                *[found[name].text for name in names],
                f"{found[question.main].items:,}",
            ]
            for condition, found in question.agreement.items()
        ],
        "open": not rows,
        "note": _outside_note(question),
    }


def _outside_note(question: QuestionFigures) -> str:
    """How many ratings the drawn measure leaves out, because they are outside the order of the scale."""
    n = sum(found[question.main].left_out.get(OUTSIDE, 0) for found in question.agreement.values())
    names = [f"“{point.name}”" for point in question.scale.points if point.mixed]
    which = f" ({', '.join(names)})" if names else ""
    return f"{MEASURES[question.main]} leaves out {n:,} rating{_s(n)} outside the order{which}." if n else ""


def _low(estimate: Estimate) -> float:
    return estimate.interval.low if estimate.interval else estimate.value


def _high(estimate: Estimate) -> float:
    return estimate.interval.high if estimate.interval else estimate.value


def _time(figures: Overview) -> Context | None:
    timed = [(c.name, c.seconds) for c in figures.conditions if c.seconds]
    if not timed:
        return None
    rows = [
        {"condition": name, "low": low, "median": middle, "high": high, "text": f"{middle:.0f} s"}
        for name, (low, middle, high) in timed
    ]
    return {
        "id": "time",
        "label": "Seconds per task and condition",
        "specs": _specs(lambda _: charts.seconds_by_condition(rows, [name for name, _ in timed])),
        "head": ["Condition", "Lower quarter", "Median", "Upper quarter"],
        "rows": [[name, *(f"{value:.1f}" for value in seconds)] for name, seconds in timed],
    }
