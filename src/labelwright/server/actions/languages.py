"""Which language raters are spoken to in: that of the study, where the texts are translated."""

from __future__ import annotations

from django.conf import settings


def spoken(language: str) -> str:
    """The language of the interface for a language tag: one that is complete, or English.

    >>> spoken("it-CH"), spoken("tlh")
    ('it', 'en')
    """
    first = language.split(",", 1)[0].split("-", 1)[0].strip().lower()
    return first if first in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
