"""Addresses of people who found all tasks of a study taken: kept until they are written to, once."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from labelwright.server.access.actions.links import address_of, open_address
from labelwright.server.access.queries import Visitor
from labelwright.server.people import queries
from labelwright.server.people.actions.addresses import MAIL, check_address
from labelwright.server.people.actions.join_limit import TooManyJoins, count_join
from labelwright.server.people.actions.joining import Door
from labelwright.server.people.actions.mail import Letter, defer_mails
from labelwright.server.store.models import WaitingAddress
from labelwright.server.store.secrets import fingerprint, seal, unseal
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import RaterError
from labelwright.server.web.language import in_language


class AddressNotStored(RaterError):
    """Too many addresses from one network."""

    code: ClassVar[str] = "address_not_stored"

    def __init__(self) -> None:
        super().__init__(
            "Your address was not stored, because we got too many from your network in the last hour.",
            "Try again in an hour.",
        )


@transaction.atomic
def leave_address(at: Visitor | Door, given: str, network: str, now: datetime) -> None:
    """Stores an address with the link that its owner followed; the same address again changes nothing.

    Raises BadAddress or AddressNotStored: networks have one limit for joins and addresses together.
    """
    address = check_address(given)
    try:
        count_join(network, now)
    except TooManyJoins:
        raise AddressNotStored from None
    link = {"rater_id": at.rater} if isinstance(at, Visitor) else {"open_link_id": at.link}
    WaitingAddress.objects.get_or_create(
        **_owner(at, address), defaults={"address_sealed": seal(address), "given_at": now} | link
    )


def remove_address(at: Visitor | Door, given: str) -> None:
    """Deletes an address, whoever left it; raises BadAddress. Does not say whether it was there."""
    WaitingAddress.objects.filter(**_owner(at, check_address(given))).delete()


@transaction.atomic
def write_to_waiting(now: datetime) -> int:
    """Chooses those who are written to: for each pool the first who left an address, as many as there are open places.

    Returns how many. Called by a periodic job, safe to run twice.
    """
    chosen = queries.choose_waiting(now) if settings.MAIL_IS_SENT else 0
    if chosen:
        defer_mails()
    return chosen


def plan_waiting_letter(now: datetime) -> Letter | None:
    """The next mail to somebody who was chosen; their address is deleted before the mail server gets it.

    After a crash a mail may be missing, but nobody gets it twice. People whose link has ended get none.
    """
    while True:
        with transaction.atomic():
            row = (
                WaitingAddress.objects.filter(chosen=True)
                .select_for_update(skip_locked=True, of=("self",))
                .select_related("study", "pool", "rater", "open_link")
                .order_by("id")
                .first()
            )
            if row is None:
                return None
            row.delete()
        link = _link(row, now)
        if link:
            return _letter(row, link)


def _owner(at: Visitor | Door, address: str) -> dict[str, object]:
    study, pool = (at.study, at.pool) if isinstance(at, Visitor) else (at.study_id, at.pool_id)
    return {"study_id": study, "pool_id": pool, "address_hmac": fingerprint(MAIL, address)}


def _link(row: WaitingAddress, now: datetime) -> str | None:
    """The link that somebody followed, if it still leads to tasks."""
    if row.rater:
        valid = row.rater.forgotten_at is None and row.rater.link_expires_at > now
        return address_of(row.study, row.pool, row.rater) if valid else None
    link = row.open_link
    if link is None or link.closed_at is not None or link.expires_at <= now or link.used >= link.most:
        return None
    return open_address(row.study, link)


def _letter(row: WaitingAddress, link: str) -> Letter:
    study = study_of(row.study.versions.latest("n").pk)
    title = " ".join(study.title.split())
    with in_language(study.language):
        text = _(
            "There are tasks again in a study that you were interested in. They go to the people who come first."
        )
        gone = _("We have deleted your address, so this is the only mail you get.")
        subject = _("New tasks: {title}").format(title=title)
        return Letter(0, unseal(row.address_sealed), subject, f"{text}\n\n{link}\n\n{gone}")
