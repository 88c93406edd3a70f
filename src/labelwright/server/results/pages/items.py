"""The list of items: its table, and what its template is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from labelwright.context import ContextRecipe
from labelwright.server.results.actions.items import ItemChoices, ItemList
from labelwright.server.results.pages.label_words import LabelWords, code_names, describe_label
from labelwright.server.results.queries.items import ItemFilter, ListedItem, StoredLabel
from labelwright.server.tallies.actions.judgments import Judged, judged_in, marked_in
from labelwright.server.web.desk.tables import FilterOption, Table, TableColumn, TableFilter, TableQuery
from labelwright.study import Study
from labelwright.task import Asking, StoredItem, item_parts
from labelwright.task.candidates import shown_candidates

Context = dict[str, Any]
MOST_LABELS = 3
MOST_UNITS = 7
SHADES = ("s1", "s2", "s3")
SHOWN = {"disagreement": "No clear label", "flagged": "Flagged", "open": "Still open"}


def read_list(study: Study, choices: ItemChoices, address: QueryDict) -> TableQuery:
    """What an address asks for of the list of items."""
    judged = {each.name: each for each in judged_in(study)}
    chosen = judged.get(address.get("question", ""))
    names = code_names(study, chosen) if chosen else {}
    codes = [FilterOption(str(code), name) for code, name in names.items()]
    counts = {
        "disagreement": choices.counts.disagreement,
        "flagged": choices.counts.flagged,
        "open": choices.counts.open,
    }
    options = {
        "show": [FilterOption(value, name, counts[value]) for value, name in SHOWN.items()],
        "condition": [FilterOption(name, name) for name in study.conditions]
        if len(study.conditions) > 1
        else [],
        "system": [FilterOption(name, name) for name in choices.systems],
        "question": [FilterOption(each.name, each.text) for each in judged.values()],
        # Several candidates or sentences together have no label.
        "label": codes if chosen and "*" not in chosen.name else [],
        "code": codes,
    }
    return _table(by_question=chosen is not None).read(address, options)


def _table(*, by_question: bool) -> Table:
    return Table(
        key="items",
        one="item in a condition",
        many="items",
        columns=(
            TableColumn("item", "Item", "t.key", css="l"),
            TableColumn("text", "Text", css="l"),
            TableColumn("system", "System", css="l"),
            TableColumn("condition", "Condition", "t.condition", css="l"),
            TableColumn("label", "Label", css="l"),
            TableColumn("answers", "Answers", "t.stored", css="l"),
            TableColumn(
                "disagreement",
                "Disagreement",
                "l.disagreement" if by_question else "t.disagreement",
                descending=True,
                css="l",
            ),
            TableColumn("state", "State", css="l"),
            TableColumn("flags", "Flags", "t.flags", descending=True),
        ),
        default="-disagreement",
        search="Find text or item",
        filters=(
            TableFilter("show", "Show", in_row=True),
            TableFilter("condition", "Condition"),
            TableFilter("system", "System"),
            TableFilter("question", "Question"),
            TableFilter("label", "Label", every="Any"),
            TableFilter("code", "Answer given", every="Any"),
        ),
        # The index that lists items by disagreement ends with these.
        tie="t.item_id DESC, t.condition",
    )


def wanted_items(query: TableQuery) -> ItemFilter:
    """The filter that a table asks for."""
    chosen = query.chosen
    return ItemFilter(
        search=query.search,
        show=chosen.get("show", ""),
        condition=chosen.get("condition", ""),
        system=chosen.get("system", ""),
        question=chosen.get("question", ""),
        label=int(chosen["label"]) if "label" in chosen else None,
        code=int(chosen["code"]) if "code" in chosen else None,
    )


def single_row(query: TableQuery, at: int) -> TableQuery:
    """The same list from its row `at` on, for the page of one item."""
    return replace(query, table=replace(query.table, on_a_page=1), page=at)


def list_name(query: TableQuery) -> str:
    """The filters of a list in words."""
    names = [f"“{query.search}”"] if query.search else []
    for key, value in query.chosen.items():
        names += [option.name for option in query.options.get(key, ()) if option.value == value]
    return ", ".join(names)


def item_address(query: TableQuery, item: int, condition: str, at: int) -> str:
    """The address of an item's page, from which the list goes on."""
    listed = query.address(at=at, **{"in": condition})
    return f"items/{item}{listed}"


