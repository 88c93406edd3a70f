"""The language of a rater's page: the study's own, and for the calls of a page that of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

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


def spoken(language: str) -> str:
    """The language of the interface for a language tag: one that is complete, or English.

    >>> spoken("it-CH"), spoken("tlh")
    ('it', 'en')
    """
    first = language.split(",", 1)[0].split("-", 1)[0].strip().lower()
    return first if first in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Texts written inside are in this language, if it is translated, and otherwise in English."""
    with translation.override(spoken(language)):
        yield
