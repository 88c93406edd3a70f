"""The life of a study: opened to raters, paused, closed, archived. Each change is a line of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from django.db import transaction

from labelwright.crowd import StudyState, StudyVerb
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, check_loaded
from labelwright.server.store.locks import stop_offers
from labelwright.server.store.models import StudyFigures, StudyRow, WaitingAddress

INSTEAD = {
    (StudyVerb.PAUSE, StudyState.DRAFT): "Raters get no tasks before you open it.",
    (StudyVerb.RESUME, StudyState.DRAFT): "Open it instead.",
    (StudyVerb.RESUME, StudyState.CLOSED): "Open it instead.",
    (StudyVerb.OPEN, StudyState.PAUSED): "Resume it instead.",
    (StudyVerb.CLOSE, StudyState.DRAFT): "Archive or delete it instead.",
    (StudyVerb.ARCHIVE, StudyState.OPEN): "Close it first.",
    (StudyVerb.ARCHIVE, StudyState.PAUSED): "Close it first.",
}
"""What to do where a verb cannot be used."""


def needed_permission(verb: StudyVerb) -> Permission:
    """What somebody must be permitted to use a verb: editors start and stop a study, and its owner ends it."""
    begins = verb in (StudyVerb.OPEN, StudyVerb.PAUSE, StudyVerb.RESUME)
    return Permission.EDIT if begins else Permission.ADMINISTER


class WrongState(LabelwrightError):
    """A verb that the state of the study does not allow."""

    code: ClassVar[str] = "wrong_state"

    def __init__(self, name: str, verb: StudyVerb, state: StudyState) -> None:
        archived = "Restore it first." if state is StudyState.ARCHIVED else ""
        said = {StudyState.DRAFT: "a draft"}.get(state, state)
        super().__init__(
            f'the study "{name}" is {said}, so you cannot {verb} it.', do=INSTEAD.get((verb, state), archived)
        )


def get_summary(study: StudyRow) -> dict[str, Any]:
    """The stored numbers of a study; empty until they are computed."""
    stored = StudyFigures.objects.filter(study=study).values_list("summary", flat=True).first()
    return stored or {}


@transaction.atomic
def change_state(study: StudyRow, verb: StudyVerb, who: str, now: datetime) -> bool:
    """Changes the state of a study; returns whether it was another one before. Raises WrongState, and NotLoaded if there is nothing to open.

    For users with the permission that the verb needs. After the commit no offer is made
    that the new state forbids: offers that have begun are waited for. Work that raters hold can be submitted in every
    state. Locks the study, then its offers.
    """
    row = StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    before = StudyState(row.state)
    if before is verb.state:
        return False
    if verb.state is StudyState.OPEN:
        check_loaded(row)
    if not verb.applies_to(before):
        raise WrongState(row.name, verb, before)
    stop_offers(row.pk)
    row.state = verb.state
    row.save(update_fields=["state"])
    if verb is StudyVerb.ARCHIVE:
        # Nobody will write to them any more.
        WaitingAddress.objects.filter(study=row).delete()
    log_change(
        row.pk, who, "study_state", row.name, now, before={"state": before}, after={"state": row.state}
    )
    return True
