"""Labels in words: what was judged, and what the code of a label means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from labelwright.server.results.queries.items import StoredLabel
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions.judgments import Judged, judged_in
from labelwright.server.tallies.queries.items import CLEAR_SHARE
from labelwright.server.web.answer_words import translated
from labelwright.study import Study
from labelwright.task import Asking, ItemParts, StoredItem, pattern_of
from labelwright.task.candidates import shown_candidates
from labelwright.task.questions import Question

_UNIT = re.compile(r"[^.]+\.(?P<kind>[cs])(?P<place>\d+)(\..+)?")
"""The stored name of a judgment about one candidate, or about one sentence."""
NO_MAJORITY = "No majority"


@dataclass(frozen=True, slots=True)
class LabelWords:
    """A label as pages show it."""

    about: str
    """What was judged."""
    name: str
    share: str
    """How many of the raters gave it, such as "2 of 3"."""
    unclear: bool
    disagreement: float


def share_in_words(label: StoredLabel) -> str:
    """How many of the raters gave the most frequent answer."""
    return f"{round(label.share * label.n)} of {label.n}"


def is_unclear(label: StoredLabel) -> bool:
    """Whether too few of several raters gave it."""
    return label.n > 1 and label.share < CLEAR_SHARE


def describe_label(version: int, label: StoredLabel, item: StoredItem) -> LabelWords | None:
    """A label in words; None for several candidates together, and for single sentences, which have no name."""
    study = study_of(version)
    judged = _judged(version)
    pattern = pattern_of(label.question, list(judged))
    if "*" in label.question or pattern is None:
        return None
    question = _question(study, label.question)
    part = label.question.partition(".")[2]
    if question is not None and question.selects and pattern.endswith("*"):
        return None
    asking = (
        study.asking(label.condition, item) if label.condition in study.conditions else Asking(study.scales)
    )
    name = NO_MAJORITY if label.code is None else _name(question, judged[pattern], label.code, asking)
    about = _about(question, part, asking) if question else judged[pattern].text
    return LabelWords(about, name, share_in_words(label), is_unclear(label), label.disagreement or 0.0)


def name_judgment(study: Study, stored: str) -> str:
    """The stored name of a judgment in words: the question, the criterion, and which candidate or sentence it is about."""
    texts = {each.name: each.text for each in judged_in(study)}
    question = _question(study, stored)
    text = texts.get(pattern_of(stored, list(texts)) or "", question.text if question else stored)
    unit = _UNIT.fullmatch(stored)
    if unit is None or question is None:
        return text
    place = int(unit["place"])
    if unit["kind"] == "s":
        return f"{question.text} (sentence {place + 1})"
    shown = shown_candidates(Asking(study.scales, ItemParts(candidates=("",) * (place + 1))))
    return f"{text} (candidate {shown[place].letter})"


def code_names(study: Study, judged: Judged) -> dict[int, str]:
    """The names of the codes of a judgment; candidates have letters in the order of the item."""
    question = _question(study, judged.name)
    asking = Asking(study.scales, ItemParts(candidates=("", "") if judged.sides else ()))
    return {code: _name(question, judged, code, asking) for code in judged.scale.codes}


def _name(question: Question | None, judged: Judged, code: int, asking: Asking) -> str:
    # The scale of a comparison names candidates by their keys, which nobody knows.
    if question is not None and judged.sides is not None:
        return ", ".join(translated(one) for line in question.words(code, asking) for one in line.said)
    return judged.scale.name_of(code)


def _about(question: Question, part: str, asking: Asking) -> str:
    """The question, or the criterion and the letter of the candidate."""
    candidate, _, criterion = part.partition(".")
    letter = next((shown.letter for shown in shown_candidates(asking) if shown.key == candidate), "")
    if not letter:
        return question.text
    return f"{letter}, {question.part_text(part)}" if criterion else f"{letter}, {question.text}"


def _question(study: Study, stored: str) -> Question | None:
    name = stored.partition(".")[0]
    found = (design.question(name) for design in study.designs.values())
    return next((question for question in found if question is not None), None)


@lru_cache(maxsize=64)
def _judged(version: int) -> dict[str, Judged]:
    return {each.name: each for each in judged_in(study_of(version))}
