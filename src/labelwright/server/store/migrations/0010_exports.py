"""Files of exports that the worker writes."""

import django.db.models.deletion
from django.db import migrations, models

STATES = [("waiting", "Waiting"), ("writing", "Writing"), ("ready", "Ready"), ("failed", "Failed")]


class Migration(migrations.Migration):
    dependencies = [("store", "0009_figures")]

    operations = [
        migrations.CreateModel(
            name="PreparedExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("form", models.CharField(max_length=10)),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=10)),
                ("asked_by", models.CharField(max_length=150)),
                ("asked_at", models.DateTimeField()),
                ("total", models.PositiveBigIntegerField(default=0)),
                ("written", models.PositiveBigIntegerField(default=0)),
                ("bytes", models.PositiveBigIntegerField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "study",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"),
                ),
            ],
            options={"db_table": "prepared_export"},
        ),
    ]
