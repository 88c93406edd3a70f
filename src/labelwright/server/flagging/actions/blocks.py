"""Flags: a periodic job checks blocks of submissions against the quality rules and tallies them.

Rules that look at others run again on the work of others that a submission concerns, never on the whole study.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from labelwright.quality import Rule, RuleNeed, Work, flags
from labelwright.server.flagging.actions.gold import check_gold, gold_results
from labelwright.server.flagging.actions.work import LoadedBlock, count_paces, paces_in
from labelwright.server.flagging.queries import blocks as queries
from labelwright.server.flagging.queries.blocks import FoundFlag, WorkToFlag
from labelwright.server.paying.actions.planning import plan_tasks
from labelwright.server.store.changes import (
    note_change,
    note_changed_items,
    note_changed_work,
    note_reviewable_work,
)
from labelwright.server.store.models import GoldResult
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import count_submissions

PACE_KNOWN_AT = (32, 64, 128, 256, 512, 1024)
"""The numbers of tasks of a condition at which rules on its pace run again; later the median hardly moves."""


@transaction.atomic
def flag_block(now: datetime, limit: int = 500) -> int:
    """Flags and tallies the next block of submissions; returns how many there were.

    One transaction: if the worker is killed in the middle, the block is done again from the start.
    Two workers take different blocks.
    """
    block = queries.lock_unflagged(limit)
    if not block:
        return 0
    ids = [work.assignment for work in block]
    gold = check_gold(block)
    GoldResult.objects.bulk_create(gold_results(block, gold), ignore_conflicts=True)
    _count_paces(block)
    loaded = LoadedBlock(block, _rules_of, gold)
    queries.store_flags(list(_find(block, loaded.load())), now)
    count_submissions(ids)
    plan_tasks(ids, now)
    queries.mark_flagged(ids)
    _mark_others(loaded)
    return len(block)


@transaction.atomic
def flag_marked(now: datetime, limit: int = 200) -> int:
    """Runs the rules that look at others again on the next marked work; returns how many marks there were.

    Flags that no longer hold are withdrawn. Work on which somebody has decided keeps its flags as they were.
    """
    marked = queries.take_marks(limit)
    if not marked:
        return 0
    block = [work for work in queries.lock_undecided(sorted(set(marked))) if _again(work)]
    if block:
        # Gold is another rule's concern: no rule about others looks at it.
        found = list(_find(block, LoadedBlock(block, _again).load(), again=True))
        rules = sorted({rule.version for work in block for rule in _again(work)})
        gone = queries.withdraw_flags([work.assignment for work in block], rules, found)
        _note_changed(block, {*queries.store_flags(found, now), *gone})
    return len(marked)


def _rules_of(work: WorkToFlag) -> Sequence[Rule]:
    """The rules for people's work; nobody reviews a model's."""
    study = study_of(work.version)
    return () if work.pool in study.model_pools else study.quality


def _again(work: WorkToFlag) -> Sequence[Rule]:
    return [rule for rule in _rules_of(work) if rule.runs_again]


def _find(
    block: Iterable[WorkToFlag], loaded: Mapping[int, Work], *, again: bool = False
) -> Iterable[FoundFlag]:
    for work in block:
        study = study_of(work.version)
        platform = study.pool_of(work.pool).platform
        for rule, evidence in flags(_again(work) if again else _rules_of(work), loaded[work.assignment]):
            effect = rule.effect(platform, work.condition)
            yield FoundFlag(work.study, work.assignment, rule.rule, rule.version, effect, evidence)


def _count_paces(block: Sequence[WorkToFlag]) -> None:
    """Counts how long the work took, and marks the earlier work of a condition whose pace has become known."""
    timed = [work for work in block if any(RuleNeed.POOL in rule.needs for rule in _rules_of(work))]
    if not timed:
        return
    count_paces(timed)
    for (study, condition), pace in paces_in(timed).items():
        new = sum((work.study, work.condition) == (study, condition) for work in timed)
        if any(pace.tasks - new < known <= pace.tasks for known in PACE_KNOWN_AT):
            queries.mark_condition(study, condition)


def _mark_others(loaded: LoadedBlock) -> None:
    own = {work.assignment for work in loaded.block}
    for study in sorted({study for study, _ in loaded.others}):
        others = {assignment for of, assignment in loaded.others if of == study} - own
        if others:
            queries.add_marks(study, sorted(others))


def _note_changed(block: Sequence[WorkToFlag], changed: set[int]) -> None:
    if changed:
        note_changed_items(sorted(changed))
        note_changed_work(sorted(changed))
        note_reviewable_work(sorted(changed))
        note_change(*{work.study for work in block if work.assignment in changed})
