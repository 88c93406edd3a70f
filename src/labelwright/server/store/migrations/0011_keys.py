"""The study in every key of its tables, and public ids of raters, pools and assignments.

Nothing here locks a table for long: indexes are built while raters work, and rows are changed in blocks.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.postgres.functions import RandomUUID
from django.db import migrations, models
from django.db.models import F, Q

from labelwright.crowd import AssignmentState, DataUse
from labelwright.crowd.states import STORED
from labelwright.server.store.keys import PutStudyIntoKeys
from labelwright.server.store.models.rater import new_public_id

AT_ONCE = 20_000

# Links and receipts of earlier releases hold internal ids. These ids become the public ones, so that they stay valid;
# a receipt's number is the value of the UUID, which no random one is small enough to have.
LINKED = """
ALTER TABLE {table} ADD COLUMN IF NOT EXISTS public_id varchar(24);
UPDATE {table} SET public_id = id::text WHERE public_id IS NULL;
ALTER TABLE {table} ALTER COLUMN public_id SET NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS {table}_public_id_once ON {table} (study_id, public_id)
"""
# First without a default, which would rewrite the table; so only assignments made from now on get a random one.
RECEIPT_COLUMN = """
ALTER TABLE assignment ADD COLUMN IF NOT EXISTS public_id uuid;
ALTER TABLE assignment ALTER COLUMN public_id SET DEFAULT gen_random_uuid()
"""
WITH_RECEIPT = """
UPDATE assignment SET public_id = lpad(to_hex(id), 32, '0')::uuid
WHERE id > %s AND id <= %s AND public_id IS NULL"""

# As before, but for the study in the joins: a table that is divided by study is read only in the study's part.
COUNTED_ANSWER = """
CREATE OR REPLACE VIEW counted_answer AS
SELECT answered.*,
       CASE WHEN data_use <> 'used' THEN data_use
            WHEN role <> 'item' THEN role
            WHEN aspect = '' THEN 'no_aspect'
            WHEN rater_kind <> 'person' THEN rater_kind
            ELSE '' END AS left_out
FROM (
  SELECT a.id, a.study_id, a.assignment_id, a.position, a.question, a.aspect, a.value, a.code,
         s.version_id, s.task_id, s.rater_id, s.submitted_at, s.seconds, s.unflagged, s.data_use,
         p.batch_id, p.pool_id, p.rater_group, p.condition, x.item_id, r.kind AS rater_kind,
         CASE WHEN b.purpose = 'qualify' THEN 'qualification' ELSE coalesce(x.role, 'task') END AS role
  FROM answer a
  JOIN assignment s ON s.id = a.assignment_id AND s.study_id = a.study_id
  JOIN place p ON p.id = s.place_id AND p.study_id = s.study_id
  JOIN batch b ON b.id = p.batch_id
  JOIN rater r ON r.id = s.rater_id
  LEFT JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position
  WHERE s.submitted_at IS NOT NULL) answered
"""

UNIQUE: dict[str, dict[str, tuple[list[str], Q | None]]] = {
    "answer": {"answer_once": (["assignment", "position", "question"], None)},
    "assignment": {
        "assignment_one_live": (
            ["place"],
            Q(state__in=[AssignmentState.OPEN, *STORED]) & ~Q(data_use=DataUse.LEFT_OUT),
        ),
        "assignment_one_open": (["rater"], Q(state=AssignmentState.OPEN)),
    },
    "context": {"context_once": (["item", "kind", "recipe"], None)},
    "flag": {"flag_once": (["assignment", "rule", "rule_version"], None)},
    "goldresult": {"gold_result_once": (["assignment", "position", "question"], None)},
    "member": {"member_number_once": (["pool", "number"], None)},
    "messageitem": {"message_item_once": (["message", "item"], None)},
    "minedphrase": {"mined_phrase_once": (["version", "place"], None)},
    "offered": {"offered_once": (["batch", "pool", "rater_group", "condition", "slot"], None)},
    "place": {"place_once": (["task", "pool", "rater_group", "ordinal"], None)},
    "ratersheet": {"rater_sheet_once": (["rater", "part", "key"], None)},
}

# An index for each foreign key inside a study that had none: without it, deleting a row reads the whole table that
# points to it. The two indexes of messages get a condition that serves this too. By name: model, table, columns, and
# whether the first column can be empty.
INDEXES = {
    "assignment_of_place": ("assignment", "assignment", ["place"], False),
    "item_of_dialogue": ("itemrow", "item", ["dialogue"], False),
    "context_of_generation": ("context", "context", ["generation"], True),
    "discard_of_generation": ("discard", "context_discard", ["generation"], True),
    "message_thread": ("message", "message", ["rater", "id"], True),
    "message_board": ("message", "message", ["pool", "id"], True),
    "message_answer": ("message", "message", ["answers"], True),
    "message_item_of_work": ("messageitem", "message_item", ["assignment"], True),
}
REPLACED = ("message_thread", "message_board")

# Counts and drafts are changed in place, many times: with room on the page, a change writes no index (a HOT update).
# Places and most assignments cannot profit, because their state decides which indexes they are in; so their dead rows
# are cleared early.
STORAGE = """
ALTER TABLE offered SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE rater_count SET (fillfactor = 30, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE draft SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE tally SET (fillfactor = 50);
ALTER TABLE item_tally SET (fillfactor = 80);
ALTER TABLE batch_work SET (fillfactor = 70);
ALTER TABLE assignment SET (
  fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE place SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)
"""


def number_receipts(apps: Any, schema_editor: Any) -> None:
    """Gives assignments that exist the number that their receipt was made from."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(id), 0) FROM assignment")
        (last,) = cursor.fetchone()
        for start in range(0, last, AT_ONCE):
            cursor.execute(WITH_RECEIPT, [start, start + AT_ONCE])


