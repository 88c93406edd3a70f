"""Made studies for tests of reports: two systems, three conditions, exclusions."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelwright.analysis import Labels
from labelwright.report import Facts, ReportInput

CONDITIONS = ("C_0", "C_3", "C_7")


def made_rows(
    effect: float = 2.0, dialogues: int = 16, systems: tuple[str, str] = ("alpha", "beta"), seed: int = 1
) -> dict[str, list[Any]]:
    """Ratings from 1 to 4 by ten raters; the second system is better by `effect`."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    for dialogue in range(dialogues):
        for place, system in enumerate(systems):
            quality = rng.normal() + effect * place
            for condition in CONDITIONS:
                for rater in rng.choice(10, 3, replace=False):
                    seconds = float(rng.lognormal(3, 0.5))
                    rows.append(
                        {
                            "item": f"d{dialogue}-{place}",
                            "dialogue": f"d{dialogue}",
                            "rater": f"r{rater}",
                            "condition": condition,
                            "system": system,
                            "aspect": "usefulness",
                            "label": int(np.clip(round(1.5 + quality + rng.normal()), 1, 4)),
                            "seconds": seconds,
                            "assignment": len(rows),
                            "confidence": float(rng.integers(1, 6)),
                            "excluded": seconds < 9,
                        }
                    )
    return {name: [row[name] for row in rows] for name in rows[0]}


def made_input(facts: Facts | None = None, **how: Any) -> ReportInput:
    """The input of a report from made ratings."""
    return ReportInput("A made study", Labels.read(made_rows(**how)), facts or Facts())
