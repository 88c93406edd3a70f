"""Items as lists show them; changed ones are marked and counted again."""

from __future__ import annotations

import json

from labelwright.agreement.spans import Spans, pair_overlap
from labelwright.server.store.models import StudyRow
from labelwright.server.tallies.actions.judgments import JoinedVersions, MarkedParts, judged_in, marked_in
from labelwright.server.tallies.actions.marks import count_marked
from labelwright.server.tallies.queries import items as queries
from labelwright.server.tallies.queries.items import Overlap, TalliedName
from labelwright.server.tallies.queries.marks import ITEM_MARKS
from labelwright.task import pattern_of

IN_A_BLOCK = 1000


def count_marked_items(limit: int = IN_A_BLOCK) -> int:
    """Counts the items of the next marks again; returns how many marks there were."""
    return count_marked(ITEM_MARKS, _count, limit)


def _count(row: StudyRow, items: list[int]) -> None:
    joined = JoinedVersions.of(row)
    queries.store_labels(row.pk, items, _labels(joined))
    for marked in marked_in(joined.newest):
        queries.store_overlaps(row.pk, marked.label, _overlaps(joined, marked, items))
    queries.store_lines(row.pk, joined.ids[-1], items)
    queries.store_words(row.pk, items)


def _overlaps(joined: JoinedVersions, marked: MarkedParts, items: list[int]) -> list[Overlap]:
    """How far the marked parts of pairs of raters overlap, for each item and condition with answers that count."""
    texts: dict[tuple[int, str], list[Spans]] = {}
    versions = joined.asking_to_mark(marked)
    for answer in queries.marked_answers(joined.row, items, marked.question.name, versions):
        parts = marked.question.selected(json.loads(answer.value_json))
        texts.setdefault((answer.item, answer.condition), []).append(parts)
    return [
        Overlap(item, condition, len(raters), pair_overlap(raters))
        for (item, condition), raters in texts.items()
    ]


def _labels(joined: JoinedVersions) -> list[tuple[TalliedName, str]]:
    """The stored names and codes that are labels, each with the name that stands for all candidates or sentences.

    As in the figures, an answer such as "I don't know" is no label, nor is one to a question that the newest version
    does not ask in the same way.
    """
    judged = {
        (version, each.name): each for each in judged_in(joined.newest) for version in joined.asking(each)
    }
    found = []
    for tallied in queries.tallied_names(joined.row):
        names = [name for version, name in judged if version == tallied.version]
        name = pattern_of(tallied.question, names)
        if name and tallied.code in judged[tallied.version, name].scale.labels:
            found.append((tallied, name))
    return found
