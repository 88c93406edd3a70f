"""Receipts of visits to platforms that take people back by a form: what comes back must be what we gave that person."""

from __future__ import annotations

import hashlib
import hmac
import json

from labelwright.server.people.actions.arrivals import work_in
from labelwright.server.store.models import Answer, Arrival
from labelwright.server.store.secrets import derived_key, unseal


def make_receipt(visit: Arrival) -> str:
    """The signed receipt of a visit, which holds a digest of the stored answers; see `is_receipt_of`."""
    work = list(work_in(visit).order_by("pk").values_list("pk", flat=True))
    answers = Answer.objects.filter(assignment__in=work).order_by("assignment", "position", "question")
    listed = list(answers.values_list("assignment", "position", "question", "value"))
    digest = hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()[:32]
    return f"v1.{visit.pk}.{digest}.{_sign(visit, digest)}"


def is_receipt_of(receipt: str, visit: Arrival) -> bool:
    """Whether a receipt that came back from a platform is one that we made for this visit."""
    version, number, digest, signature = (*receipt.split("."), "", "", "", "")[:4]
    known = version == "v1" and number == str(visit.pk)
    return hmac.compare_digest(signature.encode(), _sign(visit, digest).encode()) and known


def _sign(visit: Arrival, digest: str) -> str:
    said = f"v1|{visit.pk}|{unseal(visit.session_sealed)}|{digest}"
    return hmac.new(derived_key("visit-receipt"), said.encode(), hashlib.sha256).hexdigest()[:40]
