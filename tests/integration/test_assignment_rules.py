"""Caps, groups, signs of life, verdicts and the calendar on a real PostgreSQL."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from labelwright.crowd import DataUse
from labelwright.errors import LabelwrightError
from tests.at_once import at_once
from tests.desk import anyones_reviewer
from tests.integration.test_assignment import ANSWERS, load, visitors
from tests.studies import NOW, pool

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]

HOUR = timedelta(hours=1)


def judge(visitor: Any, now: Any = NOW) -> Any:
    """One task from offer to submission; what was offered."""
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit

    got = offer(visitor, now)
    if isinstance(got, Offer):
        submit(got.token, ANSWERS, now)
    return got


def leave_out(assignment: int, **changes: Any) -> Any:
    from labelwright.server.review.actions.verdicts import decide

    values = {
        "pay": None,
        "data_use": DataUse.LEFT_OUT,
        "reason": "No answer fits the text.",
        "author": "ann",
    }
    return decide(assignment, now=NOW, **(values | changes))


@pytest.mark.parametrize(
    ("caps", "scope"),
    [({"tasks": 10}, "tasks"), ({"tasks_per_batch": 10}, "batch"), ({"tasks_per_day": 10}, "day")],
)
def test_twenty_parallel_claims_at_a_cap_of_ten_give_ten(caps: dict[str, int], scope: str):

    from labelwright.server.store.models import Assignment, RaterCount

    (rater,) = visitors(load(items=30, pools=pool(caps=caps)), 1)

    def work() -> None:
        for _ in range(3):
            try:
                judge(rater)
            except LabelwrightError:
                continue  # another claim made this visit an old one

    at_once(20, work)
    while judge(rater) not in ("cap", "cap_for_now", "cap_today"):
        pass
    assert Assignment.objects.filter(state="submitted").count() == 10
    assert RaterCount.objects.get(scope=scope).n == 10


def test_the_database_itself_refuses_what_a_cap_forbids():
    from django.db import IntegrityError, transaction

    from labelwright.server.store.models import RaterCount

    (rater,) = visitors(load(items=3, pools=pool(caps={"tasks": 1, "conditions": 1, "tasks_per_day": 1})), 1)
    judge(rater)
    for scope in ("tasks", "conditions", "day"):
        counted = RaterCount.objects.filter(scope=scope)
        assert counted.count() == 1
        with pytest.raises(IntegrityError), transaction.atomic():
            counted.update(n=2)


def test_a_rater_keeps_to_the_conditions_that_the_cap_allows():
    from tests.rows import rows

    conditions = {f"C{n}": {} for n in range(6)}
    raters = visitors(load(items=8, conditions=conditions, pools=pool(caps={"conditions": 2})), 6)
    for _ in range(8):
        for rater in raters:
            judge(rater)
    found = rows(
        "SELECT s.rater_id, count(DISTINCT t.condition) FROM assignment s JOIN task t ON t.id = s.task_id GROUP BY 1"
    )
    assert {n for _, n in found} == {2}
    # Six raters with two conditions each cover all six, two raters in each.
    counts = rows("SELECT key, count(*) FROM rater_count WHERE scope = 'condition' AND n > 0 GROUP BY 1")
    assert {n for _, n in counts} == {2}


def test_who_gives_back_too_much_is_offered_no_more_and_told_before():
    from labelwright.server.offering.actions.leases import offer, return_work
    from labelwright.server.offering.actions.search import NoWork

    looker, worker = visitors(load(items=9, pools=pool(caps={"returns": 3})), 2)
    assert [return_work(offer(looker, NOW).token) for _ in range(3)] == [2, 1, 0]
    assert offer(looker, NOW) is NoWork.RETURNS
    assert not isinstance(offer(worker, NOW), NoWork)


def test_a_sign_of_life_keeps_a_place_up_to_the_limit():
    from labelwright.server.offering.actions.leases import expire_leases, heartbeat, offer
    from labelwright.server.rating.actions.answers import save

    (rater,) = visitors(load(pools=pool(lease_minutes=30, longest_lease_minutes=60)), 1)
    token = offer(rater, NOW).token
    later = NOW + timedelta(minutes=20)
    assert heartbeat(token, later).seconds_left == 30 * 60
    save(token, ANSWERS, "a", 0, NOW + timedelta(minutes=40))
    assert heartbeat(token, NOW + timedelta(minutes=40)).seconds_left == 20 * 60
    # The limit of 60 minutes has come: no sign of life moves it.
    assert expire_leases(NOW + timedelta(minutes=59)) == 0
    assert expire_leases(NOW + timedelta(minutes=61)) == 1


@pytest.mark.parametrize("worker_is_quick", [True, False])
def test_coming_back_whenever_the_lease_lapses_holds_no_place_past_the_limit(worker_is_quick: bool):
    from labelwright.server.offering.actions.leases import expire_leases, heartbeat, offer
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.rating.actions.answers import save, submit
    from labelwright.server.store.models import Assignment

    pools = pool(lease_minutes=30, longest_lease_minutes=60)
    keeper, other = visitors(load(items=1, redundancy=1, conditions={"C": {}}, pools=pools), 2)
    now, held = NOW, offer(keeper, NOW)
    # Every quarter of an hour, and right when a lease has run out: before the worker takes the place, or after.
    while now < NOW + timedelta(minutes=60):
        assert offer(other, now) is NoWork.NONE_LEFT
        lapses = Assignment.objects.get().lease_until + timedelta(seconds=1)
        now = min(now + timedelta(minutes=15), lapses)
        if worker_is_quick:
            expire_leases(now)
        held = offer(keeper, now)
        heartbeat(held.token, now)
    expire_leases(now + timedelta(seconds=2))
    # The work can be gone on with and saved, but keeps nobody else from the place.
    again = offer(keeper, now + timedelta(seconds=3))
    assert again.assignment == held.assignment
    assert heartbeat(again.token, now).state == "late"
    assert save(again.token, ANSWERS, "a", 0, now).revision == 1
    assert Assignment.objects.get().state == "expired"
    assert submit(offer(other, now).token, ANSWERS, now)
    assert offer(keeper, now) is NoWork.NONE_LEFT


def test_the_time_for_which_a_place_was_free_counts_as_nobodys():
    from labelwright.server.offering.actions.leases import expire_leases, heartbeat, offer

    (rater,) = visitors(load(pools=pool(lease_minutes=30, longest_lease_minutes=60)), 1)
    first = offer(rater, NOW)
    # The laptop was closed over lunch: half an hour was held, and two and a half were free.
    back = NOW + timedelta(hours=3)
    expire_leases(back)
    again = offer(rater, back)
    assert again.assignment == first.assignment
    assert heartbeat(again.token, back).seconds_left == 30 * 60
    # That is the second half hour of the sixty minutes; no sign of life makes it more.
    assert heartbeat(again.token, back + timedelta(minutes=10)).seconds_left == 20 * 60


def test_work_that_is_held_no_longer_can_be_given_back_or_handed_in():
    from labelwright.server.offering.actions.leases import expire_leases, offer, return_work
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rating.actions.task_page import get_task
    from labelwright.server.store.models import RaterCount

    (rater,) = visitors(load(items=2, pools=pool(lease_minutes=30, longest_lease_minutes=30)), 1)
    late = NOW + timedelta(minutes=31)
    first = offer(rater, NOW)
    expire_leases(late)
    again = offer(rater, late)
    assert again.assignment == first.assignment
    assert RaterCount.objects.get(scope="tasks").n == 0
    assert get_task(again.assignment).progress.done == 0
    # 20 are allowed when nothing is said.
    assert return_work(again.token) == 19
    second = offer(rater, late)
    assert second.assignment != first.assignment
    later = late + timedelta(minutes=31)
    expire_leases(later)
    assert submit(offer(rater, later).token, ANSWERS, later)
    assert RaterCount.objects.get(scope="tasks").n == 1


@pytest.mark.parametrize("cap", ["tasks", "conditions", "tasks_per_day"])
def test_work_that_is_held_no_longer_is_not_shown_where_it_would_exceed_a_cap(cap: str):
    from labelwright.server.offering.actions.leases import expire_leases, offer
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment, Place

    pools = pool(lease_minutes=30, longest_lease_minutes=30, caps={cap: 1})
    (rater,) = visitors(load(items=2, redundancy=1, conditions={"C": {}, "D": {}}, pools=pools), 1)
    late, later = NOW + timedelta(minutes=31), NOW + timedelta(minutes=62)
    first = offer(rater, NOW)
    expire_leases(late)
    # The places of its condition are taken for a while, so that the rater is late with a task of each.
    taken = Place.objects.filter(condition=Assignment.objects.get().place.condition, state="open")
    ids = list(taken.values_list("pk", flat=True))
    taken.update(state="leased")
    second = offer(rater, late)
    expire_leases(later)
    Place.objects.filter(pk__in=ids).update(state="open")
    assert offer(rater, later).assignment == second.assignment != first.assignment
    # With the one that is handed in, the cap is reached.
    submit(first.token, ANSWERS, later)
    assert isinstance(offer(rater, later), NoWork)


def test_the_slow_finisher_is_told_at_once_when_the_place_is_gone():
    from labelwright.server.offering.actions.leases import expire_leases, heartbeat, offer

    slow, quick = visitors(load(items=1, redundancy=1, conditions={"C": {}}), 2)
    token = offer(slow, NOW).token
    late = NOW + HOUR
    expire_leases(late)
    assert heartbeat(token, late).state == "late"
    offer(quick, late)
    assert heartbeat(token, late).state == "gone"


def test_data_left_out_are_collected_again_from_another_rater_and_stay_paid():
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.store.models import Assignment, ItemTally, Place, Tally, Verdict

    first, second = visitors(load(items=1, redundancy=1, conditions={"C": {}}), 2)
    held = judge(first)
    flag_block(NOW)
    assert leave_out(held.assignment).reopened
    row = Assignment.objects.get(pk=held.assignment)
    assert (row.data_use, row.paid_state, row.state) == ("left_out", "owed", "submitted")
    assert sorted(Tally.objects.values_list("left_out", "n")) == [("", 0), ("left_out", 1)]
    # Not to the same rater, who has met the item.
    assert judge(first) is NoWork.NONE_LEFT
    again = judge(second)
    assert judge(second) is NoWork.NONE_LEFT
    flag_block(NOW)
    assert Place.objects.get().state == "filled"
    assert ItemTally.objects.get().n == 1
    assert Assignment.objects.filter(data_use="used").get().pk == again.assignment
    # What another has filled since cannot be used again; pay is apart, and the earlier verdict is kept.
    from labelwright.server.tallies.actions import PlaceRefilled

    with pytest.raises(PlaceRefilled):
        leave_out(held.assignment, data_use=DataUse.USED)
    leave_out(
        held.assignment, data_use=None, pay=False, reason="Copied from elsewhere.", author=anyones_reviewer()
    )
    row.refresh_from_db()
    assert (row.state, row.paid_state) == ("rejected", "none")
    earlier, later = Verdict.objects.order_by("id")
    assert later.replaces_id == earlier.pk


def test_a_verdict_can_be_undone_as_long_as_nobody_has_the_place():
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.store.models import Place, Tally
    from tests.rows import rows

    (rater,) = visitors(load(items=1, redundancy=1, conditions={"C": {}}), 1)
    held = judge(rater)
    leave_out(held.assignment)
    flag_block(NOW)
    assert list(Tally.objects.values_list("left_out", "n")) == [("left_out", 1)]
    leave_out(held.assignment, data_use=DataUse.USED, reason="")
    assert Place.objects.get().state == "filled"
    assert sorted(Tally.objects.values_list("left_out", "n")) == [("", 1), ("left_out", 0)]
    assert rows("SELECT sum(n)::int FROM offered") == [(1,)]


def test_a_verdict_against_somebody_needs_a_reason_and_work_that_was_handed_in():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.review.actions.verdicts import NoReason, NotDecidable

    (rater,) = visitors(load(), 1)
    held = offer(rater, NOW)
    with pytest.raises(NotDecidable):
        leave_out(held.assignment)
    held = judge(rater)
    for changes in ({"reason": " "}, {"data_use": None, "pay": False, "reason": ""}):
        with pytest.raises(NoReason):
            leave_out(held.assignment, **changes)


def test_work_that_is_paid_is_never_owed_again():
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Assignment

    (rater,) = visitors(load(), 1)
    work = judge(rater).assignment
    Assignment.objects.filter(pk=work).update(paid_state="paid")
    decide(work, pay=True, data_use=None, reason="", author="me", now=NOW)
    assert Assignment.objects.get(pk=work).paid_state == "paid"


def test_a_study_that_does_not_refill_keeps_the_place_closed():
    from labelwright.server.offering.actions.search import NoWork

    first, second = visitors(
        load(items=1, redundancy=1, conditions={"C": {}}, assignment={"refill": False}), 2
    )
    assert not leave_out(judge(first).assignment).reopened
    assert judge(second) is NoWork.NONE_LEFT


def test_relevance_may_come_before_usefulness_and_never_after():
    from labelwright.server.store.models import Assignment
    from tests.property.test_assignment_machine import RULES

    rules = RULES["an aspect spoils another"] | {"pools": pool()}
    (rater,) = visitors(load(items=1, redundancy=2, **rules), 1)
    while getattr(held := judge(rater), "assignment", None):
        pass
    done = list(Assignment.objects.order_by("id").values_list("task__condition", flat=True))
    # Never twice for relevance; usefulness is the last, if it was not the first and only one.
    assert done in (["U0"], ["R0", "U0"], ["R3", "U0"]), held


def test_batches_are_released_and_closed_by_the_clock_and_measured_whole():
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.store.models import Batch, Rater
    from labelwright.server.studies.actions.calendar import update_calendar
    from labelwright.server.studies.actions.completions import get_completions

    calendar = {"daily": {"first_day": "2026-11-15", "at": "12:00", "close_after_hours": 30}}
    loaded = load(items=3, redundancy=2, conditions={"C": {}}, batches=calendar)
    quick, slow = visitors(loaded, 2)
    first, second, _ = Batch.objects.order_by("number")
    assert [batch.state for batch in Batch.objects.order_by("number")] == ["open", "planned", "planned"]
    judge(quick)
    assert judge(quick) is NoWork.NONE_LEFT
    tomorrow = NOW + 25 * HOUR
    # Twice is as good as once, and a worker that slept makes up for it.
    assert [update_calendar(tomorrow).opened for _ in range(2)] == [1, 0]
    for _ in range(2):
        judge(slow, tomorrow)
    flag_block(tomorrow)
    names = dict(Rater.objects.values_list("pk", "pseudonym"))
    done = get_completions(loaded.study, first.pk)
    assert [(c.of.rater, c.of.hours_from_release, c.in_time) for c in done] == [
        (names[quick.rater], 0.0, True),
        (names[slow.rater], 25.0, False),
    ]
    assert [(c.of.rater, c.in_time) for c in get_completions(loaded.study, second.pk)] == [
        (names[slow.rater], True)
    ]
    assert update_calendar(NOW + 31 * HOUR).closed == 1
    assert judge(quick, NOW + 31 * HOUR).assignment
    assert judge(quick, NOW + 31 * HOUR) is NoWork.NONE_LEFT


def test_work_under_way_at_the_deadline_may_still_be_handed_in():
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.studies.actions.calendar import update_calendar

    calendar = {"calendar": [{"closes": "2026-11-15T12:10:00Z"}]}
    first, second = visitors(load(batches=calendar), 2)
    held = offer(first, NOW)
    later = NOW + timedelta(minutes=11)
    assert update_calendar(later).closed == 1
    assert offer(second, later) == "none_left"
    assert submit(held.token, ANSWERS, later)


def test_a_rater_goes_through_batches_in_the_order_of_the_calendar():
    from tests.rows import rows

    calendar = {"calendar": [{"items": 2}, {"items": 3}, {}]}
    (rater,) = visitors(load(items=9, batches=calendar, pools=pool(caps={"tasks_per_batch": 2})), 1)
    while judge(rater) != "cap_for_now":
        pass
    found = rows(
        """SELECT b.number FROM assignment a JOIN place p ON p.id = a.place_id JOIN batch b ON b.id = p.batch_id
           ORDER BY a.id"""
    )
    assert [number for (number,) in found] == [0, 0, 1, 1, 2, 2]


def test_redundancy_is_that_of_the_condition_or_its_aspect():
    from tests.rows import rows

    load(
        items=2,
        aspects={"usefulness": {"title": "Usefulness", "redundancy": 4}},
        conditions={"A": {}, "B": {"redundancy": 1}},
    )
    assert rows("SELECT condition, count(*) FROM place GROUP BY 1 ORDER BY 1") == [("A", 8), ("B", 2)]
