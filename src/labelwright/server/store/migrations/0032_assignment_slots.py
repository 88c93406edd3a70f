"""Slots of assignments: a model holds several open assignments, people one as before."""

from django.db import migrations, models
from django.db.models import F, Q

from labelwright.crowd import AssignmentState

COLUMN = "ALTER TABLE assignment ADD COLUMN IF NOT EXISTS slot smallint DEFAULT 0 NOT NULL CHECK (slot >= 0)"
NEW = """CREATE UNIQUE INDEX CONCURRENTLY "assignment_one_open_new" ON assignment (rater_id, slot, study_id)
WHERE state = 'open'"""


class Migration(migrations.Migration):
    """The index is built while raters work; the old one holds until the new one takes its name.

    Each step can be repeated, so an interrupted run is started again.
    """

    atomic = False
    dependencies = [
        ("store", "0031_judge_runs"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(COLUMN),
                # What a run that was interrupted left behind.
                migrations.RunSQL("DROP INDEX IF EXISTS assignment_one_open_new"),
                migrations.RunSQL(NEW),
                migrations.RunSQL(
                    "DROP INDEX assignment_one_open;"
                    "ALTER INDEX assignment_one_open_new RENAME TO assignment_one_open"
                ),
            ],
            state_operations=[
                migrations.AddField(
                    model_name="assignment",
                    name="slot",
                    field=models.PositiveSmallIntegerField(db_default=0, default=0),
                ),
                migrations.RemoveConstraint(model_name="assignment", name="assignment_one_open"),
                migrations.AddConstraint(
                    model_name="assignment",
                    constraint=models.UniqueConstraint(
                        F("rater"),
                        F("slot"),
                        F("study"),
                        condition=Q(state=AssignmentState.OPEN),
                        name="assignment_one_open",
                    ),
                ),
            ],
        ),
    ]
