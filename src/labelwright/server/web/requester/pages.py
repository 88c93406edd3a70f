"""What each requester's page is given: figures, charts with their tables, and links to the items behind them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from labelwright.agreement import Estimate
from labelwright.analysis import live_charts as charts
from labelwright.charts import DARK, LIGHT, Chart, Colours, themed
from labelwright.crowd import AssignmentState
from labelwright.quality import RULES, Rule
from labelwright.scales import Point
from labelwright.server.actions.items import ON_A_PAGE, Filter
from labelwright.server.actions.overview import ConditionProgress, Overview
from labelwright.server.actions.question_figures import QuestionFigures
from labelwright.server.store.models import Flag
from labelwright.server.web.rater.pages import amounts, money
from labelwright.study import Study

Context = dict[str, Any]
LEAST_SHARE_TOLD = 0.08
"""A smaller part of a bar has no room for its number; the table has it."""
MEASURES = {
    "alpha_ordinal": "Krippendorff’s α, ordinal",
    "alpha_nominal": "Krippendorff’s α, nominal",
    "percentage": "Share of agreeing pairs",
    "cohen_kappa": "Cohen’s κ, mean over rating positions",
}
TABS = (("overview", "Overview", ""), ("items", "Items", "/items"), ("flagged", "Flagged", "/flagged"), ("batches", "Batches", "/batches"), ("raters", "Raters", "/raters"), ("messages", "Messages", "/messages"), ("file", "Study file", "/file"))  # fmt: skip


def frame(public_id: str, title: str, current: str) -> Context:
    """The navigation of a study's pages."""
    root = f"/studies/{public_id}"
    tabs = [{"name": name, "href": root + path, "current": key == current} for key, name, path in TABS]
    return {"title": title, "root": root, "tabs": tabs, "public_id": public_id}


def overview(figures: Overview) -> Context:
    """The page of a study."""
    wanted, stored = figures.wanted, figures.stored
    return {
        "figures": figures,
        "state": "Complete" if stored >= wanted else "Collecting",
        "percent": math.floor(100 * stored / wanted) if wanted else 0,
        "needs": _needs(figures),
        "owed": amounts(figures.owed),
        "hourly": _hourly(figures),
        "seconds": f"{figures.seconds:.0f} s" if figures.seconds is not None else None,
        "spread": _spread(figures.conditions),
        "over_time": _over_time(figures),
        "questions": [_question(figures, question) for question in figures.questions],
        "time": _time(figures),
    }


def items(tasks: list[Context], total: int, wanted: Filter, study: Study) -> Context:
    """The list of items, its filters and its pages."""
    names = point_names(study)
    for task in tasks:
        told = sorted((question, code, n) for question, code, n in task["codes"])
        task["labels"] = [f"{_told(names, question, code)} × {n}" for question, code, n in told]
    return {
        "tasks": tasks,
        "total": total,
        "filter": wanted,
        "filters": _filters(wanted, list(study.conditions)),
        "earlier": _address(wanted, page=wanted.page - 1) if wanted.page > 1 else None,
        "later": _address(wanted, page=wanted.page + 1) if wanted.page * ON_A_PAGE < total else None,
    }


def flagged(flags: list[Flag], total: int, page: int) -> Context:
    """The list of flags, each told in words, and its pages."""
    return {
        "flags": [_flag(flag) for flag in flags],
        "total": total,
        "earlier": f"?page={page - 1}" if page > 1 else None,
        "later": f"?page={page + 1}" if page * ON_A_PAGE < total else None,
    }


def _flag(flag: Flag) -> Context:
    """A flag with its evidence in words, and the reason that it proposes while nobody has decided."""
    rule = RULES.get(flag.rule, Rule)
    proposes = flag.then == "propose" and flag.assignment.state == AssignmentState.SUBMITTED
    return {
        "row": flag,
        "evidence": rule.tell(flag.evidence),
        "proposes": proposes,
        "reason": rule.reason if proposes else "",
    }


def _told(names: dict[tuple[str, int], str], question: str, code: int) -> str:
    """What a code is called; a judgment inside an answer says of what it is."""
    name = name_of(names, question, code) or str(code)
    return f"{question}: {name}" if "." in question else name


def name_of(names: dict[tuple[str, int], str], question: str, code: int) -> str:
    """What a code of a stored answer is called; a judgment on a candidate or a sentence as that on any other.

    >>> name_of({("quality.*.fit", 1): "Good"}, "quality.c0.fit", 1)
    'Good'
    """
    asked, *parts = question.split(".")
    any_other = ".".join([asked, "*", *parts[1:]])
    return names.get((question, code)) or names.get((any_other, code), "")


def point_names(study: Study) -> dict[tuple[str, int], str]:
    """What the codes of each stored answer are called; `*` stands for what depends on the item."""
    return {
        (name, point.code): point.name
        for design in study.designs.values()
        for name, scale in design.answer_scales(study.scales).items()
        for point in scale.points
    }


def _needs(figures: Overview) -> list[Context]:
    root = f"/studies/{figures.row.public_id}"
    needs = []
    if figures.to_review:
        text = f"{figures.to_review:,} flagged assignment{_s(figures.to_review)} to look at"
        needs.append({"text": text, "href": f"{root}/flagged", "go": "Look"})
    if figures.late_answers:
        text = f"{figures.late_answers:,} answer{_s(figures.late_answers)} came after the place was taken; decide on pay"
        needs.append({"text": text, "href": f"{root}/items", "go": "Items"})
    if figures.questions_waiting:
        n = figures.questions_waiting
        text = f"{n:,} question{_s(n)} of raters wait{'s' if n == 1 else ''} for an answer"
        needs.append({"text": text, "href": f"{root}/messages", "go": "Read"})
    return needs


