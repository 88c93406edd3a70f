"""Receipts of submissions."""

from __future__ import annotations

from django.conf import settings

from labelwright.crowd import receipt


def receipt_of(assignment: int) -> str:
    """The receipt of a submission; always the same for the same assignment."""
    return receipt(settings.LINK_KEY.encode(), assignment)
