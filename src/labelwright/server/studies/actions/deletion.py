"""Deleting a study with everything in it. From the first moment nobody can reach it; its rows go in blocks."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from labelwright.crowd import AssignmentState, BatchState
from labelwright.server.access.actions.audit import COMMAND_LINE, log_change
from labelwright.server.store.models import Batch, StudyRow, Visit
from labelwright.server.store.study_tables import study_tables
from labelwright.server.studies.queries import deletion as queries

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeletedRows:
    """What was deleted from one table."""

    table: str
    rows: int


@transaction.atomic
def withdraw_study(study: StudyRow, now: datetime, who: str = COMMAND_LINE) -> None:
    """Makes a study unreachable, so that it can be deleted: no link, page or name leads to it any more.

    For the owner, who has been asked; it cannot be undone. Locks the study and its batches. The name is free at once.
    """
    row = StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    log_change(row.pk, who, "delete_study", row.name, now)
    row.deleted_at = now
    row.owner = None
    # Links of raters and reviewers, open links and the pages of requesters all name the public id.
    row.public_id = secrets.token_hex(6)
    row.name = f"deleted-{row.public_id}"
    row.save()
    Batch.objects.filter(study=row).exclude(state=BatchState.CLOSED).update(
        state=BatchState.CLOSED, closed_at=now
    )
    # Pages that are open in a browser cannot save any more.
    Visit.objects.filter(assignment__study=row, assignment__state=AssignmentState.OPEN).delete()


def delete_rows(study: int) -> Iterator[DeletedRows]:
    """Deletes a withdrawn study, table by table; if it is interrupted, the next call continues.

    Raises IntegrityError if a request that had begun earlier stored something meanwhile.
    """
    for table in study_tables():
        queries.detach(study, table)
        yield DeletedRows(table.name, queries.delete_rows(study, table.name))
    queries.delete_study(study)
    queries.delete_unlinked_people()


def delete_withdrawn() -> int:
    """Deletes one withdrawn study, if there is any; returns the number of its rows."""
    study = StudyRow.objects.filter(deleted_at__isnull=False).order_by("deleted_at").first()
    if study is None:
        return 0
    try:
        return 1 + sum(part.rows for part in delete_rows(study.pk))
    except IntegrityError:
        log.warning("a request stored work in %s while it was deleted; the next run deletes it", study.name)
        return 0
