"""Evidence in words, with questions as raters read them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from textwrap import shorten
from typing import Any

from labelwright.quality.rules import RULES, Rule

LONGEST_TEXT = 80
"""Characters of a question that evidence quotes."""
_PLACE = re.compile(r"(\d+:)([^.]+)(\..+)?")
_NAMING = ("question", "questions")
"""The keys of evidence whose values are names of questions; elsewhere, they stand behind a position."""


def tell_flag(rule: str, evidence: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The evidence of a flag for the requester; `texts` holds the questions by their names.

    >>> evidence = {"wrong": ["0:look"], "right_share": 0.0, "at_least": 1.0}
    >>> tell_flag("attention_failed", evidence, {"look": "Which reply is marked?"})
    '0% right; expected at least 100%. Wrong: “Which reply is marked?” (item 1)'
    >>> items = [{"position": 0, "category": "done", "code": 7, "answer": "“Failed”"}]
    >>> tell_flag("category_mismatch", {"items": items, "question": "outcome"}, {"outcome": "How did it end?"})
    'item 1: “Failed” (“How did it end?”) does not go with the automatic category done'
    """
    told = {
        key: _named(value, texts) if key in _NAMING else _placed(value, texts)
        for key, value in evidence.items()
    }
    return RULES.get(rule, Rule).tell(told)


def _quoted(text: str) -> str:
    return f"“{shorten(text, LONGEST_TEXT, placeholder=' …')}”"


def _named(value: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _quoted(texts[value]) if value in texts else value
    return [_named(each, texts) for each in value]


def _placed(value: Any, texts: Mapping[str, str]) -> Any:
    """The same evidence with texts in all places such as `0:useful`."""
    if isinstance(value, Mapping):
        return {_placed(key, texts): _placed(each, texts) for key, each in value.items()}
    if isinstance(value, list):
        return [_placed(each, texts) for each in value]
    found = _PLACE.fullmatch(value) if isinstance(value, str) else None
    return f"{found[1]}{_quoted(texts[found[2]])}" if found and found[2] in texts else value
