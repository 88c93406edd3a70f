"""Versions of earlier releases: their tasks and texts get the content that later versions compare with."""

from __future__ import annotations

from labelwright.server.store.models import StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.server.studies.queries import adoption
from labelwright.study import all_conditions, asked_content, gold_content, items_content


def adopt_version(version: StudyVersion) -> None:
    """Computes the content of a version that an earlier release stored; does nothing for all others."""
    if version.contents:
        return
    study = study_of(version.pk)
    asked = {name: asked_content(study, name) for name in all_conditions(study)}
    adoption.set_contents(
        {
            task.id: asked[task.condition]
            + (gold_content if task.gold else items_content)(zip(task.keys, task.hashes, strict=True))
            for task in adoption.tasks_without_content(version.pk)
        }
    )
    kinds = {kind for condition in study.conditions.values() for kind in condition.context.kinds}
    adoption.set_recipes(version.pk, {kind: study.context.recipe(kind) for kind in kinds})
    version.contents = {name: (content, content) for name, content in asked.items()}
    version.save(update_fields=["contents"])
