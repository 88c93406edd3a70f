"""What is allowed in a study file and yet probably wrong, with the place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from labelwright.context import ModelAccess, ModelNotAllowed
from labelwright.corpus import Dialogue
from labelwright.crowd.platform import PLATFORMS
from labelwright.errors import listed, with_hint
from labelwright.study.gold import gold_warnings
from labelwright.study.model import Study
from labelwright.study.yaml_lines import KeyPath

TELLING_NAME = re.compile("attention|attentive|check|trap|catch", re.IGNORECASE)
SHORTEST_NAME = 3
"""A system called "a" is in many titles by chance."""


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
    yield from _platform_warnings(study)


def _platform_warnings(study: Study) -> Iterator[tuple[KeyPath, str]]:
    """What people must know of a platform, and pay below its minimum or that of the study."""
    minutes = max(design.minutes for design in study.designs.values())
    for name, pool in study.people_pools.items():
        # Platforms are imported only where one of them, or the study, has a minimum.
        if pool.platform == "link" and not pool.pay.hourly_minimum_cents:
            continue
        if notice := PLATFORMS[pool.platform].notice:
            yield ("pools", name, "platform"), f'pool "{name}": {notice}'
        problem = PLATFORMS[pool.platform].pay_problem(pool, minutes)
        if problem:
            fair = f"A fair pay is {problem.fair.cents} cents or more."
            yield ("pools", name, "pay"), f'pool "{name}" pays too little: {problem.what} {fair}'


def title_warnings(study: Study, dialogues: Iterable[Dialogue]) -> Iterator[tuple[KeyPath, str]]:
    """A title that names a system of the corpus: raters read it, and should not know what they judge."""
    title = _spaced(study.title)
    for system in sorted(_systems(dialogues)):
        if len(system) >= SHORTEST_NAME and re.search(rf"(?<!\w){re.escape(_spaced(system))}(?!\w)", title):
            yield (
                ("title",),
                f'raters read the title, which contains the name of the system "{system}": they may guess what they judge.',
            )


def plan_warnings(study: Study, dialogues: Iterable[Dialogue]) -> Iterator[tuple[KeyPath, str]]:
    """Systems in the analysis plan that the corpus does not name: once registered, the plan cannot be corrected."""
    if study.plan is None:
        return
    known = sorted(_systems(dialogues))
    for path, analysis in study.plan.placed:
        for number, name in enumerate(analysis.between if analysis.across == "system" else ()):
            if name not in known:
                said = f'the analysis plan names the system "{name}", which the corpus does not. Systems: {listed(known) or "none"}.'
                yield (*path, "between", number), with_hint(said, name, known)


def _systems(dialogues: Iterable[Dialogue]) -> set[str]:
    named = {turn.system for dialogue in dialogues for turn in dialogue.turns}
    offered = [each for dialogue in dialogues for each in dialogue.candidates or ()]
    named |= {each.get("system") for each in offered if isinstance(each, dict)}
    return {system for system in named if system}


def _spaced(name: str) -> str:
    """A name as it would be written in a sentence.

    >>> _spaced("Heron-2")
    'heron 2'
    """
    return re.sub(r"[\s_-]+", " ", name).casefold()


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
