"""Platform: what a place where raters are recruited must be able to do, and the platforms that are known.

`labelwright.outside.platforms` holds ours. Nothing here opens a connection: a platform that is paid by calls gives a
`Connection`, and the sender of the server makes the calls, one at a time and each of them written down before.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar

from labelwright.crowd.ledger import CallState, PaymentKind
from labelwright.crowd.panel import PanelArrival, Return
from labelwright.crowd.pools import LinkPool, Pay
from labelwright.errors import LabelwrightError
from labelwright.registry import Registry


class PlatformSilent(LabelwrightError):
    """A platform did not answer, or not as it should; nothing is known, and nothing was changed."""

    code: ClassVar[str] = "platform_silent"


class BadEvent(LabelwrightError):
    """Something that claims to be an event of a platform, and is not signed by it."""

    code: ClassVar[str] = "bad_event"


@dataclass(frozen=True, slots=True)
class HeardEvent:
    """An event that a platform sent: something changed there. What changed is read from the platform itself."""

    id: str
    signed_at: int
    """When it was signed, in seconds since 1970."""
    publication: str = ""
    """The platform's id of the publication; empty if the event does not name it."""


class PayRoute(enum.StrEnum):
    """How raters of a platform are paid."""

    LIST = "list"
    """Somebody pays them outside: a pay list leaves, and confirmations come back."""
    CALLS = "calls"
    """By calls to the platform."""


@dataclass(frozen=True, slots=True)
class CallKind:
    """A call that a platform offers."""

    name: str
    moves_money: bool
    repeatable: bool
    """Whether sending the same call again has no second effect, by a token or by the state of what it is about."""
    readable: bool = True
    """Whether its effect can be read from the platform, so that an unknown outcome settles itself."""


@dataclass(frozen=True, slots=True)
class OutgoingCall:
    """A call as it is sent."""

    kind: str
    key: str
    """Always the same for the same call; platforms with tokens get it as their token."""
    request: Mapping[str, Any]
    ids: Mapping[str, str] = field(default_factory=dict)
    """The platform's ids of raters and sessions that the request names by ours. They are stored only encrypted."""


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What is known after a call, or after reading the platform about it."""

    state: CallState
    """Confirmed, refused, unknown; or planned, if it certainly did nothing and can be sent."""
    said: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


class Connection(Protocol):
    """A connection to a platform, with credentials."""

    def send(self, call: OutgoingCall) -> CallAnswer:
        """Makes a call, once and without repeats of any kind. Raises nothing that the platform or network can cause."""

    def find(self, call: OutgoingCall) -> CallAnswer:
        """Reads from the platform what became of a call; changes nothing there."""

    def close(self) -> None:
        """Ends the connection."""


@dataclass(frozen=True, slots=True)
class DuePayment:
    """A released payment that a platform is to make."""

    id: int
    code: str
    round: int
    """How often it was released; each time is another call."""
    kind: PaymentKind
    rater: str
    """The pseudonym."""
    session: str
    """Our name of the session in which the work was done; empty for a bonus of a person."""
    cents: int
    currency: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PayCall:
    """A call that makes payments."""

    kind: str
    key: str
    request: Mapping[str, Any]
    payments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlatformFrame:
    """How a platform shows the rater's pages in a frame of its own page, and takes people back by a form."""

    preview: str
    """What stands in place of the id of the visit while nobody has accepted the work."""
    submit_parameter: str
    """The parameter of the address that says where the form goes."""
    origin: str
    """Where it may go; whoever is told otherwise is not let in."""
    embed_origins: tuple[str, ...]
    """Who may show the pages."""


@dataclass(frozen=True, slots=True)
class PayProblem:
    """Pay that a platform's minimum, or that of the study, does not allow."""

    what: str
    fair: Pay
    """The pay per task that would be enough."""
    blocks: bool
    """Whether the study cannot be published so."""


