"""Template context of the page on reviewers."""

from __future__ import annotations

import math
from typing import Any

from labelwright.agreement import Estimate
from labelwright.server.review.actions.reviewers import CHOICES, ReviewerAgreement
from labelwright.server.review.pages.words import VERDICTS

Context = dict[str, Any]


def reviewers(found: ReviewerAgreement) -> Context:
    """How well reviewers agree, and where they do not."""
    names = {verdict.choice: verdict.name for verdict in VERDICTS}
    return {
        "share": f"{found.share:.0%}" if found.share else "",
        "repeated": found.repeated,
        "percentage": _estimate(found.percentage),
        "alpha": _estimate(found.alpha),
        "names": [names[choice] for choice in CHOICES],
        "rows": [
            {
                "name": names[first],
                "cells": [
                    {"n": found.table.get((first, second), 0), "same": first == second, "name": names[second]}
                    for second in CHOICES
                ],
            }
            for first in CHOICES
        ],
    }


def _estimate(found: Estimate) -> Context | None:
    """A value with its limits; None if it has none."""
    if math.isnan(found.value):
        return None
    low, high = (found.interval.low, found.interval.high) if found.interval else (None, None)
    return {"value": found.value, "low": low, "high": high}
