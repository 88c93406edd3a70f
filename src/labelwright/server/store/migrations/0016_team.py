"""Teams: users with a role in a study, and invitations."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys

MAILED = [("", "None"), ("waiting", "Waiting"), ("sent", "Sent"), ("failed", "Failed")]


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _study() -> Any:
    return models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow")


class Migration(migrations.Migration):
    """Not atomic, because of the operation on keys."""

    atomic = False
    dependencies = [("store", "0015_waiting_addresses")]

    operations = [
        migrations.CreateModel(
            name="Teammate",
            fields=[
                ("id", _id()),
                ("role", models.CharField(max_length=10)),
                ("joined_at", models.DateTimeField()),
                ("study", _study()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "db_table": "teammate",
                "constraints": [
                    models.UniqueConstraint(models.F("study"), models.F("user"), name="teammate_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="TeamInvitation",
            fields=[
                ("id", _id()),
                ("email", models.CharField(max_length=254)),
                ("role", models.CharField(max_length=10)),
                ("nonce", models.CharField(max_length=24)),
                ("invited_by", models.CharField(max_length=150)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("mailed", models.CharField(blank=True, choices=MAILED, default="", max_length=10)),
                ("study", _study()),
            ],
            options={
                "db_table": "team_invitation",
                "indexes": [
                    models.Index(
                        models.F("id"), condition=models.Q(("mailed", "waiting")), name="team_invitation_waiting"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(models.F("study"), models.F("email"), name="team_invitation_once")
                ],
            },
        ),
        PutStudyIntoKeys(),
    ]
