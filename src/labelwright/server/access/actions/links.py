"""Links: a rater's personal address in a pool, and open links that many people can follow."""

from __future__ import annotations

import enum
import hashlib
import hmac
from datetime import datetime

from django.conf import settings

from labelwright.crowd import Link, MemberState, RevokedLink, read_link, sign_link
from labelwright.server.access import queries
from labelwright.server.access.queries import Visitor
from labelwright.server.store.models import OpenLink, Pool, Rater, StudyRow

__all__ = ["Visitor", "address_of", "find_open_link", "get_visitor", "hash_token", "open_address"]


class _Purpose(enum.StrEnum):
    """Each kind of link is signed with a key of its own, so that none can pass for another."""

    PERSONAL = "study"
    OPEN = "open"


def get_visitor(token: str, now: datetime) -> Visitor:
    """The rater behind a personal link; raises BadLink, which does not say why, or RevokedLink."""
    link, public_id, number = _read(token, _Purpose.PERSONAL, now)
    found = queries.find_visitor(public_id, number, rater=link.w, nonce=link.n, pool=link.p)
    # The link of an excluded rater ends in this pool, and works again if they are reinstated.
    if found is None or found.state == MemberState.EXCLUDED:
        raise RevokedLink
    return found


def address_of(study: StudyRow, pool: Pool, rater: Rater) -> str:
    """The personal link of a rater in a pool."""
    link = Link(p=pool.public_id, w=rater.public_id, x=int(rater.link_expires_at.timestamp()), n=rater.nonce)
    return f"{settings.BASE_URL}/w/{_sign(link, study, _Purpose.PERSONAL)}"


def find_open_link(token: str, now: datetime) -> OpenLink:
    """The open link behind a token, with its study and pool; raises BadLink or RevokedLink."""
    link, public_id, number = _read(token, _Purpose.OPEN, now)
    found = (
        OpenLink.objects.filter(
            pool__public_id=link.p,
            nonce=link.n,
            closed_at=None,
            study__public_id=public_id,
            study__link_key_number=number,
        )
        .select_related("study", "pool")
        .first()
    )
    if found is None:
        raise RevokedLink
    return found


def open_address(study: StudyRow, link: OpenLink) -> str:
    """The address of an open link."""
    token = Link(p=link.pool.public_id, w="", x=int(link.expires_at.timestamp()), n=link.nonce)
    return f"{settings.BASE_URL}/j/{_sign(token, study, _Purpose.OPEN)}"


def hash_token(token: str) -> bytes:
    """What is stored of a visit token."""
    return hashlib.sha256(token.encode()).digest()


def _sign(link: Link, study: StudyRow, purpose: _Purpose) -> str:
    key_id = f"{study.public_id}-{study.link_key_number}"
    return sign_link(link, key_id, _study_keys(key_id, purpose)[0])


def _read(token: str, purpose: _Purpose, now: datetime) -> tuple[Link, str, int]:
    """The link inside a token, the public id of its study and the number of the key that signed it."""
    link = read_link(token, lambda key_id: _study_keys(key_id, purpose) if _well_formed(key_id) else [], now)
    public_id, number = token.split(".")[1].split("-")
    return link, public_id, int(number)


def _study_keys(key_id: str, purpose: _Purpose) -> list[bytes]:
    """The keys of one study, derived from the installation's; the id names the study and the key's number.

    The first one signs. The other one, if there is one, is the key before the last rotation.
    """
    return [
        hmac.new(key.encode(), f"{purpose}|{key_id}".encode(), hashlib.sha256).digest()
        for key in settings.LINK_KEYS
    ]


def _well_formed(key_id: str) -> bool:
    """Whether the id of a key could be ours."""
    public_id, _, number = key_id.partition("-")
    return public_id.isalnum() and number.isdecimal() and len(number) < 9
