"""The WSGI application that granian serves."""

import os
import sys
from collections.abc import Iterable
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "labelwright.server.config.settings")
django.setup(set_prefix=False)

# A thread that waits for the database gets its turn back this soon, whatever another thread computes. With Python's 5 ms,
# each statement of a rater took that much longer while a requester's page was rendered in the same process.
sys.setswitchinterval(0.0005)

LARGEST_DRAINED_BODY = 16_000_000
ONE_READ = 65_536

_handler = WSGIHandler()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Handles a request."""
    environ["CONTENT_TYPE"] = _read_as_utf8(environ.get("CONTENT_TYPE", ""))
    answer = _handler(environ, start_response)
    _drain_body(environ)
    return answer


def _read_as_utf8(content_type: str) -> str:
    """The content type without its charset, because our pages always send UTF-8.

    Django would decode the body with any codec that Python has. Some of them fail, or are very slow on some texts.
    """
    kind, *rest = content_type.split(";")
    return ";".join([kind, *(one for one in rest if one.strip().lower().startswith("boundary="))])


def _drain_body(environ: dict[str, Any]) -> None:
    """Reads the rest of a body that was rejected before it was read.

    The server closes the connection to clients that are still sending when the response is ready, so they would
    never learn why they were rejected.
    """
    length = environ.get("CONTENT_LENGTH") or "0"
    # Only these methods have a body here. Otherwise a client could announce a body, send nothing and keep us waiting.
    if (
        environ["REQUEST_METHOD"] not in ("POST", "PUT")
        or not length.isdecimal()
        or int(length) > LARGEST_DRAINED_BODY
    ):
        return
    left = int(length)
    while left > 0 and (taken := environ["wsgi.input"].read(min(left, ONE_READ))):
        left -= len(taken)
