"""Answers in the words that raters know them by: names of options, pieces of the text, own words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from turnwise.study import Study
from turnwise.task.questions import Question


def answer_in_words(study: Study, question: Question, value: Any, text: str = "") -> str:
    """An answer as it is read; `text` is the passage or reply that marked parts are parts of.

    What has no words of its own, such as a ranking, is told as it is stored.
    """
    if value is None:
        return "–"
    scale = question.answer_scales(study.scales).get("")
    names = {point.code: point.name for point in scale.points} if scale else {}
    code = value if isinstance(value, int) else question.code(value)
    if code in names:
        return _yes_or_no(names[code]) if question.type == "yes_no" else names[code]
    pieces = _pieces(value, text)
    if pieces is not None:
        return "; ".join(f"“{piece}”" for piece in pieces) or "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _yes_or_no(name: str) -> str:
    """What the type brings along itself, in the language of the page; other names are the study file's."""
    return {"Yes": _("Yes"), "No": _("No")}[name]


def _pieces(value: Any, text: str) -> list[str] | None:
    """The pieces of a text that were marked or chosen; None for an answer of another kind."""
    spans: Any = value
    if isinstance(value, Mapping) and {"chosen", "sentences"} <= value.keys():
        spans = [value["sentences"][place] for place in value["chosen"]]
    if not text or not isinstance(spans, list) or not all(_is_span(span) for span in spans):
        return None
    return [text[span[0] : span[1]] for span in spans]


def _is_span(span: Any) -> bool:
    return isinstance(span, Sequence) and len(span) >= 2 and all(isinstance(at, int) for at in span[:2])
