"""What a study asks of its raters, in numbers small enough to count by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from labelwright.crowd import planner
from labelwright.crowd._rehearsal import Rehearsal, _phases, rehearse
from labelwright.crowd.demand import Demand
from labelwright.crowd.layout import LaidBatch, Unit
from labelwright.crowd.planner import Plan, describe_plan, make_plan
from labelwright.crowd.pools import Caps, LinkPool
from labelwright.crowd.rules import Spoil

MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)
APART = {"A": Spoil("a", ()), "B": Spoil("b", ())}
"""A rater may meet an item once in each condition."""
TOGETHER = {"A": Spoil("", ()), "B": Spoil("", ())}
"""A rater may meet an item once."""


def batch(size: int, opens: datetime | None = None, closes: datetime | None = None) -> LaidBatch:
    return LaidBatch("", tuple(Unit((f"i{n}",), ("",)) for n in range(size)), opens, closes)


def demand(
    *batches: LaidBatch,
    raters: int = 5,
    redundancy: Mapping[str, int] | None = None,
    spoils: Mapping[str, Spoil] = APART,
    left_out: float = 0.0,
    **caps: int,
) -> Demand:
    wanted = redundancy or {"A": 3, "B": 2}
    kept = {name: spoils[name] for name in wanted}
    return Demand("", raters, batches, wanted, kept, Caps(**caps), left_out)


def test_what_is_left_out_is_collected_again():
    # 10 tasks x (3 + 2) ratings are 50; 50 / 0.9 = 55.6.
    asked = demand(batch(10), left_out=0.1)
    assert (asked.units, asked.wanted, asked.needed) == (10, 50, 56)


def test_an_item_needs_as_many_raters_as_may_not_meet_it_twice():
    assert demand(batch(10)).raters_per_item == 3
    assert demand(batch(10), spoils=TOGETHER).raters_per_item == 3 + 2
    # 10 tasks in one batch, each once: 50 / 10 = 5 raters; with one task each, 50.
    assert demand(batch(10), spoils=TOGETHER).raters_needed == 5
    assert demand(batch(10), spoils=TOGETHER, tasks=1).raters_needed == 50


def test_one_rater_does_as_much_as_the_lowest_cap_allows():
    assert demand(batch(10), batch(4)).most_per_rater == 2 * 10 + 2 * 4
    assert demand(batch(10), batch(4), spoils=TOGETHER).most_per_rater == 10 + 4
    assert demand(batch(10), batch(4), conditions=1).most_per_rater == 10 + 4
    assert demand(batch(10), batch(4), tasks_per_batch=9).most_per_rater == 9 + 8
    assert demand(batch(10), batch(4), tasks=17).most_per_rater == 17


@pytest.mark.parametrize(
    ("closes", "most"),
    # Open on Monday and Tuesday, until midnight: 2 days; an hour later on Wednesday too. Without a deadline: no cap.
    [(MONDAY.replace(day=18, hour=0), 2 * 3), (MONDAY.replace(day=18, hour=1), 3 * 3), (None, 20)],
)
def test_a_cap_a_day_counts_the_days_on_which_a_batch_is_open(closes: datetime | None, most: int):
    opened = batch(10, MONDAY, closes)
    assert demand(opened, tasks_per_day=3).most_in(opened) == most


def test_how_far_conditions_can_be_apart():
    one = batch(20)
    # 60 and 40 ratings are wanted: 20 apart at the end, and 5 raters at work.
    assert demand(one).drift(one) == 20 + 5
    # A tenth of 20 x 5 ratings may be left out of one condition.
    assert demand(one, left_out=0.1).drift(one) == 20 + 5 + 10
    # Met once only: 2 tasks of one rater, 3 ratings each, can be known through and through.
    assert demand(one, spoils=TOGETHER, tasks_per_batch=2).drift(one) == 20 + 5 + 2 * 3
    # One condition a rater: besides that, each of the 5 may push one condition by 2 - 1 + 1 tasks.
    assert demand(one, conditions=1, tasks_per_batch=2).drift(one) == 20 + 5 + 2 * 3 + 5 * 2
    # Never more than all ratings of a condition, and 0 where there is only one.
    assert demand(batch(2), raters=50).drift(batch(2)) == 6
    assert demand(one, redundancy={"A": 3}).drift(one) == 0


def test_a_place_is_held_until_the_lease_or_the_longest_time_ends():
    pool = LinkPool(platform="link", raters=1, lease_minutes=30)
    minutes = lambda n: timedelta(minutes=n)  # noqa: E731
    assert pool.hold_minutes == 4 * 30
    assert pool.model_copy(update={"longest_lease_minutes": 45}).hold_minutes == 45
    # Offered at 9:00, seen at 10:00: until 10:30. Seen at 10:45: until 11:00, when 120 minutes are over,
    # or until 11:10 if nobody held it for 10 minutes.
    assert pool.lease_end(MONDAY + minutes(60), MONDAY, minutes(0)) == MONDAY + minutes(90)
    assert pool.lease_end(MONDAY + minutes(105), MONDAY, minutes(0)) == MONDAY + minutes(120)
    assert pool.lease_end(MONDAY + minutes(105), MONDAY, minutes(10)) == MONDAY + minutes(130)


def test_groups_may_fill_a_pool_and_not_overfill_it():
    groups = {name: {"raters": 2, "sets": ["s"]} for name in ("a", "b")}
    assert LinkPool(platform="link", raters=4, groups=groups).groups["b"].raters == 2
    with pytest.raises(ValueError, match="its groups have 4 raters, but the pool has only 3"):
        LinkPool(platform="link", raters=3, groups=groups)
    assert not LinkPool(platform="link", requires=["other"], groups=groups).says_raters


def test_batches_are_open_together_from_one_release_to_the_next():
    tuesday, wednesday = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)
    laid = (
        batch(1),
        batch(1, MONDAY, tuesday),
        batch(1, tuesday),
        batch(1, None, wednesday),
        batch(1, wednesday),
    )
    # A batch that closes at the very moment another opens is not open with it.
    assert list(_phases(laid)) == [[0, 3], [0, 1, 3], [0, 2, 3], [0, 2, 4]]
    assert list(_phases((batch(1), batch(1)))) == [[0, 1]]
    assert list(_phases((batch(1, MONDAY), batch(1, MONDAY)))) == [[0, 1]]


@pytest.mark.parametrize(
    ("asked", "left_open", "drift"),
    [
        # One rater meets each of 2 items once: of 4 places 2 stay open. Each condition gets one.
        (demand(batch(2), raters=1, redundancy={"A": 1, "B": 1}, spoils=TOGETHER), 2, 1),
        (demand(batch(2), raters=2, redundancy={"A": 1, "B": 1}, spoils=TOGETHER, tasks=4), 0, 1),
        (demand(batch(2), raters=1, redundancy={"A": 1, "B": 1}, conditions=1), 2, 2),
        (demand(batch(3), batch(3), raters=1, redundancy={"A": 1}, tasks=4), 2, 0),
        (demand(batch(3), batch(3), raters=1, redundancy={"A": 1}, tasks_per_batch=2), 2, 0),
        (demand(batch(1), batch(3), raters=1, redundancy={"A": 2}), 4, 0),
    ],
)
def test_a_rehearsal_leaves_open_what_nobody_may_do(asked: Demand, left_open: int, drift: int):
    # Two runs with all raters together, two with one after the other.
    assert rehearse(asked, seed=3) == [Rehearsal(left_open, drift)] * 4


def test_judging_one_aspect_spoils_the_other_and_not_the_other_way_round():
    spoils = {"A": Spoil("a", ()), "B": Spoil("b", ("a",))}
    # Of the first rater's seeds some offer A first, and then both are done; some B first, and then A stays open.
    asked = demand(batch(1), raters=1, redundancy={"A": 1, "B": 1}, spoils=spoils)
    assert {run.left_open for seed in range(8) for run in rehearse(asked, seed)} == {0, 1}
    both = replace(asked, spoils={"A": Spoil("a", ("b",)), "B": Spoil("b", ("a",))})
    assert {run.left_open for seed in range(8) for run in rehearse(both, seed)} == {1}


def test_a_place_left_out_in_a_rehearsal_is_offered_again_to_somebody_else():
    # Half is left out, so 5 places take about 10 of the 60 raters, each with one task.
    asked = demand(batch(5), raters=60, redundancy={"A": 1}, left_out=0.5, tasks=1)
    assert [run.left_open for run in rehearse(asked, seed=3)] == [0, 0, 0, 0]
    # Where all is left out, each of 60 raters is offered one place in vain, and all 5 stay open.
    lost = replace(asked, left_out_share=0.999999)
    assert [run.left_open for run in rehearse(lost, seed=3)] == [5, 5, 5, 5]


def test_a_study_too_large_to_rehearse_is_judged_by_its_numbers(monkeypatch: pytest.MonkeyPatch):
    assert planner.MOST_REHEARSED == 10_000
    monkeypatch.setattr(planner, "MOST_REHEARSED", 20)
    small = make_plan([demand(batch(10), raters=2, redundancy={"A": 2})], seed=1)
    assert (small.ratings, small.rehearsed_drift) == (20, 0)
    large = make_plan([demand(batch(10), batch(1), raters=2, redundancy={"A": 2})], seed=1)
    assert (large.ratings, large.rehearsed_drift, large.completes) == (22, None, True)


def test_a_plan_sums_its_groups_and_takes_their_worst():
    first = demand(batch(10), raters=5, spoils=TOGETHER)
    second = demand(batch(4), raters=7, redundancy={"A": 1, "B": 1})
    made = make_plan([first, second], seed=1)
    # 50 and 8 ratings; 5 raters (50 / 10) and 1 rater (8 / 8); drift 10 + 5 + 10 x 3, at most 30, and 4 of at most 7.
    assert (made.ratings, made.raters, made.raters_needed) == (58, 12, 6)
    assert (made.most_per_rater, made.drift) == (10, 30)


def test_the_furthest_that_rehearsals_went_is_told():
    one = demand(batch(4), raters=3, redundancy={"A": 1, "B": 1}, conditions=1)
    drifts = {run.drift for run in rehearse(one, seed=2)}
    made = make_plan([one, demand(batch(2), raters=1, redundancy={"A": 1})], seed=2)
    # One condition in the second group: it never drifts, and the first does.
    assert (made.rehearsed_drift, max(drifts) > 0) == (max(drifts), True)


def told(**changes: Any) -> list[str]:
    plan = Plan(10, 4, 3, 5, 0, None, (), ())
    return describe_plan(replace(plan, **changes))


def test_a_plan_is_told_in_sentences():
    assert told() == [
        "10 ratings, at most 5 per rater: 3 raters needed, 4 planned.",
        "The study can be completed under its rules.",
    ]
    assert told(ratings=1, raters_needed=1)[0] == "1 rating, at most 5 per rater: 1 rater needed, 4 planned."
    assert len(told(drift=0, rehearsed_drift=0)) == 2
    assert told(drift=2)[1] == "The conditions of a batch can never differ by more than 2 ratings."
    assert told(drift=7, rehearsed_drift=1)[1] == (
        "The conditions of a batch differed by at most 1 rating in rehearsals, and can never differ by more than 7."
    )
    assert told(reasons=("too few.",))[1:] == ["The study cannot be completed:", "- too few."]
    assert told(risks=("a cap.",))[1:] == ["The study can get stuck before it is complete:", "- a cap."]


def test_a_shortfall_names_the_cap_that_makes_it():
    def reason(*batches: LaidBatch, **caps: Any) -> str:
        return make_plan([demand(*batches, raters=2, **caps)], seed=1).reasons[0]

    # 20 tasks x 5 ratings are 100.
    assert reason(batch(20), tasks=7).startswith(
        "2 raters with 7 tasks each give 14 ratings, but 100 are needed. 15 raters"
    )
    assert reason(batch(10), batch(10), tasks_per_batch=3).startswith(
        "2 raters with 3 tasks per batch in 2 batches give 12"
    )
    assert reason(batch(20), conditions=1).startswith("2 raters with at most 20 tasks each give 40 ratings")


def test_a_rater_is_offered_what_they_had_least_of():
    # One rater, 6 items, each met once: the conditions take turns, so 6 of 12 places are filled, never more than 1 apart.
    asked = demand(batch(6), raters=1, redundancy={"A": 1, "B": 1}, spoils=TOGETHER)
    assert {(run.left_open, run.drift) for seed in range(6) for run in rehearse(asked, seed)} == {(6, 1)}


def test_stuck_rehearsals_are_counted():
    spoils = {"A": Spoil("a", ()), "B": Spoil("b", ("a",))}
    asked = demand(batch(2), raters=1, redundancy={"A": 1, "B": 1}, spoils=spoils)
    for seed in range(8):
        stuck = [run.left_open for run in rehearse(asked, seed) if run.left_open]
        wanted = f"in {len(stuck)} of 4 rehearsals, up to {max(stuck, default=0)} places "
        # The numbers come out: one rater can do 2 items x 2 conditions.
        made = make_plan([asked], seed)
        assert made.reasons == ()
        assert [risk.startswith(wanted) for risk in made.risks] == ([True] if stuck else [])


def test_caps_count_gold_tasks_so_a_rater_gives_fewer_ratings():
    # One task in five is gold: of ten tasks two are, so eight are ratings; 50 / 8 = 6.25.
    asked = replace(demand(batch(10), spoils=TOGETHER, tasks=10), gold_one_in=5, gold=4)
    assert (asked.most_tasks, asked.most_per_rater, asked.raters_needed) == (10, 8, 7)
    # Ten items and no cap: ten ratings, with two gold tasks among the first ten tasks.
    free = replace(demand(batch(10), spoils=TOGETHER), gold_one_in=5, gold=4)
    assert (free.most_tasks, free.most_per_rater) == (12, 10)
    # With one gold item a rater meets it once.
    assert replace(asked, gold=1).most_per_rater == 9
    # 50 ratings come with 50 / 4 gold tasks, unless raters have met all before.
    assert (asked.gold_needed, replace(asked, gold=1).gold_needed) == (12, 5)
    made = make_plan([replace(asked, raters=5)], seed=1)
    assert made.reasons == (
        "5 raters with 10 tasks each (2 of them gold) give 40 ratings, but 50 are needed. 7 raters would be enough.",
    )
