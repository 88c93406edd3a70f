"""How raters come into a pool: made in advance, by invitation, or by an open link."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import transaction
from django.db.models import F, Max

from labelwright.crowd import MemberState, RaterKind
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import COMMAND_LINE, log_change
from labelwright.server.access.actions.links import address_of, find_open_link, open_address
from labelwright.server.people import queries
from labelwright.server.people.actions.addresses import check_address, person_of
from labelwright.server.people.actions.join_limit import count_join
from labelwright.server.people.actions.mail import queue_invitation
from labelwright.server.people.actions.names import draw_names
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.items import rater_number
from labelwright.server.store.models import Member, OpenLink, Person, Pool, Rater, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import RaterError
from labelwright.study import Study


class QualificationRequired(LabelwrightError):
    """A pool that nobody can be invited to."""

    code: ClassVar[str] = "qualification_required"


class AlreadyInPool(LabelwrightError):
    """An invitation to somebody who is in the pool."""

    code: ClassVar[str] = "already_in_pool"


class PoolFull(RaterError):
    """An open link that has reached its maximum number of people."""

    code: ClassVar[str] = "pool_full"

    def __init__(self) -> None:
        super().__init__(
            "This study already has as many participants as it needs.", "Thank you for your interest."
        )


@dataclass(frozen=True, slots=True)
class RaterLink:
    """A rater and their personal address."""

    pseudonym: str
    address: str

    @property
    def token(self) -> str:
        """The last part of the address, which identifies the rater."""
        return self.address.rsplit("/", 1)[1]


@dataclass(frozen=True, slots=True)
class Door:
    """What somebody who follows an open link may know before joining."""

    study: Study
    pool: str
    version: int
    study_id: int
    pool_id: int
    full: bool
    link: int
    """The open link."""
    state: str
    """The state of the study."""


@transaction.atomic
def make_links(
    study: StudyRow, pool: Pool, wanted: int, days: int, now: datetime, who: str = COMMAND_LINE
) -> list[RaterLink]:
    """The links of a pool's raters, as many as wanted; asked again, the same ones.

    Expired links are renewed, and excluded raters have none. A pool that requires a qualification gets no new raters
    this way.
    """
    _check_people(study, pool)
    lock_members(pool)
    existing = Member.objects.filter(pool=pool).count()
    expires = now + timedelta(days=days)
    if wanted > existing and not _requires_qualification(study, pool):
        _add_raters(study, pool, range(existing, wanted), expires, now)
        log_change(study.pk, who, "add_raters", pool.name, now, after={"raters": wanted - existing})
    # An expired link would be printed in vain; it is renewed under the same token except for its date.
    Rater.objects.filter(member__pool=pool, link_expires_at__lt=now).update(link_expires_at=expires)
    members = (
        Member.objects.filter(pool=pool, rater__forgotten_at=None)
        .exclude(state=MemberState.EXCLUDED)
        .select_related("rater")
        .order_by("number")
    )
    return [RaterLink(m.rater.pseudonym, address_of(study, pool, m.rater)) for m in members]


@transaction.atomic
def invite(study: StudyRow, pool: Pool, who: str, now: datetime, email: str = "") -> RaterLink:
    """Adds one rater with a personal link, which is mailed if an address is given.

    Somebody who works in another pool of the study under this address keeps their name. Raises AlreadyInPool.
    """
    check_open_to_invitation(study, pool)
    person = person_of(check_address(email)) if email.strip() else None
    rater = (_add_known_rater(study, pool, person, now) if person else None) or add_next_rater(
        study, pool, now
    )
    if person:
        rater.person = person
        rater.save(update_fields=["person"])
        note_changed_raters(study.pk, [rater.pk])
        queue_invitation(study, pool, rater, now)
    after = {"pool": pool.name, "mailed": bool(person)}
    log_change(study.pk, who, "invite", rater.pseudonym, now, after=after)
    return RaterLink(rater.pseudonym, address_of(study, pool, rater))


@transaction.atomic
def make_open_link(study: StudyRow, pool: Pool, who: str, most: int, days: int, now: datetime) -> OpenLink:
    """A link that admits up to `most` people."""
    check_open_to_invitation(study, pool)
    made = OpenLink.objects.create(
        study=study,
        pool=pool,
        nonce=secrets.token_urlsafe(12),
        most=most,
        expires_at=now + timedelta(days=days),
        made_at=now,
    )
    log_change(study.pk, who, "open_link", pool.name, now, after={"most": most, "days": days})
    return made


@transaction.atomic
def close_open_link(study: StudyRow, link: int, who: str, now: datetime) -> bool:
    """Admits nobody else by this link; members who joined by it stay. Returns whether the link was open."""
    open_links = OpenLink.objects.filter(study=study, pk=link, closed_at=None)
    pools = list(open_links.values_list("pool__name", flat=True))
    closed = bool(open_links.update(closed_at=now))
    if closed:
        log_change(study.pk, who, "close_open_link", pools[0], now)
    return closed


def get_open_links(study: StudyRow, now: datetime) -> list[tuple[OpenLink, str]]:
    """Open links that still admit people, each with its address."""
    found = (
        OpenLink.objects.filter(study=study, closed_at=None, expires_at__gt=now)
        .select_related("pool")
        .order_by("id")
    )
    return [(link, open_address(study, link)) for link in found]


def get_door(token: str, now: datetime) -> Door:
    """What an open link leads to; raises BadLink."""
    link = find_open_link(token, now)
    version = link.study.versions.latest("n").pk
    full = link.used >= link.most
    return Door(
        study_of(version),
        link.pool.name,
        version,
        link.study_id,
        link.pool_id,
        full=full,
        link=link.pk,
        state=link.study.state,
    )


@transaction.atomic
def join(token: str, now: datetime, network: str) -> str:
    """Makes somebody who agreed to take part a member; returns the address of their personal link.

    The database enforces the limits of the link and of the network, however many join at once. The caller has checked
    that the study is open. Locks the network, the link, then the members of the pool.
    """
    link = find_open_link(token, now)
    count_join(network, now)
    with_room = OpenLink.objects.filter(pk=link.pk, closed_at=None, used__lt=F("most"))
    if not with_room.update(used=F("used") + 1):
        raise PoolFull
    rater = add_next_rater(link.study, link.pool, now)
    rater.consented_at = now
    rater.consented_version = link.study.versions.latest("n")
    rater.save(update_fields=["consented_at", "consented_version"])
    return address_of(link.study, link.pool, rater)


def lock_members(pool: Pool) -> None:
    """Makes others who add members to the pool wait, so that no two add the same rater."""
    Pool.objects.select_for_update(no_key=True).get(pk=pool.pk)


def next_number(pool: Pool) -> int:
    """The number of the pool's next member; the caller has locked its members."""
    last = Member.objects.filter(pool=pool).aggregate(last=Max("number"))["last"]
    return 0 if last is None else last + 1


