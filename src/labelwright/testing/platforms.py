"""The contract of platforms, as a test suite that the author of a platform inherits.

class TestMyPlatform(PlatformContract):
    name = "my_platform"
    pool = {"platform": "my_platform", "raters": 3, "pay": {"cents": 50}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Protocol

import pytest

from labelwright.crowd.ledger import CallState
from labelwright.crowd.platform import PLATFORMS, CallKind, Connection, OutgoingCall, PayRoute, Platform
from labelwright.crowd.pools import LinkPool


class PlatformContract:
    """Inherited by the test of each platform; pytest runs its methods there."""

    name: ClassVar[str]
    pool: ClassVar[dict[str, Any]]
    """A pool of the study file that uses it, with pay."""
    pool_type: ClassVar[type[LinkPool]] = LinkPool

    @property
    def platform(self) -> Platform:
        """The platform under test."""
        return PLATFORMS[self.name]

    def _pool(self, **pay: Any) -> LinkPool:
        return self.pool_type.model_validate({**self.pool, "pay": {**self.pool.get("pay", {}), **pay}})

    def test_is_registered_under_the_name_that_study_files_use(self) -> None:
        """The registry gives the platform itself."""
        assert self.platform.name == self.name
        assert self._pool().platform == self.name

    def test_charges_whole_cents_and_never_less_for_more(self) -> None:
        """A fee is a whole number of cents, grows with the amount, and is nothing on nothing."""
        pool = self._pool(fee_percent=33.3, least_fee_cents=1)
        fees = [self.platform.fee_cents(pool, cents) for cents in range(300)]
        assert fees[0] == 0
        assert all(isinstance(fee, int) for fee in fees)
        assert fees == sorted(fees)

    def test_says_what_would_be_fair_if_pay_is_below_a_minimum(self) -> None:
        """The proposed pay is the smallest that has no problem."""
        pool = self._pool(cents=1, hourly_minimum_cents=1200)
        problem = self.platform.pay_problem(pool, minutes=7)
        assert problem is not None
        fair = problem.fair.cents
        assert self.platform.pay_problem(self._pool(cents=fair, hourly_minimum_cents=1200), 7) is None
        assert self.platform.pay_problem(self._pool(cents=fair - 1, hourly_minimum_cents=1200), 7) is not None

    def test_lists_every_call_once_and_says_what_an_unknown_outcome_needs(self) -> None:
        """A platform that is paid by calls names them; each has one name."""
        names = [call.name for call in self.platform.calls]
        assert len(names) == len(set(names))
        assert bool(names) == (self.platform.pay_route == PayRoute.CALLS)

    def test_publishes_by_calls_and_finds_its_codes_again(self) -> None:
        """A platform that publishes makes, enlarges and stops publications, and knows the code in its own way back."""
        if self.platform.publishes:
            assert all(self.platform.offers(kind) for kind in ("create", "places", "stop"))
            assert self.platform.code_in(self.platform.return_address("C7K2", {})) == "C7K2"


class ContractWorld(Protocol):
    """A platform that answers, with people on it; made anew for each test."""

    settings: Mapping[str, str]
    """The environment with which the platform connects to it."""
    nowhere: Mapping[str, str]
    """The same with an address at which nobody answers."""

    def example(self, kind: str) -> OutgoingCall | None:
        """A call of this kind that can succeed; None if there is none."""

    def effects(self, kind: str) -> int:
        """How often calls of this kind took effect."""


class PlatformCallsContract:
    """Inherited by the test of each platform that is called over HTTP; its fixture `world` gives a `ContractWorld`."""

    name: ClassVar[str]

    @pytest.fixture
    def to(self, world: ContractWorld) -> Iterator[Connection]:
        """A connection to the platform under test."""
        made = PLATFORMS[self.name].connect(world.settings)
        yield made
        made.close()

    @property
    def kinds(self) -> tuple[CallKind, ...]:
        """Every call of the platform."""
        return PLATFORMS[self.name].calls

    def test_every_call_takes_effect_once_and_is_found_again(
        self, world: ContractWorld, to: Connection
    ) -> None:
        """Looking a call up has no effect; afterwards it is found, and a repeatable one sent again does nothing."""
        for kind in self.kinds:
            call = world.example(kind.name)
            if call is None:
                continue
            assert to.find(call).state in (CallState.PLANNED, CallState.UNKNOWN), kind
            assert world.effects(kind.name) == 0, kind
            sent = to.send(call).state
            assert sent == CallState.CONFIRMED or (sent == CallState.UNKNOWN and kind.readable), kind
            if kind.readable:
                assert to.find(call).state == CallState.CONFIRMED, kind
            if kind.repeatable:
                assert to.send(call).state == CallState.CONFIRMED, kind
            assert world.effects(kind.name) == 1, kind

    def test_a_platform_that_does_not_answer_changes_nothing_and_raises_nothing(
        self, world: ContractWorld
    ) -> None:
        """The call can be sent, and nothing is known of it."""
        to = PLATFORMS[self.name].connect(world.nowhere)
        call = world.example("approve")
        assert call is not None
        assert (to.send(call).state, to.find(call).state) == (CallState.PLANNED, CallState.UNKNOWN)
        to.close()

    def test_nobody_is_paid_for_the_work_of_somebody_else(self, world: ContractWorld, to: Connection) -> None:
        """The ids of an arrival can be forged, so pay is compared with what the platform knows."""
        for kind in ("approve", "bonus"):
            call = world.example(kind)
            if call is not None:
                ids = {
                    each: "ASOMEBODY" if each in call.request["raters"] else value
                    for each, value in call.ids.items()
                }
                assert to.send(replace(call, ids=ids)).state == CallState.REFUSED
                assert world.effects(kind) == 0
