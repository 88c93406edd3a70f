"""The address that platforms send events to."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from labelwright.crowd.platform import PLATFORMS, BadEvent
from labelwright.server.publishing.actions.events import hear


@csrf_exempt
@require_POST
def receive(request: HttpRequest, platform: str) -> HttpResponse:
    """An event. The answer is the same whether it is new or not, and comes before anything is read."""
    if platform not in PLATFORMS:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    try:
        event = PLATFORMS[platform].read_event(request.headers, request.body, os.environ)
        hear(platform, event, datetime.now(UTC))
    except BadEvent:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    return HttpResponse(status=HTTPStatus.OK)
