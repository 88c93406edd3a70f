"""The data sheet of a study: what only a person can say about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from labelwright.release.data_sheet import SheetAnswers, check_sheet
from labelwright.server.access.actions.audit import log_change
from labelwright.server.store.models import DataSheet, StudyRow


def get_sheet(study: StudyRow) -> SheetAnswers:
    """The answers so far."""
    row = DataSheet.objects.filter(study=study).first()
    return SheetAnswers(row.answers if row else {})


@transaction.atomic
def answer_sheet(study: StudyRow, answers: Mapping[str, str], who: str, now: datetime) -> SheetAnswers:
    """Stores answers; fields that are not given keep theirs, and an empty text makes a field open again.

    For editors; raises BadSheetAnswer. Locks the study, so that of two people who save, none overwrites the other's fields.
    """
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    before = get_sheet(study).given
    kept = {name: text for name, text in before.items() if name not in answers}
    stored = kept | check_sheet(answers)
    changed = sorted(name for name in {*before, *stored} if before.get(name) != stored.get(name))
    if changed:
        DataSheet.objects.update_or_create(
            study=study, defaults={"answers": stored, "changed_by": who, "changed_at": now}
        )
        log_change(study.pk, who, "data_sheet", study.name, now, after={"fields": changed})
    return SheetAnswers(stored)