def items(found: ItemList, query: TableQuery, study: Study) -> Context:
    """The page of the table, each row in words."""
    judged = {each.name: each for each in judged_in(study)}
    chosen = judged.get(query.chosen.get("question", "")) or (
        next(iter(judged.values())) if len(judged) == 1 else None
    )
    start = (query.page - 1) * query.table.on_a_page
    drawn = _Drawing(found, study, chosen, len(judged))
    rows = [
        drawn.row(line) | {"href": item_address(query, line.item, line.condition, start + n)}
        for n, line in enumerate(found.lines, start=1)
    ]
    return {
        "shown": query.shown(rows, found.total),
        "shades": _shades_in_words(chosen),
        "being_counted": found.being_counted,
        "marks_parts": bool(marked_in(study)),
    }


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What the rows of a page are drawn from."""

    found: ItemList
    study: Study
    judged: Judged | None
    """The question whose answers are drawn as squares, if there is only one."""
    questions: int

    def row(self, line: ListedItem) -> Context:
        """An item in a condition, in words."""
        item = self.found.items[line.item]
        labels = self._labels(line, item)
        return {
            "of": line,
            **_texts(item, line, self.study),
            "systems": list(dict.fromkeys(line.systems)),
            "labels": labels[:MOST_LABELS],
            "more_labels": len(labels) - MOST_LABELS,
            "titled": self.questions > 1,
            "units": self._units(line),
            "percent": None if line.disagreement is None else round(100 * line.disagreement),
            "state": _state(line),
        }

    def _labels(self, line: ListedItem, item: StoredItem) -> list[LabelWords]:
        """The labels of a line, the least clear first."""
        own = self.found.labels.get((line.item, line.condition), [])
        if self.judged is not None:
            own = [label for label in own if _belongs(label, self.judged)]
        described = [describe_label(self.found.version, label, item) for label in own]
        return sorted((each for each in described if each), key=lambda each: -each.disagreement)

    def _units(self, line: ListedItem) -> list[str]:
        """A square for each answer, in the order of the scale, and an empty one for each that is still wanted."""
        judged = self.judged
        if judged is None or "*" in judged.name or line.wanted > MOST_UNITS or line.gold:
            return []
        given = self.found.codes.get((line.item, line.condition, judged.name), {})
        squares = [shade for code, shade in shades_of(judged).items() for _ in range(given.get(code, 0))]
        return squares + ["e"] * (line.wanted - len(squares))


def shades_of(judged: Judged) -> dict[int, str]:
    """The shade of each code: a ramp if the scale has an order, otherwise one shade; hatched if it has no place in it."""
    placed = [point.code for point in judged.scale.points if point.placed]
    ramp = judged.scale.ordered and len(placed) > 1
    last = max(len(placed) - 1, 1)
    return {
        point.code: "x"
        if not point.placed
        else SHADES[round(2 * placed.index(point.code) / last)]
        if ramp
        else "s2"
        for point in judged.scale.points
    }


def _shades_in_words(judged: Judged | None) -> list[tuple[str, str]]:
    """The legend of the squares; none without an order, where all look alike."""
    if judged is None or "*" in judged.name or not judged.scale.ordered or judged.sides:
        return []
    return [(shade, judged.scale.name_of(code)) for code, shade in shades_of(judged).items()]


def _belongs(label: StoredLabel, judged: Judged) -> bool:
    wanted, steps = judged.name.split("."), label.question.split(".")
    return len(wanted) == len(steps) and all(w in ("*", s) for w, s in zip(wanted, steps, strict=True))


def _texts(item: StoredItem, line: ListedItem, study: Study) -> Context:
    """What a row shows of the text: the turn before, then what is judged."""
    recipe = (
        study.conditions[line.condition].context if line.condition in study.conditions else ContextRecipe()
    )
    parts = item_parts(item, recipe)
    if item.kind == "dialogue":
        first, last = parts.before[0], parts.before[-1]
        return {"lead": first["text"], "text": [(f"{len(parts.before)} turns", last["text"])]}
    *lead, target = [turn["text"] for turn in parts.focus] or [""]
    if parts.candidates:
        shown = shown_candidates(Asking({}, parts))
        return {
            "lead": target,
            "text": [(_candidate(each.letter, line, each.index), each.text) for each in shown],
        }
    return {"lead": target if parts.passage else " ".join(lead), "text": [("", parts.passage or target)]}


def _candidate(letter: str, line: ListedItem, index: int) -> str:
    return f"{letter} ({line.systems[index]})" if index < len(line.systems) else letter


def _state(line: ListedItem) -> Context:
    if line.gold:
        return {"name": "Gold item", "css": ""}
    if line.unclear:
        return {"name": "No clear label", "css": "warn"}
    if line.stored < line.wanted:
        return {"name": f"{line.wanted - line.stored} of {line.wanted} open", "css": ""}
    return {"name": "Discussed" if line.discussed else "Complete", "css": ""}
