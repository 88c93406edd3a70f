"""Amounts of money as people type them, and the fee on a payment."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import ClassVar

from labelwright.crowd import AnyPool, LinkPool, PaymentKind
from labelwright.crowd.platform import PLATFORMS
from labelwright.errors import LabelwrightError


class BadAmount(LabelwrightError):
    """Text that is no amount of money."""

    code: ClassVar[str] = "bad_amount"


def read_amount(text: str) -> int:
    """Cents, from an amount in units of the currency; raises BadAmount.

    >>> read_amount("12.40"), read_amount("$1,200"), read_amount("0.05")
    (1240, 120000, 5)
    """
    bare = text.strip().lstrip("$€£").replace(",", "").strip()
    try:
        exact = Decimal(bare) * 100
        cents = int(exact)
    except (InvalidOperation, ValueError, OverflowError):
        cents, exact = -1, Decimal(0)
    if cents < 0 or cents != exact or cents >= 2**53:
        raise BadAmount(f'"{text[:40]}" is not an amount.', expected="an amount such as 12.40.")
    return cents


def fee_cents(pool: AnyPool, cents: int, kind: PaymentKind = PaymentKind.TASK) -> int:
    """The fee of a pool's platform on one payment."""
    if not isinstance(pool, LinkPool):
        return pool.pay.fee_on(cents)
    return PLATFORMS[pool.platform].fee_cents(pool, cents, kind)
