"""Quality rules by the name used in the study file; each kind is a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from labelwright.quality.rules.base import RULES, Rule, Then, quality_rule
from labelwright.quality.rules.work import (
    AnswerContent,
    OtherRating,
    PoolPace,
    RaterFigures,
    RuleNeed,
    TypingFacts,
    Work,
)
from labelwright.registry import Tagged

AnyRule = Annotated[Rule, Tagged(RULES, "rule")]
"""A rule as a study file holds it: of the class that its name is registered for."""


def flags(rules: Iterable[Rule], work: Work) -> Iterator[tuple[Rule, dict[str, Any]]]:
    """The rules that an assignment breaks, each with its evidence.

    A rule sees only what it declares in `needs`; one whose needs were not loaded is left out.
    """
    for rule in rules:
        evidence = rule.find(work.only(rule.needs)) if work.holds(rule.needs) else None
        if evidence is not None:
            yield rule, evidence


__all__ = [
    "RULES",
    "AnswerContent",
    "AnyRule",
    "OtherRating",
    "PoolPace",
    "RaterFigures",
    "Rule",
    "RuleNeed",
    "Then",
    "TypingFacts",
    "Work",
    "flags",
    "quality_rule",
]
