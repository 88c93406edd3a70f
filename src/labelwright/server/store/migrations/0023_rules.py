"""What quality rules look at besides a submission: marks to run them again, paces, texts, typing, and raters."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key(table, f"{table}_{target}_id_fk", f"{target}_id", target)
    for table, target in (
        ("typing_record", "assignment"),
        ("text_print", "assignment"),
        ("text_print", "rater"),
        ("rater_finding", "rater"),
    )
]


class Migration(migrations.Migration):
    """Not atomic, because keys are exchanged step by step; the tables are new and empty."""

    atomic = False
    dependencies = [
        ("store", "0022_discussed_items"),
    ]

    operations = [
        migrations.CreateModel(
            name="RaterAudit",
            fields=[
                (
                    "study",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="store.studyrow",
                    ),
                ),
                ("seen_until", models.DateTimeField()),
                ("audited_at", models.DateTimeField()),
            ],
            options={
                "db_table": "rater_audit",
            },
        ),
        migrations.CreateModel(
            name="RuleMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.assignment",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"
                    ),
                ),
            ],
            options={
                "db_table": "rule_mark",
            },
        ),
        migrations.CreateModel(
            name="TypingRecord",
            fields=[
                (
                    "assignment",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="store.assignment",
                    ),
                ),
                ("facts", models.JSONField()),
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
                "db_table": "typing_record",
            },
        ),
        migrations.CreateModel(
            name="PaceTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("condition", models.CharField(max_length=40)),
                ("step", models.IntegerField()),
                ("n", models.BigIntegerField()),
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
                "db_table": "pace_tally",
                "constraints": [
                    models.UniqueConstraint(
                        models.F("study"), models.F("condition"), models.F("step"), name="pace_tally_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RaterFinding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("figures", models.JSONField()),
                ("found_at", models.DateTimeField()),
                (
                    "rater",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.rater",
                    ),
                ),
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
                "db_table": "rater_finding",
                "constraints": [
                    models.UniqueConstraint(
                        models.F("rater"), models.F("kind"), models.F("study"), name="rater_finding_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TextPrint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.CharField(max_length=170)),
                ("fingerprint", models.CharField(max_length=32)),
                (
                    "assignment",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.assignment",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to="store.rater"
                    ),
                ),
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
                "db_table": "text_print",
                "indexes": [
                    models.Index(
                        models.F("study"), models.F("fingerprint"), models.F("rater"), name="text_print_same"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        models.F("assignment"), models.F("place"), models.F("study"), name="text_print_once"
                    )
                ],
            },
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
    ]
