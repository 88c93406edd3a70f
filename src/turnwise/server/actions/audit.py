"""What was done to raters' data and standing, by whom: written in the transaction that does it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from turnwise.server.store.models import Audit

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
