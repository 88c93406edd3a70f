"""Template context of the start page: what needs attention, and the list of studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import Pay
from labelwright.server.results.actions.home import ArchiveResult, Home
from labelwright.server.results.queries import StudyLine
from labelwright.server.web.money import amounts

Context = dict[str, Any]
MANY_FLAGS = 20
"""From so many flagged tasks on, they are marked as urgent."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that somebody has to do."""

    text: str
    by: str
    href: str
    go: str
    icon: str
    urgency: str
    """`bad`, `warn` or `muted`."""


def home(found: Home) -> Context:
    """The start page."""
    needs = _needs(found.needs)
    return {
        "title": "Studies · Labelwright",
        "shown": found.shown,
        "lines": [_line(line) for line in found.shown.rows],
        "needs": needs,
        "in_studies": len(found.needs),
        "studies": found.studies,
    }


def _line(line: StudyLine) -> Context:
    summary = line.summary
    days = summary.get("days", [])
    return {
        "of": line,
        "stored": summary.get("stored", 0),
        "days": days if any(days) else [],
        "days_text": f"{sum(days):,} submission{_s(sum(days))} in the last 7 days",
        "agreement": summary.get("agreement"),
        "owed": _owed(summary),
        "flags": summary.get("to_review", 0),
        "unread": summary.get("unanswered", 0),
        "computed": bool(summary),
    }


def _owed(summary: Context) -> str | None:
    return amounts([Pay(cents=cents, currency=currency) for cents, currency in summary.get("owed", [])])


def _needs(lines: Sequence[StudyLine]) -> list[Need]:
    """What needs attention, the most urgent first: money, flagged work, questions."""
    late = [_late(line) for line in lines if line.summary.get("late_answers")]
    flagged = sorted(
        (line for line in lines if line.summary.get("to_review")), key=lambda line: -line.summary["to_review"]
    )
    asked = [line for line in lines if line.summary.get("unanswered")]
    return [*late, *(_flagged(line) for line in flagged), *([_questions(asked)] if asked else [])]


def _late(line: StudyLine) -> Need:
    n = line.summary["late_answers"]
    return Need(
        f"{n:,} late submission{_s(n)} without a place in {line.title}",
        "decide whether they are paid",
        f"/studies/{line.public_id}/items",
        "Decide",
        "warning",
        "bad",
    )


def _flagged(line: StudyLine) -> Need:
    n = line.summary["to_review"]
    return Need(
        f"{n:,} task{_s(n)} to review in {line.title}",
        "no more places are open" if line.state == "review" else "",
        f"/studies/{line.public_id}/review",
        "Review",
        "flag",
        "warn" if n >= MANY_FLAGS or line.state == "review" else "muted",
    )


def _questions(lines: Sequence[StudyLine]) -> Need:
    n = sum(line.summary["unanswered"] for line in lines)
    where = ", ".join(f"{line.summary['unanswered']:,} in {line.title}" for line in lines)
    return Need(
        f"{n:,} unanswered question{_s(n)} from raters",
        where,
        f"/studies/{lines[0].public_id}/messages",
        "Answer",
        "talk",
        "muted",
    )


def archived(result: ArchiveResult, verb: str) -> str:
    """What became of the selected studies, in words."""
    n = len(result.changed)
    done = f"{n} stud{'y' if n == 1 else 'ies'} {verb}."
    if not result.refused:
        return done
    return f"{done} Not {verb}, because their state does not allow it: {', '.join(result.refused)}."


def _s(n: int) -> str:
    return "" if n == 1 else "s"
