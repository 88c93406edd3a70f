"""Raters as the list of raters shows them. Their names are stored as before, so those that raters have stay."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

LAST_SEEN = (
    models.OrderBy(models.F("last_seen"), descending=True, nulls_last=True),
    models.OrderBy(models.F("rater"), descending=True),
)


class Migration(migrations.Migration):
    """The tables start empty; a job fills them, study by study."""

    atomic = False
    dependencies = [("store", "0019_items")]

    operations = [
        migrations.CreateModel(
            name="RaterChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rater",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.rater",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"
                    ),
                ),
            ],
            options={"db_table": "rater_change"},
        ),
        migrations.CreateModel(
            name="RaterLine",
            fields=[
                (
                    "rater",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="store.rater",
                    ),
                ),
                ("name", models.CharField(max_length=32)),
                ("state", models.CharField(max_length=10)),
                (
                    "pools",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), default=list, size=None
                    ),
                ),
                ("tasks", models.PositiveIntegerField(default=0)),
                ("pace", models.FloatField(null=True)),
                (
                    "recent",
                    django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), default=list, size=None),
                ),
                ("gold_right", models.PositiveIntegerField(default=0)),
                ("gold_answered", models.PositiveIntegerField(default=0)),
                ("attention_right", models.PositiveIntegerField(default=0)),
                ("attention_answered", models.PositiveIntegerField(default=0)),
                ("flags", models.PositiveIntegerField(default=0)),
                ("undecided", models.PositiveIntegerField(default=0)),
                ("owed", models.JSONField(default=list)),
                ("last_seen", models.DateTimeField(null=True)),
                ("agreement", models.FloatField(null=True)),
                ("agreement_low", models.FloatField(null=True)),
                ("agreement_high", models.FloatField(null=True)),
                ("agreement_items", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "study",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.studyrow",
                    ),
                ),
            ],
            options={
                "db_table": "rater_line",
                "indexes": [
                    models.Index(models.F("study"), *LAST_SEEN, name="rater_line_last_seen"),
                    models.Index(models.F("study"), models.F("state"), *LAST_SEEN, name="rater_line_of_state"),
                ],
            },
        ),
        PutStudyIntoKeys(),
        migrations.RunSQL(
            foreign_key("rater_line", "rater_line_rater_id_fk", "rater_id", "rater"), migrations.RunSQL.noop
        ),
        migrations.RunSQL("INSERT INTO rater_change (study_id) SELECT id FROM study", migrations.RunSQL.noop),
    ]
