"""The audit log: who changed what about a study and its raters, written in the transaction that makes the change."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from labelwright.server.store.models import Audit

RATER = "rater"
"""The author of changes that raters make themselves."""
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
    """Writes one line; nothing personal may be in it."""
    Audit.objects.create(
        study_id=study, who=who, what=what, subject=subject, before=before or {}, after=after or {}, at=now
    )


def remove_reasons(study: int, subject: str | None = None) -> None:
    """Deletes the reasons from the lines about somebody, or about everybody; what happened, when and by whom stays."""
    lines = Audit.objects.filter(study_id=study, after__has_key="reason")
    for line in lines if subject is None else lines.filter(subject=subject):
        line.after.pop("reason")
        line.save(update_fields=["after"])
