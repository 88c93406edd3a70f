"""Receipts of submissions."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings

from labelwright.crowd import receipt
from labelwright.server.store.secrets import derived_key

OLD_IDS = 2**63
"""Assignments of earlier releases have their number as public id, and receipts made with the link key."""


def receipt_of(assignment: UUID) -> str:
    """The receipt of a submission, by the public id of its assignment.

    It stays the same when the link key is changed; those of earlier releases change when the previous key is removed.
    """
    old = assignment.int < OLD_IDS
    return receipt(settings.LINK_KEYS[-1].encode() if old else derived_key("receipt"), assignment)
