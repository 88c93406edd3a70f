"""Mail addresses: checked, encrypted, and deleted with the last rater who uses them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from labelwright.server.access.actions.audit import RATER, log_change
from labelwright.server.access.queries import Visitor
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.locks import lock_named
from labelwright.server.store.models import Audit, Person, Rater
from labelwright.server.store.secrets import fingerprint, seal, unseal
from labelwright.server.web.errors import RaterError

MAIL = "mail"
LONGEST = 254
MOST_CHANGES_A_DAY = 10
"""How often a rater may change the address within a day; each change is a line of the audit log."""
CHANGED = "address"


class BadAddress(RaterError):
    """A text that is not a mail address."""

    code: ClassVar[str] = "bad_address"

    def __init__(self) -> None:
        super().__init__("This is not a valid email address.", "Enter one such as name@example.org.")


class TooManyAddresses(RaterError):
    """A rater who has changed the address too often."""

    code: ClassVar[str] = "too_many_addresses"

    def __init__(self) -> None:
        super().__init__(
            "Your address was not changed: you have changed it too many times today.",
            "You can remove it now, or try again tomorrow.",
        )


def check_address(given: str) -> str:
    """The address in the form in which it is stored; raises BadAddress.

    Case is ignored, because no major provider distinguishes it.
    """
    address = given.strip().lower()
    try:
        validate_email(address)
        # Some domains look valid but cannot be sent to a mail server.
        address.rpartition("@")[2].encode("idna")
    except (ValidationError, UnicodeError):
        raise BadAddress from None
    if len(address) > LONGEST or not address.isprintable():
        raise BadAddress
    return address


def person_of(address: str) -> Person:
    """The person with an address, created if new; until the transaction ends nobody else deletes it."""
    found_by = fingerprint(MAIL, address)
    lock_named(found_by)
    person, _ = Person.objects.get_or_create(
        id_hmac=found_by, defaults={"platform": MAIL, "id_sealed": seal(address)}
    )
    return person


def get_address(rater: Rater) -> str | None:
    """The mail address of a rater, or None."""
    return unseal(rater.person.id_sealed) if rater.person and rater.person.platform == MAIL else None


@transaction.atomic
def change_address(visitor: Visitor, given: str, now: datetime) -> None:
    """Stores the address that a rater gave, or deletes the old one if the new one is empty.

    The same address again changes nothing. Raises BadAddress or TooManyAddresses; an address can always be
    removed. Locks the rater, then the people of both addresses.
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
    note_changed_raters(
        visitor.study,
        [rater.pk, *raters_of(visitor.study, before), *raters_of(visitor.study, rater.person_id)],
    )
    drop_person(before)
    log_change(visitor.study, RATER, CHANGED, rater.pseudonym, now, after={"given": bool(address)})


def raters_of(study: int, person: int | None) -> list[int]:
    """The raters of a person in a study; none without a person."""
    return (
        list(Rater.objects.filter(study=study, person=person).values_list("pk", flat=True)) if person else []
    )


def drop_person(person: int | None) -> None:
    """Deletes a person who has no raters left."""
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
