"""The study behind a version, parsed once in each process; a version never changes."""

from __future__ import annotations

from functools import lru_cache

from labelwright.server.store.models import StudyVersion
from labelwright.study import Study, check_study


@lru_cache(maxsize=256)
def study_of(version: int) -> Study:
    """The study as it was loaded under this version."""
    text = StudyVersion.objects.values_list("text", flat=True).get(pk=version)
    study, mistakes = check_study(text)
    # A pinned text was checked when it was loaded; a later release must still read it.
    assert study is not None, f"version {version} is not readable any more: {mistakes}"
    return study
