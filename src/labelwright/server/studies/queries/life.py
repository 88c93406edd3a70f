"""SQL of the states of studies, as pages and commands show them."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import BatchState, PlaceState, StudyState
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import literal, records, value

REVIEW = "review"
"""The state that is shown for an open study without open places whose flagged work is undecided."""

# An open place is found by its index, and so is a flag without a verdict, unless all of many are decided.
_SHOWN = f"""CASE WHEN s.state = {literal(StudyState.OPEN)}
    AND NOT EXISTS (SELECT 1 FROM batch b JOIN place p ON p.batch_id = b.id AND p.state = {literal(PlaceState.OPEN)}
                    WHERE b.study_id = s.id AND b.state <> {literal(BatchState.CLOSED)}
                      AND b.purpose <> {literal(Batch.Purpose.JUDGE)})
    AND EXISTS (SELECT 1 FROM flag f WHERE f.study_id = s.id AND f."then" <> 'nothing'
                  AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = f.assignment_id))
  THEN '{REVIEW}' ELSE s.state END"""


def shown_state(study: int) -> str:
    """The state of a study as pages show it."""
    return str(value(f"SELECT {_SHOWN} FROM study s WHERE s.id = %s", [study]))


@dataclass(frozen=True, slots=True)
class StudyStateLine:
    """A study in the list of the command line."""

    name: str
    state: str
    version: int
    """The newest; 0 if only its file was begun."""
    owner: str


def state_lines(*, archived: bool) -> list[StudyStateLine]:
    """Every study, the newest first; archived ones only if asked for."""
    return records(
        StudyStateLine,
        f"""SELECT s.name, {_SHOWN} AS state, coalesce(u.email, '') AS owner,
                   (SELECT coalesce(max(n), 0) FROM study_version v WHERE v.study_id = s.id) AS version
            FROM study s LEFT JOIN user_account u ON u.id = s.owner_id
            WHERE s.deleted_at IS NULL AND (%s OR s.state <> {literal(StudyState.ARCHIVED)}) ORDER BY s.id DESC""",
        [archived],
    )
