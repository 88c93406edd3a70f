"""Rater pages, and JSON bodies of requests from their scripts."""

from __future__ import annotations

import json
import os
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from labelwright.crowd.platform import PLATFORMS, PlatformFrame
from labelwright.study import Study

RIGHT_TO_LEFT = ("ar", "dv", "fa", "he", "ps", "ur", "yi")


def language_frame(study: Study) -> dict[str, str]:
    """Language and text direction of a study's pages."""
    right_to_left = study.language.split("-")[0] in RIGHT_TO_LEFT
    return {"language": study.language, "direction": "rtl" if right_to_left else "ltr"}


def private(response: HttpResponse) -> HttpResponse:
    """Keeps a response out of caches, and its address, which is a credential, out of referrers."""
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    return response


def rater_page(
    request: HttpRequest, study: Study, template: str, context: dict[str, Any], pool: str = ""
) -> HttpResponse:
    """A private page in the study's language, embeddable only by the origins that the pool and its platform list."""
    response = private(render(request, template, context | language_frame(study)))
    frame = frame_of(study, pool)
    origins = [*study.pool_of(pool).embed_origins, *(frame.embed_origins if frame else ())]
    if origins:
        # Read by django-csp's middleware; the default forbids framing.
        response._csp_replace = {"frame-ancestors": origins}  # type: ignore[attr-defined]
    if frame:
        response._csp_replace["form-action"] = ["'self'", frame.origin]  # type: ignore[attr-defined]
    return response


def frame_of(study: Study, pool: str) -> PlatformFrame | None:
    """How the platform of a pool shows our pages in a frame; None if it sends people to them."""
    own = study.pool_of(pool)
    # Only pools with visits of a certain size are shown in frames, and other platforms need not be imported.
    return PLATFORMS[own.platform].frame(os.environ) if own.visit_tasks is not None else None


def json_body(request: HttpRequest) -> dict[str, Any]:
    """The JSON object in the request body; raises BadRequest."""
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON.") from None
    if not isinstance(sent, dict):
        raise BadRequest("The body is not an object.")
    return sent
