"""Facts about the raters: where they come from, what they said about themselves, and what they earned. Reads only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelwright.report.facts import Distribution, PaymentFacts, RaterFacts, Share
from labelwright.server.reports.queries import facts as queries
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.answer_words import answer_in_words
from labelwright.study import Study
from labelwright.task import Asking
from labelwright.task.questions import Question

MOST_ANSWERS = 12
"""More different numbers than this are shown in groups of ten."""
NO_ANSWER = "no answer"
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Earned:
    """What one rater earned in one currency, and in which time."""

    cents: int
    seconds: float


def get_earnings(row: StudyRow) -> dict[str, list[Earned]]:
    """Paid and owed pay of each rater by currency; the currency with the most pay first. Each task counts at the pay of its version."""
    sums: dict[tuple[str, int], list[float]] = {}
    for work in queries.earned_work(row.pk):
        pay = study_of(work.version).pool_of(work.pool).pay
        total = sums.setdefault((pay.currency, work.rater), [0, 0.0])
        total[0] += pay.cents * work.tasks
        total[1] += work.seconds
    found: dict[str, list[Earned]] = {}
    for (currency, _), (cents, seconds) in sums.items():
        found.setdefault(currency, []).append(Earned(int(cents), seconds))
    return dict(sorted(found.items(), key=lambda each: -sum(one.cents for one in each[1])))


def get_rater_facts(row: StudyRow, study: Study) -> RaterFacts:
    """Recruitment, demographics and pay."""
    return RaterFacts(
        recruited=_recruited(study), demographics=tuple(_demographics(row, study)), pay=_pay(row, study)
    )


def _recruited(study: Study) -> str:
    qualified = [name for name, pool in study.pools.items() if pool.qualification]
    after = f" after the qualification {' and '.join(qualified)}" if qualified else ""
    caps = study.pool.caps
    limit = f" Each rater did at most {caps.tasks:,} tasks." if caps.tasks else ""
    return f"Raters were invited by personal links and open links{after}.{limit}"


def _pay(row: StudyRow, study: Study) -> PaymentFacts:
    earned, reward = get_earnings(row), study.pool.pay
    currency = next(iter(earned), reward.currency)
    own = earned.get(currency, [])
    rates = [each.cents * HOUR / each.seconds for each in own if each.seconds > 0 and each.cents]
    low, middle, high = (
        (round(float(q)) for q in np.quantile(rates, [0.25, 0.5, 0.75])) if rates else (None,) * 3
    )
    return PaymentFacts(
        currency=currency,
        reward=reward.cents if reward.currency == currency else None,
        paid=sum(each.cents for each in own) if own else None,
        hourly=middle,
        hourly_low=low,
        hourly_high=high,
    )


def _demographics(row: StudyRow, study: Study) -> list[Distribution]:
    """The answers of raters with submitted work to every question of the newest version that is not free text."""
    sheets = queries.demographic_sheets(row.pk)
    found = []
    for question in study.demographics:
        if question.free_text or not sheets:
            continue
        given = Counter[str]()
        values = [sheet.get(question.name) for sheet in sheets]
        for value in values:
            given.update(_words(question, value, study) or [NO_ANSWER])
        answers = sorted(_grouped(given).items(), key=_order)
        found.append(
            Distribution(
                question=question.text, answers=tuple(Share(name=name, count=n) for name, n in answers)
            )
        )
    return found


def _words(question: Question, value: Any, study: Study) -> list[str]:
    return [said for line in answer_in_words(question, value, Asking(study.scales)) for said in line.said]


def _grouped(given: Counter[str]) -> Counter[str]:
    """Many different numbers in groups of ten; anything else as it is.

    >>> sorted(_grouped(Counter({str(n): 1 for n in range(18, 42)})).items())
    [('10–19', 2), ('20–29', 10), ('30–39', 10), ('40–49', 2)]
    """
    numbers = [name for name in given if name.isdecimal()]
    if len(numbers) <= MOST_ANSWERS:
        return given
    made = Counter[str]()
    for name, n in given.items():
        made[f"{int(name) // 10 * 10}–{int(name) // 10 * 10 + 9}" if name.isdecimal() else name] += n
    return made


def _order(answer: tuple[str, int]) -> tuple[bool, bool, int, str]:
    """The most frequent first, numbers in their order, and missing answers last."""
    name, n = answer
    first = name.partition("–")[0]
    return (name == NO_ANSWER, not first.isdecimal(), int(first) if first.isdecimal() else -n, name)
