"""Template contexts of the item pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from labelwright.analysis.data.counting import REASONS
from labelwright.server.results.actions.attention import reason_of
from labelwright.server.results.actions.items import ON_A_PAGE
from labelwright.server.results.queries import ItemAnswer, ItemFilter, ItemLine
from labelwright.study import Study

Context = dict[str, Any]


def items(lines: list[ItemLine], total: int, wanted: ItemFilter, study: Study) -> Context:
    """The list of items, its filters and its pages."""
    names = point_names(study)
    return {
        "items": [{"of": line, "labels": _labels(names, line)} for line in lines],
        "total": total,
        "filter": wanted,
        "filters": _filters(wanted, list(study.conditions)),
        "earlier": _address(wanted, page=wanted.page - 1) if wanted.page > 1 else None,
        "later": _address(wanted, page=wanted.page + 1) if wanted.page * ON_A_PAGE < total else None,
    }


def _labels(names: dict[tuple[str, int], str], line: ItemLine) -> list[str]:
    """How often each label was given; a gold item says something about raters, and has no labels."""
    if line.gold:
        return ["gold item, not counted"]
    return [f"{_label(names, question, code)} × {n}" for question, code, n in sorted(line.codes)]


def _label(names: dict[tuple[str, int], str], question: str, code: int) -> str:
    """The name of a code; for a judgment inside an answer, with the name of the judgment."""
    name = name_of(names, question, code) or str(code)
    return f"{question}: {name}" if "." in question else name


def name_of(names: dict[tuple[str, int], str], question: str, code: int) -> str:
    """The name of a code of a stored answer; judgments about candidates or sentences share their names.

    >>> name_of({("quality.*.fit", 1): "Good"}, "quality.c0.fit", 1)
    'Good'
    """
    asked, *parts = question.split(".")
    any_other = ".".join([asked, "*", *parts[1:]])
    return names.get((question, code)) or names.get((any_other, code), "")


def point_names(study: Study) -> dict[tuple[str, int], str]:
    """The names of the codes of each stored answer; `*` stands for a part that depends on the item."""
    return {
        (name, point.code): point.name
        for design in study.designs.values()
        for name, scale in design.answer_scales(study.scales).items()
        for point in scale.points
    }


def _filters(wanted: ItemFilter, conditions: list[str]) -> list[Context]:
    shown = [
        {
            "name": "All conditions",
            "href": _address(wanted, condition=None, page=1),
            "current": wanted.condition is None,
        }
    ]
    shown += [
        {"name": name, "href": _address(wanted, condition=name, page=1), "current": wanted.condition == name}
        for name in conditions
    ]
    shown.append(
        {"name": "Still open", "href": _address(wanted, open=not wanted.open, page=1), "current": wanted.open}
    )
    shown.append(
        {
            "name": "Flagged",
            "href": _address(wanted, flagged=not wanted.flagged, page=1),
            "current": wanted.flagged,
        }
    )
    return shown


def _address(wanted: ItemFilter, **changes: Any) -> str:
    values = {
        "condition": wanted.condition,
        "question": wanted.question,
        "code": wanted.code,
        "flagged": wanted.flagged,
        "open": wanted.open,
        "page": wanted.page,
    } | changes
    given = {
        key: "1" if value is True else value for key, value in values.items() if value not in (None, False)
    }
    return "?" + urlencode({key: value for key, value in given.items() if (key, value) != ("page", 1)})


def answers(found: list[ItemAnswer], study: Study) -> list[Context]:
    """Every answer about an item, with the name of its code."""
    names = point_names(study)
    return [
        {
            "of": answer,
            "name": name_of(names, answer.question, answer.code) if answer.code is not None else "",
            "counts": _counts(answer),
        }
        for answer in found
    ]


def _counts(answer: ItemAnswer) -> str:
    """Whether an answer counts, or why it does not; free text has no code and is not counted at all."""
    if answer.code is None:
        return ""
    reason = reason_of(answer.left_out, answer.version, answer.condition, answer.question)
    return f"no, {REASONS[reason]}" if reason else "yes"
