"""Template context of the page on which an expert discusses items of low agreement."""

from __future__ import annotations

from typing import Any

from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER
from labelwright.server.results.pages.label_words import describe_label
from labelwright.server.review.actions.discussion import MOST_DRAWN, BatchDiscussion
from labelwright.server.review.queries.discussion import DrawnItem, RatedBatch

Context = dict[str, Any]


def discussion(found: BatchDiscussion) -> Context:
    """The drawn items, each with its labels."""
    return {
        "batches": [{"of": each, "name": _name(each)} for each in found.batches],
        "batch": found.batch,
        "rows": [_row(each, found) for each in found.drawn],
        "left": sum(each.discussed_at is None for each in found.drawn),
        "most": MOST_DRAWN,
        "longest": LONGEST_BY_REQUESTER,
    }


def _name(batch: RatedBatch) -> str:
    number = f"Batch {batch.number + 1}"
    return f"{number}: {batch.topic}" if batch.topic else number


def _row(each: DrawnItem, found: BatchDiscussion) -> Context:
    item = found.items[each.item]
    described = (
        describe_label(found.version, label, item)
        for label in found.labels.get((each.item, each.condition), [])
    )
    turns = [turn["text"] for turn in item.turns]
    return {
        "of": each,
        "text": turns[item.target] if item.kind == "exchange" and item.target < len(turns) else "",
        "labels": [words for words in described if words is not None and words.unclear],
    }
