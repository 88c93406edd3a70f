"""Work of raters who may not, or do not want to, continue."""

from __future__ import annotations

from labelwright.crowd import AssignmentState
from labelwright.server.offering.queries import releases
from labelwright.server.store.models import Assignment


def release_open_work(rater: int, pool: int | None = None) -> None:
    """Releases a rater's open and lapsed work, in one pool or in all; the caller has locked the rater."""
    work = Assignment.objects.filter(rater=rater)
    if pool is not None:
        work = work.filter(place__pool=pool)
    held = work.select_for_update(no_key=True, of=("self",)).filter(state=AssignmentState.OPEN)
    ids = list(held.values_list("pk", flat=True))
    if ids:
        releases.release(ids, AssignmentState.RETURNED)
    # Lapsed work could still be submitted while its place is free.
    work.filter(state=AssignmentState.EXPIRED).update(state=AssignmentState.RETURNED)


def expire_open_work(rater: int, pool: int) -> None:
    """Opens the places of a rater's work to others; the rater may still submit it while nobody else has them.

    The caller has locked the rater.
    """
    work = Assignment.objects.filter(rater=rater, place__pool=pool, state=AssignmentState.OPEN)
    ids = list(work.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True))
    if ids:
        releases.release(ids, AssignmentState.EXPIRED)
