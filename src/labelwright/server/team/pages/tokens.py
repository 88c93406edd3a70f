"""What the template of a user's API tokens is given."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from labelwright.server.access.actions.permission import PERMISSION_NAMES, Permission
from labelwright.server.store.models import ApiToken

DAYS = (7, 30, 90, 180, 366)


def tokens(found: Sequence[ApiToken], chosen: Collection[str]) -> dict[str, Any]:
    """The tokens with their scopes in words, and the scopes to choose from."""
    return {
        "title": "API tokens",
        "tokens": [{"of": one, "scopes": [_scope_name(scope) for scope in one.scopes]} for one in found],
        "scopes": [
            {
                "value": scope,
                "name": name,
                "chosen": scope in chosen or (not chosen and scope == Permission.VIEW),
            }
            for scope, name in PERMISSION_NAMES.items()
        ],
        "days": DAYS,
    }


def _scope_name(scope: str) -> str:
    return PERMISSION_NAMES[Permission(scope)] if scope in list(Permission) else scope
