"""Pools and how raters come into them: by invitation, by an open link, or by qualifying elsewhere."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max

from labelwright.crowd import BadLink, Link, read_link, sign_link
from labelwright.errors import LabelwrightError
from labelwright.server.actions.addresses import check_address, person_of
from labelwright.server.actions.audit import record
from labelwright.server.actions.errors import PoolFull
from labelwright.server.actions.joins import count_join
from labelwright.server.actions.links import (
    add_raters,
    address_of,
    check_open_to_invitation,
    lock_members,
    regroup,
    study_key,
    well_formed,
)
from labelwright.server.actions.mail import queue_invitation
from labelwright.server.store.loading import set_groups
from labelwright.server.store.models import Member, OpenLink, Pool, Rater, Study
from labelwright.server.store.versions import study_of
from labelwright.study import Study as StudyFile

OPEN = "open"
"""Open links are signed with a key of their own, so that none can pass for a personal one."""


class PoolNotFound(LabelwrightError):
    """No pool of that name."""

    code: ClassVar[str] = "pool_not_found"


@dataclass(frozen=True, slots=True)
class Invited:
    """A rater who may come in."""

    pseudonym: str
    address: str


@dataclass(frozen=True, slots=True)
class Door:
    """What somebody who follows an open link may know before joining."""

    study: StudyFile
    pool: str
    version: int
    study_id: int
    pool_id: int
    full: bool


def make_pools(row: Study, study: StudyFile) -> dict[str, Pool]:
    """The pools of a study by name, made where they are new; those that are there keep their members.

    Part of loading: members are put into the groups that the file says now.
    """
    pools = {name: Pool.objects.get_or_create(study=row, name=name)[0] for name in study.pools}
    for name, pool in pools.items():
        set_groups(pool, {group: part.raters for group, part in study.pools[name].groups.items()})
    return pools


def get_pool(study: Study, name: str) -> Pool:
    """A pool by name; raises PoolNotFound with the names there are."""
    # PostgreSQL takes no NUL in a text, not even to look for it.
    found = Pool.objects.filter(study=study, name=name.replace("\x00", "")).first()
    if found is None:
        there = ", ".join(Pool.objects.filter(study=study).order_by("name").values_list("name", flat=True))
        raise PoolNotFound(f'"{study.name}" has no pool "{name}".', expected=f"one of {there}.")
    return found


@transaction.atomic
def invite(study: Study, pool: Pool, who: str, now: datetime, email: str = "") -> Invited:
    """One more rater of a pool with a personal link, which is mailed where an address is given."""
    check_open_to_invitation(study, pool)
    address = check_address(email) if email.strip() else None
    (rater,) = _add(study, pool, 1, now)
    if address:
        rater.person = person_of(address)
        rater.save(update_fields=["person"])
        queue_invitation(study, pool, rater, now)
    record(study.pk, who, "invite", rater.pseudonym, now, after={"pool": pool.name, "mailed": bool(address)})
    return Invited(rater.pseudonym, address_of(study, pool, rater))


@transaction.atomic
def make_open_link(study: Study, pool: Pool, who: str, most: int, days: int, now: datetime) -> OpenLink:
    """A link for many, which lets in at most so many."""
    check_open_to_invitation(study, pool)
    made = OpenLink.objects.create(
        study=study,
        pool=pool,
        nonce=secrets.token_urlsafe(12),
        most=most,
        expires_at=now + timedelta(days=days),
        made_at=now,
    )
    record(study.pk, who, "open_link", pool.name, now, after={"most": most, "days": days})
    return made


def close_open_link(study: Study, link: int, who: str, now: datetime) -> None:
    """Nobody else comes in by it; who is in stays."""
    with transaction.atomic():
        open_links = OpenLink.objects.filter(study=study, pk=link, closed_at=None)
        pools = list(open_links.values_list("pool__name", flat=True))
        if open_links.update(closed_at=now):
            record(study.pk, who, "close_open_link", pools[0], now)


def get_open_links(study: Study, now: datetime) -> list[tuple[OpenLink, str]]:
    """Open links that still let somebody in, each with its address."""
    found = (
        OpenLink.objects.filter(study=study, closed_at=None, expires_at__gt=now)
        .select_related("pool")
        .order_by("id")
    )
    return [(link, open_address(study, link)) for link in found]


def open_address(study: Study, link: OpenLink) -> str:
    """The address of an open link."""
    key_id = f"{study.public_id}-{study.link_key_number}"
    token = Link(p=link.pool_id, w=link.pk, x=int(link.expires_at.timestamp()), n=link.nonce)
    return f"{settings.BASE_URL}/j/{sign_link(token, key_id, study_key(key_id, OPEN))}"


def get_door(token: str, now: datetime) -> Door:
    """What an open link leads to; raises BadLink."""
    link = _open_link(token, now)
    version = link.study.versions.latest("n").pk
    full = link.used >= link.most
    return Door(study_of(version), link.pool.name, version, link.study_id, link.pool_id, full=full)


@transaction.atomic
def join(token: str, now: datetime, network: str) -> str:
    """Makes whoever agreed to take part a member, and gives the address of their personal link.

    The limits of the link and of the network are the database's: of any number at once, only so many come in.
    Locks the network, the link, then the members of the pool.
    """
    link = _open_link(token, now)
    count_join(network, now)
    room = OpenLink.objects.filter(pk=link.pk, closed_at=None, used__lt=F("most"))
    if not room.update(used=F("used") + 1):
        raise PoolFull
    (rater,) = _add(link.study, link.pool, 1, now)
    rater.consented_at = now
    rater.consented_version = link.study.versions.latest("n")
    rater.save(update_fields=["consented_at", "consented_version"])
    return address_of(link.study, link.pool, rater)


def enter_pools(study: Study, file: StudyFile, raters: Iterable[int], now: datetime) -> list[str]:
    """Lets raters into every pool whose requirements they meet; the names of the pools that somebody entered.

    Called after a qualification is decided, in its transaction.
    """
    wanted = set(raters)
    entered = []
    for name, part in file.pools.items():
        if not part.requires:
            continue
        pool = get_pool(study, name)
        lock_members(pool)
        there = set(Member.objects.filter(pool=pool).values_list("rater_id", flat=True))
        fit = [rater for rater in sorted(wanted - there) if _meets(study, part.requires, rater)]
        number = _next_number(pool)
        Member.objects.bulk_create(
            [
                Member(study=study, pool=pool, rater_id=rater, number=number + place, joined_at=now)
                for place, rater in enumerate(fit)
            ]
        )
        regroup(study, pool)
        entered += [name] if fit else []
    return entered


def _meets(study: Study, required: tuple[str, ...], rater: int) -> bool:
    met = Member.objects.filter(study=study, rater_id=rater, qualified=True, pool__name__in=required)
    return met.count() == len(set(required))


def _add(study: Study, pool: Pool, n: int, now: datetime) -> list[Rater]:
    lock_members(pool)
    first = _next_number(pool)
    days = study_of(study.versions.latest("n").pk).pool_of(pool.name).link_days
    return add_raters(study, pool, range(first, first + n), now + timedelta(days=days), now)


def _next_number(pool: Pool) -> int:
    last = Member.objects.filter(pool=pool).aggregate(last=Max("number"))["last"]
    return 0 if last is None else last + 1


def _open_link(token: str, now: datetime) -> OpenLink:
    link = read_link(token, lambda key_id: study_key(key_id, OPEN) if well_formed(key_id) else None, now)
    public_id, number = token.split(".")[1].split("-")
    found = (
        OpenLink.objects.filter(
            pk=link.w,
            pool=link.p,
            nonce=link.n,
            closed_at=None,
            study__public_id=public_id,
            study__link_key_number=int(number),
        )
        .select_related("study", "pool")
        .first()
    )
    if found is None:
        raise BadLink
    return found
