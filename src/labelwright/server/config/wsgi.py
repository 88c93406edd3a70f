"""The WSGI application that the server's threads run."""

import os
import sys
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler
from django.http.response import HttpResponseBase
from django.urls import get_resolver

from labelwright.server.config.environment import PAGES_VARIABLE
from labelwright.server.config.settings_file import apply_settings_file

apply_settings_file(os.environ)
# Pages have shorter time limits in the database than jobs and commands.
os.environ[PAGES_VARIABLE] = "1"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "labelwright.server.config.settings")
django.setup(set_prefix=False)

# A thread that waits for the database gets its turn back this soon, whatever another thread computes. With Python's 5 ms,
# each statement of a rater took that much longer while a requester's page was rendered in the same process.
sys.setswitchinterval(0.0005)

_handler = WSGIHandler()
# Loads the pages now. Otherwise, the first visitor of every process waits seconds for it.
get_resolver().url_patterns  # noqa: B018  it loads when it is read


def application(environ: dict[str, Any], start_response: Any) -> HttpResponseBase:
    """Handles a request."""
    environ["CONTENT_TYPE"] = _read_as_utf8(environ.get("CONTENT_TYPE", ""))
    return _handler(environ, start_response)


def _read_as_utf8(content_type: str) -> str:
    """The content type without its charset, because our pages always send UTF-8.

    Django would decode the body with any codec that Python has. Some of them fail, or are very slow on some texts.
    """
    kind, *rest = content_type.split(";")
    return ";".join([kind, *(one for one in rest if one.strip().lower().startswith("boundary="))])
