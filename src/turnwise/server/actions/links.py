"""Raters' links: made for a pool, and read when one is opened."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from turnwise.crowd import BadLink, Link, read_link, sign_link
from turnwise.release import pseudonym
from turnwise.server.store.loading import set_groups
from turnwise.server.store.models import Member, Pool, Rater, Study
from turnwise.server.store.offers import Seeker
from turnwise.server.store.rows import rows
from turnwise.server.store.versions import study_of


@dataclass(frozen=True, slots=True)
class Visitor(Seeker):
    """A rater who opened a link."""

    consented: bool
    version: int
    """The newest version of the study."""
    withdrawn: bool = False
    """Whether the rater takes no further part."""


def get_visitor(token: str, now: datetime) -> Visitor:
    """The rater behind a link; raises BadLink, which does not tell why."""
    link = read_link(token, _key_of, now)
    public_id, number = token.split(".")[1].split("-")
    found = rows(
        """SELECT s.id, m.pool_id, r.id, m.rater_group, m.number, r.consented_at IS NOT NULL,
                  (SELECT id FROM study_version v WHERE v.study_id = s.id ORDER BY n DESC LIMIT 1),
                  EXISTS (SELECT 1 FROM withdrawal w WHERE w.rater_id = r.id)
           FROM study s JOIN rater r ON r.study_id = s.id JOIN member m ON m.rater_id = r.id
           WHERE s.public_id = %s AND s.link_key_number = %s AND r.id = %s AND r.nonce = %s AND m.pool_id = %s""",
        [public_id, int(number), link.w, link.n, link.p],
    )
    if not found:
        raise BadLink
    return Visitor(*found[0])


def consent(visitor: Visitor, now: datetime) -> None:
    """Records that the rater agreed to take part; the first time counts."""
    Rater.objects.filter(pk=visitor.rater, consented_at=None).update(consented_at=now)


@transaction.atomic
def make_links(study: Study, pool: Pool, wanted: int, days: int, now: datetime) -> list[tuple[str, str]]:
    """Pseudonym and address of each rater of a pool, as many as wanted; the same ones when asked again.

    Links that have run out are renewed.

    Locks the study, so that two callers do not make the same rater.
    """
    Study.objects.select_for_update().get(pk=study.pk)
    there = Member.objects.filter(pool=pool).count()
    expires = now + timedelta(days=days)
    raters = Rater.objects.bulk_create(
        [_rater(study, pool, number, expires) for number in range(there, wanted)], batch_size=1000
    )
    Member.objects.bulk_create(
        [
            Member(study=study, pool=pool, rater=rater, number=number)
            for number, rater in enumerate(raters, start=there)
        ],
        batch_size=1000,
    )
    groups = study_of(study.versions.latest("n").pk).pool.groups
    set_groups(pool, {name: group.raters for name, group in groups.items()})
    # A link that has run out would be printed for nothing; it lives again, under the same token but for its date.
    Rater.objects.filter(member__pool=pool, link_expires_at__lt=now).update(link_expires_at=expires)
    members = Member.objects.filter(pool=pool).select_related("rater").order_by("number")
    return [(member.rater.pseudonym, _address(study, pool, member.rater)) for member in members]


def _rater(study: Study, pool: Pool, number: int, expires: datetime) -> Rater:
    key = settings.PSEUDONYM_KEY.encode()
    return Rater(
        study=study,
        pseudonym=pseudonym(key, study.public_id, "link", f"{pool.name}/{number}"),
        nonce=secrets.token_urlsafe(12),
        link_expires_at=expires,
    )


def _address(study: Study, pool: Pool, rater: Rater) -> str:
    key_id = f"{study.public_id}-{study.link_key_number}"
    link = Link(p=pool.pk, w=rater.pk, x=int(rater.link_expires_at.timestamp()), n=rater.nonce)
    return f"{settings.BASE_URL}/w/{sign_link(link, key_id, study_key(key_id))}"


def study_key(key_id: str) -> bytes:
    """The key of one study, made from the installation's; the id names study and number."""
    return hmac.new(settings.LINK_KEY.encode(), f"study|{key_id}".encode(), hashlib.sha256).digest()


def _key_of(key_id: str) -> bytes | None:
    public_id, _, number = key_id.partition("-")
    return study_key(key_id) if public_id.isalnum() and number.isdecimal() and len(number) < 9 else None
