"""Publications: planned, carried on when the platform has made them, paused, resumed and stopped.

Nothing here speaks to a platform. Every change is a call of the outbox, with a key that makes a second one impossible.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import CallState
from labelwright.crowd.platform import PLATFORMS
from labelwright.crowd.publication import CostPreview, PublicationState, request_of
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import AUTOMATIC, log_change
from labelwright.server.paying.actions.calls import plan_call
from labelwright.server.publishing.actions.orders import Preview, check_publishable, name_of
from labelwright.server.publishing.queries import publications as queries
from labelwright.server.store.models import Publication, StudyRow

LIVE = (PublicationState.OPEN, PublicationState.PAUSED, PublicationState.FULL)


class NotPublished(LabelwrightError):
    """A pool without a publication that can be changed so."""

    code: ClassVar[str] = "not_published"


@transaction.atomic
def publish(preview: Preview, cost: CostPreview, who: str, now: datetime) -> Publication:
    """Plans the publication of a pool; raises CannotPublish. Locks the study. For those who may pay."""
    study = StudyRow.objects.select_for_update(no_key=True).get(pk=preview.study.pk)
    check_publishable(preview, cost)
    number = queries.next_number(study.pk)
    order = preview.order
    if order.name != name_of(study, number):
        raise NotPublished("another publication was made meanwhile.", do="Look at the preview again.")
    made = Publication.objects.create(
        study=study,
        pool=preview.pool,
        number=number,
        platform=preview.platform,
        places=order.places,
        tasks=preview.tasks,
        minutes=order.minutes,
        cents=order.pay.cents,
        currency=order.pay.currency,
        # Rounded up, so that a budget is never exceeded by the rounding.
        cost_cents=-(-cost.total_cents // order.places),
        ways_back=dict(preview.ways_back),
        made_by=who,
        made_at=now,
    )
    plan_call(study.pk, preview.platform, "create", f"create|{number}", request_of(order), now)
    after = {"places": order.places, "cents": cost.total_cents, "currency": cost.currency}
    log_change(study.pk, who, "publish", f"publication {number}", now, after=after)
    return made


def carry_on(now: datetime) -> int:
    """Opens every publication that its platform has made since; returns how many were carried on. Safe to run twice."""
    found = queries.made_calls()
    for each in found:
        with transaction.atomic():
            row = Publication.objects.select_for_update(no_key=True, of=("self",)).get(pk=each.publication)
            if row.state != PublicationState.MADE:
                continue
            if each.state == CallState.CONFIRMED and each.external:
                row.external_id, row.next_at = each.external, now
                _change(row, PublicationState.OPEN, "open", now)
            else:
                row.state = PublicationState.REFUSED
                row.save(update_fields=["state"])
    return len(found)


def pause(study: StudyRow, pool: str, who: str, now: datetime) -> None:
    """Lets nobody else come; people at work may finish."""
    _wish(study, pool, PublicationState.PAUSED, "pause", who, now)


def resume(study: StudyRow, pool: str, who: str, now: datetime) -> None:
    """Lets people come again."""
    _wish(study, pool, PublicationState.OPEN, "resume", who, now)


def stop(study: StudyRow, pool: str, who: str, now: datetime) -> None:
    """Ends a publication for good; people at work may finish."""
    _wish(study, pool, PublicationState.STOPPED, "stop", who, now)


@transaction.atomic
def _wish(study: StudyRow, pool: str, state: PublicationState, kind: str, who: str, now: datetime) -> None:
    row = lock_live(study, pool)
    if row.state not in LIVE or row.state == state or not PLATFORMS[row.platform].offers(kind):
        raise NotPublished(
            f"the publication is {row.state}, and cannot be changed so.",
            do="Reload the page to see what can be done with it now.",
        )
    before = row.state
    row.next_at = now
    _change(row, state, kind, now)
    _log(row, before, who, now)


def _log(row: Publication, before: str, who: str, now: datetime) -> None:
    log_change(
        row.study_id,
        who,
        "publication",
        f"publication {row.number}",
        now,
        before={"publication": before},
        after={"publication": row.state},
    )


def lock_live(study: StudyRow, pool: str) -> Publication:
    """The publication of a pool that is not stopped, locked; raises NotPublished."""
    found = (
        Publication.objects.select_for_update(no_key=True, of=("self",))
        .filter(study=study, pool__name=pool)
        .exclude(state__in=[PublicationState.STOPPED, PublicationState.REFUSED])
        .first()
    )
    if found is None:
        raise NotPublished(f'pool "{pool}" is not published.', do="Publish it first.")
    return found


def change_automatically(row: Publication, state: PublicationState, kind: str, now: datetime) -> None:
    """A change that follows from the counts; the caller has locked the publication."""
    before = row.state
    _change(row, state, kind, now)
    if before != state:
        _log(row, before, AUTOMATIC, now)


def _change(row: Publication, state: PublicationState, kind: str, now: datetime) -> None:
    row.state = state
    row.step += 1
    row.save(update_fields=["state", "step", "external_id", "next_at"])
    if PLATFORMS[row.platform].offers(kind):
        # Each change is another call, because a publication can be paused and resumed any number of times. A platform
        # without the call needs none: what it makes is open at once.
        key = f"{kind}|{row.number}|{row.step}"
        plan_call(row.study_id, row.platform, kind, key, {"publication": row.external_id}, now)


def raise_places(row: Publication, places: int, now: datetime, *, again: bool = False) -> bool:
    """Plans a larger number of places, as an absolute number; returns whether this is new. The caller holds the lock.

    The key holds the number, so that two readings ask for the same places once.
    """
    key = f"places|{row.number}|{places}" + (f"|{row.step}" if again else "")
    request = {"publication": row.external_id, "places": places}
    return plan_call(row.study_id, row.platform, "places", key, request, now)
