"""Revocation of links. A revoked link, and every page opened with it, stops working at once."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from labelwright.server.access import queries
from labelwright.server.access.actions.audit import log_change
from labelwright.server.store.models import OpenLink, Pool, Rater, StudyRow


@transaction.atomic
def revoke_rater_links(study: StudyRow, rater: Rater, who: str, now: datetime) -> None:
    """Ends the personal link of a rater, in every pool; the roster shows the new one.

    Saved answers stay, so the rater continues with the new link. Locks the rater, as an offer does.
    """
    queries.renew_nonce(rater.pk)
    log_change(study.pk, who, "revoke_links", rater.pseudonym, now)


@transaction.atomic
def revoke_pool_links(study: StudyRow, pool: Pool, who: str, now: datetime) -> int:
    """Ends the personal links of a pool's raters, and its open links; returns the number of raters.

    Raters who are in other pools too get a new link there as well, because a rater has one link for all. Locks the
    raters.
    """
    raters = queries.renew_nonces(pool.pk)
    closed = OpenLink.objects.filter(pool=pool, closed_at=None).update(closed_at=now)
    after = {"raters": raters, "open_links": closed}
    log_change(study.pk, who, "revoke_links", pool.name, now, after=after)
    return raters


@transaction.atomic
def revoke_study_links(study: StudyRow, who: str, now: datetime) -> None:
    """Ends every link of a study: of raters, of reviewers, and open ones."""
    StudyRow.objects.filter(pk=study.pk).update(link_key_number=F("link_key_number") + 1)
    study.refresh_from_db(fields=["link_key_number"])
    queries.end_visits(study.pk)
    log_change(study.pk, who, "revoke_links", study.name, now)
