"""Agreement while the labels come in, from the tallies and from single ratings. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from turnwise.agreement import Bootstrap, Counts, Estimate, Ratings, measure
from turnwise.scales import Scale
from turnwise.server.store.rows import rows
from turnwise.study import Study

REPLICATES = 1000
MOST_RATINGS = 200_000
"""Kappa needs single ratings; the first so many are taken. The others come from the tallies."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is measured."""

    question: str
    scale: Scale
    batches: tuple[int, ...]
    main: str
    conditions: tuple[str, ...]
    seed: int


def get_agreement(
    study: Study, question: str, scale: Scale, batches: Sequence[int], main: str
) -> dict[str, dict[str, Estimate]]:
    """Agreement on a question in each condition; computed once for each state of what was judged.

    A process remembers it, because with many raters it takes seconds and the page asks for it again and again.
    """
    asked = _Asked(question, scale, tuple(batches), main, tuple(study.conditions), study.seed)
    return _measured(asked, _state(asked.batches))


def _state(batches: tuple[int, ...]) -> tuple[int, ...]:
    """Tells states of the labels apart: labels are only added, or taken out by a verdict or a deletion."""
    return (
        tuple(
            rows(
                """SELECT (SELECT coalesce(sum(n), 0)::bigint FROM tally WHERE batch_id = ANY(%(batches)s)),
                      (SELECT count(*) FROM verdict v WHERE v.study_id = b.study_id),
                      (SELECT count(*) FROM rater r WHERE r.study_id = b.study_id AND r.forgotten_at IS NOT NULL)
               FROM batch b WHERE b.id = ANY(%(batches)s) LIMIT 1""",
                {"batches": list(batches)},
            )[0]
        )
        if batches
        else ()
    )


@lru_cache(maxsize=256)
def _measured(asked: _Asked, _at: tuple[int, ...]) -> dict[str, dict[str, Estimate]]:
    question, scale, batches, main = asked.question, asked.scale, list(asked.batches), asked.main
    column = {code: place for place, code in enumerate(scale.labels)}
    tables: dict[str, dict[int, list[int]]] = {name: {} for name in asked.conditions}
    for condition, item, code, n in rows(
        """SELECT i.condition, i.item_id, i.code, i.n FROM item_tally i
           WHERE i.question = %s AND (i.item_id, i.condition) IN (
             SELECT x.item_id, t.condition FROM task t JOIN task_item x ON x.task_id = t.id WHERE t.batch_id = ANY(%s))""",
        [question, batches],
    ):
        if code in column:
            tables[condition].setdefault(item, [0] * len(column))[column[code]] = n
    bootstrap = Bootstrap(replicates=REPLICATES, seed=asked.seed % 2**32)
    singles = _ratings(question, batches, scale)
    found: dict[str, dict[str, Estimate]] = {}
    for name, table in tables.items():
        counts = Counts.of_table(list(table.values()), scale.labels)
        found[name] = measure(counts, ["percentage", main], bootstrap)
        if name in singles:
            found[name] |= measure(singles[name], ["cohen_kappa"], bootstrap)
    return found


def _ratings(question: str, batches: list[int], scale: Scale) -> dict[str, Ratings]:
    """Single ratings in the order in which they came; a position is not a rater, and the result says so."""
    columns: dict[str, tuple[list[int], list[int]]] = {}
    for condition, item, code in rows(
        """SELECT t.condition, x.item_id, a.code FROM task t JOIN task_item x ON x.task_id = t.id
           JOIN assignment s ON s.task_id = t.id
           JOIN answer a ON a.assignment_id = s.id AND a.position = x.position
           WHERE t.batch_id = ANY(%s) AND a.question = %s AND a.code = ANY(%s) AND NOT s.unflagged
             AND s.data_use = 'used' AND x.role <> 'gold'
           ORDER BY s.submitted_at LIMIT %s""",
        [batches, question, list(scale.labels), MOST_RATINGS],
    ):
        items, codes = columns.setdefault(condition, ([], []))
        items.append(item)
        codes.append(code)
    return {name: Ratings.of(items, codes, codes=scale.labels) for name, (items, codes) in columns.items()}
