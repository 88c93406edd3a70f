"""Mechanical Turk: how its tasks are offered, and its fees to the cent.

The words of the service (HIT, Masters, requester) are used only here and in `labelwright.outside.platforms.mturk`.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from labelwright.crowd.ledger import PaymentKind, fee_of
from labelwright.crowd.panel import PanelPart

BASE_PERCENT, LARGE_PERCENT, MASTERS_PERCENT = 20, 20, 5
LEAST_FEE_CENTS = 1
LARGE = 10
"""A HIT with this many assignments or more costs the higher fee."""
MTURK_PANEL = PanelPart(name="Mechanical Turk", person="workerId", session="assignmentId", completed="submit")
"""How people come from there. They go back by a form, so nobody sees the code of completion."""
Country = Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
QualificationName = Annotated[str, Field(min_length=1, max_length=200)]


class MTurkPart(BaseModel):
    """How tasks are offered on Mechanical Turk, or on a service that speaks its protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: Annotated[int, Field(ge=1, le=1000)] = 1
    """The number of tasks in one HIT assignment. Afterwards, the rater submits it; for more tasks, they accept another."""
    masters: bool = False
    """Whether only Masters may work, for a fee of 5% more."""
    approved_percent: Annotated[int, Field(ge=1, le=100)] | None = None
    """The share of a worker's assignments that must have been approved, in percent."""
    approved_hits: Annotated[int, Field(ge=1)] | None = None
    """The number of assignments that must have been approved."""
    countries: Annotated[tuple[Country, ...], Field(max_length=30)] = ()
    """Where workers must live, as two letters each. Default: anywhere."""
    qualifications: Annotated[tuple[QualificationName, ...], Field(max_length=6)] = ()
    """The names of your own qualifications that workers need."""
    assignments_per_hit: Annotated[int, Field(ge=1, le=1000)] = 9
    """The most assignments of one HIT. With 10 or more, the fee is 20% higher, so work is split into HITs of 9."""
    approval_days: Annotated[float, Field(ge=0, le=30)] = 3
    """After how many days the service approves work by itself."""
    open_days: Annotated[float, Field(gt=0, le=365)] = 7
    """For how many days people find the HITs."""


def mturk_fee(cents: int, part: MTurkPart, kind: PaymentKind = PaymentKind.TASK) -> int:
    """The fee on a reward or a bonus: 20%, for rewards of large HITs 20% more, of Masters 5% more; one cent at least.

    >>> [mturk_fee(cents, MTurkPart()) for cents in (5, 40, 2, 1)]
    [1, 8, 1, 1]
    >>> [mturk_fee(cents, MTurkPart(masters=True)) for cents in (40, 30)]
    [10, 8]
    >>> mturk_fee(200, MTurkPart(masters=True), PaymentKind.BONUS)
    40
    """
    percent = BASE_PERCENT
    if kind == PaymentKind.TASK:
        percent += LARGE_PERCENT * (part.assignments_per_hit >= LARGE) + MASTERS_PERCENT * part.masters
    return fee_of(cents, percent, LEAST_FEE_CENTS)


def split(places: int, most: int) -> list[int]:
    """The sizes of the HITs that hold so many assignments.

    >>> split(16, 9), split(3, 9), split(16, 16)
    ([9, 7], [3], [16])
    """
    whole, rest = divmod(places, most)
    return [most] * whole + [rest] * bool(rest)
