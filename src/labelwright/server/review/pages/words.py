"""Words of the review pages: kinds of cases, verdicts, reasons and the time that is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from labelwright.quality import RULES, Rule
from labelwright.server.review.actions.verdicts import VerdictChoice
from labelwright.server.store.models import CaseKind
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.study import Study


@dataclass(frozen=True, slots=True)
class VerdictButton:
    """A verdict, its key and its words."""

    choice: VerdictChoice
    key: str
    name: str
    short: str


VERDICTS = (
    VerdictButton(VerdictChoice.FINE, "A", "Pay, use data", "Pay, use"),
    VerdictButton(VerdictChoice.LEAVE_OUT, "X", "Pay, exclude data", "Pay, exclude"),
    VerdictButton(VerdictChoice.REJECT, "R", "Do not pay, exclude data", "Do not pay"),
)
SHORT = {verdict.choice.value: verdict.short for verdict in VERDICTS}
NO_FLAG = "No flag"
KINDS = {
    CaseKind.FIRST: "",
    CaseKind.SECOND: "second opinion",
    CaseKind.DIFFERENCE: "opinions differ",
    CaseKind.DISPUTE: "answer from the rater",
}
PARTICULARS = "[Say what you saw in this task.]"
"""What a template leaves to the reviewer: a reason that fits every rater tells none of them anything."""
FREE_TEXT = "Free text"


@dataclass(frozen=True, slots=True)
class OfferedReason:
    """A reason to begin with."""

    key: str
    name: str
    text: str


def topic(kind: str, rule: str) -> str:
    """What a group of cases is about.

    >>> topic("first", "too_fast"), topic("second", "too_fast"), topic("first", "")
    ('too fast', 'second opinion: too fast', 'no flag')
    """
    name = rule_name(rule).lower() if rule else NO_FLAG.lower()
    prefix = KINDS[CaseKind(kind)]
    return f"{prefix}: {name}" if prefix else name


def templates(study: Study, rules: Iterable[str]) -> list[OfferedReason]:
    """The reasons of the study file, or one for each rule that flagged the work; the last one is empty."""
    own = [(each.name, each.text) for each in study.review.reasons]
    known = ((rule, RULES.get(rule, Rule).reason) for rule in rules)
    by_rule = [(rule_name(rule), f"{reason} {PARTICULARS}") for rule, reason in known if reason]
    made = [*(own or by_rule)][:8]
    return [
        OfferedReason(str(number), name, text)
        for number, (name, text) in enumerate([*made, (FREE_TEXT, "")], start=1)
    ]


def time_left(decide_by: datetime | None, now: datetime) -> str:
    """How long until the platform decides.

    >>> start = datetime(2026, 11, 16)
    >>> time_left(start + timedelta(hours=5, minutes=12), start), time_left(start + timedelta(days=1, hours=2), start)
    ('5 h 12 min', '1 day 2 h')
    >>> time_left(start, start), time_left(None, start)
    ('now', '')
    """
    if decide_by is None:
        return ""
    minutes = int((decide_by - now) / timedelta(minutes=1))
    if minutes <= 0:
        return "now"
    days, hours = divmod(minutes // 60, 24)
    if days:
        return f"{days} day{'s' * (days > 1)} {hours} h"
    return f"{hours} h {minutes % 60:02d} min" if hours else f"{minutes} min"
