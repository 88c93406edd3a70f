"""Measures every request, by route and by who waits for it. Routes are names, so no link gets into a metric."""

from __future__ import annotations

import time
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

from labelwright.server.config.metrics import REQUEST_SECONDS, SERVER_ERRORS
from labelwright.server.web.middleware import GetResponse, is_raters

NEITHER = ("healthz", "readyz", "moved-file", "none")
"""Routes that neither raters nor requesters wait for; "none" are static files and unknown addresses."""


class MeasurementMiddleware:
    """Counts the time and the server errors of each route; the outermost middleware, so that it sees every response."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on and measures it."""
        started = time.perf_counter()
        response = self._get_response(request)
        match = request.resolver_match
        route = (match.view_name if match else "") or "none"
        audience = _audience(request, route)
        REQUEST_SECONDS.labels(route, audience).observe(time.perf_counter() - started)
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            SERVER_ERRORS.labels(route, audience, str(response.status_code)).inc()
        return response


def _audience(request: HttpRequest, route: str) -> str:
    if is_raters(request):
        return "rater"
    return "other" if route in NEITHER else "requester"
