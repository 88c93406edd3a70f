"""Rules of assignment: which tasks spoil each other for one rater, and whether lost data are collected again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SEPARATOR = "\x1f"
"""Stands in no key, so that two keys of two parts are never one."""


class AssignmentPart(BaseModel):
    """What one rater may be given, and what becomes of places whose data are not used."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    same_item: Literal["never", "other_aspect", "other_condition"] = "never"
    """When a rater may judge an item again: never, for an aspect not judged yet, or in another condition."""
    spoils: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Aspects that can no longer be judged once another was: `usefulness: [relevance]`, since usefulness shows
    the next turn. The other way round stays allowed."""
    refill: bool = True
    """Whether a place whose data are not used is offered again, to another rater."""


@dataclass(frozen=True, slots=True)
class Spoil:
    """What judging an item in a condition means for the same rater later; each part follows the item's key."""

    own: str
    """What must not have been met before, and is met now."""
    also: tuple[str, ...]
    """What is met as well, whether or not it was before."""


def spoil_rules(part: AssignmentPart, aspects: Mapping[str, frozenset[str]]) -> dict[str, Spoil]:
    """What each condition spoils; `aspects` gives the aspects that each condition asks for.

    Aspects that are asked for together count as one: who judged one of them has met them all.

    >>> rules = spoil_rules(AssignmentPart(same_item="other_aspect", spoils={"use": ("rel",)}),
    ...                     {"R0": frozenset({"rel"}), "U0": frozenset({"use"}), "U3": frozenset({"use"})})
    >>> rules["R0"].own == rules["U0"].own, rules["U0"].own == rules["U3"].own
    (False, True)
    >>> rules["U0"].also == (rules["R0"].own,), rules["R0"].also
    (True, ())
    """
    if part.same_item == "never":
        return {name: Spoil("", ()) for name in aspects}
    families = _families(aspects)
    own = {
        name: SEPARATOR
        + (name if part.same_item == "other_condition" else families.get(min(asked), "") if asked else "")
        for name, asked in aspects.items()
    }
    return {name: Spoil(own[name], _also(name, part, aspects, own)) for name in aspects}


def _also(
    name: str, part: AssignmentPart, aspects: Mapping[str, frozenset[str]], own: Mapping[str, str]
) -> tuple[str, ...]:
    spoilt = {aspect for asked in aspects[name] for aspect in part.spoils.get(asked, ())}
    keys = {own[other] for other, asked in aspects.items() if asked & spoilt}
    return tuple(sorted(keys - {own[name]}))


def _families(aspects: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """For each aspect the first, by name, of those that it is asked for together with, directly or through others."""
    family = {aspect: aspect for asked in aspects.values() for aspect in asked}
    changed = True
    while changed:
        changed = False
        for asked in aspects.values():
            first = min((family[aspect] for aspect in asked), default="")
            for aspect in asked:
                if family[aspect] != first:
                    family[aspect], changed = first, True
    return family
