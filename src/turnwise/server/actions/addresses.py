"""Mail addresses of people: checked, sealed, and deleted with the last rater who has them."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from turnwise.server.actions.audit import RATER, record
from turnwise.server.actions.errors import BadAddress
from turnwise.server.actions.links import Visitor
from turnwise.server.store.models import Person, Rater
from turnwise.server.store.secrets import fingerprint, seal, unseal

MAIL = "mail"
LONGEST = 254


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
    """The person with an address, made where it is new."""
    person, _ = Person.objects.get_or_create(
        id_hmac=fingerprint(MAIL, address), defaults={"platform": MAIL, "id_sealed": seal(address)}
    )
    return person


def get_address(rater: Rater) -> str | None:
    """The address of a rater, or None where none was given."""
    return unseal(rater.person.id_sealed) if rater.person and rater.person.platform == MAIL else None


@transaction.atomic
def keep_address(visitor: Visitor, given: str, now: datetime) -> None:
    """Keeps the address that a rater gave, or forgets the old one where the new one is empty."""
    address = check_address(given) if given.strip() else None
    rater = Rater.objects.select_for_update(no_key=True, of=("self",)).get(pk=visitor.rater)
    before = rater.person_id
    rater.person = person_of(address) if address else None
    rater.save(update_fields=["person"])
    drop_person(before)
    record(visitor.study, RATER, "address", rater.pseudonym, now, after={"given": bool(address)})


def drop_person(person: int | None) -> None:
    """Deletes a person whom no rater is any more."""
    if person is not None:
        Person.objects.filter(pk=person, rater=None).delete()
