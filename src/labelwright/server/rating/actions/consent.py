"""Consent: a rater agrees to take part."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.access.queries import Visitor
from labelwright.server.store.models import Rater


def record_consent(visitor: Visitor, now: datetime) -> None:
    """Records that the rater agreed to take part, and to which version; only the first time counts."""
    Rater.objects.filter(pk=visitor.rater, consented_at=None).update(
        consented_at=now, consented_version=visitor.version
    )
