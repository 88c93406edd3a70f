"""SQL of webhooks: what happened in a study, from tallies and partial indexes."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import AssignmentState, BatchState, PlaceState
from labelwright.server.store.models import Batch, Context
from labelwright.server.store.rows import counts, literal, record


@dataclass(frozen=True, slots=True)
class StudyEvents:
    """What webhooks are told about."""

    judgments: int
    version: int
    version_number: int
    full: bool
    newest_flag: int


def study_events(study: int) -> StudyEvents:
    """The present state of a study. Full means: nothing is open, at work, waiting for a text or planned for later."""
    found = record(
        StudyEvents,
        f"""SELECT coalesce((SELECT sum(n) FROM tally WHERE study_id = s.id AND left_out = ''), 0)::bigint AS judgments,
                   v.id AS version, v.n AS version_number,
                   coalesce((SELECT max(id) FROM flag WHERE study_id = s.id AND "then" <> 'nothing'), 0) AS newest_flag,
                   NOT EXISTS (SELECT 1 FROM place WHERE study_id = s.id AND batch_id = ANY(b.ids)
                                 AND state = {literal(PlaceState.OPEN)} AND NOT gold)
                   AND NOT EXISTS (SELECT 1 FROM assignment WHERE study_id = s.id
                                     AND state = {literal(AssignmentState.OPEN)})
                   AND NOT EXISTS (SELECT 1 FROM context WHERE version_id = v.id AND study_id = s.id
                                     AND state = %(waiting)s)
                   AND NOT b.planned AS full
            FROM study s
            JOIN LATERAL (SELECT id, n FROM study_version WHERE study_id = s.id ORDER BY n DESC LIMIT 1) v ON true
            JOIN LATERAL (SELECT array_agg(id) AS ids, coalesce(bool_or(state = {literal(BatchState.PLANNED)}), true)
                                 AS planned
                          FROM batch WHERE study_id = s.id AND version_id = v.id AND purpose = %(collect)s) b ON true
            WHERE s.id = %(study)s""",
        {"study": study, "waiting": Context.State.WAITING, "collect": Batch.Purpose.COLLECT},
    )
    assert found is not None
    return found


def flags_by_rule(study: int, after: int) -> dict[str, int]:
    """The number of flags of each rule that are newer than a flag."""
    return counts(
        """SELECT rule, count(*) FROM flag WHERE study_id = %s AND id > %s AND "then" <> 'nothing' GROUP BY 1""",
        [study, after],
    )
