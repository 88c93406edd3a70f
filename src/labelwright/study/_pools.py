"""Checks that the pools of a study fit each other and the reference answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from labelwright.agreement import get_measure
from labelwright.crowd import LinkPool
from labelwright.crowd.qualification import OF_CHOSEN_TEXT
from labelwright.errors import with_hint
from labelwright.scales import Scale
from labelwright.task import Gold, TaskDesign

LONGEST_NAME = 26
"""The name of a qualification task is "qualification:" and the pool's name, in a column of 40 characters."""


def pool_problems(
    pools: Mapping[str, LinkPool], gold: Gold, designs: Mapping[str, TaskDesign], *, mixed_in: bool = False
) -> Iterator[str]:
    """Problems with the pools, as messages for the requester. Undefined names are reported elsewhere.

    `mixed_in` means that gold items are mixed in with other items. A qualification must then list its own
    items, because applicants learn their answers.
    """
    working = [name for name, pool in pools.items() if pool.qualification is None]
    if not working:
        yield "every pool has a qualification; the study needs one pool without it for the main work"
    if len(working) > 1:
        yield f'pool "{working[1]}" would have no work: only one pool can be without a qualification, and "{working[0]}" is'
    for name, pool in pools.items():
        for required in pool.requires:
            if required in pools and pools[required].qualification is None:
                yield f'pool "{name}" requires "{required}", which has no qualification'
        if name in _required_by(name, pools):
            yield f'pool "{name}" requires itself, so nobody could join it'
        if mixed_in and pool.qualification and not pool.qualification.items:
            yield f'pool "{name}" needs its own `items`, because the other items of `gold` are mixed into tasks'
        if pool.qualification:
            yield from _qualification_problems(name, pool, gold, designs)


def _qualification_problems(
    name: str, pool: LinkPool, gold: Gold, designs: Mapping[str, TaskDesign]
) -> Iterator[str]:
    part = pool.qualification
    assert part is not None
    if len(name) > LONGEST_NAME:
        yield f'pool "{name}" has a qualification, so its name can have at most {LONGEST_NAME} characters'
    if not part.items and not gold:
        yield f'pool "{name}" has a qualification, but the study has no reference answers under `gold`'
    if part.rule and part.rule.best and part.rule.best > pool.raters:
        yield f'pool "{name}" selects the best {part.rule.best}, but has room for only {pool.raters} applicants'
    asked = (
        {question.name for question in designs[part.design].questions} if part.design in designs else set()
    )
    for key in part.items or tuple(gold):
        if key not in gold:
            said = f'pool "{name}" uses item "{key}", which has no reference answers under `gold`.'
            yield with_hint(said, key, gold)
        elif asked and not asked & set(gold[key]):
            yield f'pool "{name}": `gold` has no answers for item "{key}" to the questions of design "{part.design}"'


def order_problems(
    pools: Mapping[str, LinkPool], designs: Mapping[str, TaskDesign], scales: Mapping[str, Scale]
) -> Iterator[str]:
    """Qualifications whose measure needs an order that the scale of a question does not have."""
    for name, pool in pools.items():
        part = pool.qualification
        if part is None or part.design not in designs or not _needs_order(part.measure):
            continue
        design = designs[part.design]
        used = {scale for question in design.questions for _, scale in question.used_names("scales")}
        # A scale that is not defined is reported elsewhere.
        known = design.answer_scales(scales) if used <= set(scales) else {}
        for asked, scale in known.items():
            if not scale.ordered:
                yield (
                    f'pool "{name}" measures by {part.measure}, which needs an order, but the options of question '
                    f'"{asked}" have none; use a nominal measure such as cohen_kappa'
                )


def _needs_order(measure: str) -> bool:
    return measure not in OF_CHOSEN_TEXT and getattr(get_measure(measure), "needs_order", False)


def _required_by(name: str, pools: Mapping[str, LinkPool]) -> set[str]:
    """The pools that this pool requires, directly or indirectly."""
    found: set[str] = set()
    waiting = list(pools[name].requires)
    while waiting:
        required = waiting.pop()
        if required in pools and required not in found:
            found.add(required)
            waiting += pools[required].requires
    return found
