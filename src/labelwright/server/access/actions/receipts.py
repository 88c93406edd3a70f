"""Receipts of submissions."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings

from labelwright.crowd import receipt


def receipt_of(assignment: UUID) -> str:
    """The receipt of a submission, by the public id of its assignment; always the same for the same assignment."""
    return receipt(settings.LINK_KEY.encode(), assignment)
