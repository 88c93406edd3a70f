"""Orders, what spoils what, sets, groups and the calendar."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from labelwright.crowd import (
    AssignmentPart,
    BadLayout,
    BatchesPart,
    Group,
    ItemSet,
    counterbalanced,
    lay_out,
    order_candidates,
    order_conditions,
    spoil_rules,
)


@pytest.mark.parametrize(("count", "rows"), [(2, 2), (4, 4), (6, 6), (3, 6), (5, 10)])
def test_each_stands_and_follows_each_other_equally_often(count: int, rows: int):
    orders = [counterbalanced(count, row) for row in range(rows)]
    assert all(sorted(order) == list(range(count)) for order in orders)
    places = Counter((place, which) for order in orders for place, which in enumerate(order))
    assert set(places.values()) == {rows // count}
    # Of the rows * (count - 1) neighbours each of the count * (count - 1) ordered pairs has its share.
    pairs = Counter(pair for order in orders for pair in pairwise(order))
    assert len(pairs) == count * (count - 1)
    assert set(pairs.values()) == {rows // count}


def test_ties_between_conditions_are_spread_over_the_raters_of_a_pool():
    firsts = Counter(order_conditions({"A": 0, "B": 0, "C": 0, "D": 0}, {}, 7, n)[0] for n in range(8))
    assert set(firsts.values()) == {2}


def test_candidates_stand_equally_often_at_each_place():
    orders = [order_candidates(7, "d1", rater, 3) for rater in range(6)]
    assert Counter(order[0] for order in orders) == {0: 2, 1: 2, 2: 2}
    assert {order_candidates(7, f"d{n}", 0, 3) for n in range(30)} > {orders[0]}


ASPECTS = {"R0": frozenset({"rel"}), "R3": frozenset({"rel"}), "U3": frozenset({"use"})}


def test_no_item_comes_twice_unless_the_study_says_so():
    never = spoil_rules(AssignmentPart(), ASPECTS)
    assert len({spoil.own for spoil in never.values()}) == 1
    by_condition = spoil_rules(AssignmentPart(same_item="other_condition"), ASPECTS)
    assert len({spoil.own for spoil in by_condition.values()}) == 3
    by_aspect = spoil_rules(AssignmentPart(same_item="other_aspect"), ASPECTS)
    assert by_aspect["R0"].own == by_aspect["R3"].own != by_aspect["U3"].own


def test_usefulness_spoils_relevance_and_not_the_other_way_round():
    part = AssignmentPart(same_item="other_condition", spoils={"use": ("rel",)})
    rules = spoil_rules(part, ASPECTS)
    assert set(rules["U3"].also) == {rules["R0"].own, rules["R3"].own}
    assert rules["R0"].also == ()


def test_aspects_that_are_asked_for_together_count_as_one():
    aspects = {
        "A": frozenset({"a", "b"}),
        "B": frozenset({"b", "c"}),
        "C": frozenset({"c"}),
        "D": frozenset({"d"}),
    }
    own = {
        name: spoil.own
        for name, spoil in spoil_rules(AssignmentPart(same_item="other_aspect"), aspects).items()
    }
    assert own["A"] == own["B"] == own["C"] != own["D"]


def single(keys: object) -> list[tuple[str, ...]]:
    return [(key,) for key in keys]  # type: ignore[attr-defined]


def test_lets_gos_groups_get_their_sets_and_nothing_else():
    topics = {f"d{n}": f"d{n}" for n in range(80)}
    sets = {"one": ItemSet(items=30), "two": ItemSet(items=30)}
    groups = {name: Group(raters=16, sets=["one", "two"] if name != "c" else ["two"]) for name in "abc"}
    (batch,) = lay_out(topics, single, sets, groups, None, 7)
    assert [len(batch.units_of(name)) for name in "abc"] == [60, 60, 30]
    assert len(batch.units) == 60
    assert lay_out(topics, single, sets, groups, None, 7)[0] == batch
    assert lay_out(topics, single, sets, groups, None, 8)[0] != batch


def test_tasks_never_reach_over_the_border_of_a_set_or_a_batch():
    topics = {f"i{n}": f"t{n % 2}" for n in range(12)}
    batches = BatchesPart(calendar=[{"topic": "t0"}, {"topic": "t1"}])
    sets = {
        "one": ItemSet(keys=[f"i{n}" for n in range(6)]),
        "two": ItemSet(keys=[f"i{n}" for n in range(6, 12)]),
    }
    groups = {"a": Group(raters=1, sets=["one"]), "b": Group(raters=1, sets=["two"])}
    laid = lay_out(topics, lambda keys: [tuple(keys)], sets, groups, batches, 7)
    assert [[(len(unit.keys), unit.groups) for unit in batch.units] for batch in laid] == [
        [(3, ("a",)), (3, ("b",))],
        [(3, ("a",)), (3, ("b",))],
    ]


def test_one_topic_a_day_at_nine_where_the_raters_are():
    part = BatchesPart(
        timezone="Europe/Madrid",
        topic="topic",
        daily={"first_day": "2026-03-28", "at": "09:00", "close_after_hours": 24},
    )
    topics = {f"i{n}": f"t{n // 46}" for n in range(3 * 46)}
    laid = lay_out(topics, single, {}, {}, part, 7)
    assert [(batch.topic, len(batch.units)) for batch in laid] == [("t0", 46), ("t1", 46), ("t2", 46)]
    # The clocks of Madrid went forward in the night to 29 March 2026: 9 there is 8 and then 7 in UTC.
    assert [batch.opens_at for batch in laid] == [
        datetime(2026, 3, 28, 8, tzinfo=UTC),
        datetime(2026, 3, 29, 7, tzinfo=UTC),
        datetime(2026, 3, 30, 7, tzinfo=UTC),
    ]
    assert laid[0].closes_at == laid[0].opens_at.replace(day=29)


@pytest.mark.parametrize(
    ("batches", "sets", "told"),
    [
        (None, {"one": ItemSet(items=9)}, "needs 9 items, but only 4 of 4 are left"),
        (None, {"one": ItemSet(keys=["i9"])}, 'lists item "i9"'),
        (BatchesPart(calendar=[{"items": 3}]), {}, "1 of 4 items are not in any batch"),
        (BatchesPart(calendar=[{"topic": "t9"}]), {}, "has 0 items"),
        (BatchesPart(calendar=[{"items": 3}, {"items": 3}]), {}, "has 1 items, but needs 3"),
    ],
)
def test_a_layout_that_does_not_fit_is_told(batches: BatchesPart | None, sets: dict[str, ItemSet], told: str):
    with pytest.raises(BadLayout, match=told):
        lay_out({f"i{n}": "t" for n in range(4)}, single, sets, {}, batches, 7)
