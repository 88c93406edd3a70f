"""Every address of the server, whatever area it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def routes(found: list[URLPattern | URLResolver] | None = None) -> Iterator[URLPattern]:
    """The patterns of our own areas, in the order in which they are tried; those of libraries are left out."""
    for pattern in get_resolver().url_patterns if found is None else found:
        if isinstance(pattern, URLPattern):
            yield pattern
        elif not str(pattern.pattern):
            yield from routes(pattern.url_patterns)
