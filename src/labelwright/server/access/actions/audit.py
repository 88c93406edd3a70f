"""The audit log: who changed what about raters, written in the transaction that makes the change."""

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


def remove_reasons(study: int, subject: str) -> None:
    """Deletes the reasons from the lines about somebody; what happened, when and by whom stays."""
    for line in Audit.objects.filter(study_id=study, subject=subject, after__has_key="reason"):
        line.after.pop("reason")
        line.save(update_fields=["after"])
