"""Consent: a rater agrees to take part."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from labelwright.server.access.queries import Visitor
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.models import Rater
from labelwright.server.store.versions import study_of


def get_typing_consent(rater: int, version: int) -> bool:
    """Whether a version records how free text is typed, and the rater agreed to a version that said so."""
    if not study_of(version).record_typing:
        return False
    agreed = Rater.objects.values_list("consented_version", flat=True).get(pk=rater)
    return agreed is not None and study_of(agreed).record_typing


@transaction.atomic
def record_consent(visitor: Visitor, now: datetime) -> None:
    """Records that the rater agreed to take part, and to which version; only the first time counts."""
    first = Rater.objects.filter(pk=visitor.rater, consented_at=None)
    if first.update(consented_at=now, consented_version=visitor.version):
        note_changed_raters(visitor.study, [visitor.rater])
