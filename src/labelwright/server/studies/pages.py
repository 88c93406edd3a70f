"""What the templates are given: the batches on one time axis, and the state of a study with what can be done to it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from labelwright.crowd import BatchState, Pay, StudyState, StudyVerb
from labelwright.server.access.actions.permission import Permission
from labelwright.server.studies.actions.completions import Completion
from labelwright.server.studies.actions.life import needed_permission
from labelwright.server.studies.queries.calendar import BatchLine
from labelwright.server.studies.queries.life import REVIEW
from labelwright.server.web.money import amounts

Context = dict[str, Any]
WIDTH = 240
"""Width of the timeline, in drawing units."""
SHORTEST = 3
STATE_WORDS = {
    StudyState.DRAFT: "Draft",
    StudyState.OPEN: "Collecting",
    REVIEW: "Review",
    StudyState.PAUSED: "Paused",
    StudyState.CLOSED: "Closed",
    StudyState.ARCHIVED: "Archived",
}
STATE_MEANINGS = {
    StudyState.DRAFT: "Raters get no tasks yet; their links tell them that the study has not started.",
    StudyState.OPEN: "Raters get tasks from the batches that are open.",
    REVIEW: "Raters have taken every place. Some of their work is flagged and waits for your decision.",
    StudyState.PAUSED: "Raters get no new tasks for now. Those at work can finish and submit.",
    StudyState.CLOSED: "Raters get no new tasks, and their links tell them that the study is closed.",
    StudyState.ARCHIVED: "The study is closed and not in the list of studies. Its pages and its data are kept.",
}
"""What each state means, in a sentence."""
_VERBS = {
    StudyVerb.OPEN: (
        "Open to raters",
        "Raters with a link get tasks at once, from the batches that are open. A batch past its deadline stays closed.",
    ),
    StudyVerb.RESUME: ("Resume", "Raters get tasks again. Deadlines have not moved during the pause."),
    StudyVerb.PAUSE: (
        "Pause",
        "Raters get no new tasks until you resume. Those at work can finish and submit. Deadlines do not move.",
    ),
    StudyVerb.CLOSE: (
        "Close study",
        "Raters get no new tasks. Those at work can finish and submit. Deadlines stay, and you can open it again.",
    ),
    StudyVerb.ARCHIVE: (
        "Archive study",
        "It leaves the list of studies and stays readable. Addresses of people who wait for tasks are deleted.",
    ),
    StudyVerb.RESTORE: ("Restore", "The study is in the list of studies again, and stays closed."),
}
"""The name of each button, and what it does."""


def calendar(lines: list[BatchLine], study_state: str, now: datetime) -> Context:
    """The lines of the calendar on a shared time axis."""
    first = min(line.opens_at for line in lines)
    last = max([now, *(line.closes_at or line.opens_at for line in lines)])
    span = max(last - first, timedelta(hours=1))
    return {
        "lines": [_line(line, study_state, first, span, now) for line in lines],
        "first": first,
        "last": first + span,
        "now_x": _x(now, first, span),
        "width": WIDTH,
        "filled": sum(line.filled for line in lines),
        "wanted": sum(line.wanted for line in lines),
        "next": min((line.opens_at for line in lines if line.state == BatchState.PLANNED), default=None),
    }


def life(name: str, state: str, shown: str, permitted: frozenset[Permission], left: str) -> Context:
    """The state of a study, and the buttons that change it, as far as the user is permitted."""
    verbs = [
        verb for verb in _VERBS if verb.applies_to(StudyState(state)) and needed_permission(verb) in permitted
    ]
    return {
        "study_name": name,
        "state": shown,
        "state_word": STATE_WORDS[shown],
        "state_meaning": STATE_MEANINGS[shown],
        "may_delete": Permission.ADMINISTER in permitted,
        "verbs": [
            {
                "verb": verb,
                "name": _VERBS[verb][0],
                "effect": _VERBS[verb][1],
                "warning": f"{left} Home no longer shows this." if left and verb == StudyVerb.ARCHIVE else "",
            }
            for verb in verbs
        ],
    }


def unfinished(summary: Context) -> str:
    """What is left to do in a study when somebody wants to put it away, from its stored numbers; empty if nothing is.

    >>> unfinished({"owed": [(7500, "USD")], "to_review": 1})
    '$75.00 is owed to raters, and 1 flagged task is undecided.'
    >>> unfinished({})
    ''
    """
    owed = amounts([Pay(cents=cents, currency=currency) for cents, currency in summary.get("owed", [])])
    flagged, late = summary.get("to_review", 0), summary.get("late_answers", 0)
    parts = [f"{owed} is owed to raters"] if owed else []
    parts += [f"{flagged:,} flagged task{' is' if flagged == 1 else 's are'} undecided"] if flagged else []
    parts += [f"{late:,} late submission{' is' if late == 1 else 's are'} undecided"] if late else []
    return f"{', and '.join(parts)}." if parts else ""


def completed(line: BatchLine, done: list[Completion]) -> Context:
    """The raters who completed a batch, the fastest first, and how many only started."""
    return {
        "looked_at": {
            "id": line.id,
            "name": _name(line),
            "begun": line.begun,
            "partly": line.begun - line.completed,
        },
        "done": done,
        "in_time": sum(one.in_time is True for one in done),
    }


def _name(line: BatchLine) -> str:
    return line.topic or f"Batch {line.number + 1}"


def _line(line: BatchLine, study_state: str, first: datetime, span: timedelta, now: datetime) -> Context:
    left, right = _x(line.opens_at, first, span), _x(line.closes_at or first + span, first, span)
    width = max(right - left, SHORTEST)
    share = line.filled / line.wanted if line.wanted else 0
    open_places = line.wanted - line.filled
    # An open batch offers tasks only while its study does.
    held_back = line.state == BatchState.OPEN and study_state != StudyState.OPEN
    return {
        "batch": line,
        "name": _name(line),
        "state": STATE_WORDS[StudyState(study_state)] if held_back else line.state.capitalize(),
        "offers": line.state == BatchState.OPEN and not held_back,
        "short": line.state == BatchState.CLOSED and open_places > 0,
        "open_places": open_places,
        "time_left": _time_left(line, now),
        "x": min(left, WIDTH - SHORTEST),
        "bar": width,
        "done": round(width * share, 1),
    }


def _x(at: datetime, first: datetime, span: timedelta) -> float:
    return round(WIDTH * min(max((at - first) / span, 0), 1), 1)


def _time_left(line: BatchLine, now: datetime) -> str:
    """The time until the deadline, in a suitable unit."""
    if line.closes_at is None or line.state == BatchState.CLOSED:
        return ""
    hours = (line.closes_at - now) / timedelta(hours=1)
    if hours <= 0:
        return "over"
    if hours >= 48:
        return f"{hours / 24:.0f} days left"
    return f"{hours:.0f} h left" if hours >= 1 else f"{hours * 60:.0f} min left"
