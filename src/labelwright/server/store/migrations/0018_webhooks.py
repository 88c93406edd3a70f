"""Webhooks and their deliveries."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from labelwright.server.store.keys import PutStudyIntoKeys, foreign_key

STATES = [("waiting", "Waiting"), ("arrived", "Arrived"), ("failed", "Failed")]


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    """Not atomic, because of the operation on keys."""

    atomic = False
    dependencies = [("store", "0017_audit")]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", _id()),
                ("address", models.CharField(max_length=500)),
                ("secret_sealed", models.BinaryField()),
                ("events", models.JSONField()),
                ("made_at", models.DateTimeField()),
                ("seen_judgments", models.BigIntegerField(default=0)),
                ("seen_full", models.BigIntegerField(null=True)),
                ("seen_flag", models.BigIntegerField(default=0)),
                (
                    "study",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"),
                ),
            ],
            options={"db_table": "webhook"},
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                ("id", _id()),
                ("event", models.CharField(max_length=20)),
                ("body", models.JSONField()),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=10)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField()),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("error", models.CharField(blank=True, default="", max_length=200)),
                ("made_at", models.DateTimeField()),
                (
                    "study",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        db_constraint=False, on_delete=django.db.models.deletion.CASCADE, to="store.webhook"
                    ),
                ),
            ],
            options={
                "db_table": "webhook_delivery",
                "indexes": [
                    models.Index(
                        models.F("next_at"), condition=models.Q(("state", "waiting")), name="webhook_delivery_due"
                    ),
                    models.Index(models.F("study"), models.F("id"), name="webhook_delivery_of_study"),
                ],
            },
        ),
        PutStudyIntoKeys(),
        migrations.RunSQL(
            foreign_key("webhook_delivery", "webhook_delivery_webhook", "webhook_id", "webhook"),
            migrations.RunSQL.noop,
        ),
    ]
