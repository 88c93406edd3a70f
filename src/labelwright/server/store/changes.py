"""Notes that a study, its items or its raters have changed, so that its figures or its lists are out of date."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.server.store.rows import column, run


def note_change(*studies: int) -> None:
    """Notes that studies have changed; in the transaction that changes them.

    Earlier notes of the same studies are deleted, unless another transaction is about to do so.
    """
    run(
        """WITH earlier AS (SELECT id FROM study_change WHERE study_id = ANY(%(studies)s) FOR UPDATE SKIP LOCKED),
             deleted AS (DELETE FROM study_change c USING earlier e WHERE c.id = e.id)
           INSERT INTO study_change (study_id) SELECT DISTINCT unnest(%(studies)s::bigint[])""",
        {"studies": list(studies)},
    )


def noted_changes(study: int) -> list[int]:
    """The notes of a study. Whoever reads the study after this sees everything that they are about."""
    return column("SELECT id FROM study_change WHERE study_id = %s", [study])


def delete_notes(notes: Sequence[int]) -> None:
    """Deletes notes that were read; changes since then have notes of their own."""
    run(
        """DELETE FROM study_change WHERE id IN (
             SELECT id FROM study_change WHERE id = ANY(%s) FOR UPDATE SKIP LOCKED)""",
        [list(notes)],
    )


def note_changed_tasks(study: int) -> None:
    """Notes that a study has other tasks or places, so that its items and raters are counted again; in that transaction."""
    run("INSERT INTO item_change (study_id) VALUES (%s)", [study])
    run("INSERT INTO rater_change (study_id) VALUES (%s)", [study])


def note_changed_items(assignments: Sequence[int]) -> None:
    """Notes that work on the items of assignments has changed; in the transaction that changes it."""
    run(
        """INSERT INTO item_change (study_id, item_id)
           SELECT DISTINCT s.study_id, x.item_id FROM assignment s JOIN task_item x ON x.task_id = s.task_id
           WHERE s.id = ANY(%s)""",
        [list(assignments)],
    )


def note_changed_raters(study: int, raters: Sequence[int]) -> None:
    """Notes that raters of a study have changed; in the transaction that changes them."""
    run(
        "INSERT INTO rater_change (study_id, rater_id) SELECT %s, unnest(%s::bigint[])", [study, list(raters)]
    )


def note_changed_work(assignments: Sequence[int]) -> None:
    """Notes that work of raters has changed; in the transaction that changes it."""
    run(
        """INSERT INTO rater_change (study_id, rater_id)
           SELECT DISTINCT study_id, rater_id FROM assignment WHERE id = ANY(%s)""",
        [list(assignments)],
    )


def note_reviewable_work(assignments: Sequence[int]) -> None:
    """Notes that submitted work was checked by the quality rules, so that it is put into the review queue if it belongs
    there; in the transaction that stores the flags."""
    run(
        """INSERT INTO case_change (study_id, assignment_id)
           SELECT study_id, id FROM assignment WHERE id = ANY(%s) ORDER BY id""",
        [list(assignments)],
    )
