"""Claims: published figures compared with figures recomputed from the labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from labelwright.analysis.results import html_table, text_table

Verdict: TypeAlias = Literal[
    "matches", "matches truncated", "matches if exchanged", "differs", "not recomputed"
]


@dataclass(frozen=True)
class Claim:
    """A published figure and the recomputed one."""

    where: str
    printed: float
    recomputed: float
    digits: int
    verdict: Verdict
    exchanged_with: str | None = None

    @property
    def explanation(self) -> str:
        """A likely explanation of the difference; empty if there is no difference."""
        if self.verdict == "matches truncated":
            return "truncated, not rounded"
        if self.verdict == "matches if exchanged":
            return f"matches if {self.where} and {self.exchanged_with} are swapped"
        if self.verdict == "not recomputed":
            return "the data give no value"
        return (
            ""
            if self.verdict == "matches"
            else f"off by {self.recomputed - self.printed:+.{self.digits + 1}f}"
        )


@dataclass(frozen=True)
class ClaimTable:
    """All claims about one measure."""

    title: str
    claims: tuple[Claim, ...]
    unprinted: tuple[str, ...] = ()
    """The names of recomputed figures that were not printed."""

    @property
    def notes(self) -> list[str]:
        """What the table leaves out."""
        return [f"Recomputed but not printed: {', '.join(self.unprinted)}."] if self.unprinted else []

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        rows = [
            [c.where, f"{c.printed:.{c.digits}f}", f"{c.recomputed:.4f}", c.verdict, c.explanation]
            for c in self.claims
        ]
        return ["where", "printed", "recomputed", "verdict", "explanation"], rows

    def __repr__(self) -> str:
        return "\n".join([self.title, text_table(*self.cells()), *self.notes])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption=self.title, notes=self.notes)


def check_claims(
    title: str, printed: Mapping[str, float], recomputed: Mapping[str, float], digits: int = 2
) -> ClaimTable:
    """Which published figures match the data: rounded, truncated, or with two figures swapped.

    A swap is reported only if it explains both figures. A figure without a recomputed value, or with an
    undefined one (nan), is "not recomputed".

    >>> check_claims("tau", {"C_0": 0.54, "C_3": 0.60}, {"C_0": 0.6045, "C_3": 0.5451}).claims[0].explanation
    'matches if C_0 and C_3 are swapped'
    """
    names = list(printed)
    values = {name: recomputed.get(name, math.nan) for name in names}
    claims = tuple(_claim(name, names, printed, values, digits) for name in names)
    return ClaimTable(title, claims, tuple(name for name in recomputed if name not in printed))


def _claim(
    name: str,
    names: Sequence[str],
    printed: Mapping[str, float],
    recomputed: Mapping[str, float],
    digits: int,
) -> Claim:
    if math.isnan(recomputed[name]):
        return Claim(name, printed[name], math.nan, digits, "not recomputed")
    verdict = _compare(printed[name], recomputed[name], digits)
    if verdict is not None:
        return Claim(name, printed[name], recomputed[name], digits, verdict)
    for other in names:
        both = (
            _compare(printed[name], recomputed[other], digits),
            _compare(printed[other], recomputed[name], digits),
        )
        if other != name and None not in both:
            return Claim(name, printed[name], recomputed[name], digits, "matches if exchanged", other)
    return Claim(name, printed[name], recomputed[name], digits, "differs")


def _compare(printed: float, value: float, digits: int) -> Verdict | None:
    if math.isnan(value):
        return None
    unit = 10**digits
    if abs(round(value, digits) - printed) < 1e-9:
        return "matches"
    if abs(math.floor(value * unit + 1e-9) / unit - printed) < 1e-9:
        return "matches truncated"
    return None
