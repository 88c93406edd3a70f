"""Retention: deletes what the study file says is no longer needed. Receipts, pay and judgments stay."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from labelwright.server.access.actions.audit import lines_removable, log_change
from labelwright.server.profiles import queries
from labelwright.server.profiles.actions.deletion import delete_inactive_person
from labelwright.server.store.models import Rater, StudyRow, StudyVersion
from labelwright.server.store.versions import study_of

WHO = "retention"
"""The actor in the audit log."""
BLOCK = 10_000
"""Rows of one kind that one transaction deletes, so that none is held for long."""
MOST_PEOPLE = 100


def apply_retention(now: datetime) -> int:
    """Deletes a block of what is too old in the first study that has some; returns the number of deleted rows and people.

    Called by a periodic job until it returns 0; safe to run twice.
    """
    # A study without a version has no raters and no policy yet.
    loaded = StudyRow.objects.filter(Exists(StudyVersion.objects.filter(study=OuterRef("pk")))).order_by("id")
    return next((done for study in loaded if (done := _delete_old(study, now))), 0)


@transaction.atomic
def _delete_old(study: StudyRow, now: datetime) -> int:
    policy = study_of(study.versions.latest("n").pk).retention
    deleted = {
        kind: delete(study.pk, now - timedelta(days=days), BLOCK)
        for kind, days, delete in (
            ("visits", policy.visits, queries.delete_visits),
            ("drafts", policy.drafts, queries.delete_drafts),
            ("mails", policy.mails, queries.delete_mails),
            ("waiting", policy.waiting, queries.delete_waiting),
            ("log", policy.log, _delete_log),
        )
        if days is not None
    }
    deleted["personal_data"] = _delete_people(study, now)
    done = {kind: n for kind, n in deleted.items() if n}
    if done:
        log_change(study.pk, WHO, "retention", study.name, now, after=done)
    return sum(done.values())


def _delete_log(study: int, before: datetime, limit: int) -> int:
    with lines_removable():
        return queries.delete_log(study, before, limit)


def _delete_people(study: StudyRow, now: datetime) -> int:
    """Deletes the personal data of raters whose last activity is too long ago; returns the number of raters."""
    inactive = [
        rater
        for version, days in _personal_data_days(study)
        for rater in queries.inactive_raters(study.pk, version, now - timedelta(days=days), MOST_PEOPLE)
    ]
    for rater in inactive[:MOST_PEOPLE]:
        delete_inactive_person(study, Rater.objects.get(pk=rater), WHO, now)
    return len(inactive[:MOST_PEOPLE])


def _personal_data_days(study: StudyRow) -> Iterator[tuple[int | None, int]]:
    """For each version that raters agreed to, the number of days after which their data are deleted.

    A later version can shorten this time, but not lengthen it for raters who agreed to an earlier one.
    """
    newest = study.versions.latest("n").pk
    agreed = Rater.objects.filter(study=study, forgotten_at=None).values_list("consented_version", flat=True)
    for version in set(agreed.distinct()):
        said = {study_of(each).retention.personal_data for each in {newest, version or newest}}
        days = [each for each in said if each is not None]
        if days:
            yield version, min(days)
