"""Every platform keeps the contract; pay of published studies, with fees, to the cent."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from labelwright.crowd.ledger import MOVES, LedgerState, fee_of
from labelwright.crowd.platform import PLATFORMS
from labelwright.crowd.pools import LinkPool
from labelwright.testing.platforms import PlatformContract


class TestOwnLinks(PlatformContract):
    """Own raters."""

    name: ClassVar[str] = "link"
    pool: ClassVar[dict[str, Any]] = {"platform": "link", "raters": 3, "pay": {"cents": 50}}


class TestPanel(PlatformContract):
    """Any recruiter."""

    name: ClassVar[str] = "panel"
    pool: ClassVar[dict[str, Any]] = {
        "platform": "panel",
        "raters": 3,
        "pay": {"cents": 50},
        "panel": {"name": "P", "person": "pid", "completed": "C1"},
    }


class TestProlific(PlatformContract):
    """Prolific, as far as no call is needed; its calls are tested against the emulator."""

    name: ClassVar[str] = "prolific"
    pool: ClassVar[dict[str, Any]] = {
        "platform": "prolific",
        "raters": 3,
        "pay": {"cents": 50, "currency": "GBP"},
        "panel": {"name": "Prolific", "person": "PROLIFIC_PID", "session": "SESSION_ID", "completed": "C1"},
    }


def test_prolific_blocks_pay_below_its_minimum():
    pay = {"cents": 5, "currency": "USD"}
    pool = LinkPool.model_validate(TestProlific.pool | {"pay": pay})
    problem = PLATFORMS["prolific"].pay_problem(pool, minutes=1)
    assert problem is not None
    # One minute at 8.00 an hour is 13.3 cents.
    assert (problem.fair.cents, problem.blocks) == (14, True)


def test_nothing_leads_away_from_money_that_has_arrived():
    assert MOVES[LedgerState.CONFIRMED] == frozenset()
    assert {state for states in MOVES.values() for state in states} == set(LedgerState)


@pytest.mark.parametrize(
    ("cents", "percent", "least", "tasks", "total"),
    [
        # $0.05 per dialogue with a fee of 20% and at least one cent: 6 cents each.
        (5, 20, 1, 1000, 6000),
        # $1.50 for 30 dialogues, 20%: $1.80.
        (150, 20, 1, 1, 180),
        # $0.40 with 25% (20% and 5% for a special qualification): 1,440 judgments are $720.00.
        (40, 25, 1, 1440, 72000),
        # $0.30 with 25% is 7.5 cents, rounded up to 8; the $2 bonus with 20% is $2.40.
        (30, 25, 1, 1, 38),
        (200, 20, 1, 1, 240),
    ],
)
def test_the_pay_of_published_studies_with_fees(
    cents: int, percent: float, least: int, tasks: int, total: int
):
    assert tasks * (cents + fee_of(cents, percent, least)) == total


def test_pay_below_a_minimum_names_the_fair_amount():
    pool = LinkPool.model_validate(
        {"platform": "link", "raters": 1, "pay": {"cents": 5, "hourly_minimum_cents": 1200}}
    )
    problem = PLATFORMS["link"].pay_problem(pool, minutes=1)
    assert problem is not None
    # One minute at 12.00 an hour is 0.20; 0.05 for one minute is 3.00 an hour.
    assert (problem.fair.cents, problem.blocks) == (20, False)
    assert "3.00 an hour" in problem.what


def test_a_study_file_that_pays_too_little_is_warned_about():
    from labelwright.study.warnings import study_warnings
    from tests.studies import parse, pool, study_text

    def warned(**pay: int) -> list[str]:
        text = study_text(pools=pool(pay=pay), redundancy=1)
        return [what for path, what in study_warnings(parse(text), {}) if path[-1:] == ("pay",)]

    # Tasks take two minutes unless a design says otherwise: 12.00 an hour is 0.40.
    assert warned(cents=40, hourly_minimum_cents=1200) == []
    (said,) = warned(cents=5, hourly_minimum_cents=1200)
    assert "1.50 an hour" in said
    assert "A fair pay is 40 cents" in said