class Platform:
    """A place where raters are recruited."""

    name: ClassVar[str]
    pay_route: ClassVar[PayRoute] = PayRoute.LIST
    calls: ClassVar[tuple[CallKind, ...]] = ()
    """Every call that changes something there. The crash tests are made from this list."""
    publishes: ClassVar[bool] = False
    """Whether studies are published there by calls; its connections are then `PublishingConnection`s."""
    rejection_frees_place: ClassVar[bool] = False
    """Whether a rejected visit makes room for another one by itself."""
    minimum_hourly_cents: ClassVar[Mapping[str, int]] = {}
    """The hourly pay that the platform demands, by currency."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The settings of the environment without which there is no connection."""
    notice: ClassVar[str] = ""
    """What people must know before they use it; empty if there is nothing."""

    def offers(self, kind: str) -> bool:
        """Whether it has a call of this kind."""
        return any(call.name == kind for call in self.calls)

    def connect(self, settings: Mapping[str, str]) -> Connection:
        """A connection with the credentials of the installation's environment; for platforms that are paid by calls."""
        raise NotImplementedError

    def return_address(self, code: str, settings: Mapping[str, str]) -> str:
        """Where people go back to with a code that was made for them; the code itself if they enter it there."""
        return code

    def code_in(self, way: str) -> str:
        """The code in a way back, as the platform lists it for those who went back by it."""
        return way

    def read_event(self, headers: Mapping[str, str], body: bytes, settings: Mapping[str, str]) -> HeardEvent:
        """An event that the platform sent, by its raw body; raises BadEvent. For platforms that send events."""
        raise BadEvent("this platform sends no events.")

    def pay_calls(self, payments: Sequence[DuePayment]) -> list[PayCall]:
        """The calls that make payments; for platforms that are paid by calls."""
        raise NotImplementedError

    def rejection_problem(self, reason: str) -> str | None:
        """What the reason of a rejection lacks here; None if it is enough. Every rejection has a person and a reason."""
        return None

    def frame(self, settings: Mapping[str, str]) -> PlatformFrame | None:
        """How the platform shows the rater's pages in a frame; None if it sends people to them."""
        return None

    def session_of(self, came: PanelArrival) -> str:
        """What a visit is called here, by the ids of the platform; raises BadArrival for ids that it cannot have."""
        return came.session

    def return_form(self, session: str, receipt: str, settings: Mapping[str, str]) -> Return:
        """The form by which somebody goes back from a frame."""
        raise NotImplementedError

    def wishes(self, pool: LinkPool, group: str = "") -> Mapping[str, Any]:
        """What only this platform knows about a publication of a pool; see `PublicationOrder`.

        `group` is the platform's id of the group of raters who qualified, for pools that need a qualification.
        """
        return {}

    def fee_cents(self, pool: LinkPool, cents: int, kind: PaymentKind = PaymentKind.TASK) -> int:
        """The fee on one payment."""
        return pool.pay.fee_on(cents)

    def pay_problem(self, pool: LinkPool, minutes: float) -> PayProblem | None:
        """Whether tasks that take this long are paid too little; None if they are not, or are not paid at all."""
        pay = pool.pay
        if not pay.cents or minutes <= 0:
            return None
        demanded = self.minimum_hourly_cents.get(pay.currency, 0)
        least = max(demanded, pay.hourly_minimum_cents)
        # Rounded up to the cent, because rounding down would be below the minimum again.
        fair = -int(-least * minutes // 60)
        if pay.cents >= fair:
            return None
        per_hour = pay.cents * 60 / minutes / 100
        whose = f"{self.name} demands" if demanded >= least else "the minimum of this study is"
        what = (
            f"{pay.cents / 100:.2f} {pay.currency} for {minutes:g} minutes is {per_hour:.2f} an hour; "
            f"{whose} {least / 100:.2f}."
        )
        return PayProblem(what, Pay(cents=fair, currency=pay.currency), blocks=demanded >= least)


PLATFORMS: Registry[Platform] = Registry(
    "platform",
    "labelwright.platforms",
    "a subclass of `Platform` decorated with `@platform`",
    package="labelwright.outside.platforms",
)
"""The platforms by the name that pools of study files use."""
PlatformType = TypeVar("PlatformType", bound=type[Platform])


def platform(made: PlatformType) -> PlatformType:
    """Registers a platform under its name."""
    PLATFORMS.register(made.name, made(), source=made, module=made.__module__)
    return made


def all_calls(platforms: Iterable[Platform]) -> list[tuple[str, CallKind]]:
    """Every call of these platforms, with the name of its platform."""
    return [(each.name, call) for each in platforms for call in each.calls]
