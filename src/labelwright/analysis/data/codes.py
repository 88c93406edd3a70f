"""Codes: whether label sets use the same scale, and how to recode them if they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from labelwright.analysis.errors import MixedCodes

if TYPE_CHECKING:
    from labelwright.tables import Code


@dataclass(frozen=True)
class CodeSets:
    """The codes that each label set uses.

    >>> sets = CodeSets("usefulness", {"C_0": (1, 2, 3), "C_3": (0, 1, 2), "C_7": (1, 2, 3)})
    >>> sets.mixed, sets.common, sets.shift("C_3")
    (True, (1, 2, 3), {0: 1, 1: 2, 2: 3})
    """

    of: str
    """What the labels are about: an aspect or a question."""
    sets: Mapping[str, tuple[Code, ...]]

    @property
    def mixed(self) -> bool:
        """Whether any two sets differ."""
        return len(set(self.sets.values())) > 1

    @property
    def common(self) -> tuple[Code, ...]:
        """The codes that most sets use; if there is a tie, the set that starts lowest."""
        used = list(self.sets.values())
        return min(set(used), key=lambda codes: (-used.count(codes), tuple(map(str, codes))))

    def shift(self, name: str) -> dict[Code, Code] | None:
        """How to recode a set to the common codes, if both have the same number of codes with the same spacing."""
        own, common = self.sets[name], self.common
        if own == common or len(own) != len(common) or any(isinstance(code, str) for code in (*own, *common)):
            return None
        steps = [b - a for a, b in zip(own, common, strict=True)]  # type: ignore[operator]
        return dict(zip(own, common, strict=True)) if len(set(steps)) == 1 else None

    def describe(self) -> str:
        """Which sets use which codes, in one line."""
        groups: dict[tuple[Code, ...], list[str]] = {}
        for name, codes in self.sets.items():
            groups.setdefault(codes, []).append(name)
        parts = [f"{', '.join(names)}: {', '.join(map(str, codes))}" for codes, names in groups.items()]
        return "; ".join(parts)

    def advice(self) -> str:
        """Advice on what to do about mixed codes."""
        shifted = {name: shift for name in self.sets if (shift := self.shift(name))}
        if shifted:
            name, shift = next(iter(shifted.items()))
            others = f" (and {', '.join(list(shifted)[1:])})" if len(shifted) > 1 else ""
            return (
                "The sets have the same number of codes, shifted by a constant. If the codes mean the same, "
                f"recode {name}{others} by {shift}."
            )
        return (
            "If some codes were just never used, declare the scale of the labels. If the codes have different "
            "meanings, recode one set to the codes of the other."
        )

    def check(self, doing: str) -> None:
        """Raises MixedCodes if the sets differ, because their codes may have different meanings."""
        if self.mixed:
            raise MixedCodes(
                f"{self.of}: the label sets use different codes ({self.describe()}), "
                f"so {doing} could mix codes with different meanings.",
                expected="one scale for all of them.",
                do=self.advice(),
                sets=dict(self.sets),
            )


def code_sets(of: str, used: Mapping[str, Sequence[Code]]) -> CodeSets:
    """Code sets from the codes that occur, in ascending order."""
    return CodeSets(of, {name: tuple(codes) for name, codes in used.items()})
