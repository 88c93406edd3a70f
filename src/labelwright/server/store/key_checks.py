"""Notices keys that this database was not used with, for example after a restore on another machine."""

from __future__ import annotations

import hashlib
import hmac
from datetime import datetime

from django.conf import settings

from labelwright.server.store.models import KeyCheck, Person
from labelwright.server.store.secrets import UNREADABLE, unseal

SAMPLE = 20


def record_keys(now: datetime) -> None:
    """Remembers the present keys, unless this database was used with other keys before."""
    for name, proof in _proofs().items():
        KeyCheck.objects.get_or_create(name=name, defaults={"proof": proof, "recorded_at": now})


def accept_keys(now: datetime) -> None:
    """Remembers the present keys instead of earlier ones, after they were replaced on purpose."""
    for name, proof in _proofs().items():
        KeyCheck.objects.update_or_create(name=name, defaults={"proof": proof, "recorded_at": now})


def get_wrong_keys() -> list[str]:
    """The variables whose keys are not those that this database was used with."""
    recorded = dict(KeyCheck.objects.values_list("name", "proof"))
    return [name for name, proof in _proofs().items() if name in recorded and bytes(recorded[name]) != proof]


def count_unreadable() -> int:
    """How many of the newest sealed addresses the present key cannot read."""
    sealed = Person.objects.order_by("-id").values_list("id_sealed", flat=True)[:SAMPLE]
    return sum(unseal(one) == UNREADABLE for one in sealed)


def _proofs() -> dict[str, bytes]:
    keys = {
        "LABELWRIGHT_LINK_KEY": settings.ENVIRONMENT.link_key,
        "LABELWRIGHT_PSEUDONYM_KEY": settings.ENVIRONMENT.pseudonym_key,
    }
    return {
        name: hmac.new(key.encode(), b"labelwright|key-check", hashlib.sha256).digest()
        for name, key in keys.items()
    }
