"""Benchmark of deleting a study: the time for 100,000 judgments (`small`) and for a million (`large`)."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime

from bench.harness import main, within
from bench.server import database
from tests.studies import dialogues, parse, pool, study_text

PER_ITEM = 10
PER_RATER = 200

# Rows as loading and rating would make them, with ten ratings of each item.
FILL = """
INSERT INTO dialogue (study_id, key, sha256, turns, meta)
SELECT %(study)s, 'd' || g, md5(g::text), '[{"speaker": "user", "text": "Hello"}]', '{}'
FROM generate_series(1, %(items)s) AS g;
INSERT INTO item (study_id, key, kind, dialogue_id, target, system, payload)
SELECT study_id, key, 'turn', id, 0, '', '{}' FROM dialogue WHERE study_id = %(study)s AND key LIKE 'd%%';
INSERT INTO task (study_id, content, condition, items)
SELECT study_id, 'bench' || id, 'bench', 1 FROM item WHERE study_id = %(study)s;
INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, role)
SELECT study_id, id, 0, substr(content, 6)::bigint, substr(content, 6), 'item'
FROM task WHERE study_id = %(study)s AND content LIKE 'bench%%';
INSERT INTO place (study_id, task_id, ordinal, batch_id, pool_id, rater_group, condition, rank, state)
SELECT t.study_id, t.id, o, b.id, p.id, '', 'bench', t.id, 'filled'
FROM task t CROSS JOIN generate_series(0, 9) AS o, batch b, pool p
WHERE t.study_id = %(study)s AND t.content LIKE 'bench%%' AND b.study_id = %(study)s AND p.study_id = %(study)s;
INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at, lease_until,
                        submitted_at, seconds, visit_hash, paid_state, data_use, unflagged)
SELECT p.study_id, v.id, p.id, p.task_id, (%(raters)s::bigint[])[1 + (p.rank * 10 + p.ordinal) %% cardinality(%(raters)s::bigint[])],
       'submitted', now(), now(), now(), 20, sha256(p.id::text::bytea), 'owed', 'used', false
FROM place p, study_version v WHERE p.study_id = %(study)s AND p.condition = 'bench' AND v.study_id = %(study)s;
INSERT INTO visit (token_hash, study_id, assignment_id, opened_at)
SELECT visit_hash, study_id, id, offered_at FROM assignment WHERE study_id = %(study)s;
INSERT INTO exposure (study_id, rater_id, spoil_key)
SELECT s.study_id, s.rater_id, x.spoil_key FROM assignment s JOIN task_item x ON x.task_id = s.task_id
WHERE s.study_id = %(study)s;
INSERT INTO answer (study_id, assignment_id, position, question, aspect, value, code)
SELECT study_id, id, 0, 'useful', 'usefulness', '3', 3 FROM assignment WHERE study_id = %(study)s;
INSERT INTO item_tally (study_id, item_id, version_id, rater_kind, condition, question, code, n)
SELECT i.study_id, i.id, v.id, 'person', 'bench', 'useful', 3, 10
FROM item i JOIN study_version v USING (study_id) WHERE i.study_id = %(study)s;
ANALYZE
"""


def fill(name: str, judgments: int) -> int:
    """The id of a study with this many judgments."""
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool, Rater
    from labelwright.server.store.rows import run
    from labelwright.server.studies.actions.loading import load_study

    now = datetime.now(UTC)
    text = study_text(name=name, items={"per_dialogue": 1}, pools=pool(pay={"cents": 0}))
    loaded = load_study(parse(text), text, dialogues(2), now, opened=True)
    study = loaded.study
    make_links(study, Pool.objects.get(study=study), max(PER_ITEM, judgments // PER_RATER), 60, now)
    raters = list(Rater.objects.filter(study=study).order_by("id").values_list("id", flat=True))
    for statement in FILL.split(";\n"):
        values = {"study": study.pk, "items": judgments // PER_ITEM, "raters": raters}
        run(statement, values if "%(" in statement else ())
    return int(study.pk)


def delete(judgments: int, limit: float) -> None:
    """Deletes a study of this many judgments, next to another one that stays."""
    with database():
        from labelwright.server.config.startup import migrate, set_up

        set_up()
        migrate()
        time_deletion(judgments, limit)


def time_deletion(judgments: int, limit: float) -> None:
    """The time from the command to the last row, in a database that is set up."""
    from labelwright.server.store.models import Answer, StudyRow
    from labelwright.server.studies.actions.deletion import delete_rows, withdraw_study

    fill("kept", 1_000)
    kept = Answer.objects.count()
    study = fill("gone", judgments)
    start = time.perf_counter()
    withdraw_study(StudyRow.objects.get(pk=study), "bench", datetime.now(UTC))
    for part in delete_rows(study):
        if part.rows:
            sys.stdout.write(f"{time.perf_counter() - start:8.1f} s  {part.rows:>9,} rows of {part.table}\n")
    within(f"deleting a study of {judgments:,} judgments", time.perf_counter() - start, limit, "s")
    assert Answer.objects.count() == kept


if __name__ == "__main__":
    main({"small": lambda: delete(100_000, 60), "large": lambda: delete(1_000_000, 600)})
