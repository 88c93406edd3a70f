"""The language of a rater's page: the study's own, and for the calls of a page that of the page."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from labelwright.server.actions.languages import spoken

RATER_PATHS = ("/w/", "/t/", "/j/")
"""The requester's pages are in English, whatever their browser prefers."""


class LanguageMiddleware:
    """Speaks the language that a rater's page asks for, and none of the request before it in the same thread."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on in its language; a view may speak another by `speak`."""
        asked = request.headers.get("Accept-Language", "") if request.path.startswith(RATER_PATHS) else ""
        with translation.override(spoken(asked)):
            return self.get_response(request)


def speak(language: str) -> None:
    """From here to the end of the request, the language of a study."""
    translation.activate(spoken(language))
