"""What counts: the view `counted_answer`, and tallies by version, rater kind and reason for leaving answers out."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

# Every submitted answer, and why it does not count; `left_out` is empty for those that count. The reasons are tested
# in this order, and the kind of rater last: so 'model' means that nothing else stands against an answer.
# `labelwright.analysis.data.counting` holds the same definition for exports. The batch, the group and the condition are
# those of the place, because a task can have places in several batches.
COUNTED_ANSWER = """
CREATE VIEW counted_answer AS
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
  JOIN assignment s ON s.id = a.assignment_id
  JOIN place p ON p.id = s.place_id
  JOIN batch b ON b.id = p.batch_id
  JOIN rater r ON r.id = s.rater_id
  LEFT JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position
  WHERE s.submitted_at IS NOT NULL) answered
"""

RECOUNT = """
INSERT INTO tally (study_id, version_id, rater_kind, condition, question, code, left_out, n)
SELECT study_id, version_id, rater_kind, condition, question, code, left_out, count(*)
FROM counted_answer WHERE code IS NOT NULL AND NOT unflagged GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO item_tally (study_id, item_id, version_id, rater_kind, condition, question, code, n)
SELECT study_id, item_id, version_id, rater_kind, condition, question, code, count(*)
FROM counted_answer WHERE code IS NOT NULL AND NOT unflagged AND left_out IN ('', 'model')
GROUP BY 1, 2, 3, 4, 5, 6, 7
"""

KEYS = {
    "tally": ["study", "version", "rater_kind", "condition", "question", "code", "left_out"],
    "itemtally": ["study", "item", "condition", "question", "code", "version", "rater_kind"],
}
NAMES = {"tally": "tally_once", "itemtally": "item_tally_once"}


def _version() -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyversion"
    )


class Migration(migrations.Migration):
    """Tallies are emptied, changed and counted again."""

    dependencies = [("store", "0001_initial")]

    operations = [
        migrations.RunSQL("DELETE FROM tally; DELETE FROM item_tally"),
        *(migrations.RemoveConstraint(model, name) for model, name in NAMES.items()),
        migrations.RemoveField("tally", "batch"),
        *(
            operation
            for model in NAMES
            for operation in (
                migrations.AddField(model, "version", _version()),
                migrations.AddField(model, "rater_kind", models.CharField(max_length=10)),
            )
        ),
        migrations.AddField("tally", "left_out", models.CharField(blank=True, default="", max_length=20)),
        *(
            migrations.AddConstraint(model, models.UniqueConstraint(*KEYS[model], name=name))
            for model, name in NAMES.items()
        ),
        migrations.RunSQL(COUNTED_ANSWER, "DROP VIEW counted_answer"),
        migrations.RunSQL(RECOUNT),
    ]
