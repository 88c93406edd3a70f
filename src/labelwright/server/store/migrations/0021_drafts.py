"""Study files as people edit them, the files of their corpora, and rehearsals."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys

CASCADE = django.db.models.deletion.CASCADE
STATES = [("waiting", "Waiting"), ("running", "Running"), ("ready", "Ready"), ("failed", "Failed")]


class Migration(migrations.Migration):
    """Not atomic, because keys are exchanged step by step; the tables are new and empty."""

    atomic = False
    dependencies = [("store", "0020_pseudonyms")]

    operations = [
        migrations.CreateModel(
            name="EditedFile",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        on_delete=CASCADE, primary_key=True, serialize=False, to="store.studyrow"
                    ),
                ),
                ("text", models.TextField()),
                ("revision", models.PositiveIntegerField(default=1)),
                ("template", models.CharField(blank=True, default="", max_length=60)),
                ("changed_by", models.CharField(max_length=150)),
                ("changed_at", models.DateTimeField()),
            ],
            options={"db_table": "edited_file"},
        ),
        migrations.CreateModel(
            name="CorpusFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("name", models.CharField(max_length=200)),
                ("content", models.BinaryField()),
                ("sha256", models.CharField(max_length=64)),
                ("bytes", models.PositiveIntegerField()),
                ("drawn", models.BooleanField(default=False)),
                ("added_at", models.DateTimeField()),
                ("study", models.ForeignKey(db_index=False, on_delete=CASCADE, to="store.studyrow")),
            ],
            options={
                "db_table": "corpus_file",
                "constraints": [
                    models.UniqueConstraint(models.F("study"), models.F("name"), name="corpus_file_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="StudyRehearsal",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        on_delete=CASCADE, primary_key=True, serialize=False, to="store.studyrow"
                    ),
                ),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=10)),
                ("text", models.TextField()),
                ("asked_by", models.CharField(max_length=150)),
                ("asked_at", models.DateTimeField()),
                ("wanted", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("figures", models.JSONField(default=dict)),
                ("error", models.TextField(blank=True, default="")),
            ],
            options={"db_table": "study_rehearsal"},
        ),
        PutStudyIntoKeys(),
    ]
