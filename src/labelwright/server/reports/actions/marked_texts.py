"""Texts in which raters marked parts, as a report needs them. Reads only."""

from __future__ import annotations

import json

from labelwright.agreement.spans import Spans
from labelwright.report.spans import MarkedText, SpanSet
from labelwright.server.reports.queries import marked_texts as queries
from labelwright.server.reports.queries.marked_texts import RaterMarks
from labelwright.server.store.items import stored_items
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions.judgments import JoinedVersions, MarkedParts, marked_in


def get_span_sets(row: StudyRow) -> tuple[SpanSet, ...]:
    """The marked texts of each condition, once for each question that asks to mark parts; data that do not count are left out."""
    joined = JoinedVersions.of(row)
    asked = marked_in(joined.newest)
    found = []
    for marked in asked:
        work = queries.marked_work(row.pk, marked.question.name, joined.asking_to_mark(marked))
        for condition in dict.fromkeys(each.condition for each in work):
            own = [each for each in work if each.condition == condition]
            name = condition if len(asked) == 1 else f"{condition}, {marked.question.name}"
            found.append(SpanSet(name, _texts(marked, own), len({each.rater for each in own})))
    return tuple(found)


def _texts(marked: MarkedParts, work: list[RaterMarks]) -> dict[str, MarkedText]:
    items = stored_items(sorted({each.item for each in work}))
    by_item: dict[int, list[RaterMarks]] = {}
    for each in work:
        by_item.setdefault(each.item, []).append(each)
    return {
        # A dialogue that changed under the same key is another text.
        f"{items[item].key}@{item}": MarkedText(
            text=study_of(own[0].version).asking(own[0].condition, items[item]).item.text,
            marks=tuple(_marks(marked, each) for each in own),
            seconds=tuple(each.seconds for each in own),
        )
        for item, own in by_item.items()
    }


def _marks(marked: MarkedParts, work: RaterMarks) -> Spans:
    return marked.question.selected(json.loads(work.value_json))
