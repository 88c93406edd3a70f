"""Every rater meets one gold item in so many: in each block exactly one, spread, whatever the sizes of tasks."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from labelwright.corpus import ItemsPart, make_items
from labelwright.crowd import GoldSchedule
from labelwright.study import lay_out_study, plan_study
from tests.studies import dialogues, parse, pool, study_text

SCHEDULES = st.builds(
    GoldSchedule, seed=st.integers(0, 2**63 - 1), rater=st.integers(0, 10_000), one_in=st.integers(2, 30)
)


def tasks_of(schedule: GoldSchedule, count: int, gold: int = 10_000) -> list[bool]:
    """Whether each of a rater's tasks is gold, if gold items are tasks of their own."""
    done: list[bool] = []
    blocks = 0
    for met in range(count):
        due = schedule.is_due(met, blocks)
        blocks = schedule.settled(met) if due else blocks
        done.append(due and sum(done) < gold)
    return done


@given(SCHEDULES, st.integers(1, 12))
def test_every_block_of_tasks_has_exactly_one_gold_task(schedule: GoldSchedule, blocks: int):
    done = tasks_of(schedule, blocks * schedule.one_in)
    starts = range(0, len(done), schedule.one_in)
    assert [sum(done[start : start + schedule.one_in]) for start in starts] == [1] * blocks
    assert [done[start:].index(True) for start in starts] == [schedule.position(n) for n in range(blocks)]


@given(SCHEDULES, st.lists(st.integers(1, 40), min_size=1, max_size=12))
def test_every_block_of_items_has_exactly_one_gold_item(schedule: GoldSchedule, sizes: list[int]):
    met = blocks = 0
    shown: list[bool] = []
    for size in sizes:
        plan = schedule.spread(size, met, blocks)
        assert (plan.met, plan.missing) == (met + size + len(plan.positions), 0)
        shown += [position in plan.positions for position in range(plan.met - met)]
        met, blocks = plan.met, plan.blocks
    whole = len(shown) // schedule.one_in * schedule.one_in
    starts = range(0, whole, schedule.one_in)
    assert [sum(shown[start : start + schedule.one_in]) for start in starts] == [1] * len(starts)
    # The items that are not gold are as many as the tasks have.
    assert len(shown) - sum(shown) == sum(sizes)
    # In the same order as a rater with one item per task would meet them.
    assert shown == tasks_of(schedule, len(shown))


@given(SCHEDULES, st.integers(0, 5), st.integers(1, 10))
def test_a_rater_who_has_met_all_gold_meets_no_more_and_it_is_counted(
    schedule: GoldSchedule, gold: int, blocks: int
):
    done = tasks_of(schedule, blocks * schedule.one_in, gold)
    assert sum(done) == min(gold, blocks)
    plan = schedule.spread(blocks * schedule.one_in, 0, 0, available=gold)
    shown = [position in plan.positions for position in range(plan.met)]
    assert shown == tasks_of(schedule, plan.met, gold)
    assert plan.missing == plan.blocks - len(plan.positions)


@given(SCHEDULES, st.integers(1, 20))
def test_a_block_without_gold_is_not_made_up_for(schedule: GoldSchedule, missed: int):
    """Where a study takes up gold late, or has new gold items, raters still meet one in each block."""
    plan = schedule.spread(3 * schedule.one_in, missed * schedule.one_in, blocks=0)
    expected = [n * schedule.one_in + schedule.position(missed + n) for n in range(len(plan.positions))]
    assert len(plan.positions) >= 3
    assert list(plan.positions) == expected


def test_positions_are_spread_evenly_and_differ_between_raters():
    places = Counter(
        GoldSchedule(seed=7, rater=rater, one_in=10).position(block)
        for rater in range(500)
        for block in range(10)
    )
    # 5,000 draws over ten places: 500 each, give or take four standard deviations of 21.2.
    assert sorted(places) == list(range(10))
    assert all(415 <= n <= 585 for n in places.values())


def test_the_plan_counts_gold_tasks_as_the_schedule_says():
    """17 raters and 239 ratings, as in the study that this was found in."""
    corpus = dialogues(126)
    items = make_items(corpus, ItemsPart(), 7)
    text = study_text(
        gold={item.key: {"useful": 3} for item in items[240:]}, tasks={"gold_one_in": 10}, redundancy=1,
        conditions={"C0": {}}, pools=pool(raters=17, caps={"tasks": 20}),
    )  # fmt: skip
    study = parse(text)
    laid = lay_out_study(study, items, corpus)
    made = plan_study(study, laid)
    # Caps count gold: of 20 tasks two are gold, so a rater gives 18 ratings, and 14 raters give 252.
    assert (made.ratings, made.most_per_rater, made.raters_needed) == (240, 18, 14)
    assert made.completes
    # Each block of ten tasks has one gold task; 17 raters have at most one block in progress each.
    assert 240 // 9 - 17 <= made.gold <= 240 // 9 + 17
    assert made.tasks == made.ratings + made.gold
    assert made.warnings == ()
