"""Consent to the cost of generated texts, without which no model is called."""

from __future__ import annotations

from datetime import UTC, datetime


def agree(version: int) -> None:
    from labelwright.server.contexts.actions.cost import agree_to_cost, get_cost

    agree_to_cost(version, get_cost(version), "tests", datetime.now(UTC))
