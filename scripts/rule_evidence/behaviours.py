"""Kinds of raters in a made study, by the ranges that each rater's own habits are drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from numpy.random import Generator

Range = tuple[float, float]


@dataclass(frozen=True)
class Kind:
    """The habits of a kind of rater; each rater has values of their own from these ranges."""

    reads: Range = (0.75, 0.95)
    """The share of items on which the rater finds the true answer, if the item is easy."""
    speed: Range = (0.7, 1.5)
    """Multiple of the usual time of a task."""
    lazy: Range = (0.0, 0.0)
    """The share of tasks that are answered by habit instead: the same, at random, from a group or from a neighbour."""
    attention: Range = (0.96, 1.0)
    """The share of attention checks and gold items that are right, in tasks that are answered by habit."""
    pasted: Range = (0.0, 0.04)
    """The share of texts that are pasted."""
    shared_text: float = 0.0
    """The share of texts that others wrote too."""


CAREFUL = Kind()
Crowd = Mapping[str, Kind]
TUNED: Crowd = {
    "straight-lining": Kind(speed=(0.15, 0.4), lazy=(0.97, 1.0), attention=(0.15, 0.35)),
    "random": Kind(speed=(0.2, 0.5), lazy=(1.0, 1.0), attention=(0.15, 0.35)),
    "hasty": Kind(reads=(0.3, 0.6), speed=(0.15, 0.35), lazy=(0.3, 0.5), attention=(0.4, 0.7)),
    "colluding": Kind(speed=(0.2, 0.5), lazy=(0.97, 1.0), attention=(0.2, 0.4)),
    "copying": Kind(speed=(0.25, 0.5), lazy=(0.95, 1.0), attention=(0.7, 0.9)),
    "model-written": Kind(
        reads=(0.7, 0.85), speed=(0.3, 0.6), pasted=(0.9, 1.0), shared_text=0.2, attention=(0.9, 1.0)
    ),
}
"""The behaviours that the settings of the rules were chosen on."""
HELD_OUT: Crowd = {
    "straight-lining": Kind(speed=(0.3, 0.8), lazy=(0.8, 0.95), attention=(0.2, 0.5)),
    "random": Kind(speed=(0.4, 1.0), lazy=(0.85, 1.0), attention=(0.2, 0.5)),
    "hasty": Kind(reads=(0.4, 0.7), speed=(0.25, 0.55), lazy=(0.2, 0.5), attention=(0.5, 0.8)),
    "colluding": Kind(speed=(0.4, 1.0), lazy=(0.8, 0.97), attention=(0.4, 0.7)),
    "copying": Kind(speed=(0.4, 0.9), lazy=(0.75, 0.95), attention=(0.8, 0.95)),
    "model-written": Kind(
        reads=(0.65, 0.85), speed=(0.4, 1.0), pasted=(0.6, 0.95), shared_text=0.1, attention=(0.9, 1.0)
    ),
}
"""Slower and better disguised behaviours, looked at only after the settings were chosen."""


@dataclass(frozen=True)
class Habits:
    """The habits of one rater."""

    kind: str
    reads: float
    speed: float
    lazy: float
    attention: float
    pasted: float
    shared_text: float


def draw_habits(name: str, kind: Kind, draw: Generator) -> Habits:
    """The habits of one rater of a kind."""
    ranges = (kind.reads, kind.speed, kind.lazy, kind.attention, kind.pasted)
    reads, speed, lazy, attention, pasted = (float(draw.uniform(*each)) for each in ranges)
    return Habits(name, reads, speed, lazy, attention, pasted, kind.shared_text)
