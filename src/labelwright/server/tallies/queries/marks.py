"""SQL of marks: rows which say that an item or a rater has changed and must be counted again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.server.store.rows import records, run


@dataclass(frozen=True, slots=True)
class Mark:
    """A note that an item or a rater has changed; without one, that all of the study have."""

    id: int
    study: int
    marked: int | None


@dataclass(frozen=True, slots=True)
class MarkTable:
    """Where the marks of one kind are. Its names are constants of this module."""

    table: str
    column: str
    """The column of what is marked."""
    of: str
    """The table of what is marked."""
    lock_class: int
    """Of the advisory locks that jobs take which write lines of what is marked."""

    def lock_next(self, limit: int) -> list[Mark]:
        """The next marks; those that another worker holds are skipped."""
        return records(
            Mark,
            f"""SELECT id, study_id AS study, {self.column} AS marked FROM {self.table} ORDER BY id LIMIT %s
                FOR UPDATE SKIP LOCKED""",
            [limit],
        )

    def delete(self, marks: Sequence[Mark]) -> None:
        """Deletes marks whose subjects are counted."""
        run(f"DELETE FROM {self.table} WHERE id = ANY(%s)", [[mark.id for mark in marks]])

    def mark_all(self, study: int) -> None:
        """Marks everything of a study."""
        run(
            f"""INSERT INTO {self.table} (study_id, {self.column})
                SELECT study_id, id FROM {self.of} WHERE study_id = %s ORDER BY id""",
            [study],
        )

    def lock_lines(self, study: int) -> None:
        """Waits until no other worker writes lines of the study, so that the statements after it see what it stored."""
        run("SELECT pg_advisory_xact_lock(%s, hashint8(%s))", [self.lock_class, study])


ITEM_MARKS = MarkTable("item_change", "item_id", "item", lock_class=13)
RATER_MARKS = MarkTable("rater_change", "rater_id", "rater", lock_class=14)
