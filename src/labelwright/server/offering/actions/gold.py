"""Gold in offers: every rater meets one gold task in `gold_one_in`, or one gold item in tasks of several items.

Called with the rater locked, so that two requests of a rater cannot meet the same gold. What the rater has met is
counted when it is offered and stays counted: work that comes back does not change when gold is due.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from labelwright.crowd import CountScope, GoldPlan, GoldSchedule
from labelwright.crowd.qualification import CONDITION
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.queries import gold
from labelwright.server.offering.queries.offers import Count, FoundPlace, OpenCondition, Situation
from labelwright.study import Study


@dataclass(frozen=True, slots=True)
class Mixed:
    """A place as this rater gets it: with gold items among the others, or of a gold task instead."""

    place: FoundPlace
    counts: tuple[Count, ...] = ()
    has_gold: bool = False
    is_gold: bool = False
    """Whether the place was made for this rater, at a gold task."""


def mix_gold(
    study: Study, visitor: Visitor, situation: Situation, condition: OpenCondition, place: FoundPlace
) -> Mixed:
    """A place that was found for a rater, with the gold that is due."""
    if study.tasks.gold_one_in is None or condition.name.startswith(CONDITION):
        return Mixed(place)
    schedule = GoldSchedule(study.seed, visitor.number, study.tasks.gold_one_in)
    mix = _mix_within if study.tasks.gold_within else _offer_alone
    return mix(schedule, visitor, situation, condition, place)


def _offer_alone(
    schedule: GoldSchedule,
    visitor: Visitor,
    situation: Situation,
    condition: OpenCondition,
    place: FoundPlace,
) -> Mixed:
    """A gold task if one is due and the rater has not met all of them, otherwise the place itself."""
    met, blocks = situation.n(CountScope.MET), situation.n(CountScope.GOLD_BLOCKS)
    if not schedule.is_due(met, blocks) or not gold.has_gold(visitor, condition):
        return Mixed(place, (_count(CountScope.MET, 1),))
    found = gold.find_gold(visitor, condition, schedule, 1)
    plan = GoldPlan((0,) if found else (), met + 1, schedule.settled(met), missing=int(not found))
    counts = _counts(situation, plan)
    if not found:
        return Mixed(place, counts)
    # The search for other work goes on where it was.
    rank = situation.last_rank(condition.name)
    made = FoundPlace(gold.make_place(found[0].place), found[0].task, rank)
    return Mixed(made, counts, has_gold=True, is_gold=True)


def _mix_within(
    schedule: GoldSchedule,
    visitor: Visitor,
    situation: Situation,
    condition: OpenCondition,
    place: FoundPlace,
) -> Mixed:
    """The place with gold items among the items of its task, where they are due."""
    met, blocks = situation.n(CountScope.MET), situation.n(CountScope.GOLD_BLOCKS)
    items = gold.count_items(place.task)
    due = schedule.spread(items, met, blocks).positions
    if not due or not gold.has_gold(visitor, condition):
        return Mixed(place, (_count(CountScope.MET, items),))
    found = gold.find_gold(visitor, condition, schedule, len(due))
    plan = schedule.spread(items, met, blocks, available=len(found))
    if found:
        place = replace(place, task=gold.mix_in(place.task, found, plan.positions, items))
    return Mixed(place, _counts(situation, plan), has_gold=bool(found))


def _counts(situation: Situation, plan: GoldPlan) -> tuple[Count, ...]:
    after = {CountScope.MET: plan.met, CountScope.GOLD_BLOCKS: plan.blocks}
    if plan.missing:
        after[CountScope.GOLD_MISSING] = plan.blocks
    return tuple(_count(scope, n - situation.n(scope)) for scope, n in after.items())


def _count(scope: CountScope, step: int) -> Count:
    return Count(scope, "", None, step=step)