def _public_id() -> models.CharField[str, str]:
    return models.CharField(default=new_public_id, max_length=24)


def _unique_by_study() -> list[Any]:
    return [
        operation
        for model, constraints in UNIQUE.items()
        for name, (fields, condition) in constraints.items()
        for operation in (
            migrations.RemoveConstraint(model, name),
            migrations.AddConstraint(
                model,
                models.UniqueConstraint(
                    *(F(field) for field in (*fields, "study")), condition=condition, name=name
                ),
            ),
        )
    ]


def _indexes() -> list[Any]:
    return [
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(f"DROP INDEX CONCURRENTLY IF EXISTS {name}"),
                migrations.RunSQL(_index_sql(name)),
            ],
            [
                *([migrations.RemoveIndex(model, name)] if name in REPLACED else []),
                migrations.AddIndex(model, _index(name)),
            ],
        )
        for name, (model, *_) in INDEXES.items()
    ]


def _index(name: str) -> models.Index:
    _, _, (first, *others), empty = INDEXES[name]
    condition = Q(**{f"{first}__isnull": False}) if empty else None
    return models.Index(F(first), *(F(other) for other in others), condition=condition, name=name)


def _index_sql(name: str) -> str:
    _, table, (first, *others), empty = INDEXES[name]
    where = f" WHERE {first}_id IS NOT NULL" if empty else ""
    return f"CREATE INDEX CONCURRENTLY {name} ON {table} ({', '.join([f'{first}_id', *others])}){where}"


class Migration(migrations.Migration):
    """Not atomic, because indexes are built while raters work; each step can be run again."""

    atomic = False
    dependencies = [("store", "0010_exports")]

    operations = [
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL("ALTER TABLE study ADD COLUMN IF NOT EXISTS deleted_at timestamptz")],
            [migrations.AddField("studyrow", "deleted_at", models.DateTimeField(null=True))],
        ),
        *(
            migrations.SeparateDatabaseAndState(
                [migrations.RunSQL(LINKED.format(table=table))],
                [
                    migrations.AddField(table, "public_id", _public_id()),
                    migrations.AddConstraint(
                        table,
                        models.UniqueConstraint(F("study"), F("public_id"), name=f"{table}_public_id_once"),
                    ),
                ],
            )
            for table in ("rater", "pool")
        ),
        migrations.SeparateDatabaseAndState(
            [
                migrations.RunSQL(RECEIPT_COLUMN),
                migrations.RunPython(number_receipts),
                migrations.RunSQL("ALTER TABLE assignment ALTER COLUMN public_id SET NOT NULL"),
            ],
            [
                migrations.AddField(
                    "assignment", "public_id", models.UUIDField(db_default=RandomUUID(), default=uuid.uuid4)
                )
            ],
        ),
        migrations.SeparateDatabaseAndState([PutStudyIntoKeys()], _unique_by_study()),
        migrations.RunSQL(COUNTED_ANSWER),
        *_indexes(),
        migrations.RunSQL(STORAGE),
    ]
