"""Items as the list of items shows them: lines, labels, and the words by which they are found."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

FOREIGN_KEYS = [
    foreign_key(table, f"{table}_item_id_fk", "item_id", "item")
    for table in ("item_line", "item_label", "item_words")
]

MOST_DISAGREEMENT = (
    models.F("study"),
    models.OrderBy(models.F("disagreement"), descending=True, nulls_last=True),
    models.OrderBy(models.F("item"), descending=True),
    models.OrderBy(models.F("condition"), descending=True),
)


class Migration(migrations.Migration):
    """The tables start empty; a job fills them, study by study."""

    atomic = False
    dependencies = [("store", "0018_webhooks")]

    operations = [
        migrations.CreateModel(
            name="ItemChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "item",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.itemrow",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"
                    ),
                ),
            ],
            options={"db_table": "item_change"},
        ),
        migrations.CreateModel(
            name="ItemLabel",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "item_id",
                        "condition",
                        "question",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("condition", models.CharField(max_length=40)),
                ("question", models.CharField(max_length=160)),
                ("n", models.PositiveIntegerField()),
                ("code", models.IntegerField(null=True)),
                ("share", models.FloatField()),
                ("disagreement", models.FloatField(null=True)),
                (
                    "item",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.itemrow",
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
                "db_table": "item_label",
                "indexes": [
                    models.Index(
                        models.F("study"),
                        models.F("question"),
                        models.OrderBy(models.F("disagreement"), descending=True, nulls_last=True),
                        models.OrderBy(models.F("item"), descending=True),
                        models.OrderBy(models.F("condition"), descending=True),
                        name="item_label_sorted",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemLine",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "item_id", "condition", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("condition", models.CharField(max_length=40)),
                ("key", models.CharField(max_length=220)),
                (
                    "systems",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), default=list, size=None
                    ),
                ),
                ("gold", models.BooleanField(default=False)),
                ("stored", models.PositiveIntegerField()),
                ("wanted", models.PositiveIntegerField()),
                ("flags", models.PositiveIntegerField(default=0)),
                ("disagreement", models.FloatField(null=True)),
                ("unclear", models.PositiveIntegerField(default=0)),
                (
                    "item",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="store.itemrow",
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
                "db_table": "item_line",
                "indexes": [
                    models.Index(*MOST_DISAGREEMENT, name="item_line_sorted"),
                    models.Index(models.F("study"), models.F("key"), models.F("condition"), name="item_line_by_key"),
                    models.Index(*MOST_DISAGREEMENT, condition=models.Q(("unclear__gt", 0)), name="item_line_unclear"),
                    models.Index(*MOST_DISAGREEMENT, condition=models.Q(("flags__gt", 0)), name="item_line_flagged"),
                    models.Index(
                        *MOST_DISAGREEMENT,
                        condition=models.Q(("stored__lt", models.F("wanted"))),
                        name="item_line_open",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemWords",
            fields=[
                (
                    "item",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="store.itemrow",
                    ),
                ),
                ("words", django.contrib.postgres.search.SearchVectorField()),
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
                "db_table": "item_words",
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(models.F("words"), name="item_words_found")
                ],
            },
        ),
        PutStudyIntoKeys(),
        *(migrations.RunSQL(statement, migrations.RunSQL.noop) for statement in FOREIGN_KEYS),
        migrations.RunSQL(
            "INSERT INTO item_change (study_id) SELECT id FROM study", migrations.RunSQL.noop
        ),
    ]
