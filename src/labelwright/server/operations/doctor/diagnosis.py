"""What a check finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labelwright.server.config.environment import Environment


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of one check."""

    name: str
    good: bool
    message: str


Check = Callable[[Environment], Diagnosis]
"""Looks at one thing."""


def finding(name: str, good: bool, fine: str, mend: str) -> Diagnosis:
    """What is found, in words: `fine` if it is good, otherwise what to do about it."""
    return Diagnosis(name, good, fine if good else mend)
