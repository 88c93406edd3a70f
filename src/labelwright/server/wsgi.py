"""The WSGI application that granian serves: one chain of middleware for raters, another for the desk.

What a rater's page does not need, it does not pay for; and where there is no session, none can leak.
"""

import os
from collections.abc import Iterable
from typing import Any

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "labelwright.server.settings")
django.setup(set_prefix=False)

RATER_ROUTES = ("/w/", "/t/", "/j/")
MOST_PASSED_OVER = 16_000_000
ONE_READ = 65_536


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
    environ["CONTENT_TYPE"] = _read_as_utf8(environ.get("CONTENT_TYPE", ""))
    handler = _rater if environ.get("PATH_INFO", "").startswith(RATER_ROUTES) else _desk
    answer = handler(environ, start_response)
    _pass_over_the_rest(environ)
    return answer


def _read_as_utf8(content_type: str) -> str:
    """The type of a body without what it says of its encoding: our pages send UTF-8.

    Django would decode by any codec that Python has, and some of them fail, on some texts after a long time.
    """
    kind, *rest = content_type.split(";")
    return ";".join([kind, *(one for one in rest if one.strip().lower().startswith("boundary="))])


def _pass_over_the_rest(environ: dict[str, Any]) -> None:
    """Takes in what is left of a body that was refused unread.

    The server hangs up on those who still send when the answer is ready, and they never learn why they were refused.
    """
    length = environ.get("CONTENT_LENGTH") or "0"
    # No other method has a body here; who announces one and sends nothing would be waited for.
    if (
        environ["REQUEST_METHOD"] not in ("POST", "PUT")
        or not length.isdecimal()
        or int(length) > MOST_PASSED_OVER
    ):
        return
    left = int(length)
    while left > 0 and (taken := environ["wsgi.input"].read(min(left, ONE_READ))):
        left -= len(taken)
