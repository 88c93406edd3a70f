"""The language of rater pages: the study's language; requests from a page's script use the page's language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unicodedata import bidirectional

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

MOST_READ = 400
"""Characters of a text by which its direction is chosen."""
RATER_PATHS = ("/w/", "/t/", "/j/")
"""Requester pages are in English, whatever language the browser prefers."""


def text_direction(text: str) -> str:
    """The direction in which most letters at the beginning of a text run; `auto` if it has none, or as many of both.

    A browser goes by the first letter alone, which may belong to a foreign title.

    >>> text_direction("“بيت” is spoken slowly."), text_direction("قال بيت: OK"), text_direction("12")
    ('ltr', 'rtl', 'auto')
    """
    # Markup, such as lines under marked parts, is not read.
    read = strip_tags(text) if isinstance(text, SafeString) else text
    kinds = Counter(bidirectional(character) for character in read[:MOST_READ])
    right, left = kinds["R"] + kinds["AL"], kinds["L"]
    return "auto" if right == left else "rtl" if right > left else "ltr"


class LanguageMiddleware:
    """Sets the language that a rater's page asks for, and resets that of the thread's previous request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handles the request in its language; a view can switch to another one with `speak`."""
        asked = request.headers.get("Accept-Language", "") if request.path.startswith(RATER_PATHS) else ""
        with translation.override(spoken(asked)):
            return self.get_response(request)


def speak(language: str) -> None:
    """Switches to the language of a study until the end of the request."""
    translation.activate(spoken(language))


def spoken(language: str) -> str:
    """The interface language for a language tag: a complete translation, or else English.

    >>> spoken("it-CH"), spoken("tlh")
    ('it', 'en')
    """
    first = language.split(",", 1)[0].split("-", 1)[0].strip().lower()
    return first if first in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


@contextmanager
def in_language(language: str) -> Iterator[None]:
    """Inside the block, texts are in this language if there is a translation, and otherwise in English."""
    with translation.override(spoken(language)):
        yield
