"""The study of a version, parsed once per process, because versions never change."""

from __future__ import annotations

from functools import lru_cache

from labelwright.server.store.models import StudyVersion
from labelwright.study import Study, check_study


@lru_cache(maxsize=256)
def study_of(version: int) -> Study:
    """The study as loaded in this version."""
    text = StudyVersion.objects.values_list("text", flat=True).get(pk=version)
    study, mistakes = check_study(text)
    # The text was checked when it was loaded, and later releases must still accept it.
    assert study is not None, f"version {version} is no longer readable: {mistakes}"
    return study
