"""What is allowed in a study file and yet probably wrong, with the place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from labelwright.context import ModelAccess, ModelNotAllowed
from labelwright.study.gold import gold_warnings
from labelwright.study.model import Study
from labelwright.study.yaml_lines import KeyPath

TELLING_NAME = re.compile("attention|attentive|check|trap|catch", re.IGNORECASE)


def study_warnings(study: Study, environment: Mapping[str, str]) -> Iterator[tuple[KeyPath, str]]:
    """The warnings about a study file that has no mistakes, with the path of what each is about.

    The environment says which language models may be used.
    """
    for name, design in study.designs.items():
        if not design.judgments(study.scales):
            yield (
                ("designs", name),
                f'design "{name}" measures no aspect, so no figure counts its answers; see `aspect`.',
            )
    for warning in gold_warnings(study, study.pool.caps.tasks):
        yield ("gold",), warning
    try:
        if study.context.model is not None:
            ModelAccess.read(environment).check(study.context.model)
    except ModelNotAllowed as error:
        yield ("context", "model"), str(error)
    yield from _telling_names(study)


def _telling_names(study: Study) -> Iterator[tuple[KeyPath, str]]:
    """Attention checks whose name says what they are; the name is part of the page."""
    for design, part in study.designs.items():
        for name in sorted(part.attention_checks):
            if TELLING_NAME.search(name):
                index = next(n for n, question in enumerate(part.questions) if question.name == name)
                yield (
                    ("designs", design, "questions", index, "name"),
                    f'the attention check "{name}" can be recognised by its name, which is part of the page.',
                )
