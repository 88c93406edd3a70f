"""Quality rules, found by the name used in the study file; each kind is a module of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import Field

from labelwright.quality.rules.base import Rule, Work
from labelwright.quality.rules.known_answers import AttentionFailed, GoldFailed
from labelwright.quality.rules.too_fast import TooFast

RULES: dict[str, type[Rule]] = {
    kind.rule_name(): kind
    for kind in (
        TooFast,
        AttentionFailed,
        GoldFailed,
        *(point.load() for point in entry_points(group="labelwright.rules")),
    )
}

if TYPE_CHECKING:
    AnyRule = Rule
else:
    AnyRule = Annotated[Union[tuple(RULES.values())], Field(discriminator="rule")]


def flags(rules: Iterable[Rule], work: Work) -> Iterator[tuple[Rule, dict[str, Any]]]:
    """The rules that a piece of work breaks, each with its evidence."""
    for rule in rules:
        evidence = rule.find(work)
        if evidence is not None:
            yield rule, evidence


__all__ = ["RULES", "AnyRule", "Rule", "Work", "flags"]
