"""Every platform keeps the contract; pay of published studies, with fees, to the cent."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import pytest
from pydantic import ValidationError

from labelwright.crowd.ledger import MOVES, LedgerState, PaymentKind, fee_of
from labelwright.crowd.mturk import split
from labelwright.crowd.platform import PLATFORMS
from labelwright.crowd.pools import LinkPool
from labelwright.errors import LabelwrightError
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


class TestMTurk(PlatformContract):
    """Mechanical Turk, as far as no call is needed; its calls are tested against the emulator."""

    name: ClassVar[str] = "mturk"
    pool: ClassVar[dict[str, Any]] = {"platform": "mturk", "raters": 3, "pay": {"cents": 50}}


def mturk_cost(cents: int, bonus: bool = False, **part: Any) -> int:
    """What one payment on Mechanical Turk costs."""
    pool = LinkPool.model_validate({"platform": "mturk", "raters": 3, "mturk": part})
    kind = PaymentKind.BATCH_BONUS if bonus else PaymentKind.TASK
    return cents + PLATFORMS["mturk"].fee_cents(pool, cents, kind)


def test_fees_of_mturk_to_the_cent():
    """The table of the price list: 20%, 20% more from ten assignments on, 5% more for Masters, one cent at least."""
    assert mturk_cost(5) == 6
    assert mturk_cost(5, assignments_per_hit=16) == 7
    assert mturk_cost(40) == 48
    # 25% of 0.30 are 7.5 cents, rounded up.
    assert mturk_cost(30, masters=True) == 38
    assert mturk_cost(40, masters=True, assignments_per_hit=10) == 58
    assert (mturk_cost(2), mturk_cost(1)) == (3, 2)
    # Neither Masters nor large HITs make a bonus dearer.
    assert mturk_cost(200, bonus=True, masters=True, assignments_per_hit=10) == 240


def test_the_pay_of_the_four_published_studies_on_mturk():
    # $0.05 per dialogue, 1,000 dialogues; $1.50 for 30 dialogues, $0.40 at Masters rate; $0.30 and a bonus of $2.
    assert 1000 * mturk_cost(5) == 6000
    assert mturk_cost(150) == 180
    assert 1440 * mturk_cost(40, masters=True) == 72000
    assert (mturk_cost(30), mturk_cost(200, bonus=True)) == (36, 240)
    # 16 judges at $1.50: in one HIT 33.60, as 9 and 7 only 28.80.
    assert split(16, 9) == [9, 7]
    assert 16 * mturk_cost(150, assignments_per_hit=16) == 3360
    assert 16 * mturk_cost(150) == 2880


def test_mturk_is_closed_and_says_so():
    from labelwright.study.warnings import study_warnings
    from tests.studies import parse, pool, study_text

    text = study_text(pools=pool(platform="mturk"), redundancy=1)
    said = [what for path, what in study_warnings(parse(text), {}) if path[-1:] == ("platform",)]
    assert len(said) == 1
    assert "closed Mechanical Turk on 30 September 2026" in said[0]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"LABELWRIGHT_MTURK_ADDRESS": "https://mturk-requester.us-east-1.amazonaws.com"},
        {"LABELWRIGHT_MTURK_ADDRESS": "http://turk.example.org", "LABELWRIGHT_MTURK_ALLOW_LIVE": "1"},
        {"LABELWRIGHT_MTURK_ADDRESS": "https://127.0.0.1.example.org"},
    ],
)
def test_mturk_is_not_called_elsewhere_unless_somebody_allows_it(settings: dict[str, str]):
    with pytest.raises(LabelwrightError) as error:
        PLATFORMS["mturk"].connect(settings)
    assert error.value.code == "mturk_unusable"


def test_mturk_says_how_to_install_what_it_needs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "boto3.session", None)
    with pytest.raises(LabelwrightError, match=r"requirements/mturk\.txt"):
        PLATFORMS["mturk"].connect({"LABELWRIGHT_MTURK_ADDRESS": "http://127.0.0.1:9"})


def test_only_mturk_has_its_part_and_needs_no_panel():
    with pytest.raises(ValidationError, match="only `platform: mturk` has it"):
        LinkPool.model_validate({"platform": "link", "raters": 1, "mturk": {}})
    made = LinkPool.model_validate({"platform": "mturk", "raters": 1})
    assert LinkPool.model_validate(made.model_dump()) == made


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
