"""Mail addresses of people: checked, sealed, and deleted with the last rater who has them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from labelwright.server.actions.audit import RATER, record
from labelwright.server.actions.errors import BadAddress, TooManyAddresses
from labelwright.server.actions.links import Visitor
from labelwright.server.store.locks import lock_named
from labelwright.server.store.models import Audit, Person, Rater
from labelwright.server.store.secrets import fingerprint, seal, unseal

MAIL = "mail"
LONGEST = 254
MOST_CHANGES_A_DAY = 10
"""How often a rater may change the address within a day; each change is a line of the record."""
CHANGED = "address"


def check_address(given: str) -> str:
    """The address in the form in which it is kept; raises BadAddress.

    Upper and lower case are one: no provider of note tells them apart.
    """
    address = given.strip().lower()
    try:
        validate_email(address)
        # What a mail server is told; not every domain that looks right can be said to it.
        address.rpartition("@")[2].encode("idna")
    except (ValidationError, UnicodeError):
        raise BadAddress from None
    if len(address) > LONGEST or not address.isprintable():
        raise BadAddress
    return address


def person_of(address: str) -> Person:
    """The person with an address, made where it is new; until the end of the transaction nobody else drops it."""
    found_by = fingerprint(MAIL, address)
    lock_named(found_by)
    person, _ = Person.objects.get_or_create(
        id_hmac=found_by, defaults={"platform": MAIL, "id_sealed": seal(address)}
    )
    return person


def get_address(rater: Rater) -> str | None:
    """The address of a rater, or None where none was given."""
    return unseal(rater.person.id_sealed) if rater.person and rater.person.platform == MAIL else None


@transaction.atomic
def keep_address(visitor: Visitor, given: str, now: datetime) -> None:
    """Keeps the address that a rater gave, or forgets the old one where the new one is empty.

    The same address again changes nothing. Raises TooManyAddresses; an address can always be removed.
    Locks the rater, then the people of both addresses.
    """
    address = check_address(given) if given.strip() else None
    rater = Rater.objects.select_for_update(no_key=True, of=("self",)).get(pk=visitor.rater)
    before = rater.person_id
    old = [bytes(rater.person.id_hmac)] if rater.person else []
    lock_named(*old, *([fingerprint(MAIL, address)] if address else []))
    if address == get_address(rater):
        return
    if address:
        _check_changes(visitor.study, rater, now)
    rater.person = person_of(address) if address else None
    rater.save(update_fields=["person"])
    drop_person(before)
    record(visitor.study, RATER, CHANGED, rater.pseudonym, now, after={"given": bool(address)})


def drop_person(person: int | None) -> None:
    """Deletes a person whom no rater is any more."""
    found = Person.objects.filter(pk=person).first() if person is not None else None
    if found:
        lock_named(bytes(found.id_hmac))
        Person.objects.filter(pk=found.pk, rater=None).delete()


def _check_changes(study: int, rater: Rater, now: datetime) -> None:
    made = Audit.objects.filter(
        study_id=study, subject=rater.pseudonym, what=CHANGED, at__gt=now - timedelta(days=1)
    )
    if made.count() >= MOST_CHANGES_A_DAY:
        raise TooManyAddresses
