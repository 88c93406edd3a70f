"""What the templates of the editor are given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from labelwright.analysis.live_charts import submissions_over_time
from labelwright.charts import DARK, LIGHT, themed
from labelwright.crowd import StudyState
from labelwright.server.editor.actions.checks import CheckedText, FileProblem, PlannedFile
from labelwright.server.editor.actions.corpus import KeptFile
from labelwright.server.editor.actions.edits import ChangedMeanwhile, StudyFileState
from labelwright.server.editor.actions.publication import DiffLine, Effect
from labelwright.server.results.pages.label_words import name_judgment
from labelwright.server.store.models import StudyRehearsal, StudyRow
from labelwright.server.web.desk import frame
from labelwright.server.web.money import money
from labelwright.study import check_study
from labelwright.study.templates import Template, template, template_names
from labelwright.wording import as_sentence

Context = dict[str, Any]
State = StudyRehearsal.State
MOST_ROWS = 60
"""Rows of agreement that the page shows; `labelwright simulate --out` writes all."""


def new_study(known: Sequence[StudyRow]) -> Context:
    """The templates, and the studies that can be copied."""
    return {
        "title": "New study · Labelwright",
        "heading": {"text": "New study"},
        "templates": [template(name) for name in template_names()],
        "studies": [{"public_id": each.public_id, "title": each.title or each.name} for each in known],
    }


def editor(
    state: StudyFileState,
    found: CheckedText,
    kept: Sequence[KeptFile],
    rehearsed: StudyRehearsal | None,
) -> Context:
    """The editor with a file, its problems and its corpus."""
    draft = state.study.state == StudyState.DRAFT
    return _headed(state, "Editor") | {
        "text": state.text,
        "lines": state.text.count("\n") + (not state.text.endswith("\n")),
        "read": state.read,
        "file": state,
        "opens": draft,
        "publish_name": "Open to raters" if draft else "Load changes",
        "files": files(kept),
        "rehearsed": rehearsed,
        **checked(found),
    }


def checked(found: CheckedText) -> Context:
    """The problems of a text, and the conditions that can be previewed."""
    return {
        "problems": [problem(each) for each in found.problems],
        "conditions": list(found.study.conditions) if found.study else [],
        "has_mistakes": found.study is None,
    }


def problem(found: FileProblem) -> Context:
    """A problem as a sentence."""
    return {
        "line": found.line,
        "what": as_sentence(found.what),
        "mistake": found.mistake,
        "wrong": found.repair.wrong if found.repair else "",
        "right": found.repair.right if found.repair else "",
    }


def files(kept: Sequence[KeptFile]) -> list[Context]:
    """The files of a corpus with their sizes."""
    return [{"name": file.name, "size": _size(file.bytes), "drawn": file.drawn} for file in kept]


def planned(
    found: PlannedFile | None, problems: Sequence[FileProblem], rehearsed: StudyRehearsal | None
) -> Context:
    """The figures of a plan for the footer, and the problems that the corpus shows."""
    return {
        "figures": _figures(found, rehearsed) if found else [],
        "problems": [problem(each) for each in problems],
    }


def effect(found: Effect, same_meaning: str, *, fresh: bool) -> Context:
    """What publishing would do, in the order in which one decides."""
    opens = found.state.study.state == StudyState.DRAFT
    name = "Open to raters" if opens else f"Load as version {found.state.version + 1}"
    return _headed(found.state, name) | {
        "effect": found,
        "figures": _figures(found.planned, None),
        "warnings": [problem(each) for each in found.problems],
        "opens": opens,
        "name": name,
        "same_meaning": same_meaning,
        "fresh": fresh,
        "unchanged": bool(found.state.version) and not found.change,
    }


def conflict(changed: ChangedMeanwhile, difference: Sequence[DiffLine]) -> Context:
    """Two texts: the one that is stored, and the one that somebody wants to save."""
    return _headed(changed.theirs, "Two changes") | {
        "theirs": changed.theirs,
        "ours": changed.ours,
        "difference": difference,
    }


def comparison(state: StudyFileState, of: Template, difference: Sequence[DiffLine]) -> Context:
    """A file beside the template that it began with."""
    return _headed(state, "Changes") | {"template": of, "difference": difference}


def rehearsal(study: StudyRow, found: StudyRehearsal | None, text: str) -> Context:
    """A rehearsal: how far it is, or its figures."""
    context = frame(study.public_id, study.title, "rehearsal", "Rehearsal") | {
        "rehearsal": found,
        "under_way": found is not None and found.state in (State.WAITING, State.RUNNING),
        "seconds": (timezone.now() - found.asked_at).total_seconds() if found else None,
    }
    if not study.versions.exists():
        # The other pages of a study begin with its first version.
        del context["tabs"]
        context["heading"] = {
            "text": study.title,
            "href": f"{context['root']}/editor",
            "state": study.state,
            "is_title": False,
        }
    if found is None or found.state != State.READY:
        return context
    return context | {"outdated": found.text != text} | _outcome(found.figures, found.text)


def _headed(state: StudyFileState, page: str) -> Context:
    study = state.study
    root = f"/studies/{study.public_id}"
    return {
        "title": f"{page} · {study.title}",
        "root": root,
        "public_id": study.public_id,
        "study_name": study.name,
        "version": state.version,
        "heading": {
            "text": study.title or study.name,
            "href": root if state.version else "",
            "state": study.state,
            "is_title": True,
        },
    }


def _figures(found: PlannedFile, rehearsed: StudyRehearsal | None) -> list[Context]:
    plan = found.plan
    figures = [
        _figure(f"{plan.tasks:,}", f"places, {found.items:,} item{'' if found.items == 1 else 's'}"),
        _figure(f"{plan.raters_needed:,} of {plan.raters:,}", "raters needed"),
        _figure(
            money(found.cost.cents, found.cost.currency) if found.cost.cents else "–", "pay of all raters"
        ),
    ]
    if found.hourly:
        figures.append(_figure(money(found.hourly.cents, found.hourly.currency), "hourly pay, expected"))
    hours = rehearsed.figures.get("hours", {}).get("90%") if rehearsed else None
    if hours:
        figures.append(_figure(_duration(hours), "for 90%, as rehearsed"))
    return figures


def _figure(value: str, label: str) -> Context:
    return {"value": value, "label": label}


def _outcome(record: Context, text: str) -> Context:
    """The figures of a rehearsal as `labelwright simulate` writes them."""
    pay = record["pay_per_task"]
    owed = " and ".join(money(each["cents"], each["currency"]) for each in record["owed"])
    hours = {share: _duration(took) for share, took in record["hours"].items() if took}
    hourly = record["median_hourly_cents"]
    figures = [
        _figure(f"{record['stored']:,} of {record['wanted']:,}", "ratings collected"),
        _figure(hours.get("100%") or "not complete", "until the last rating"),
        _figure(hours.get("90%", "–"), "until 90% of the ratings"),
        _figure(owed or "–", "pay of all raters"),
        _figure(money(round(hourly), pay["currency"]) if hourly else "–", "median pay per hour"),
        _figure(f"{record['raters']:,}", "simulated raters"),
    ]
    return {
        "figures": figures,
        "rehearsal_warnings": record["warnings"],
        "kinds": [_kind(each, pay["currency"]) for each in record["kinds"]],
        "agreement": _agreements(record, text),
        "chart": _chart(record),
    }


def _kind(kind: Context, currency: str) -> Context:
    hourly = kind["hourly_cents"]
    return kind | {
        "name": kind["kind"].replace("_", " ").capitalize(),
        "hourly": money(round(hourly), currency) if hourly else "–",
    }


def _agreements(record: Context, text: str) -> list[Context]:
    """The agreement beyond chance on each question in each condition, the questions in their own words."""
    study, _ = check_study(text)
    found = [row for row in record["agreement"] if row["name"] != "percentage"]
    return [
        {
            "question": name_judgment(study, row["question"]) if study else row["question"],
            "condition": row["condition"],
            "value": row["value"],
            "interval": row["interval"],
            "items": row["items"],
        }
        for row in found[:MOST_ROWS]
    ]


def _chart(record: Context) -> Context:
    points = [{"at": record["opened"], "n": 0}, *({"at": at, "n": n} for at, n in record["over_time"])]
    chart = submissions_over_time(points, record["wanted"])
    return {
        "id": "over-time",
        "label": "Submitted tasks over simulated time, and the target",
        "specs": {"light": themed(chart, LIGHT), "dark": themed(chart, DARK)}
        if record["over_time"]
        else None,
        "empty": "Nobody submitted a task.",
        "head": ["Simulated time", "Submitted tasks"],
        "rows": [
            [each["at"][:16].replace("T", " "), f"{each['n']:,}"]
            for each in points[:: max(1, len(points) // 40)]
        ],
    }


def _duration(hours: float) -> str:
    """A number of hours in words.

    >>> _duration(0.4), _duration(5.2), _duration(50)
    ('24 min', '5 h', '2 days 2 h')
    """
    took = timedelta(hours=hours)
    whole = round(took / timedelta(hours=1))
    if took < timedelta(hours=1):
        return f"{round(took / timedelta(minutes=1))} min"
    if whole < 24:
        return f"{whole} h"
    days, rest = divmod(whole, 24)
    return f"{days} day{'' if days == 1 else 's'}" + (f" {rest} h" if rest else "")


def _size(n: int) -> str:
    """A size in bytes, kB or MB.

    >>> _size(900), _size(12_300), _size(2_500_000)
    ('900 bytes', '12 kB', '2.5 MB')
    """
    if n < 1000:
        return f"{n} bytes"
    return f"{n / 1e6:.1f} MB" if n >= 1e6 else f"{n // 1000} kB"
