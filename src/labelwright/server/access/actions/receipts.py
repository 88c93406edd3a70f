"""Receipts of submissions."""

from __future__ import annotations

from labelwright.crowd import receipt
from labelwright.server.store.secrets import derived_key


def receipt_of(assignment: int) -> str:
    """The receipt of a submission; always the same for the same assignment, also after the link key has changed."""
    return receipt(derived_key("receipt"), assignment)
