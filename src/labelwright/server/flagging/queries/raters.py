"""SQL of flagging: the labels of raters of a study, and the figures kept of each rater."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from labelwright.server.store.rows import column, record, records, run, value

MOST_RATINGS = 1_000_000
"""Of more ratings, the newest are compared."""
LOCK_CLASS = 15
"""Of the advisory locks that only this job takes."""


@dataclass(frozen=True, slots=True)
class ChangedStudy:
    """A study with submissions since its raters were last compared."""

    study: int
    newest: datetime


def next_changed_study() -> ChangedStudy | None:
    """One study with new submissions; None also while another worker compares its raters."""
    found = record(
        ChangedStudy,
        """SELECT s.id AS study, n.newest
           FROM study s LEFT JOIN rater_audit r ON r.study_id = s.id
           CROSS JOIN LATERAL (SELECT max(a.submitted_at) AS newest FROM assignment a WHERE a.study_id = s.id) n
           WHERE s.deleted_at IS NULL AND n.newest > coalesce(r.seen_until, '-infinity')
           ORDER BY s.id LIMIT 1""",
    )
    # Not the row of the study: whoever pauses it must not wait for a comparison.
    if found and value("SELECT pg_try_advisory_xact_lock(%s, hashint8(%s))", [LOCK_CLASS, found.study]):
        return found
    return None


def note_compared(changed: ChangedStudy, now: datetime) -> None:
    """Notes that the raters of a study were compared."""
    run(
        """INSERT INTO rater_audit (study_id, seen_until, audited_at) VALUES (%s, %s, %s)
           ON CONFLICT (study_id) DO UPDATE SET seen_until = excluded.seen_until, audited_at = excluded.audited_at""",
        [changed.study, changed.newest, now],
    )


@dataclass(frozen=True, slots=True)
class Label:
    """One rater's label of one item."""

    condition: str
    question: str
    item: int
    rater: int
    code: int


def labels_of(study: int, versions: Sequence[int]) -> list[Label]:
    """The labels of a study that count, in the order of submission; reads them all up to a number, so only a job calls it."""
    return records(
        Label,
        """SELECT condition, question, item, rater, code FROM (
             SELECT id, condition, question, item_id AS item, rater_id AS rater, code FROM counted_answer
             WHERE study_id = %s AND version_id = ANY(%s) AND left_out = '' AND NOT unflagged AND code IS NOT NULL
             ORDER BY id DESC LIMIT %s) newest ORDER BY id""",
        [study, list(versions), MOST_RATINGS],
    )


@dataclass(frozen=True, slots=True)
class StoredFinding:
    """A figure of a rater."""

    rater: int
    kind: str
    figures_json: str

    @property
    def figures(self) -> dict[str, Any]:
        """The values."""
        figures: dict[str, Any] = json.loads(self.figures_json)
        return figures


def findings_of(raters: Sequence[int]) -> list[StoredFinding]:
    """The figures of raters."""
    return records(
        StoredFinding,
        "SELECT rater_id AS rater, kind, figures::text AS figures_json FROM rater_finding WHERE rater_id = ANY(%s)",
        [list(raters)],
    )


def store_findings(study: int, found: Mapping[int, Mapping[str, Any]], now: datetime) -> list[int]:
    """Stores the figures of all raters of a study by kind; returns the raters whose figures changed."""
    rows = [
        (rater, kind, json.dumps(values)) for rater, kinds in found.items() for kind, values in kinds.items()
    ]
    columns = {"raters": [row[0] for row in rows], "kinds": [row[1] for row in rows]}
    gone = column(
        """DELETE FROM rater_finding f WHERE f.study_id = %(study)s
             AND NOT EXISTS (SELECT 1 FROM unnest(%(raters)s::bigint[], %(kinds)s::text[]) AS n(rater, kind)
                             WHERE n.rater = f.rater_id AND n.kind = f.kind)
           RETURNING f.rater_id""",
        {"study": study, **columns},
    )
    changed = column(
        """INSERT INTO rater_finding (study_id, rater_id, kind, figures, found_at)
           SELECT %(study)s, rater, kind, figures::jsonb, %(now)s
           FROM unnest(%(raters)s::bigint[], %(kinds)s::text[], %(figures)s::text[]) AS n(rater, kind, figures)
           ORDER BY rater, kind
           ON CONFLICT (rater_id, kind, study_id) DO UPDATE
           SET figures = excluded.figures, found_at = excluded.found_at
           WHERE rater_finding.figures IS DISTINCT FROM excluded.figures
           RETURNING rater_id""",
        {"study": study, "now": now, "figures": [row[2] for row in rows], **columns},
    )
    return sorted({*gone, *changed})


def names_of(raters: Sequence[int]) -> dict[int, str]:
    """The names of raters."""
    found = records(
        RaterName, "SELECT id AS rater, pseudonym AS name FROM rater WHERE id = ANY(%s)", [list(raters)]
    )
    return {each.rater: each.name for each in found}


@dataclass(frozen=True, slots=True)
class RaterName:
    """A rater and their name."""

    rater: int
    name: str
