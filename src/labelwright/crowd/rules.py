"""Assignment rules: which tasks a rater may no longer do after others, and whether excluded data are replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SEPARATOR = "\x1f"
"""Does not occur in keys, so that joined keys are unique."""


class AssignmentPart(BaseModel):
    """What tasks one rater may get, and what happens to places whose data are excluded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    same_item: Literal["never", "other_aspect", "other_condition"] = "never"
    """Whether a rater may judge an item again: never, for another aspect, or in another condition."""
    spoils: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Aspects that a rater can no longer judge after another one. With `usefulness: [relevance]`, a rater who has
    judged usefulness (which shows the next turn) cannot judge relevance. The reverse order is allowed."""
    refill: bool = True
    """Whether a place whose data are excluded is offered to another rater."""


@dataclass(frozen=True, slots=True)
class Spoil:
    """How judging an item in a condition limits the same rater later. The keys are appended to the item's key."""

    own: str
    """The key that the rater must not have seen before, and has seen afterwards."""
    also: tuple[str, ...]
    """Further keys that count as seen afterwards."""


def spoil_rules(part: AssignmentPart, aspects: Mapping[str, frozenset[str]]) -> dict[str, Spoil]:
    """The limits of each condition. `aspects` gives the aspects that each condition asks about.

    Aspects that are asked about together count as one: a rater who judged one has seen all of them.

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
    """For each aspect, the first aspect by name that is connected to it by conditions that ask about both."""
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
