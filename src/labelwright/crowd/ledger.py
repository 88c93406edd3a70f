"""Money: the states of a payment in the ledger, the states of a call to a platform, and fees to the cent."""

from __future__ import annotations

import enum
from decimal import ROUND_HALF_UP, Decimal


class LedgerState(enum.StrEnum):
    """The state of a payment: its newest line in the ledger. Lines are only added."""

    PLANNED = "planned"
    """The work is there; nobody has released the money."""
    AUTHORISED = "authorised"
    """Released, and taken out of the budget."""
    SENT = "sent"
    """On a pay list, or sent to a platform; from here on it counts as paid until somebody says otherwise."""
    CONFIRMED = "confirmed"
    """The money has arrived."""
    REVERSED = "reversed"
    """Not paid: the work was rejected, or the payment was refused."""


MOVES: dict[LedgerState, frozenset[LedgerState]] = {
    LedgerState.PLANNED: frozenset({LedgerState.AUTHORISED, LedgerState.REVERSED}),
    LedgerState.AUTHORISED: frozenset({LedgerState.SENT, LedgerState.REVERSED}),
    LedgerState.SENT: frozenset({LedgerState.CONFIRMED, LedgerState.REVERSED}),
    # Money that has arrived is not taken back.
    LedgerState.CONFIRMED: frozenset(),
    LedgerState.REVERSED: frozenset({LedgerState.PLANNED}),
}
"""The states that each state can be followed by."""
COMMITTED = (LedgerState.AUTHORISED, LedgerState.SENT, LedgerState.CONFIRMED)
"""The states that use up a budget."""
IRREVOCABLE = (LedgerState.SENT, LedgerState.CONFIRMED)
"""The states in which a verdict can no longer stop the payment."""


def states_before(state: LedgerState) -> list[LedgerState]:
    """The states from which a payment can reach a state.

    >>> [each.value for each in states_before(LedgerState.REVERSED)]
    ['planned', 'authorised', 'sent']
    """
    return [before for before, after in MOVES.items() if state in after]


class PaymentKind(enum.StrEnum):
    """What a payment is for."""

    TASK = "task"
    BATCH_BONUS = "batch_bonus"
    """For completing a batch within the hours that the study file sets."""
    BONUS = "bonus"
    """Given once, by a person, for a reason."""


class CallState(enum.StrEnum):
    """The state of a call to a platform, apart from the state of the money."""

    PLANNED = "planned"
    SENDING = "sending"
    """A sender holds it. After its lease, nobody knows how the call ended."""
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    """The platform answered that it did nothing."""
    UNKNOWN = "unknown"
    """No answer came. It is settled by reading the platform, or by a person."""


def fee_of(cents: int, percent: float, least_cents: int = 0) -> int:
    """The fee of a platform on an amount, rounded half up to the cent; nothing is charged on nothing.

    Computed in decimal: with binary floats, 5% of 0.90 would round down.

    >>> fee_of(40, 20), fee_of(30, 25), fee_of(5, 20, 1), fee_of(1, 20, 1), fee_of(0, 20, 1)
    (8, 8, 1, 1, 0)
    """
    if not cents:
        return 0
    exact = Decimal(cents) * Decimal(str(percent)) / 100
    return max(least_cents, int(exact.to_integral_value(ROUND_HALF_UP)))
