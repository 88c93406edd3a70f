"""Addresses of people who want to hear when a full study has tasks again."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

CASCADE = django.db.models.deletion.CASCADE


def _inside(to: str, *, null: bool = False) -> "models.ForeignKey[object, object]":
    """A key inside the study; its constraint is made with the study in it."""
    return models.ForeignKey(db_constraint=False, db_index=False, null=null, on_delete=CASCADE, to=to)


class Migration(migrations.Migration):
    """Not atomic, because the keys are exchanged step by step; the table is new and empty."""

    atomic = False
    dependencies = [("store", "0014_study_states")]

    operations = [
        migrations.CreateModel(
            name="WaitingAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("address_sealed", models.BinaryField()),
                ("address_hmac", models.BinaryField(max_length=32)),
                ("given_at", models.DateTimeField()),
                ("chosen", models.BooleanField(default=False)),
                ("study", models.ForeignKey(db_index=False, on_delete=CASCADE, to="store.studyrow")),
                ("pool", _inside("store.pool")),
                ("rater", _inside("store.rater", null=True)),
                ("open_link", _inside("store.openlink", null=True)),
            ],
            options={"db_table": "waiting_address"},
        ),
        migrations.AddConstraint(
            "waitingaddress",
            models.UniqueConstraint(F("study"), F("pool"), F("address_hmac"), name="waiting_address_once"),
        ),
        migrations.AddIndex(
            "waitingaddress",
            models.Index(F("rater"), condition=Q(rater__isnull=False), name="waiting_address_of_rater"),
        ),
        migrations.AddIndex(
            "waitingaddress",
            models.Index(F("open_link"), condition=Q(open_link__isnull=False), name="waiting_address_of_link"),
        ),
        PutStudyIntoKeys(),
        migrations.RunSQL(
            [
                foreign_key("waiting_address", "waiting_address_pool", "pool_id", "pool"),
                foreign_key("waiting_address", "waiting_address_rater", "rater_id", "rater"),
                foreign_key("waiting_address", "waiting_address_open_link", "open_link_id", "open_link"),
            ]
        ),
    ]
