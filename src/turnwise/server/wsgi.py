"""The WSGI application that granian serves: one chain of middleware for raters, another for the desk.

What a rater's page does not need, it does not pay for; and where there is no session, none can leak.
"""

import os
from collections.abc import Iterable
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "turnwise.server.settings")
django.setup(set_prefix=False)

RATER_ROUTES = ("/w/", "/t/", "/j/")


def _handler(middleware: list[str]) -> WSGIHandler:
    """A handler with its own chain; Django reads the setting once, when the handler is made."""
    whole = settings.MIDDLEWARE
    settings.MIDDLEWARE = middleware
    try:
        return WSGIHandler()
    finally:
        settings.MIDDLEWARE = whole


_rater = _handler(settings.RATER_MIDDLEWARE)
_desk = _handler(settings.MIDDLEWARE)


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answers a request by the chain of its route."""
    handler = _rater if environ.get("PATH_INFO", "").startswith(RATER_ROUTES) else _desk
    return handler(environ, start_response)