def regroup(study: StudyRow, pool: Pool) -> None:
    """Puts the members into the pool's groups by their numbers, after any change of membership."""
    groups = study_of(study.versions.latest("n").pk).pool_of(pool.name).groups
    queries.set_groups(pool, {name: group.raters for name, group in groups.items()})


def check_open_to_invitation(study: StudyRow, pool: Pool) -> None:
    """Raises QualificationRequired where only a qualification admits raters."""
    _check_people(study, pool)
    if _requires_qualification(study, pool):
        raise QualificationRequired(
            f'the pool "{pool.name}" requires a qualification, so nobody can be invited to it.',
            do="Invite applicants to the pool that it requires.",
        )


def _check_people(study: StudyRow, pool: Pool) -> None:
    """Raises QualificationRequired for the pool of a model."""
    if pool.name in study_of(study.versions.latest("n").pk).model_pools:
        raise QualificationRequired(
            f'the pool "{pool.name}" is a model, so no person can join it.',
            do="Choose another pool.",
        )


def _requires_qualification(study: StudyRow, pool: Pool) -> bool:
    return bool(study_of(study.versions.latest("n").pk).pool_of(pool.name).requires)


def add_model(study: StudyRow, pool: Pool, now: datetime) -> None:
    """The one rater of a model's pool, named after the pool; it is there after the first time."""
    if Member.objects.filter(pool=pool).exists():
        return
    taken = Rater.objects.filter(study=study, pseudonym=pool.name[:32]).exists()
    rater = Rater.objects.create(
        study=study,
        pseudonym=f"model-{pool.pk}" if taken else pool.name[:32],
        kind=RaterKind.MODEL,
        nonce=secrets.token_urlsafe(12),
        # Nobody opens the link of a model.
        link_expires_at=now,
    )
    Member.objects.create(study=study, pool=pool, rater=rater, number=0, joined_at=now)


def add_next_rater(study: StudyRow, pool: Pool, now: datetime) -> Rater:
    """A new rater at the end of a pool."""
    lock_members(pool)
    days = study_of(study.versions.latest("n").pk).pool_of(pool.name).link_days
    (rater,) = _add_raters(study, pool, [next_number(pool)], now + timedelta(days=days), now)
    return rater


def _add_known_rater(study: StudyRow, pool: Pool, person: Person, now: datetime) -> Rater | None:
    """The oldest rater of a person, put into another pool; None if the person needs a new one."""
    lock_members(pool)
    known = Rater.objects.filter(study=study, person=person, forgotten_at=None).order_by("pk")
    there = known.filter(member__pool=pool).first()
    if there:
        raise AlreadyInPool(
            f"{there.pseudonym} has this address and is in the pool “{pool.name}”.",
            do="Send them the personal link on their page.",
        )
    oldest, number = known.first(), next_number(pool)
    # A rater's lowest number decides in which order they saw candidates, so that of finished work must not change.
    if oldest is None or rater_number(oldest.pk) > number:
        return None
    Member.objects.create(study=study, pool=pool, rater=oldest, number=number, joined_at=now)
    regroup(study, pool)
    return oldest


def _add_raters(
    study: StudyRow, pool: Pool, numbers: Iterable[int], expires: datetime, now: datetime
) -> list[Rater]:
    """New raters in a pool; the caller has locked its members."""
    given = list(numbers)
    names = draw_names(study, [f"{pool.name}/{number}" for number in given])
    raters = Rater.objects.bulk_create(
        [
            Rater(study=study, pseudonym=name, nonce=secrets.token_urlsafe(12), link_expires_at=expires)
            for name in names
        ],
        batch_size=1000,
    )
    Member.objects.bulk_create(
        [
            Member(study=study, pool=pool, rater=rater, number=number, joined_at=now)
            for number, rater in zip(given, raters, strict=True)
        ],
        batch_size=1000,
    )
    regroup(study, pool)
    note_changed_raters(study.pk, [rater.pk for rater in raters])
    return raters
