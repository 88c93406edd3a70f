"""Template context of the page Judge: the conclusion first, then the evidence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from labelwright.agreement import Estimate
from labelwright.server.contexts.actions.cost import cents
from labelwright.server.judges.actions.cost import JudgeCost, ModelStatus, RatingPrice
from labelwright.server.judges.actions.draws import get_reaches
from labelwright.server.judges.actions.figures import StoredJudgeFigures
from labelwright.server.judges.actions.versions import DeclaredVersion, estimate_of, get_warning
from labelwright.server.judges.actions.wording import join_names, say_certainty, say_excess
from labelwright.server.store.models import JudgeRun
from labelwright.server.web.desk.intervals import Axis, fit_axis

Context = dict[str, Any]
MOST_DISAGREEMENTS = 20
"""Development items of a version that are listed."""
MOST_RATERS = 12
"""Raters of the stand-in test that are listed at once; a click shows the others."""
ICONS = {"as good as a person": "good", "worse": "bad", "undecided": "dim"}


def judge(
    status: ModelStatus,
    cost: JudgeCost,
    figures: StoredJudgeFigures,
    names: Sequence[str],
    price: RatingPrice | None,
    *,
    sees_raters: bool,
) -> Context:
    """One model of a study."""
    questions = [_question(each, sees_raters=sees_raters) for each in figures.contents.get("questions", [])]
    return {
        "status": status,
        "spent": cents(status.microcents),
        "cost": cost,
        "models": names,
        "computed_at": figures.at,
        "why": figures.contents.get("why", ""),
        "conclusion": conclusion(figures.contents.get("questions", []), price),
        "questions": questions,
        "agreement_axis": _agreement_axis(each[side] for each in questions for side in ("people", "judge")),
        "scored": [each for each in questions if each.get("scores")],
    }


def _question(found: dict[str, Any], *, sees_raters: bool) -> Context:
    raters = [each | {"shade": _shade(each["result"])} for each in found["raters"]] if sees_raters else []
    return found | {
        "class": ICONS[found["compared"]],
        "raters": raters,
        "shown_raters": raters[:MOST_RATERS],
        "further_raters": raters[MOST_RATERS:],
        "tested_raters": len(found["raters"]),
        "squares": ["s3"] * found["wins"] + ["s1"] * found["undecided"] + ["x"] * found["loses"],
        "rater_axis": _rater_axis(raters),
        **_scores(found),
    }


def _scores(found: dict[str, Any]) -> Context:
    """The tables of scores and of differences, with an axis for each."""
    systems, differences = found.get("scores") or [], found.get("differences") or []
    return {
        "score_axis": fit_axis(_ends_of(_three_ways(systems))),
        "difference_axis": fit_axis([0.0, *_ends_of(_three_ways(differences))]),
        "excess": say_excess(systems),
    }


def _three_ways(rows: Sequence[Context]) -> Iterator[Context]:
    return (row[way] for row in rows for way in ("people", "model", "combined"))


def _agreement_axis(estimates: Iterable[Context | None]) -> Axis:
    return fit_axis([0.0, 1.0, *_ends_of(estimates)], bare=True)


def _rater_axis(raters: Sequence[Context]) -> Axis:
    reach = max((abs(end) for end in _ends_of(raters)), default=0.0) or 1.0
    return fit_axis([-reach, reach], sides=("rater better", "judge better"))


def _ends_of(estimates: Iterable[Context | None]) -> Iterator[float]:
    """All values that have to fit on an axis."""
    for each in estimates:
        for end in ("value", "low", "high"):
            if each and each.get(end) is not None:
                yield each[end]


NARROWEST = 0.001
"""The smallest half width that can be asked for."""


def certainty(scored: Sequence[Context], given: str) -> Context:
    """Whether the scores of each question are certain enough, and how many more items people would have to rate."""
    if not scored or "overall" not in scored[0]:
        # Figures of an earlier release.
        return {}
    low, high = scored[0]["range"]
    wanted = read_wanted(given, high - low)
    return {"wanted": f"{wanted:g}", "certainty": [_certainty(each, wanted) for each in scored]}


def read_wanted(given: str, width: float) -> float:
    """The half width that somebody wants; by default a twentieth of the scale.

    >>> read_wanted("0.25", 2), read_wanted("", 2), read_wanted("nan", 2), read_wanted("1e-200", 4)
    (0.25, 0.1, 0.1, 0.2)
    """
    try:
        wanted = float(given)
    except ValueError:
        wanted = 0.0
    return wanted if NARROWEST <= wanted < math.inf else width / 20


def _certainty(found: Context, wanted: float) -> Context:
    rows = get_reaches(found, wanted)
    return {
        "question": found["question"],
        "name": found["name"],
        "rows": rows,
        "enough": bool(rows) and not any(row.needed for row in rows),
        "sentence": say_certainty(rows),
    }


PROBES = {
    "order": (
        "Order",
        "How much more often the first of two candidates wins, when each pair is shown in both orders",
    ),
    "length": ("Length", "Points for a reply that was lengthened without new content"),
    "scale_position": ("Scale position", "Points when the scale is shown from the other end"),
    "repetition": ("Repetition", "How often the answer changes when the same is asked twice"),
    "own_family": (
        "Own family",
        "Points for replies of the same model family, beyond those that people give",
    ),
    "verbosity": ("Verbosity", "Points for every {words} words more, beyond those that people give"),
}
PRESENCE = {"present": "bad", "absent": "good", "undecided": "dim"}


def probes(runs: Sequence[JudgeRun], compared: Sequence[dict[str, Any]]) -> Context:
    """The bias probes: those that asked the model, and those that compare labels that are already there."""
    rows: list[Context] = []
    untested: list[Context] = []
    waiting: list[str] = []
    for run in runs:
        title, about = PROBES[run.kind]
        if run.figures is None:
            waiting.append(title)
            continue
        for each in run.figures["questions"]:
            row = {"title": title, "about": about, "at": run.finished_at, **each}
            (untested if "refused" in each else rows).append(row)
    for each in compared:
        title, about = PROBES[each["kind"]]
        rows.append({"title": title, "about": about.format(words=each.get("words", 100)), **each})
    for row in rows:
        row["shade"] = PRESENCE[row["presence"]]
    return {"probes": rows, "waiting_probes": waiting, "untested_probes": untested}


def versions(found: Sequence[DeclaredVersion], instructions: str) -> Context:
    """The versions with both figures, a table for each question, and which of them has the instructions in use."""
    questions: dict[str, str] = {}
    for each in found:
        for run in (each.development, each.held_out):
            questions |= (
                {one["name"]: one["question"] for one in (run.figures or {}).get("questions", [])}
                if run
                else {}
            )
    return {
        "instructions": instructions,
        "versions": [_version(each) for each in found],
        "version_tables": [
            _version_table(found, name, text, _find_used(found, instructions))
            for name, text in questions.items()
        ],
    }


def _find_used(found: Sequence[DeclaredVersion], instructions: str) -> int | None:
    """The number of the newest version with these instructions; forms and files end lines in different ways."""
    words = instructions.split()
    return next((each.version.number for each in found if each.version.instructions.split() == words), None)


def _version_table(found: Sequence[DeclaredVersion], name: str, question: str, used: int | None) -> Context:
    rows = [_version(each) | _figures(each, name) for each in found]
    return {
        "name": name,
        "question": question,
        "rows": rows,
        "used": used,
        "axis": _agreement_axis(row[part] for row in rows for part in ("development", "held_out")),
        "warning": get_warning(list(found), name),
    }


def _version(each: DeclaredVersion) -> Context:
    return {
        "number": each.version.number,
        "change": each.version.change,
        "author": each.version.author,
        "at": each.version.declared_at,
        "opened_at": each.held_out.agreed_at if each.held_out else None,
        "opened_by": each.held_out.author if each.held_out else "",
        "waits": any(
            run is not None and run.finished_at is None for run in (each.development, each.held_out)
        ),
    }


def _figures(each: DeclaredVersion, name: str) -> Context:
    seen, unseen = estimate_of(each.development, name), estimate_of(each.held_out, name)
    differing = next(
        (
            one
            for one in ((each.development and each.development.figures) or {}).get("questions", [])
            if one["name"] == name
        ),
        None,
    )
    return {
        "development": _ends(seen),
        "held_out": _ends(unseen),
        "gap": seen.value - unseen.value if seen and unseen else None,
        "differ": differing["differ"] if differing else None,
        "disagreements": differing["disagreements"][:MOST_DISAGREEMENTS] if differing else [],
    }


def _ends(estimate: Estimate | None) -> Context | None:
    if estimate is None:
        return None
    interval = estimate.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    return {"value": estimate.value, "low": low, "high": high, "items": estimate.items}


def _shade(result: str) -> str:
    return {"win": "good", "lose": "bad"}.get(result, "dim")


def conclusion(questions: Sequence[dict[str, Any]], price: RatingPrice | None = None) -> list[str]:
    """What the figures say, in one sentence or a few.

    >>> conclusion([{"question": "Useful?", "verdict": "may stand in", "worth": 0}])
    ['This judge is worth no more human labels.', 'It may stand in for a rater on “Useful?”.']
    >>> found = {"question": "Useful?", "verdict": "", "worth": 57, "ratings_per_label": 3.0}
    >>> conclusion([found], RatingPrice(75, "USD"))
    ['This judge is worth 57 more human labels.', 'Their pay would be $128.25, without bonuses and fees.']
    >>> conclusion([found | {"worth": 1}])
    ['This judge is worth 1 more human label.']
    """
    if not questions:
        return []
    worth = [each for each in questions if each.get("worth") is not None]
    said = [*_say_worth(worth, price)] if worth else []
    for verdict, words in (
        ("may stand in", "may stand in for a rater"),
        ("may not stand in", "may not stand in"),
    ):
        named = [f"“{each['question']}”" for each in questions if each["verdict"] == verdict]
        if named:
            said.append(f"It {words} on {join_names(named)}.")
    untested = sum(each["verdict"] == "not tested" for each in questions)
    if untested:
        said.append(f"{untested} question{'' if untested == 1 else 's'} could not be tested yet.")
    return said


def _say_worth(questions: Sequence[dict[str, Any]], price: RatingPrice | None) -> Iterator[str]:
    best = max(questions, key=lambda each: (each["worth"], each["question"]))
    most, about = best["worth"], f" on “{best['question']}”" if len(questions) > 1 else ""
    if not most:
        yield "This judge is worth no more human labels."
        return
    yield f"This judge is worth {most:,} more human label{'' if most == 1 else 's'}{about}."
    # Figures of an earlier release do not say how many ratings a label has.
    pay = price.say_price(most * best["ratings_per_label"]) if price and "ratings_per_label" in best else None
    if pay:
        yield f"Their pay would be {pay}, without bonuses and fees."
