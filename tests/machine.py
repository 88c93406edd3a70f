"""The machine that the tests run on."""

from __future__ import annotations

import os

MEASURED_SLOWER = 2.0
"""How much longer programs take while their coverage is measured."""


def patience() -> float:
    """How many times longer than on an idle machine something may take now."""
    crowded = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    return crowded * (MEASURED_SLOWER if os.environ.get("MEASURE") else 1.0)
