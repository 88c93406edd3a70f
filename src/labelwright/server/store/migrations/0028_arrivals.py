"""Visits of people whom a panel sent."""

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key


class Migration(migrations.Migration):
    """The table starts empty."""

    atomic = False
    dependencies = [("store", "0027_payments")]

    operations = [
        migrations.CreateModel(
            name="Arrival",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("person_sealed", models.BinaryField()),
                ("person_hmac", models.BinaryField(max_length=32)),
                ("session_sealed", models.BinaryField()),
                ("session_hmac", models.BinaryField(max_length=32)),
                ("arrived_at", models.DateTimeField()),
                (
                    "rater",
                    models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to="store.rater"),
                ),
                (
                    "study",
                    models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"),
                ),
            ],
            options={
                "db_table": "arrival",
                "indexes": [models.Index(models.F("study"), models.F("person_hmac"), name="arrival_of_person")],
                "constraints": [
                    models.UniqueConstraint(models.F("study"), models.F("session_hmac"), name="arrival_once")
                ],
            },
        ),
        PutStudyIntoKeys(),
        migrations.RunSQL(
            foreign_key("arrival", "arrival_rater_id_fk", "rater_id", "rater"), migrations.RunSQL.noop
        ),
    ]
