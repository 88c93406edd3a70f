"""The balance of the emulated account: held when a HIT is created, debited when work is approved."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from labelwright.outside.emulators.mturk.model import (
    Hit,
    HitType,
    MturkRefusal,
    MturkSlot,
    MturkState,
    SlotStatus,
)
from labelwright.outside.emulators.mturk.qualifications import MASTERS

BASE_PERCENT = 20
LARGE_PERCENT = 20
MASTERS_PERCENT = 5
LEAST_FEE = 1
LARGE = 10
"""From this number of assignments on, a HIT costs the higher fee."""


def fee_of_reward(cents: int, *, large: bool = False, masters: bool = False) -> int:
    """The fee on a reward, in cents.

    >>> [fee_of_reward(5), fee_of_reward(5, large=True), fee_of_reward(40), fee_of_reward(40, masters=True)]
    [1, 2, 8, 10]
    >>> fee_of_reward(40, masters=True, large=True), fee_of_reward(30, masters=True), fee_of_reward(1)
    (18, 8, 1)
    """
    return _fee(cents, BASE_PERCENT + LARGE_PERCENT * large + MASTERS_PERCENT * masters)


def fee_of_bonus(cents: int) -> int:
    """The fee on a bonus, in cents.

    >>> fee_of_bonus(200)
    40
    """
    return _fee(cents, BASE_PERCENT)


def _fee(cents: int, percent: int) -> int:
    exact = Decimal(cents) * percent / 100
    return max(LEAST_FEE, int(exact.to_integral_value(ROUND_HALF_UP)))


def cost_of(kind: HitType, count: int, *, large: bool) -> int:
    """What assignments of a HIT type cost, with fees."""
    masters = any(each["QualificationTypeId"] in MASTERS.values() for each in kind.requirements)
    return (kind.reward_cents + fee_of_reward(kind.reward_cents, large=large, masters=masters)) * count


def held(state: MturkState) -> int:
    """The cents held for assignments that are neither approved nor rejected."""
    return sum(
        cost_of(hit.type, _open_assignments(state, hit), large=hit.born_large) for hit in state.hits.values()
    )


def _open_assignments(state: MturkState, hit: Hit) -> int:
    slots = state.of_hit(hit.id)
    undecided = sum(slot.status is SlotStatus.SUBMITTED for slot in slots)
    if hit.disposed:
        return undecided
    decided = sum(slot.status in {SlotStatus.APPROVED, SlotStatus.REJECTED} for slot in slots)
    if hit.expires <= state.clock.now():
        return undecided + sum(slot.status is SlotStatus.HELD for slot in slots)
    return hit.most - decided


def available(state: MturkState) -> int:
    """The cents that can be spent."""
    spent = sum(int(each["cents"] + each["fee"]) for each in state.entries)
    return state.settings.balance_cents - spent - held(state)


def check_funds(state: MturkState, cents: int) -> None:
    """Refuses what the balance does not cover."""
    if cents > available(state):
        raise MturkRefusal("InsufficientFunds", "This Requester has insufficient funds in their account.")


def debit_reward(state: MturkState, slot: MturkSlot) -> None:
    """Writes the reward of an approved assignment into the ledger."""
    hit = state.hits[slot.hit]
    cents = hit.type.reward_cents
    fee = cost_of(hit.type, 1, large=hit.born_large) - cents
    _write(state, "reward", slot, cents, fee)


def debit_bonus(state: MturkState, slot: MturkSlot, cents: int) -> None:
    """Writes a bonus into the ledger."""
    _write(state, "bonus", slot, cents, fee_of_bonus(cents))


def _write(state: MturkState, kind: str, slot: MturkSlot, cents: int, fee: int) -> None:
    state.entries.append(
        {
            "at": state.clock.now().isoformat(),
            "kind": kind,
            "assignment": slot.id,
            "worker": slot.worker,
            "cents": cents,
            "fee": fee,
        }
    )
