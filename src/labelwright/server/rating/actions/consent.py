"""Consent: a rater agrees to take part."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from labelwright.server.access.queries import Visitor
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.models import Rater


@transaction.atomic
def record_consent(visitor: Visitor, now: datetime) -> None:
    """Records that the rater agreed to take part, and to which version; only the first time counts."""
    first = Rater.objects.filter(pk=visitor.rater, consented_at=None)
    if first.update(consented_at=now, consented_version=visitor.version):
        note_changed_raters(visitor.study, [visitor.rater])
