"""Template context of the review queue: filters, groups with their first cases, and what was decided last."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from labelwright.server.review.actions.queue import ReviewQueue
from labelwright.server.review.pages.words import KINDS, NO_FLAG, SHORT, time_left, topic
from labelwright.server.review.queries.queue import (
    DecidedCase,
    QueuedCase,
    QueuedGroup,
    QueueFilter,
    RuleCount,
)
from labelwright.server.store.models import CaseKind
from labelwright.server.web.desk.rule_names import rule_name

Context = dict[str, Any]
LONGEST_NAME = 60
WITHOUT_FLAG = "none"
"""The value of the filter for work without flags."""


def read_filter(address: Mapping[str, str]) -> QueueFilter:
    """What the address of a page asks for."""
    given = {
        name: address.get(name, "")[:LONGEST_NAME].replace("\x00", "")
        for name in ("rule", "kind", "condition", "rater")
    }
    rule = "" if given["rule"] == WITHOUT_FLAG else given["rule"] or None
    kind = given["kind"] if given["kind"] in list(CaseKind) else ""
    return QueueFilter(kind=kind, rule=rule, condition=given["condition"], rater=given["rater"])


def address_of(wanted: QueueFilter, **changes: str) -> str:
    """The query string of a filter, with some of its values changed."""
    rule = WITHOUT_FLAG if wanted.rule == "" else wanted.rule or ""
    values = {
        "kind": wanted.kind,
        "rule": rule,
        "condition": wanted.condition,
        "rater": wanted.rater,
    } | changes
    query = urlencode({name: value for name, value in values.items() if value})
    return f"?{query}" if query else "?"


def queue(found: ReviewQueue, wanted: QueueFilter, now: datetime, user: str) -> Context:
    """The whole queue."""
    shown = sum(len(cases) for cases in found.cases.values())
    return {
        "filters": _filters(found, wanted),
        "conditions": found.conditions if len(found.conditions) > 1 else [],
        "wanted": wanted,
        "kept": {"rule": WITHOUT_FLAG if wanted.rule == "" else wanted.rule or "", "kind": wanted.kind},
        "query": address_of(wanted),
        "open": found.open,
        "all_groups": found.all_groups,
        "more_groups": max(0, found.all_groups - len(found.groups)) if not _narrowed(wanted) else 0,
        "by_deadline": any(group.decide_by for group in found.groups),
        "groups": [_group(group, found.cases.get(group.id, []), now, user) for group in found.groups],
        "shown": shown,
        "decided": [_decided(case) for case in found.decided],
        "decided_today": found.decided_today,
    }


def _narrowed(wanted: QueueFilter) -> bool:
    return bool(wanted.kind or wanted.rule is not None or wanted.condition or wanted.rater)


def _filters(found: ReviewQueue, wanted: QueueFilter) -> list[Context]:
    everything = {
        "name": "All",
        "n": found.open,
        "href": address_of(wanted, rule="", kind=""),
        "current": wanted.rule is None and not wanted.kind,
    }
    return [everything, *(_filter(each, wanted) for each in found.by_rule)]


def _filter(each: RuleCount, wanted: QueueFilter) -> Context:
    kind = CaseKind(each.kind)
    name = rule_name(each.rule) if each.rule else NO_FLAG
    prefix = KINDS[kind].capitalize()
    return {
        "name": f"{prefix}: {name.lower()}" if prefix else name,
        "n": each.open,
        "href": address_of(wanted, rule=each.rule or WITHOUT_FLAG, kind=each.kind),
        "current": wanted.rule == each.rule and wanted.kind == each.kind,
    }


def _group(group: QueuedGroup, cases: list[QueuedCase], now: datetime, user: str) -> Context:
    return {
        "of": group,
        "topic": topic(group.kind, group.rule),
        "left": time_left(group.decide_by, now),
        "cases": [_case(case, now, user) for case in cases],
        "together": group.open > 1 and group.kind == CaseKind.FIRST,
    }


def _case(case: QueuedCase, now: datetime, user: str) -> Context:
    rules = ", ".join(rule_name(rule).lower() for rule in case.rules) or NO_FLAG.lower()
    return {
        "of": case,
        "name": f"{case.item} and {case.items - 1} more" if case.items > 1 else case.item,
        "about": rules,
        "left": time_left(case.decide_by, now),
        "elsewhere": case.held_by if case.held_by != user else "",
    }


def _decided(case: DecidedCase) -> Context:
    return {
        "of": case,
        "verdict": SHORT.get(case.choice, "Decided"),
        "what": f"{case.together} tasks" if case.together > 1 else case.item,
    }
