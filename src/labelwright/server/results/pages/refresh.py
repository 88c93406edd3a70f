"""How often an open page asks for newer figures."""

from __future__ import annotations

from datetime import datetime, timedelta

from labelwright.server.results.actions.figures import StoredFigures, UpdateState

USUAL_SECONDS, SOON_SECONDS = 5, 1
SOON = timedelta(seconds=5)


def refresh_seconds(figures: StoredFigures, now: datetime) -> int:
    """Seconds until an open page asks again: soon while newer figures are about to be ready."""
    soon = figures.progress is UpdateState.UPDATING and figures.next_at < now + SOON
    return SOON_SECONDS if soon else USUAL_SECONDS
