"""What was done to raters' data and standing, by whom: written in the transaction that does it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from labelwright.server.store.models import Audit

RATER = "rater"
"""Who did it, where the rater did."""


def record(
    study: int,
    who: str,
    what: str,
    subject: str,
    now: datetime,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """One line of the record; nothing personal may stand in it."""
    Audit.objects.create(
        study_id=study, who=who, what=what, subject=subject, before=before or {}, after=after or {}, at=now
    )


def forget_reasons(study: int, subject: str) -> None:
    """Takes the words out of what is recorded of somebody; that it happened, when and by whom, stays."""
    for line in Audit.objects.filter(study_id=study, subject=subject, after__has_key="reason"):
        line.after.pop("reason")
        line.save(update_fields=["after"])
