"""The content under which the tasks of each condition are stored, over all versions of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from labelwright.errors import LabelwrightError
from labelwright.server.store.models import StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.study import Study, all_conditions, asked_content, compare, fresh_content


class NotTheSameMeaning(LabelwrightError):
    """A declaration that the meaning is the same, where more than the wording changed."""

    code: ClassVar[str] = "not_the_same_meaning"


@dataclass(frozen=True, slots=True)
class Declared:
    """What the requester says about a new version."""

    fresh: bool = False
    """All tasks are new."""
    same_meaning: str = ""
    """Why changed wording has the same meaning; empty if it does not."""


def make_contents(
    study: Study, versions: Sequence[StudyVersion], declared: Declared
) -> dict[str, tuple[str, str]]:
    """For each condition: the hash of what it asks, and the content of its tasks. `versions` has the newest first.

    What was asked in an earlier version has the content that it had then, also if that was declared. Raises
    NotTheSameMeaning.
    """
    asked = {name: asked_content(study, name) for name in all_conditions(study)}
    known: dict[str, str] = {}
    for version in versions:
        for hashed, content in version.contents.values():
            known.setdefault(hashed, content)
    if declared.fresh:
        number = versions[0].n + 1 if versions else 1
        return {name: (hashed, fresh_content(hashed, number)) for name, hashed in asked.items()}
    same = _same_meaning(study, versions, declared)
    return {name: (hashed, same.get(name) or known.get(hashed, hashed)) for name, hashed in asked.items()}


def _same_meaning(study: Study, versions: Sequence[StudyVersion], declared: Declared) -> dict[str, str]:
    """The contents of conditions whose wording changed and whose meaning is declared to be the same."""
    if not declared.same_meaning or not versions:
        return {}
    renewed = compare(study_of(versions[0].pk), study).renewed
    more = next((each for each in renewed if not each.reworded), None)
    if more is not None:
        raise NotTheSameMeaning(
            f'more than wording changed in condition "{more.condition}": {more.reasons[0]}.',
            do="Load this change without --same-meaning.",
        )
    if not renewed:
        raise NotTheSameMeaning(
            "no wording of a question or an option changed.", do="Leave out --same-meaning."
        )
    return {each.condition: versions[0].contents[each.condition][1] for each in renewed}
