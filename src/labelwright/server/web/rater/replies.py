"""What raters' views share: a page of a study, and the body of a call."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from labelwright.server.web.rater import pages
from labelwright.study import Study


def page(
    request: HttpRequest, study: Study, template: str, context: dict[str, Any], pool: str = ""
) -> HttpResponse:
    """A page that is kept by no cache, and whose address, a credential, is told to nobody."""
    response = render(request, template, context | pages.frame(study))
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    origins = study.pool_of(pool).embed_origins
    if origins:
        # Read by django-csp's middleware; without it nobody may show the page in a frame.
        response._csp_replace = {"frame-ancestors": list(origins)}  # type: ignore[attr-defined]
    return response


def body(request: HttpRequest) -> dict[str, Any]:
    """The object that a call sent; raises BadRequest."""
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(sent, dict):
        raise BadRequest("The body is not an object.")
    return sent
