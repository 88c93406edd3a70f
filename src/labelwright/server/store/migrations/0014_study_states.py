"""The state of a study, and lines of the audit log that outlive their study."""

import django.db.models.deletion
from django.db import migrations, models

# Studies of earlier releases were open from the moment they were loaded.
STATES = """
UPDATE study s SET state = CASE
  WHEN EXISTS (SELECT 1 FROM batch b WHERE b.study_id = s.id AND b.state <> 'closed') THEN 'open' ELSE 'closed' END
"""


class Migration(migrations.Migration):
    dependencies = [("store", "0013_sessions")]

    operations = [
        migrations.AlterField(
            "audit",
            "study",
            models.ForeignKey(
                db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, to="store.studyrow"
            ),
        ),
        migrations.AddField(
            "studyrow", "state", models.CharField(db_default="draft", default="draft", max_length=10)
        ),
        migrations.RunSQL(STATES, migrations.RunSQL.noop),
    ]
