"""Agreement while the labels come in, from the tallies and from single ratings. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from labelwright.agreement import Bootstrap, Counts, Estimate, Ratings, measure_ratings
from labelwright.scales import Scale
from labelwright.server.store.rows import rows
from labelwright.study import Study

REPLICATES = 1000
MOST_RATINGS = 200_000
"""Kappa needs single ratings; the first so many are taken. The others come from the tallies."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is measured."""

    questions: tuple[str, ...]
    scale: Scale
    batches: tuple[int, ...]
    main: str
    conditions: tuple[str, ...]
    seed: int


def get_agreement(
    study: Study, questions: Sequence[str], scale: Scale, batches: Sequence[int], main: str
) -> dict[str, dict[str, Estimate]]:
    """Agreement on a question in each condition; computed once for each state of what was judged.

    Judgments inside an answer have several names, such as one for each candidate: each is a thing that
    raters agree on or not, like an item.

    A process remembers it, because with many raters it takes seconds and the page asks for it again and again.
    """
    asked = _Asked(tuple(questions), scale, tuple(batches), main, tuple(study.conditions), study.seed)
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
    questions, scale, batches, main = list(asked.questions), asked.scale, list(asked.batches), asked.main
    column = {code: place for place, code in enumerate(scale.labels)}
    tables: dict[str, dict[tuple[int, str], list[int]]] = {name: {} for name in asked.conditions}
    for condition, item, question, code, n in rows(
        """SELECT i.condition, i.item_id, i.question, i.code, i.n FROM item_tally i
           WHERE i.question = ANY(%s) AND (i.item_id, i.condition) IN (
             SELECT x.item_id, t.condition FROM task t JOIN task_item x ON x.task_id = t.id WHERE t.batch_id = ANY(%s))""",
        [questions, batches],
    ):
        if code in column:
            tables[condition].setdefault((item, question), [0] * len(column))[column[code]] = n
    bootstrap = Bootstrap(replicates=REPLICATES, seed=asked.seed % 2**32)
    singles = _ratings(questions, batches, scale)
    found: dict[str, dict[str, Estimate]] = {}
    for name, table in tables.items():
        counts = Counts.of_table(list(table.values()), scale.labels)
        found[name] = measure_ratings(counts, ["percentage", main], bootstrap)
        if name in singles:
            found[name] |= measure_ratings(singles[name], ["cohen_kappa"], bootstrap)
    return found


def _ratings(questions: list[str], batches: list[int], scale: Scale) -> dict[str, Ratings]:
    """Single ratings in the order in which they came; a position is not a rater, and the result says so."""
    columns: dict[str, tuple[list[str], list[int]]] = {}
    for condition, item, question, code in rows(
        """SELECT t.condition, x.item_id, a.question, a.code FROM task t JOIN task_item x ON x.task_id = t.id
           JOIN assignment s ON s.task_id = t.id
           JOIN answer a ON a.assignment_id = s.id AND a.position = x.position
           WHERE t.batch_id = ANY(%s) AND a.question = ANY(%s) AND a.code = ANY(%s) AND NOT s.unflagged
             AND s.data_use = 'used' AND x.role <> 'gold'
           ORDER BY s.submitted_at LIMIT %s""",
        [batches, questions, list(scale.labels), MOST_RATINGS],
    ):
        items, codes = columns.setdefault(condition, ([], []))
        items.append(f"{item} {question}")
        codes.append(code)
    return {name: Ratings.of(items, codes, codes=scale.labels) for name, (items, codes) in columns.items()}
