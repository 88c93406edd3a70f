"""Items as lists show them: whatever changes one leaves a mark, and a job counts marked items again.

So no submission and no verdict waits for another one about the same item.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from labelwright.server.store.models import StudyRow
from labelwright.server.store.rows import planned_for_values
from labelwright.server.tallies.actions.judgments import JoinedVersions, judged_in
from labelwright.server.tallies.queries import items as queries
from labelwright.server.tallies.queries.items import ItemMark, TalliedName
from labelwright.task import pattern_of

IN_A_BLOCK = 1000


@transaction.atomic
def count_marked_items(limit: int = IN_A_BLOCK) -> int:
    """Counts the items of the next marks again; returns how many marks there were.

    One transaction: if the worker is killed in the middle, the marks are still there.
    """
    marks = queries.lock_marks(limit)
    for study in sorted({mark.study for mark in marks}):
        queries.lock_counting(study)
        _count(study, [mark for mark in marks if mark.study == study])
    queries.delete_marks([mark.id for mark in marks])
    return len(marks)


def _count(study: int, marks: Sequence[ItemMark]) -> None:
    # Rows of a study that is being deleted are gone or going.
    row = StudyRow.objects.filter(pk=study, deleted_at=None).first()
    items = sorted({mark.item for mark in marks if mark.item is not None})
    if row is None:
        return
    if any(mark.item is None for mark in marks):
        queries.mark_all(study)
    elif items:
        joined = JoinedVersions.of(row)
        with planned_for_values():
            queries.store_labels(study, items, _labels(joined))
            queries.store_lines(study, joined.ids[-1], items)
            queries.store_words(study, items)


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
