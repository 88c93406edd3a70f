"""Libraries that take a second to import, and that most commands and pages do not need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LazyModule:
    """A module that is imported when it is first used, in whichever thread that is.

    >>> fractions = LazyModule("fractions")
    >>> fractions.Fraction(2, 4)
    Fraction(1, 2)
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)
