"""The audit log: who changed what, written in the transaction that makes the change.

The database refuses to change or delete a line, except for what privacy demands: reasons that concern a person who asked
for deletion, and lines older than the study's policy on retention.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction

from labelwright.server.access import queries
from labelwright.server.store.models import Audit

RATER = "rater"
"""The author of changes that raters make themselves."""
COMMAND_LINE = "command line"
"""The author of changes made by commands."""
AUTOMATIC = "automatic"
"""The author of changes made by the worker."""
INSTALLATION = 0
"""The study of changes that concern no study, such as those of accounts."""
LONGEST_SUBJECT = 80


def log_change(
    study: int,
    who: str,
    what: str,
    subject: str,
    now: datetime,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Writes one line; nothing personal may be in it, except the names of users and invited people."""
    Audit.objects.create(
        study_id=study,
        who=who,
        what=what,
        subject=subject[:LONGEST_SUBJECT],
        before=before or {},
        after=after or {},
        at=now,
    )


@contextmanager
def lines_removable() -> Iterator[None]:
    """A transaction that may change and delete lines; only for what privacy demands."""
    with transaction.atomic():
        queries.permit_removal(permitted=True)
        yield
        queries.permit_removal(permitted=False)


def get_lines(study: int, before: int | None, most: int) -> list[Audit]:
    """The newest lines about a study, or the newest before the line with this id."""
    found = Audit.objects.filter(study_id=study)
    if before is not None:
        found = found.filter(pk__lt=before)
    return list(found.order_by("-pk")[:most])


def remove_reasons(study: int, subject: str | None = None) -> None:
    """Deletes the reasons from the lines about somebody, or about everybody; what happened, when and by whom stays."""
    lines = Audit.objects.filter(study_id=study, after__has_key="reason")
    with lines_removable():
        for line in lines if subject is None else lines.filter(subject=subject):
            line.after.pop("reason")
            line.save(update_fields=["after"])
