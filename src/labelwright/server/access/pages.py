"""What every template of the requester's pages is given: the header, read only if the template shows it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from labelwright.server.access.actions.visible_studies import get_header
from labelwright.server.store.models import User


def header(request: HttpRequest) -> dict[str, Any]:
    """A context processor."""
    match = request.resolver_match
    current = match.kwargs.get("public_id", "") if match else ""

    def read() -> Any:
        user = getattr(request, "user", None)
        return get_header(user, str(current)) if isinstance(user, User) else None

    return {"desk": SimpleLazyObject(read)}
