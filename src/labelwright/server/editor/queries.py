"""SQL of the editor."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import PlaceState
from labelwright.server.store.models import DialogueRow
from labelwright.server.store.rows import column, record

_OF_VERSION = """SELECT DISTINCT i.dialogue_id FROM batch b JOIN place p ON p.batch_id = b.id
    JOIN task_item x ON x.task_id = p.task_id JOIN item i ON i.id = x.item_id
    WHERE b.version_id = %s AND p.state <> %s"""


def dialogues_of_version(version: int) -> list[DialogueRow]:
    """The dialogues of the items of a version."""
    ids = column(_OF_VERSION, [version, PlaceState.CLOSED])
    return list(DialogueRow.objects.filter(pk__in=ids).order_by("pk"))


@dataclass(frozen=True, slots=True)
class DialogueSize:
    """How many dialogues a study has, and about how large they are together."""

    n: int
    bytes: int


def size_of_dialogues(study: int, most: int) -> DialogueSize:
    """The size of the stored dialogues; of more than `most`, only one more is counted."""
    found = record(
        DialogueSize,
        """SELECT count(*) AS n, coalesce(sum(pg_column_size(turns)), 0)::bigint AS bytes FROM
           (SELECT turns FROM dialogue WHERE study_id = %s LIMIT %s) d""",
        [study, most + 1],
    )
    assert found is not None
    return found
