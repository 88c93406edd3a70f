"""Raters' links: made for a pool, and read when one is opened."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import transaction

from labelwright.crowd import BadLink, Link, MemberState, read_link, sign_link
from labelwright.errors import LabelwrightError
from labelwright.release import pseudonym
from labelwright.server.store.loading import set_groups
from labelwright.server.store.models import Member, Pool, Rater, Study
from labelwright.server.store.offers import Seeker
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of


class GrantedOnly(LabelwrightError):
    """A pool that nobody can be invited to."""

    code: ClassVar[str] = "granted_only"


@dataclass(frozen=True, slots=True)
class Visitor(Seeker):
    """A rater who opened a link."""

    consented: bool
    version: int
    """The newest version of the study."""
    pool_name: str = ""
    state: str = MemberState.ACTIVE
    """Whether the rater is offered work in this pool."""
    withdrawn: bool = False
    """Whether the rater takes no further part."""


def get_visitor(token: str, now: datetime) -> Visitor:
    """The rater behind a link; raises BadLink, which does not tell why."""
    link = read_link(token, _key_of, now)
    public_id, number = token.split(".")[1].split("-")
    found = rows(
        """SELECT s.id, m.pool_id, r.id, m.rater_group, m.number, r.consented_at IS NOT NULL,
                  (SELECT id FROM study_version v WHERE v.study_id = s.id ORDER BY n DESC LIMIT 1), p.name, m.state,
                  EXISTS (SELECT 1 FROM withdrawal w WHERE w.rater_id = r.id)
           FROM study s JOIN rater r ON r.study_id = s.id JOIN member m ON m.rater_id = r.id
           JOIN pool p ON p.id = m.pool_id
           WHERE s.public_id = %s AND s.link_key_number = %s AND r.id = %s AND r.nonce = %s AND m.pool_id = %s""",
        [public_id, int(number), link.w, link.n, link.p],
    )
    if not found:
        raise BadLink
    return Visitor(*found[0])


def consent(visitor: Visitor, now: datetime) -> None:
    """Records that the rater agreed to take part, and to which text; the first time counts."""
    Rater.objects.filter(pk=visitor.rater, consented_at=None).update(
        consented_at=now, consented_version=visitor.version
    )


@transaction.atomic
def make_links(study: Study, pool: Pool, wanted: int, days: int, now: datetime) -> list[tuple[str, str]]:
    """Pseudonym and address of each rater of a pool, as many as wanted; the same ones when asked again.

    Links that have run out are renewed. Of a pool that requires others, only who was let in.
    """
    lock_members(pool)
    there = Member.objects.filter(pool=pool).count()
    expires = now + timedelta(days=days)
    if wanted > there and not _filled_by_itself(study, pool):
        add_raters(study, pool, range(there, wanted), expires, now)
    # A link that has run out would be printed for nothing; it lives again, under the same token but for its date.
    Rater.objects.filter(member__pool=pool, link_expires_at__lt=now).update(link_expires_at=expires)
    members = (
        Member.objects.filter(pool=pool, rater__forgotten_at=None).select_related("rater").order_by("number")
    )
    return [(member.rater.pseudonym, address_of(study, pool, member.rater)) for member in members]


def lock_members(pool: Pool) -> None:
    """Others who add members to the pool wait, so that no two make the same rater."""
    Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)


def add_raters(
    study: Study, pool: Pool, numbers: Iterable[int], expires: datetime, now: datetime
) -> list[Rater]:
    """New raters in a pool; the caller has locked its members."""
    given = list(numbers)
    raters = Rater.objects.bulk_create(
        [_rater(study, pool, number, expires) for number in given], batch_size=1000
    )
    Member.objects.bulk_create(
        [
            Member(study=study, pool=pool, rater=rater, number=number, joined_at=now)
            for number, rater in zip(given, raters, strict=True)
        ],
        batch_size=1000,
    )
    regroup(study, pool)
    return raters


def regroup(study: Study, pool: Pool) -> None:
    """Puts the members into the pool's groups by their numbers; after any change of who is in."""
    groups = study_of(study.versions.latest("n").pk).pool_of(pool.name).groups
    set_groups(pool, {name: group.raters for name, group in groups.items()})


def check_open_to_invitation(study: Study, pool: Pool) -> None:
    """Raises where only a qualification lets raters in."""
    if _filled_by_itself(study, pool):
        raise GrantedOnly(
            f'the pool "{pool.name}" requires a qualification, so nobody is invited to it.',
            do="Invite applicants to the pool that it requires.",
        )


def _filled_by_itself(study: Study, pool: Pool) -> bool:
    return bool(study_of(study.versions.latest("n").pk).pool_of(pool.name).requires)


def _rater(study: Study, pool: Pool, number: int, expires: datetime) -> Rater:
    key = settings.PSEUDONYM_KEY.encode()
    return Rater(
        study=study,
        pseudonym=pseudonym(key, study.public_id, "link", f"{pool.name}/{number}"),
        nonce=secrets.token_urlsafe(12),
        link_expires_at=expires,
    )


def address_of(study: Study, pool: Pool, rater: Rater) -> str:
    """The personal link of a rater in a pool."""
    key_id = f"{study.public_id}-{study.link_key_number}"
    link = Link(p=pool.pk, w=rater.pk, x=int(rater.link_expires_at.timestamp()), n=rater.nonce)
    return f"{settings.BASE_URL}/w/{sign_link(link, key_id, study_key(key_id))}"


def study_key(key_id: str, purpose: str = "study") -> bytes:
    """The key of one study, made from the installation's; the id names study and number."""
    return hmac.new(settings.LINK_KEY.encode(), f"{purpose}|{key_id}".encode(), hashlib.sha256).digest()


def well_formed(key_id: str) -> bool:
    """Whether the id of a key could be ours."""
    public_id, _, number = key_id.partition("-")
    return public_id.isalnum() and number.isdecimal() and len(number) < 9


def _key_of(key_id: str) -> bytes | None:
    return study_key(key_id) if well_formed(key_id) else None
