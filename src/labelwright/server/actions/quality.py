"""Flagging: the periodic job's block of submissions goes through the rules and into the tallies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from labelwright.quality import Work, flags
from labelwright.server.store import blocks
from labelwright.server.store.blocks import Unflagged
from labelwright.server.store.models import Flag, GoldResult
from labelwright.server.store.versions import study_of

Gold = Mapping[int, Mapping[tuple[int, str], bool]]
"""Of each assignment, at each position and for each question with a known answer: whether it is right."""


@transaction.atomic
def flag_block(now: datetime, limit: int = 500) -> int:
    """Flags and tallies the next block of submissions; how many there were.

    One transaction: killed in the middle, the block is as if it had never been begun.
    Two workers take different blocks.
    """
    block = blocks.lock_unflagged(limit)
    if not block:
        return 0
    ids = [work.assignment for work in block]
    gold = _gold(block)
    GoldResult.objects.bulk_create(_gold_results(block, gold), ignore_conflicts=True)
    Flag.objects.bulk_create(_flags(block, gold, now), ignore_conflicts=True)
    blocks.tally(ids)
    blocks.count_batch_work(ids)
    blocks.mark_flagged(ids)
    return len(block)


def _gold_results(block: Sequence[Unflagged], gold: Gold) -> list[GoldResult]:
    return [
        GoldResult(
            study_id=work.study,
            assignment_id=work.assignment,
            position=position,
            question=name,
            right=right,
        )
        for work in block
        for (position, name), right in gold.get(work.assignment, {}).items()
    ]


def _flags(block: Sequence[Unflagged], gold: Gold, now: datetime) -> list[Flag]:
    return [
        Flag(
            study_id=work.study,
            assignment_id=work.assignment,
            rule=rule.rule,
            rule_version=rule.version,
            then=rule.then,
            evidence=evidence,
            found_at=now,
        )
        for work in block
        for rule, evidence in flags(
            study_of(work.version).quality, _work(work, gold.get(work.assignment, {}))
        )
    ]


def _work(found: Unflagged, gold: Mapping[tuple[int, str], bool]) -> Work:
    checks = study_of(found.version).design(found.condition).attention_checks
    return Work(
        found.condition,
        found.seconds,
        found.codes,
        gold={f"{position}:{name}": right for (position, name), right in gold.items()},
        attention={
            place: code == 1 for place, code in found.codes.items() if place.split(":", 1)[1] in checks
        },
    )


def _gold(block: Sequence[Unflagged]) -> Gold:
    """Whether each answer to an item with known answers is right; no query where there are none."""
    works = {work.assignment: work for work in block if study_of(work.version).gold_keys}
    results: dict[int, dict[tuple[int, str], bool]] = {}
    for answer in blocks.gold_answers(list(works)) if works else ():
        work = works[answer.assignment]
        study = study_of(work.version)
        reference = study.gold[answer.item].get(answer.question)
        question = study.design(work.condition).question(answer.question)
        if reference is not None and question is not None:
            right = question.meets(answer.value, reference)
            results.setdefault(answer.assignment, {})[answer.position, answer.question] = right
    return results
