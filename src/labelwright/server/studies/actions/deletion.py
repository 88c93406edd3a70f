"""Deleting a study with everything in it. From the first moment nobody can reach it; its rows go in blocks."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import IntegrityError, transaction

from labelwright.crowd import AssignmentState, BatchState, StudyState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change, remove_reasons
from labelwright.server.store.locks import stop_offers
from labelwright.server.store.models import Audit, Batch, Pool, StudyRow, Visit
from labelwright.server.store.study_tables import study_tables
from labelwright.server.store.versions import study_of
from labelwright.server.studies.queries import deletion as queries

log = logging.getLogger(__name__)


class HasPayments(LabelwrightError):
    """A study that cannot be deleted, because raters were paid or are owed money for work in it."""

    code: ClassVar[str] = "has_payments"

    def __init__(self, name: str) -> None:
        super().__init__(
            f'the study "{name}" was not deleted: it holds the record of what its raters are paid.',
            do="Close and archive it instead.",
        )


@dataclass(frozen=True, slots=True)
class DeletedRows:
    """What was deleted from one table."""

    table: str
    rows: int


@transaction.atomic
def withdraw_study(study: StudyRow, who: str, now: datetime) -> None:
    """Makes a study unreachable, so that it can be deleted: no link, page or name leads to it any more.

    For the owner, who has been asked; it cannot be undone. Raises HasPayments. Locks the study, its offers and its
    batches. The name is free at once. Lines of the audit log stay, without the reasons given in them.
    """
    row = StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    stop_offers(row.pk)
    if queries.has_paid_work(row.pk, _paying_pools(row)):
        raise HasPayments(row.name)
    remove_reasons(row.pk)
    log_change(
        row.pk, who, "delete_study", row.name, now, before={"state": row.state, "public_id": row.public_id}
    )
    row.state = StudyState.CLOSED
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
        if table.name == Audit._meta.db_table:
            continue
        queries.detach(study, table)
        yield DeletedRows(table.name, queries.delete_rows(study, table.name))
    queries.delete_study(study)
    queries.delete_unlinked_people()


def _paying_pools(study: StudyRow) -> list[tuple[int, int]]:
    """The versions and pools whose tasks are paid."""
    pools = dict(Pool.objects.filter(study=study).values_list("name", "id"))
    return [
        (version, pools[name])
        for version in study.versions.values_list("pk", flat=True)
        for name, pool in study_of(version).pools.items()
        if pool.pay.cents and name in pools
    ]


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
