"""Template context of an item's page: what raters saw, what they answered, and the label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from labelwright.quality import tell_flag
from labelwright.server.rating.pages.reading import readings
from labelwright.server.results.actions.items import ItemEvidence
from labelwright.server.results.pages.items import item_address, list_name
from labelwright.server.results.pages.label_words import LabelWords, describe_label
from labelwright.server.results.pages.matrix import comments, make_matrix, systems_of
from labelwright.server.results.pages.spans import MarkedQuestion, marked_texts
from labelwright.server.results.queries.items import ListedItem
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.server.web.desk.tables import TableQuery, Total
from labelwright.server.web.language import in_language
from labelwright.server.web.responses import language_frame
from labelwright.task.candidates import shown_candidates

Context = dict[str, Any]
MOST_BESIDE = 4
"""Raters whose answers fit beside what they saw; more are shown below it."""


def item(evidence: ItemEvidence, query: TableQuery, spans: str | None = None) -> Context:
    """The page of an item in a condition.

    `query` is the list that it was opened from; `spans` names the question whose marked parts are laid over the text.
    """
    marked = marked_texts(evidence)
    laid = marked.get(spans or "", next(iter(marked.values()), None))
    matrix = make_matrix(evidence, marked)
    study = study_of(evidence.version)
    return {
        "item": evidence.facts,
        "subtitle": _subtitle(evidence),
        "condition": evidence.condition,
        "conditions": _conditions(evidence, query),
        "list_query": query.address(),
        "here": query.address(**{"in": evidence.condition}),
        "filter_name": list_name(query),
        "readings": readings_of(evidence, laid),
        "shown_in": language_frame(study),
        "lower_case": study.design(evidence.condition).display.lower_case,
        "wide": bool(systems_of(evidence)) or len(evidence.work) > MOST_BESIDE,
        "marked": laid,
        "other_marked": [each for each in marked.values() if each is not laid],
        "matrix": matrix,
        "raters": len(evidence.work),
        "comments": comments(evidence),
        "flags": _flags(evidence),
        "others": _other_conditions(evidence, query),
    }


def _subtitle(evidence: ItemEvidence) -> str:
    """Where the item comes from."""
    systems = [evidence.facts.system] if evidence.facts.system else list(filter(None, systems_of(evidence)))
    origin = " and ".join(dict.fromkeys(systems))
    return ", ".join(filter(None, [origin, f"dialogue {evidence.facts.dialogue}"]))


def neighbours(
    evidence: ItemEvidence,
    query: TableQuery,
    at: int,
    before: list[ListedItem],
    around: list[ListedItem],
    total: Total,
) -> Context:
    """The items before and after row `at` of the list.

    `around` begins with that row. If it holds another item now, because the list has changed, the place is not shown,
    and the next item is the one in its row.
    """
    here = bool(around) and (around[0].item, around[0].condition) == (evidence.facts.id, evidence.condition)
    after = around[1:2] if here else around[:1]

    def address(lines: list[ListedItem], row: int) -> str:
        return "../" + item_address(query, lines[0].item, lines[0].condition, row) if lines else ""

    return {
        "position": f"{at:,} of {total}" if here else "",
        "previous": address(before, at - 1),
        "next": address(after, at + 1 if here else at),
    }


def _conditions(evidence: ItemEvidence, query: TableQuery) -> list[Context]:
    return [
        {
            "name": each.condition,
            "href": query.address(**{"in": each.condition}),
            "current": each.condition == evidence.condition,
        }
        for each in evidence.conditions
    ]


def readings_of(evidence: ItemEvidence, laid: MarkedQuestion | None) -> list[Context]:
    """The reading pane of the rater's page, in the language of the study; with the marked parts laid over the text."""
    study = study_of(evidence.version)
    parts = [study.asking(evidence.condition, shown.item).item for shown in evidence.shown]
    with in_language(study.language):
        blocks = readings(evidence.shown, parts, together=study.tasks.together is not None)
    if laid is not None:
        blocks = [_with_lanes(block, laid) for block in blocks]
    notes = _candidate_notes(evidence)
    return [block | {"candidates": _noted(block.get("candidates", ()), notes)} for block in blocks]


def _noted(candidates: Iterable[Context], notes: Mapping[int, str]) -> list[Context]:
    return [candidate | {"note": notes[candidate["index"]]} for candidate in candidates]


def _with_lanes(block: Context, laid: MarkedQuestion) -> Context:
    """The text under judgment with a line for each rater; it is the passage, or the last turn of the exchange."""
    if block.get("passage"):
        return block | {"passage": laid.html}
    *before, target = block.get("focus") or [None]
    return block if target is None else block | {"focus": [*before, target | {"text": laid.html}]}


def _candidate_notes(evidence: ItemEvidence) -> dict[int, str]:
    """The system of each candidate, and the letters under which raters saw it, by its position in the item."""
    asking = study_of(evidence.version).asking(evidence.condition, evidence.item)
    letters: dict[int, Counter[str]] = {}
    for work in evidence.work:
        order = study_of(work.version).order_for(work.rater_number, evidence.item)
        for shown in shown_candidates(replace(asking, order=order)):
            letters.setdefault(shown.index, Counter())[shown.letter] += 1
    return {
        index: "; ".join(filter(None, [system, _seen(letters.get(index, Counter()))]))
        for index, system in enumerate(systems_of(evidence))
    }


def _seen(letters: Counter[str]) -> str:
    """Which letter a candidate had on the pages of how many raters."""
    if not letters:
        return ""
    return "shown as " + ", ".join(
        f"{letter} to {n} rater{'s' * (n != 1)}" for letter, n in sorted(letters.items())
    )


def _flags(evidence: ItemEvidence) -> list[Context]:
    """The flags on tasks with this item, each in words."""
    raters = {work.assignment: work.rater for work in evidence.work}
    texts = {work.assignment: study_of(work.version).question_texts for work in evidence.work}
    return [
        {
            "rule": rule_name(flag.rule),
            "rater": raters[flag.assignment],
            "evidence": tell_flag(flag.rule, flag.evidence, texts[flag.assignment]),
        }
        for flag in evidence.flags
    ]


def _other_conditions(evidence: ItemEvidence, query: TableQuery) -> list[Context]:
    """The labels of this item in the other conditions."""
    newest = evidence.row.versions.latest("n").pk
    described: dict[str, list[LabelWords]] = {}
    for label in evidence.labels:
        words = describe_label(newest, label, evidence.item)
        if words is not None:
            described.setdefault(label.condition, []).append(words)
    return [
        {
            "name": each.condition,
            "href": query.address(**{"in": each.condition}),
            "stored": each.stored,
            "wanted": each.wanted,
            "labels": described.get(each.condition, []),
        }
        for each in evidence.conditions
        if each.condition != evidence.condition
    ]
