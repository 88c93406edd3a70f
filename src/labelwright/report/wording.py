"""Wording: numbers, amounts of money and lists as a reader expects them in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def amount(minor: float | None, currency: str) -> str:
    """An amount of money, given in minor units.

    >>> amount(1234, "GBP")
    '12.34 GBP'
    """
    return "" if minor is None else f"{minor / 100:,.2f} {currency}"


def count_of(n: int, noun: str) -> str:
    """A number with its noun.

    >>> count_of(1, "rating"), count_of(1200, "rating")
    ('1 rating', '1,200 ratings')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    some = list(names[:most])
    if len(names) > most:
        return f"{', '.join(some)} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(some[:-1]), *some[-1:]]))


def percent(share: float | None, digits: int = 1) -> str:
    """A share in percent.

    >>> percent(0.1234)
    '12.3%'
    """
    return "undefined" if share is None else f"{100 * share:.{digits}f}%"


def decimal(value: float | None, digits: int = 2, *, sign: bool = False) -> str:
    """A number with a true minus sign.

    >>> decimal(-0.5), decimal(0.25, sign=True), decimal(-0.001)
    ('−0.50', '+0.25', '0.00')
    """
    if value is None:
        return "undefined"
    rounded = round(value, digits) + 0.0
    return f"{rounded:{'+' if sign and rounded else ''}.{digits}f}".replace("-", "−")


def between(
    cell: dict[str, float | None], digits: int = 2, *, sign: bool = False, share: bool = False
) -> str:
    """An interval in brackets, of shares in percent; empty if there is none.

    >>> between({"low": 0.1, "high": 0.25}), between({"low": 0.1, "high": 0.25}, share=True)
    ('[0.10, 0.25]', '[10.0%, 25.0%]')
    """
    low, high = cell.get("low"), cell.get("high")
    if low is None or high is None:
        return ""
    if share:
        return f"[{percent(low)}, {percent(high)}]"
    return f"[{decimal(low, digits, sign=sign)}, {decimal(high, digits, sign=sign)}]"


def p_value(p: float | None) -> str:
    """A p-value.

    >>> p_value(0.0004), p_value(0.0312), p_value(None)
    ('< 0.001', '0.031', '–')
    """
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
