"""Whether the pools of a study fit each other and its reference answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from labelwright.crowd import LinkPool
from labelwright.errors import with_hint
from labelwright.task import Gold, TaskDesign

LONGEST_NAME = 26
"""Tasks carry the pool's name behind "qualification:" in a column of 40."""


def pool_problems(
    pools: Mapping[str, LinkPool], gold: Gold, designs: Mapping[str, TaskDesign], *, mixed_in: bool = False
) -> Iterator[str]:
    """What is wrong, in words for the requester; names that are not defined are told elsewhere.

    `mixed_in` says that gold items are mixed in unseen: then a qualification must name its own, because
    applicants learn their answers.
    """
    working = [name for name, pool in pools.items() if pool.qualification is None]
    if not working:
        yield "every pool is a qualification, and nobody does the study's work"
    if len(working) > 1:
        yield f'pool "{working[1]}" would have no work: "{working[0]}" does the study\'s, and one pool can'
    for name, pool in pools.items():
        for required in pool.requires:
            if required in pools and pools[required].qualification is None:
                yield f'pool "{name}" requires "{required}", which has no qualification'
        if name in _required_by(name, pools):
            yield f'pool "{name}" requires itself, so nobody could ever enter'
        if mixed_in and pool.qualification and not pool.qualification.items:
            yield f'pool "{name}" names no items, and the others of `gold` are mixed in unseen; list its own'
        if pool.qualification:
            yield from _qualification_problems(name, pool, gold, designs)


def _qualification_problems(
    name: str, pool: LinkPool, gold: Gold, designs: Mapping[str, TaskDesign]
) -> Iterator[str]:
    part = pool.qualification
    assert part is not None
    if len(name) > LONGEST_NAME:
        yield f'pool "{name}" is a qualification, so its name has at most {LONGEST_NAME} letters'
    if not part.items and not gold:
        yield f'pool "{name}" is a qualification, and the study has no reference answers under `gold`'
    if part.rule and part.rule.best and part.rule.best > pool.raters:
        yield f'pool "{name}" lets the best {part.rule.best} in and has room for {pool.raters} applicants'
    asked = (
        {question.name for question in designs[part.design].questions} if part.design in designs else set()
    )
    for key in part.items or tuple(gold):
        if key not in gold:
            said = f'pool "{name}" asks about "{key}", which has no reference answers under `gold`.'
            yield with_hint(said, key, gold)
        elif asked and not asked & set(gold[key]):
            yield f'pool "{name}": design "{part.design}" asks nothing that `gold` answers about "{key}"'


def _required_by(name: str, pools: Mapping[str, LinkPool]) -> set[str]:
    """The pools that must be qualified in before this one, in one step or several."""
    found: set[str] = set()
    waiting = list(pools[name].requires)
    while waiting:
        required = waiting.pop()
        if required in pools and required not in found:
            found.add(required)
            waiting += pools[required].requires
    return found
