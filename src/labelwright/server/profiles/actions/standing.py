"""Standing: whether a rater gets work in a pool."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from labelwright.crowd import MemberState
from labelwright.server.access.actions.audit import log_change
from labelwright.server.offering.actions.standing import release_open_work
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.models import Member, Pool, Rater, StudyRow
from labelwright.server.web.errors import NotFound

LONGEST_REASON = 500


@transaction.atomic
def set_member_state(
    study: StudyRow, pool: Pool, rater: Rater, state: MemberState, who: str, reason: str, now: datetime
) -> MemberState:
    """Pauses, excludes or reinstates a rater in a pool; returns the earlier state.

    A paused rater may finish open work; the open work of an excluded rater goes to somebody else. Submitted
    work stays, and is owed. Locks the rater first, as an offer does: after this, no offer is made.
    """
    Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)
    member = Member.objects.filter(pool=pool, rater=rater).first()
    if member is None:
        raise NotFound
    earlier = MemberState(member.state)
    if earlier == state:
        return earlier
    Member.objects.filter(pool=pool, rater=rater).update(state=state)
    note_changed_raters(study.pk, [rater.pk])
    if state == MemberState.EXCLUDED:
        release_open_work(rater.pk, pool.pk)
    after = {
        "pool": pool.name,
        "state": str(state),
        "reason": reason.replace("\x00", "").strip()[:LONGEST_REASON],
    }
    log_change(
        study.pk, who, "member_state", rater.pseudonym, now, before={"state": member.state}, after=after
    )
    return earlier
