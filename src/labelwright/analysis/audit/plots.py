"""Plots: the data that a finding shows, without any drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

_MOST_BARS = 24
_MOST_POINTS = 400
_LONGEST_NAME = 28


@dataclass(frozen=True)
class BarPlot:
    """A length for each name; the bars that the finding is about stand out."""

    title: str
    unit: str
    rows: tuple[tuple[str, float, bool], ...]

    @classmethod
    def of(cls, title: str, unit: str, values: Mapping[Any, float], strong: Iterable[Any] = ()) -> BarPlot:
        """Bars of a mapping. If there are too many, those that stand out come first and the rest is left out."""
        marked = set(strong)
        names = list(values)
        if len(names) > _MOST_BARS:
            names = sorted(names, key=lambda name: name not in marked)[:_MOST_BARS]
        rows = tuple((short(name), float(values[name]), name in marked) for name in names)
        return cls(title, unit, rows)


@dataclass(frozen=True)
class StripPlot:
    """A point for each name along one axis, with the usual value; the points of the finding are named."""

    title: str
    unit: str
    rows: tuple[tuple[str, float, bool], ...]
    usual: float | None = None

    @classmethod
    def of(
        cls, title: str, unit: str, values: Mapping[str, float], strong: Iterable[str], usual: float | None
    ) -> StripPlot:
        """A spread of a mapping; if there are too many points, a regular part of the others is shown."""
        marked = set(strong)
        rest = sorted((name for name in values if name not in marked), key=lambda name: values[name])
        if len(rest) > _MOST_POINTS:
            rest = [rest[place] for place in np.linspace(0, len(rest) - 1, _MOST_POINTS).astype(int)]
        shown = [name for name in values if name in marked][:12] + rest
        return cls(
            title, unit, tuple((short(name), float(values[name]), name in marked) for name in shown), usual
        )


@dataclass(frozen=True)
class IntervalPlot:
    """An estimate with its interval for each name."""

    title: str
    unit: str
    rows: tuple[tuple[str, float, float, float], ...]


@dataclass(frozen=True)
class PointPlot:
    """Points of two quantities; those of the finding stand out."""

    title: str
    across: str
    up: str
    points: tuple[tuple[float, float, bool], ...]

    @classmethod
    def of(cls, title: str, across: str, up: str, points: Sequence[tuple[float, float, bool]]) -> PointPlot:
        """A cloud of points; if there are too many, a regular part of them is shown."""
        places = np.linspace(0, len(points) - 1, min(len(points), _MOST_POINTS)).astype(int)
        return cls(title, across, up, tuple(points[place] for place in places))


Plot: TypeAlias = BarPlot | StripPlot | IntervalPlot | PointPlot


def short(name: Any) -> str:
    """A name that fits beside a plot."""
    text = " ".join(str(name).split()) or "(empty)"
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"
