"""Receipts of submissions."""

from __future__ import annotations

from django.conf import settings

from labelwright.crowd import receipt


def receipt_of(assignment: int) -> str:
    """The receipt that a rater is shown; the same each time."""
    return receipt(settings.LINK_KEY.encode(), assignment)
