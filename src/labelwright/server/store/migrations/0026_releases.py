"""Releases: texts that may be personal data, what a person decided about them, and the data sheet."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

HIT_OF_WORK = foreign_key("personal_hit", "personal_hit_assignment_id_fk", "assignment_id", "assignment")


class Migration(migrations.Migration):
    """The tables start empty."""

    atomic = False
    dependencies = [("store", "0025_reports")]

    operations = [
        migrations.CreateModel(
            name="DataSheet",
            fields=[
                ("study", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to="store.studyrow")),
                ("answers", models.JSONField(default=dict)),
                ("changed_by", models.CharField(max_length=150)),
                ("changed_at", models.DateTimeField()),
            ],
            options={"db_table": "data_sheet"},
        ),
        migrations.CreateModel(
            name="TextScan",
            fields=[
                ("study", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to="store.studyrow")),
                ("asked_at", models.DateTimeField()),
                ("scanned_at", models.DateTimeField(null=True)),
                ("texts", models.PositiveBigIntegerField(default=0)),
            ],
            options={"db_table": "text_scan"},
        ),
        migrations.CreateModel(
            name="PersonalHit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=64)),
                ("text", models.CharField(max_length=400)),
                ("places", models.PositiveBigIntegerField()),
                ("source", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("assignment", models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to="store.assignment")),
                ("decision", models.CharField(blank=True, default="", max_length=10)),
                ("decided_by", models.CharField(blank=True, default="", max_length=150)),
                ("decided_at", models.DateTimeField(null=True)),
                ("study", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow")),
            ],
            options={
                "db_table": "personal_hit",
                "indexes": [models.Index(models.F("assignment"), condition=models.Q(("assignment__isnull", False)), name="personal_hit_of_work")],
                "constraints": [models.UniqueConstraint(models.F("study"), models.F("key"), name="personal_hit_once")],
            },
        ),
        PutStudyIntoKeys(),
        migrations.RunSQL(HIT_OF_WORK, migrations.RunSQL.noop),
    ]
