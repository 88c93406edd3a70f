"""Template context of the start page: what needs attention, and the list of studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import Pay, StudyState
from labelwright.server.access.actions.permission import PERMITTED, Permission, StudyRole
from labelwright.server.results.actions.home import ArchiveResult, Home
from labelwright.server.results.pages.overview import few_raters
from labelwright.server.results.queries import StudyLine
from labelwright.server.studies.pages import unfinished
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
    studies: tuple[str, ...]
    """The public ids of the studies that it is about."""


def home(found: Home) -> Context:
    """The start page."""
    needs = _needs(found.needs)
    return {
        "title": "Studies · Labelwright",
        "shown": found.shown,
        "lines": [_line(line) for line in found.shown.rows],
        "needs": needs,
        "in_studies": len({study for need in needs for study in need.studies}),
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
        "reviews": _may(line, Permission.REVIEW),
        "reads_messages": _may(line, Permission.SEE_RATERS),
    }


def _may(line: StudyLine, permission: Permission) -> bool:
    return permission in PERMITTED[StudyRole(line.role)]


def _owed(summary: Context) -> str | None:
    return amounts([Pay(cents=cents, currency=currency) for cents, currency in summary.get("owed", [])])


def _needs(lines: Sequence[StudyLine]) -> list[Need]:
    """What needs attention and the user may do, the most urgent first: money, raters, flagged work, questions."""
    reviewed = [line for line in lines if _may(line, Permission.REVIEW)]
    managed = [line for line in lines if _may(line, Permission.MANAGE_RATERS)]
    late = [_late(line) for line in reviewed if line.summary.get("late_answers")]
    flagged = sorted(
        (line for line in reviewed if line.summary.get("to_review")),
        key=lambda line: -line.summary["to_review"],
    )
    asked = [line for line in managed if line.summary.get("unanswered")]
    return [
        *late,
        *(need for line in managed for need in _missing_raters(line)),
        *(_flagged(line) for line in flagged),
        *([_questions(asked)] if asked else []),
    ]


def _missing_raters(line: StudyLine) -> Iterator[Need]:
    raters = line.summary.get("raters", 0)
    text = few_raters(raters, line.summary.get("raters_needed", 0))
    if text and line.state == StudyState.OPEN:
        yield Need(
            f"{text} in {line.title}",
            "",
            f"/studies/{line.public_id}/raters",
            "Invite raters",
            "warning",
            "muted" if raters else "warn",
            (line.public_id,),
        )


def _late(line: StudyLine) -> Need:
    n = line.summary["late_answers"]
    return Need(
        f"{n:,} late submission{_s(n)} without a place in {line.title}",
        "decide whether they are paid",
        f"/studies/{line.public_id}",
        "Decide",
        "warning",
        "bad",
        (line.public_id,),
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
        (line.public_id,),
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
        tuple(line.public_id for line in lines),
    )


def archiving(lines: Sequence[StudyLine]) -> list[str]:
    """What archiving studies does, and what would be left undone in them."""
    return [
        *(
            f"{line.title}: {left} Home no longer shows this."
            for line in lines
            if (left := unfinished(line.summary))
        ),
        "Archived studies leave this list; the filter Archived shows them. Their pages and data are kept.",
        "The addresses of people who wait for tasks are deleted. That cannot be undone.",
        "Studies that are open or paused stay as they are: close them first.",
    ]


def archived(result: ArchiveResult, verb: str) -> str:
    """What became of the selected studies, in words."""
    n = len(result.changed)
    done = f"{n} stud{'y' if n == 1 else 'ies'} {verb}."
    if not result.refused:
        return done
    return f"{done} Not {verb}, because their state does not allow it: {', '.join(result.refused)}."


def _s(n: int) -> str:
    return "" if n == 1 else "s"
