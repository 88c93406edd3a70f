"""Amounts of money as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from labelwright.crowd import Pay

SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}


def money(cents: int, currency: str) -> str:
    """An amount with its currency.

    >>> money(1240, "USD"), money(5, "CHF")
    ('$12.40', 'CHF 0.05')
    """
    return f"{SIGNS.get(currency, currency + ' ')}{cents // 100:,}.{cents % 100:02}"


def amounts(owed: Sequence[Pay]) -> str | None:
    """Several amounts in one text; None when there are none."""
    return _(" and ").join(money(pay.cents, pay.currency) for pay in owed) or None
