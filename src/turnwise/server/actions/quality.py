"""Flagging: the periodic job's block of submissions goes through the rules and into the tallies."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from turnwise.quality import Work, flags
from turnwise.server.store import blocks
from turnwise.server.store.models import Flag
from turnwise.server.store.versions import study_of


@transaction.atomic
def flag_block(now: datetime, limit: int = 500) -> int:
    """Flags and tallies the next block of submissions; how many there were.

    One transaction: killed in the middle, the block is as if it had never been begun.
    Two workers take different blocks.
    """
    block = blocks.lock_unflagged(limit)
    if not block:
        return 0
    Flag.objects.bulk_create(
        [
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
                study_of(work.version).quality, Work(work.condition, work.seconds, work.codes)
            )
        ],
        ignore_conflicts=True,
    )
    ids = [work.assignment for work in block]
    blocks.tally(ids)
    blocks.count_batch_work(ids)
    blocks.mark_flagged(ids)
    return len(block)
