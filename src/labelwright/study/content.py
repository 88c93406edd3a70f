"""The content of tasks: what is asked about which items. Tasks with equal content are one task, in every version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from labelwright.crowd.qualification import CONDITION
from labelwright.study.model import Study
from labelwright.task import TaskDesign

HALF = 32
"""The content of a task is one such half for what is asked, and one for its items."""
NOTES = frozenset({"aim"})
"""Fields that raters never see."""
WORDING = frozenset(
    {
        *("text", "meaning", "title", "guideline", "label", "placeholder"),
        *("low", "high", "none", "strengths", "tie", "both_bad"),
    }
)
"""Fields with sentences that raters read; other wording can have the same meaning."""


def asked_content(study: Study, condition: str) -> str:
    """A hash of everything that a condition asks and shows, apart from its items.

    Instructions, guidelines and examples are not part of it.
    """
    return _hashed(_asked(study, condition))


def items_content(items: Iterable[tuple[str, str]]) -> str:
    """A hash of the items of a task in their order, each with its key and the hash of its dialogue.

    >>> items_content([("d1#3", "ab"), ("d2#3", "cd")]) == items_content([("d2#3", "cd"), ("d1#3", "ab")])
    False
    """
    return _hashed([list(item) for item in items])


def gold_content(items: Iterable[tuple[str, str]]) -> str:
    """The same for a gold task: another task than one that asks about these items to learn about them.

    >>> gold_content([("d1#3", "ab")]) == items_content([("d1#3", "ab")])
    False
    """
    return _hashed(["gold", *(list(item) for item in items)])


def fresh_content(asked: str, version: int) -> str:
    """The content of tasks that start anew in a version, although the same was asked before."""
    return _hashed([asked, version])


def has_same_codes(old: Study, new: Study, condition: str) -> bool:
    """Whether two studies differ in a condition by wording alone: the same questions, options and contexts."""
    asked = [_asked(study, condition) for study in (old, new)]
    return bool(_without_wording(asked[0]) == _without_wording(asked[1]))


def all_conditions(study: Study) -> list[str]:
    """The conditions of a study, and its qualifications, which count as conditions of their own."""
    qualifications = [CONDITION + name for name, pool in study.pools.items() if pool.qualification]
    return [*study.conditions, *qualifications]


def scales_of(design: TaskDesign) -> set[str]:
    """The names of the scales that a task design uses."""
    questions = (*design.questions, *design.feedback)
    used = {name for question in questions for _, name in question.used_names("scales")}
    return used | {label.scale for label in design.labels}


def _asked(study: Study, condition: str) -> dict[str, Any]:
    level, design = study.condition(condition), study.design(condition)
    return {
        "condition": condition,
        "stage": level.stage,
        "context": _plain(level.context),
        "texts": {kind: study.context.recipe(kind) for kind in level.context.kinds},
        "display": _plain(design.display),
        "questions": [_plain(question) for question in design.questions],
        "feedback": [_plain(question) for question in design.feedback],
        "labels": [_plain(label) for label in design.labels],
        "scales": {name: _plain(study.scales[name]) for name in sorted(scales_of(design))},
    }


def _plain(part: BaseModel) -> Any:
    """A part of a study as JSON values, without notes for the requester.

    Values that are the default are left out, so a field that a later release adds changes no content.
    """
    # The tag of a question type has a default where a subclass sets one.
    tag = {"type": part.type} if hasattr(part, "type") else {}
    return _without(part.model_dump(mode="json", exclude_defaults=True) | tag, NOTES)


def _without(value: Any, fields: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {name: _without(each, fields) for name, each in value.items() if name not in fields}
    return [_without(each, fields) for each in value] if isinstance(value, list) else value


def _without_wording(value: Any) -> Any:
    if isinstance(value, dict):
        # The name of an option is what raters read; that of a question is how answers are stored.
        words = WORDING | ({"name"} if "code" in value else set())
        return {
            name: _wordless(each) if name in words else _without_wording(each) for name, each in value.items()
        }
    return [_without_wording(each) for each in value] if isinstance(value, list) else value


def _wordless(value: Any) -> Any:
    """Whether there is a text: one that appears or disappears is more than other wording."""
    if isinstance(value, list):
        return [_wordless(each) for each in value]
    return bool(value) if isinstance(value, str) else value


def _hashed(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:HALF]
