"""The page Money in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from labelwright.crowd import LedgerState, PaymentKind
from labelwright.crowd.platform import PLATFORMS, PayRoute
from labelwright.server.paying.actions.money import Money, Parts
from labelwright.server.paying.queries.money import ConditionMoney, OpenPayment, RaterMoney
from labelwright.server.paying.queries.runs import RunLine
from labelwright.server.web.money import money as amount

Context = dict[str, Any]
PARTS = (
    ("paid", "paid", 1),
    ("sent", "sent", 2),
    ("approved", "approved", 3),
    ("held", "awaiting review", 4),
    ("at_work", "at work now", 5),
    ("open", "open places", 6),
)
"""The parts of the budget bar: the field, its name and its shade."""
KINDS = {
    PaymentKind.TASK: "task",
    PaymentKind.BATCH_BONUS: "bonus for a batch",
    PaymentKind.BONUS: "bonus",
}
AXIS, EDGE, HEIGHT = 250, 6, 32


def page(found: Money) -> Context:
    """Everything that the template is given."""
    main = found.parts[0]
    return {
        "lead": _lead(found),
        "bars": [_bar(parts) for parts in found.parts],
        "payable": _cents(main.payable, main.currency) if main.payable else "",
        "budgets": [_budget(each) for each in found.budgets],
        "unresolved": [_unresolved(each) for each in found.unresolved],
        "soon_approved": found.soon_approved,
        "shown": found.raters,
        "raters": [_rater(each, found.minimum) for each in found.raters.rows],
        "runs": [_run(each) for each in found.runs],
        "bonus_id": uuid4(),
        "currency": main.currency,
        "notice": PLATFORMS[found.study.pool.platform].notice,
        **_conditions(found),
    }


def _lead(found: Money) -> str:
    pay = found.study.pool.pay
    said = [f"{amount(pay.cents, pay.currency)} a task" if pay.cents else "Tasks are not paid"]
    if pay.batch_bonus:
        said.append(f"{amount(pay.batch_bonus.cents, pay.currency)} bonus for a batch completed in time")
    if pay.fee_percent:
        said.append(f"fee {pay.fee_percent:g}%")
    return ", ".join(said)


def _cents(cents: int, currency: str) -> str:
    """An amount that may be negative.

    >>> _cents(-105, "USD")
    '−$1.05'
    """
    return f"−{amount(-cents, currency)}" if cents < 0 else amount(cents, currency)


def _bar(parts: Parts) -> Context:
    cells = [
        {
            "name": name,
            "shade": shade,
            "cents": getattr(parts, key),
            "text": _cents(getattr(parts, key), parts.currency),
        }
        for key, name, shade in PARTS
    ]
    left = parts.left
    if left is not None:
        cells.append(
            {
                "name": "left" if left >= 0 else "missing",
                "shade": 7,
                "cents": max(left, 0),
                "text": _cents(abs(left), parts.currency),
                "short": left < 0,
            }
        )
    _lay(cells)
    return {
        "currency": parts.currency,
        "cells": cells,
        "limit": None if parts.limit is None else _cents(parts.limit, parts.currency),
        "limit_units": "" if parts.limit is None else f"{parts.limit / 100:.2f}",
        "short": left is not None and left < 0,
        "bonuses": _cents(parts.bonuses, parts.currency),
        "fees": _cents(parts.fees, parts.currency),
        "gone": parts.paid + parts.sent,
    }


def _lay(cells: list[Context]) -> None:
    """Puts the parts beside each other on a bar of 1000, with a small gap after each."""
    whole, x = sum(cell["cents"] for cell in cells) or 1, 0.0
    for cell in cells:
        wide = 1000 * cell["cents"] / whole
        cell |= {"x": f"{x:.1f}", "width": f"{max(wide - 2, 2):.1f}" if wide else ""}
        x += wide


def _budget(line: Any) -> Context:
    names = {"study": "Study", "batch": "Each batch", "rater": "Each rater"}
    name = names[line.scope]
    if line.of:
        name = f"Batch {line.of}" if line.scope == "batch" else line.of
    return {
        "name": name,
        "limit": "no limit" if line.limit is None else _cents(line.limit, line.currency),
        "committed": _cents(line.committed, line.currency) if line.of or line.scope == "study" else "–",
    }


def _unresolved(payment: OpenPayment) -> Context:
    of = KINDS[PaymentKind(payment.kind)]
    return {
        "of": payment,
        "what": f"{of}, {payment.condition}" if payment.condition else of,
        "amount": _cents(payment.cents, payment.currency),
        "said": payment.said or ("no answer" if payment.unknown else "the pay list has not been confirmed"),
    }


def _conditions(found: Money) -> Context:
    rows = found.conditions
    known = [value for row in rows for value in (row.low, row.high) if value is not None]
    axis = _Axis([*known, float(found.minimum)] if found.minimum else known)
    tasks = [
        each for each in found.sums if each.kind == PaymentKind.TASK and each.state != LedgerState.REVERSED
    ]
    bonuses = [
        each for each in found.sums if each.kind != PaymentKind.TASK and each.state != LedgerState.REVERSED
    ]
    return {
        "conditions": [_condition(row, found.minimum, axis) for row in rows],
        "axis": axis.ticks,
        "minimum": amount(found.minimum, found.pay.currency) if found.minimum else "",
        "minimum_x": axis.x(found.minimum) if found.minimum else None,
        "fair": _fair(found),
        "totals": [
            _total(name, sums)
            for name, sums in (("Tasks", tasks), ("Bonuses", bonuses), ("All", tasks + bonuses))
            if sums
        ],
    }


def _fair(found: Money) -> str:
    """The pay with which the slowest quarter would reach the minimum everywhere; empty if they do."""
    lows = [row.low for row in found.conditions if row.low is not None and row.currency == found.pay.currency]
    if not found.minimum or not lows or min(lows) >= found.minimum:
        return ""
    return amount(math.ceil(found.pay.cents * found.minimum / min(lows)), found.pay.currency)


def _condition(row: ConditionMoney, minimum: int, axis: _Axis) -> Context:
    def hourly(value: float | None) -> str:
        return "–" if value is None else amount(round(value), row.currency)

    return {
        "of": row,
        "rewards": _cents(row.cents, row.currency),
        "fees": _cents(row.fee_cents, row.currency),
        "total": _cents(row.cents + row.fee_cents, row.currency),
        "hourly": hourly(row.hourly),
        "range": f"{hourly(row.low)} to {hourly(row.high)}" if row.hourly is not None else "",
        "below": bool(minimum) and row.low is not None and row.low < minimum,
        "x": None if row.hourly is None else axis.x(row.hourly),
        "low_x": None if row.low is None else axis.x(row.low),
        "high_x": None if row.high is None else axis.x(row.high),
    }


def _total(name: str, sums: Sequence[Any]) -> Context:
    currency = sums[0].currency
    same = [each for each in sums if each.currency == currency]
    cents, fees = sum(each.cents for each in same), sum(each.fee_cents for each in same)
    return {
        "name": name,
        "n": sum(each.n for each in same),
        "rewards": _cents(cents, currency),
        "fees": _cents(fees, currency),
        "total": _cents(cents + fees, currency),
    }


class _Axis:
    """One axis of hourly pay for all rows, with about six round numbers."""

    def __init__(self, values: Sequence[float]) -> None:
        low, high = (min(values), max(values)) if values else (0.0, 0.0)
        step = _step(max(high - low, 100))
        self._low = math.floor(low / step) * step
        self._high = max(math.ceil(high / step) * step, self._low + step)
        count = round((self._high - self._low) / step)
        self.ticks = [
            {"x": self.x(self._low + n * step), "text": f"{(self._low + n * step) / 100:g}"}
            for n in range(count + 1)
        ]

    def x(self, cents: float) -> str:
        """Where an amount lies on the axis."""
        share = (min(max(cents, self._low), self._high) - self._low) / (self._high - self._low)
        return f"{EDGE + (AXIS - 2 * EDGE) * share:.1f}"


def _step(span: float) -> float:
    """A round distance of ticks.

    >>> _step(100), _step(900), _step(4200)
    (20.0, 200.0, 1000.0)
    """
    power = 10.0 ** math.floor(math.log10(span / 5))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= span / 5.5)


def _rater(row: RaterMoney, minimum: int) -> Context:
    def dash(cents: int) -> str:
        return _cents(cents, row.currency) if cents else "–"

    return {
        "of": row,
        "rewards": dash(row.rewards),
        "bonuses": dash(row.bonuses),
        "owed": dash(row.owed),
        "total": dash(row.total),
        "hourly": "–" if row.hourly is None else amount(round(row.hourly), row.currency),
        "below": bool(minimum) and row.hourly is not None and row.hourly < minimum,
    }


def _run(run: RunLine) -> Context:
    by_list = PLATFORMS[run.platform].pay_route == PayRoute.LIST
    if not run.tasks + run.bonuses:
        state, css = "Taken back", "dim"
    elif not run.waiting:
        state, css = "Confirmed", "good"
    elif run.listed_at is None and by_list:
        state, css = "List not handed out", "warn"
    else:
        state, css = f"{run.waiting:,} not confirmed", "warn"
    return {
        "of": run,
        "total": _cents(run.cents, run.currency) if run.currency else "–",
        "state": state,
        "css": css,
        "by_list": by_list,
        "listed": run.listed_at is not None,
    }
