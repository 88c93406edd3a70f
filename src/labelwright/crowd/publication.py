"""Publication: what a platform offers to people on behalf of a study, and what it says of those who came."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from labelwright.crowd.panel import PanelPart
from labelwright.crowd.platform import Connection
from labelwright.crowd.pools import Pay


class VisitState(enum.StrEnum):
    """What a platform says of one person's visit."""

    AT_WORK = "at_work"
    SUBMITTED = "submitted"
    """Handed in there; nobody has decided on it."""
    APPROVED = "approved"
    REJECTED = "rejected"
    RETURNED = "returned"
    TIMED_OUT = "timed_out"
    UNKNOWN = "unknown"
    """A status that we do not know. It counts as taken, so that nobody is recruited in its place."""


class PublicationState(enum.StrEnum):
    """What we want of a publication."""

    MADE = "made"
    """It is being made there; nobody can come yet."""
    OPEN = "open"
    PAUSED = "paused"
    """Somebody paused it."""
    FULL = "full"
    """Nobody else is needed now. It opens again if work is rejected or excluded."""
    STOPPED = "stopped"
    REFUSED = "refused"
    """The platform refused to make it."""


@dataclass(frozen=True, slots=True)
class PublicationOrder:
    """What is to be published."""

    name: str
    """Our name of it, always the same for the same publication. It is written on the publication there, so that one
    whose answer was lost is found again."""
    title: str
    description: str
    address: str
    """Where people are sent, without the parameters that the platform adds."""
    panel: PanelPart
    places: int
    """How many visits are wanted."""
    minutes: float
    """How long a visit takes, as people are told."""
    pay: Pay
    """For one visit."""
    wishes: Mapping[str, Any] = field(default_factory=dict)
    """What only this platform knows, such as who may take part."""


def request_of(order: PublicationOrder) -> dict[str, Any]:
    """An order as the request of a call, which is stored; `order_of` reads it back."""
    return {
        "name": order.name,
        "title": order.title,
        "description": order.description,
        "address": order.address,
        "panel": order.panel.model_dump(mode="json", exclude_none=True),
        "places": order.places,
        "minutes": order.minutes,
        "cents": order.pay.cents,
        "currency": order.pay.currency,
        "wishes": dict(order.wishes),
    }


def order_of(request: Mapping[str, Any]) -> PublicationOrder:
    """The order that a stored request holds.

    >>> panel = PanelPart(name="P", person="pid", completed="C1")
    >>> order = PublicationOrder("pub-1", "Title", "", "https://x.example.org", panel, 3, 5.0, Pay(cents=80))
    >>> order_of(request_of(order)) == order
    True
    """
    return PublicationOrder(
        name=request["name"],
        title=request["title"],
        description=request["description"],
        address=request["address"],
        panel=PanelPart.model_validate(request["panel"]),
        places=request["places"],
        minutes=request["minutes"],
        pay=Pay(cents=request["cents"], currency=request["currency"]),
        wishes=request["wishes"],
    )


@dataclass(frozen=True, slots=True)
class PlatformVisit:
    """A visit as the platform lists it, by its ids. They are stored only encrypted."""

    session: str
    person: str
    state: VisitState
    began_at: datetime | None = None
    ended_at: datetime | None = None
    code: str = ""
    """The code that the person entered there; empty if none is known."""


@dataclass(frozen=True, slots=True)
class PublicationReading:
    """What a platform says of a publication now."""

    status: str
    """In the platform's own word."""
    is_open: bool
    """Whether people can still come."""
    places: int
    visits: tuple[PlatformVisit, ...]


@dataclass(frozen=True, slots=True)
class CostPreview:
    """What a publication would cost, to the cent."""

    pay_cents: int
    fee_cents: int
    """Fees and taxes."""
    currency: str
    balance_cents: int | None = None
    """What the account can spend; None if the platform does not say."""

    @property
    def total_cents(self) -> int:
        """Pay and fees."""
        return self.pay_cents + self.fee_cents


class PublishingConnection(Connection, Protocol):
    """A connection to a platform on which studies are published."""

    def read(self, external: str) -> PublicationReading:
        """What the platform says of a publication, with every visit. Raises PlatformSilent."""

    def preview_cost(self, order: PublicationOrder) -> CostPreview:
        """What a publication would cost; changes nothing there. Raises PlatformSilent."""


def places_wanted(visits: Iterable[PlatformVisit], needed: int, *, rejection_frees_place: bool) -> int:
    """How many places a publication should have in all, if so many more visits are needed.

    Always an absolute number from the platform's own list, so that asking twice changes nothing. On a platform where a
    rejection frees its place, the place is used again; elsewhere it is lost, and another one is added.

    >>> visits = [PlatformVisit("1", "a", VisitState.APPROVED), PlatformVisit("2", "b", VisitState.REJECTED)]
    >>> places_wanted(visits, 1, rejection_frees_place=True), places_wanted(visits, 1, rejection_frees_place=False)
    (2, 3)
    """
    count = Counter(visit.state for visit in visits)
    freed = {VisitState.RETURNED, VisitState.TIMED_OUT} | (
        {VisitState.REJECTED} if rejection_frees_place else set()
    )
    return needed + sum(number for state, number in count.items() if state not in freed)
