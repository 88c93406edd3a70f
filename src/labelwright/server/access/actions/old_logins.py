"""Failed logins, logins and sessions that are over. The account libraries never delete them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt, AccessLog
from django.db.models import QuerySet

from labelwright.server.access.actions.second_factor import COUNTED
from labelwright.server.store.models import CodeAttempt, LoginSession

FAILURES_KEPT = timedelta(days=1)
"""Well above the time for which a name and address are locked out."""
LOGINS_KEPT = timedelta(days=30)
BLOCK = 5_000


def delete_old_logins(now: datetime) -> int:
    """Deletes a block of rows that are no longer needed; returns how many. Safe to run twice."""
    return sum(
        _delete_block(old)
        for old in (
            AccessAttempt.objects.filter(attempt_time__lte=now - FAILURES_KEPT),
            AccessLog.objects.filter(attempt_time__lte=now - LOGINS_KEPT),
            LoginSession.objects.filter(expire_date__lte=now),
            CodeAttempt.objects.filter(at__lte=now - COUNTED),
        )
    )


def _delete_block(old: QuerySet[Any]) -> int:
    block = list(old.order_by().values_list("pk", flat=True)[:BLOCK])
    return old.model.objects.filter(pk__in=block).delete()[0] if block else 0
