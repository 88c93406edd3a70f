"""Estimate: a value with its uncertainty and everything needed to report it."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

UNDEFINED = float("nan")
"""The value of a measure that cannot be computed."""


@dataclass(frozen=True)
class Interval:
    """An interval with the question that it answers."""

    low: float
    high: float
    level: float
    """How often such intervals hold the true value: in 95% of studies by default."""
    over: str
    """What would differ in another study: "items", "raters" or "items and raters"."""
    replicates: int
    """0 if the interval follows from a standard error."""
    seed: int
    undefined: int = 0
    """The number of replicates in which the measure had no value; the interval leaves them out."""

    @property
    def question(self) -> str:
        """What the interval says, in words."""
        target = {"items": "for these raters and other items", "raters": "for these items and other raters"}
        return f"{self.level:.0%} intervals {target.get(self.over, 'for other items and other raters')}."


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, its definition and what was left out.

    >>> Estimate("percentage", 0.75, definition="share of agreeing pairs", items=4, ratings=8)
    percentage 0.750 (4 items, 8 ratings)
    >>> Estimate("fleiss_kappa", UNDEFINED, definition="", undefined="every rating is the same code")
    fleiss_kappa undefined: every rating is the same code (0 items, 0 ratings)
    """

    name: str
    value: float
    definition: str
    """How the value is computed, in words that a paper can quote."""
    interval: Interval | None = None
    items: int = 0
    ratings: int = 0
    raters: int | None = None
    """The number of raters; None if only positions are known."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How much was left out, by reason."""
    undefined: str | None = None
    """Why there is no value; `value` is then nan."""
    notes: tuple[str, ...] = ()
    """Caveats to report together with the value."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Intermediate values, such as the number of pairs."""

    @property
    def text(self) -> str:
        """The value with its interval, as in tables: `0.48 [0.30, 0.64]`."""
        if math.isnan(self.value):
            return "undefined"
        if self.interval is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} [{self.interval.low:.2f}, {self.interval.high:.2f}]"

    def record(self) -> dict[str, object]:
        """A dictionary of plain values for a data frame or JSON; nan becomes None."""
        values = asdict(self) | {"left_out": dict(self.left_out), "parts": dict(self.parts)}
        return {key: _plain(value) for key, value in values.items()}

    def __repr__(self) -> str:
        sample = f"{self.items:,} items, {self.ratings:,} ratings"
        if self.undefined:
            return f"{self.name} undefined: {self.undefined} ({sample})"
        if self.interval is None:
            return f"{self.name} {self.value:.3f} ({sample})"
        between = f"[{self.interval.low:.3f}, {self.interval.high:.3f}]"
        seed = f", seed {self.interval.seed}" if self.interval.replicates else ""
        how = f"{self.interval.level:.0%} over {self.interval.over}{seed}"
        return f"{self.name} {self.value:.3f} {between} ({how}; {sample})"

    def _repr_html_(self) -> str:
        facts = [
            self.definition,
            *self.notes,
            *(f"{n:,} left out: {why}" for why, n in self.left_out.items()),
        ]
        lines = "".join(f"<br><small>{html.escape(fact)}</small>" for fact in facts if fact)
        return f"<p><b>{html.escape(self.name)}</b> {html.escape(self.text)}{lines}</p>"


def _plain(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value
