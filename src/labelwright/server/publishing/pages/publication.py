"""The page Publication in words."""

from __future__ import annotations

from typing import Any

from labelwright.crowd.platform import PLATFORMS
from labelwright.crowd.publication import CostPreview, PublicationState, VisitState
from labelwright.server.publishing.actions.differences import NOBODY, Difference, DifferenceKind
from labelwright.server.publishing.actions.orders import Preview
from labelwright.server.publishing.actions.overview import PoolPublication, Publishing
from labelwright.server.store.models import Publication
from labelwright.server.web.money import money
from labelwright.wording import as_sentence

Context = dict[str, Any]
PLATFORM_NAMES = {"prolific": "Prolific", "mturk": "MTurk"}
STATES = {
    PublicationState.MADE: "Being made",
    PublicationState.OPEN: "Open",
    PublicationState.PAUSED: "Paused",
    PublicationState.FULL: "Complete",
    PublicationState.STOPPED: "Stopped",
    PublicationState.REFUSED: "Refused",
}
TAKEN = (
    (VisitState.APPROVED, "approved", 1),
    (VisitState.SUBMITTED, "submitted", 3),
    (VisitState.AT_WORK, "at work", 5),
    (VisitState.UNKNOWN, "unknown", 2),
)
"""Visits that take a place: the state, its name and its shade."""
FREED = (
    (VisitState.REJECTED, "rejected"),
    (VisitState.RETURNED, "returned"),
    (VisitState.TIMED_OUT, "timed out"),
)


def page(found: Publishing, asked: str, cost: CostPreview | None) -> Context:
    """Everything that the template is given; `asked` is the pool whose cost was asked for."""
    return {
        "pools": [_pool(each, cost if each.pool == asked else None) for each in found.pools],
        "differences": [_difference(each) for each in found.differences],
    }


def _pool(found: PoolPublication, cost: CostPreview | None) -> Context:
    row = found.publication
    return {
        "name": found.pool,
        "live": found.is_live,
        "shown": _publication(row, found) if row else None,
        "preview": _preview(found.preview, cost) if found.preview else None,
        "group_missing": found.group_missing,
        "obstacle": as_sentence(found.obstacle) if found.obstacle else "",
    }


def _publication(row: Publication, found: PoolPublication) -> Context:
    cells: list[Context] = [
        {"name": name, "shade": shade, "n": found.counts.get(state, 0)}
        for state, name, shade in TAKEN
        if state != VisitState.UNKNOWN or found.counts.get(state)
    ]
    taken = sum(cell["n"] for cell in cells)
    cells.append({"name": "free", "shade": 7, "n": max(0, (row.offered or row.places) - taken)})
    _lay(cells)
    return {
        "of": row,
        "platform": PLATFORM_NAMES.get(row.platform, row.platform),
        "state": STATES[PublicationState(row.state)],
        "places": row.offered or row.places,
        "cells": cells,
        "freed": [{"name": name, "n": found.counts.get(state, 0)} for state, name in FREED],
        "needed": found.needed,
        "pay": money(row.cents, row.currency),
        "cost": money(row.cost_cents, row.currency),
        "said": found.said,
        "may_pause": row.state == PublicationState.OPEN and PLATFORMS[row.platform].offers("pause"),
        "may_resume": row.state in (PublicationState.PAUSED, PublicationState.FULL)
        and PLATFORMS[row.platform].offers("resume"),
        "may_stop": row.state in (PublicationState.OPEN, PublicationState.PAUSED, PublicationState.FULL),
    }


def _lay(cells: list[Context]) -> None:
    """Puts the parts beside each other on a bar of 1000, with a small gap after each."""
    whole, x = sum(cell["n"] for cell in cells) or 1, 0.0
    for cell in cells:
        wide = 1000 * cell["n"] / whole
        cell |= {"x": f"{x:.1f}", "width": f"{max(wide - 2, 2):.1f}" if wide else ""}
        x += wide


def _preview(preview: Preview, cost: CostPreview | None) -> Context:
    order = preview.order
    hourly = round(order.pay.cents * 60 / order.minutes)
    least = PLATFORMS[preview.platform].minimum_hourly_cents.get(order.pay.currency, 0)
    return {
        "platform": PLATFORM_NAMES.get(preview.platform, preview.platform),
        "wanted": preview.wanted,
        "places": order.places,
        "tasks": preview.tasks,
        "minutes": f"{order.minutes:g}",
        "pay": money(order.pay.cents, order.pay.currency),
        "hourly": money(hourly, order.pay.currency),
        "least": money(least, order.pay.currency) if least else "",
        "warning": ""
        if preview.problem is None
        else f"{preview.problem.what} A fair pay is "
        f"{money(preview.problem.fair.cents, preview.problem.fair.currency)} a task.",
        "address": order.address,
        "cost": _cost(cost) if cost else None,
    }


def _cost(cost: CostPreview) -> Context:
    return {
        "pay": money(cost.pay_cents, cost.currency),
        "fees": money(cost.fee_cents, cost.currency),
        "total": money(cost.total_cents, cost.currency),
        "cents": cost.total_cents,
        "balance": "" if cost.balance_cents is None else money(cost.balance_cents, cost.currency),
    }


def _difference(found: Difference) -> Context:
    return {
        "of": found,
        "is_visit": found.id.startswith("visit-"),
        "unknown": found.kind == DifferenceKind.UNKNOWN_CALL,
        "may_return": found.kind in (DifferenceKind.NO_DATA, DifferenceKind.FOUND_NO_TASK)
        and found.of != NOBODY,
        "known_rater": found.id.startswith("visit-") and found.of != NOBODY,
    }
