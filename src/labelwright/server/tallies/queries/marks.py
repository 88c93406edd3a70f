"""SQL of marks: rows which say that something has changed, so that a job looks at it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.server.store.rows import records, run


@dataclass(frozen=True, slots=True)
class Mark:
    """A note that an item, a rater or work has changed; without a number, that all of the study have."""

    id: int
    study: int
    marked: int | None


@dataclass(frozen=True, slots=True)
class MarkTable:
    """Where the marks of one kind are. Its names are constants of this module."""

    table: str
    column: str
    """The column of what is marked."""
    listed_in: tuple[str, str]
    """The table and the column that hold all that can be marked."""
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
        table, column = self.listed_in
        run(
            f"""INSERT INTO {self.table} (study_id, {self.column})
                SELECT DISTINCT study_id, {column} FROM {table} WHERE study_id = %s ORDER BY {column}""",
            [study],
        )

    def lock_lines(self, study: int) -> None:
        """Waits until no other worker writes lines of the study, so that the statements after it see what it stored."""
        run("SELECT pg_advisory_xact_lock(%s, hashint8(%s))", [self.lock_class, study])


ITEM_MARKS = MarkTable("item_change", "item_id", ("item", "id"), lock_class=13)
RATER_MARKS = MarkTable("rater_change", "rater_id", ("rater", "id"), lock_class=14)
CASE_MARKS = MarkTable("case_change", "assignment_id", ("flag", "assignment_id"), lock_class=15)
