"""Template context of one group of cases: its tasks, and the consequences of one decision on them."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from labelwright.crowd import Pay
from labelwright.quality import RULES, Rule
from labelwright.server.review.actions.groups import GroupPage
from labelwright.server.review.actions.verdicts import VerdictChoice
from labelwright.server.review.pages.words import NO_FLAG, VERDICTS, templates, time_left, topic
from labelwright.server.review.queries.verdicts import GroupedCase
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions.judgments import Judged, judged_in
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.server.web.money import SIGNS, amounts, money

Context = dict[str, Any]


def group(found: GroupPage, now: datetime) -> Context:
    """The page of a group; every task is selected at first, except those that another reviewer holds."""
    of = found.group
    newest = study_of(found.study.versions.latest("n").pk)
    rules = list(dict.fromkeys([of.rule, *(rule for case in found.cases for rule in case.rules)]))
    first = next(iter(judged_in(newest)), None)
    proposed = any(rule.rule == of.rule and rule.then == "propose" for rule in newest.quality)
    return {
        "group": of,
        "topic": topic(of.kind, of.rule),
        "left": time_left(of.decide_by, now),
        "question": first.text if first else "",
        "rows": [_row(case, found, first) for case in found.cases],
        "selected": sum(not case.held_by for case in found.cases),
        "preview": _preview(found),
        "by_condition": _in_words(Counter(case.condition for case in found.cases)),
        "evidence": _evidence(found, first),
        "proposed": VerdictChoice.LEAVE_OUT.value if proposed else "",
        "reason": RULES.get(of.rule, Rule).reason if proposed else "",
        "verdicts": [verdict for verdict in VERDICTS if verdict.choice != "reject"],
        "templates": templates(newest, [rule for rule in rules if rule]),
    }


def _row(case: GroupedCase, found: GroupPage, first: Judged | None) -> Context:
    consequence = found.consequences[case.id]
    others = [rule_name(rule).lower() for rule in case.rules if rule != found.group.rule]
    return {
        "of": case,
        "name": f"{case.item_key} and {case.items - 1} more" if case.items > 1 else case.item_key,
        "answer": _answer(case, first) if first else "",
        "others": f"also {' and '.join(others)}" if others else "",
        "consequence": consequence,
        "amount": money(consequence.pay.cents, consequence.pay.currency) if consequence.pay.cents else "–",
    }


def _answer(case: GroupedCase, first: Judged) -> str:
    code = case.codes.get(first.name)
    return first.scale.name_of(code) if code is not None and code in first.scale.codes else ""


def _preview(found: GroupPage) -> Context:
    """What the decision leads to for all tasks that can be selected; a script keeps it up to date."""
    chosen = [found.consequences[case.id] for case in found.cases if not case.held_by]
    sums: dict[str, int] = {}
    for each in chosen:
        sums[each.pay.currency] = sums.get(each.pay.currency, 0) + each.pay.cents
    refilled = [each.pay for each in chosen if each.refilled]
    again: dict[str, int] = {}
    for pay in refilled:
        again[pay.currency] = again.get(pay.currency, 0) + pay.cents
    return {
        # A script writes amounts of one currency only.
        "sign": SIGNS.get(next(iter(sums)), "") if len(sums) == 1 else "",
        "paid": amounts([Pay(cents=cents, currency=currency) for currency, cents in sums.items()]),
        "answers": sum(each.answers for each in chosen),
        "tasks": len(chosen),
        "places": len(refilled),
        "places_cost": amounts([Pay(cents=cents, currency=currency) for currency, cents in again.items()]),
    }


def _evidence(found: GroupPage, first: Judged | None) -> str:
    """How many tasks have the same answer to the first question, and what other rules found."""
    said = []
    given = Counter(case.codes[first.name] for case in found.cases if first and first.name in case.codes)
    if first and given and len(found.cases) > 1:
        same = max(given.values())
        said.append(f"{same} of these {len(found.cases)} tasks have the same answer to “{first.text}”.")
    if found.other_rules:
        named = Counter({rule_name(rule).lower(): n for rule, n in found.other_rules.items()})
        said.append(f"Other flags: {_in_words(named)}.")
    return " ".join(said)


def _in_words(counted: Counter[str]) -> str:
    return ", ".join(f"{name or NO_FLAG.lower()} {n}" for name, n in counted.most_common())
