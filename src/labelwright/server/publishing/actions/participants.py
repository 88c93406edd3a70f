"""People on platforms: a group there of those who qualified here, messages, and requests to return a visit."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from labelwright.crowd.platform import PLATFORMS
from labelwright.server.access.actions.audit import log_change
from labelwright.server.paying.actions.calls import plan_call
from labelwright.server.people.actions.messages import write_to_rater
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.publishing.actions.differences import NoSuchDifference
from labelwright.server.publishing.actions.orders import CannotPublish, check_settings
from labelwright.server.publishing.queries import participants as queries
from labelwright.server.store.models import Rater, StudyRow
from labelwright.server.store.versions import study_of

BLOCK = 100


@transaction.atomic
def make_group(study: StudyRow, pool_name: str, who: str, now: datetime) -> None:
    """Has the platform make a group of the raters who qualified for a pool; they are added as they qualify."""
    pool = get_pool(study, pool_name)
    own = study_of(study.versions.latest("n").pk).pools.get(pool_name)
    if own is None or not own.requires or not _can(own.platform, "group"):
        raise CannotPublish(
            f'pool "{pool_name}" has no group of qualified raters.', do="Choose a pool with `requires`."
        )
    check_settings(own.platform)
    request = {"name": f"{study.public_id}-{pool_name}"}
    if plan_call(study.pk, own.platform, "group", f"group|{pool.pk}", request, now):
        log_change(study.pk, who, "publication", f"group of {pool_name}", now)


def _can(platform: str, kind: str) -> bool:
    return platform in PLATFORMS and PLATFORMS[platform].offers(kind)


def grant_members(now: datetime) -> int:
    """Puts raters who qualified since into the groups of their platforms; returns how many. Safe to run twice."""
    found = queries.new_members(BLOCK)
    for each in found:
        key = f"grant|{each.pool}|{each.rater}"
        request = {"raters": [each.pseudonym], "group": each.group}
        plan_call(each.study, each.platform, "grant", key, request, now)
    return len(found)


@transaction.atomic
def write(study: StudyRow, entry: str, text: str, who: str, now: datetime) -> None:
    """A message to the person of a visit, here and on the platform. Sent there once; nobody sends it again blindly."""
    person = _person(study, entry)
    message = write_to_rater(study, who, Rater.objects.get(pk=person.rater), text, now)
    request = {"raters": [person.pseudonym], "message": message.pk, "study": person.external}
    plan_call(study.pk, person.platform, "message", f"message|m{message.pk}", request, now)


@transaction.atomic
def ask_return(study: StudyRow, entry: str, reason: str, who: str, now: datetime) -> None:
    """Asks the person of a visit to return it; only they can do it."""
    person = _person(study, entry)
    request = {"raters": [person.pseudonym], "sessions": [str(person.arrival)], "reason": reason}
    if plan_call(study.pk, person.platform, "ask_return", f"ask_return|a{person.arrival}", request, now):
        log_change(study.pk, who, "visit_settled", person.pseudonym, now, after={"asked_to_return": True})


def _person(study: StudyRow, entry: str) -> queries.VisitPerson:
    kind, _, number = entry.partition("-")
    known = kind == "visit" and number.isdigit() and len(number) < 19
    found = queries.person_of(study.pk, int(number)) if known else None
    if found is None or not _can(found.platform, "message"):
        raise NoSuchDifference
    return found