def _specs(build: Callable[[Colours], Chart]) -> dict[str, Any]:
    """A chart for light and for dark pages."""
    return {"light": themed(build(LIGHT)), "dark": themed(build(DARK), DARK)}


def _s(n: int) -> str:
    return "" if n == 1 else "s"


def _hourly(figures: Overview) -> str | None:
    pay = figures.study.pool.pay
    if not figures.seconds or not pay.cents:
        return None
    return money(round(pay.cents * 3600 / figures.seconds), pay.currency)


def _spread(conditions: list[ConditionProgress]) -> int:
    stored = [condition.stored for condition in conditions]
    return max(stored) - min(stored)


def _over_time(figures: Overview) -> Context | None:
    if not figures.over_time:
        return None
    points = [{"at": at.isoformat(), "n": n} for at, n in figures.over_time]
    return {
        "id": "over-time",
        "label": f"Stored judgments over time, {figures.stored:,} of {figures.wanted:,}",
        "specs": _specs(lambda _: charts.judgments_over_time(points, figures.wanted)),
        "head": ["Until (UTC)", "Judgments"],
        "rows": [[at.strftime("%Y-%m-%d %H:%M:%S"), f"{n:,}"] for at, n in figures.over_time],
    }


def _question(figures: Overview, question: QuestionFigures) -> Context:
    return {
        "name": _slug(question),
        "text": question.text,
        "by": "system" if question.by_system else "condition",
        "labels": _labels(figures, question),
        "agreement": _agreement(question),
    }


def _slug(question: QuestionFigures) -> str:
    """The name of a question as part of an id."""
    return question.name.replace("*", "each").replace(".", "-")


def _points(question: QuestionFigures) -> list[Point]:
    """The points of the scale; of ranks, those that were given, since nine can be and two often are."""
    given = {code for counts in question.labels.values() for code in counts}
    ranks = question.by_system and all(point.name == str(point.code) for point in question.scale.points)
    return [point for point in question.scale.points if not ranks or point.code <= max(given, default=2)]


def _labels(figures: Overview, question: QuestionFigures) -> Context | None:
    points, together = _points(question), question.by_system or "*" in question.name
    rows, table = [], []
    for condition, counts in question.labels.items():
        total = sum(counts.values())
        cells: list[Any] = [condition]
        for order, point in enumerate(points):
            n = counts.get(point.code, 0)
            address = (
                f"items?{urlencode({'condition': condition, 'question': question.name, 'code': point.code})}"
            )
            href = f"/studies/{figures.row.public_id}/{address}"
            # What is counted together of several names has no list of items behind it.
            cell = {"text": f"{n:,}", "href": href, "share": _percent(n, total)}
            cells.append(cell if not together else f"{n:,} ({cell['share'] or '–'})")
            if total >= charts.FEWEST_JUDGMENTS:
                rows.append(
                    {
                        "condition": condition,
                        "point": point.name,
                        "n": n,
                        "share": n / total,
                        "order": order,
                        "last": order == len(points) - 1,
                        "text": f"{n / total:.0%}" if n / total >= LEAST_SHARE_TOLD else "",
                    }
                )
        table.append([*cells, f"{total:,}"])
    names = [point.name for point in points]
    return {
        "id": f"labels-{_slug(question)}",
        "label": f"Share of judgments per {'system' if question.by_system else 'condition'}: {question.text}",
        "specs": _specs(
            lambda colours: charts.labels_by_condition(rows, list(question.labels), names, colours)
        )
        if rows
        else None,
        "empty": f"Shown from {charts.FEWEST_JUDGMENTS} judgments in a {'line' if question.by_system else 'condition'}.",
        "head": ["System" if question.by_system else "Condition", *names, "All"],
        "rows": table,
        "open": not rows,
    }


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
    names = [question.main, "percentage", "cohen_kappa"]
    return {
        "id": f"agreement-{_slug(question)}",
        "label": f"Agreement per condition: {question.text}",
        "specs": _specs(
            lambda _: charts.agreement_by_condition(
                rows, list(question.agreement), f"{MEASURES[question.main]}, 95% interval over items"
            )
        )
        if rows
        else None,
        "empty": "Shown when two raters have judged the same item.",
        "head": ["Condition", *[MEASURES[name] for name in names], "Items"],
        "rows": [
            [
                condition,
                *[found[name].text if name in found else "–" for name in names],
                f"{found[question.main].items:,}",
            ]
            for condition, found in question.agreement.items()
        ],
        "open": not rows,
    }


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


def _filters(wanted: Filter, conditions: list[str]) -> list[Context]:
    shown = [
        {
            "name": "All conditions",
            "href": _address(wanted, condition=None, page=1),
            "current": wanted.condition is None,
        }
    ]
    shown += [
        {"name": name, "href": _address(wanted, condition=name, page=1), "current": wanted.condition == name}
        for name in conditions
    ]
    shown.append(
        {"name": "Still open", "href": _address(wanted, open=not wanted.open, page=1), "current": wanted.open}
    )
    shown.append(
        {
            "name": "Flagged",
            "href": _address(wanted, flagged=not wanted.flagged, page=1),
            "current": wanted.flagged,
        }
    )
    return shown


def _address(wanted: Filter, **changes: Any) -> str:
    values = {
        "condition": wanted.condition,
        "question": wanted.question,
        "code": wanted.code,
        "flagged": wanted.flagged,
        "open": wanted.open,
        "page": wanted.page,
    } | changes
    given = {
        key: "1" if value is True else value for key, value in values.items() if value not in (None, False)
    }
    return "?" + urlencode({key: value for key, value in given.items() if (key, value) != ("page", 1)})
