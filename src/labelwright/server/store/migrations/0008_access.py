"""Attempts at second factors and the links of reviewers have tables; the secrets of second factors are encrypted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from labelwright.server.store.secrets import UNREADABLE, Purpose, seal, unseal

SECRET_FIELDS = ("secret", "seed")


def seal_secrets(apps: Any, schema_editor: Any) -> None:
    """Encrypts every secret and recovery code that is not encrypted yet."""
    _change_secrets(apps, lambda text: text if _opened(text) else seal(text, Purpose.SECOND_FACTOR).decode())


def open_secrets(apps: Any, schema_editor: Any) -> None:
    """Decrypts them again, for the release before."""
    _change_secrets(apps, lambda text: _opened(text) or text)


def _opened(text: str) -> str | None:
    found = unseal(text.encode(), Purpose.SECOND_FACTOR)
    return None if found == UNREADABLE else found


def _change_secrets(apps: Any, change: Callable[[str], str]) -> None:
    for row in apps.get_model("mfa", "Authenticator").objects.select_for_update().order_by("pk"):
        row.data |= {field: change(row.data[field]) for field in SECRET_FIELDS if field in row.data}
        if "migrated_codes" in row.data:
            row.data["migrated_codes"] = [change(code) for code in row.data["migrated_codes"]]
        row.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [("store", "0007_agreed_costs"), ("mfa", "0003_authenticator_type_uniq")]

    operations = [
        migrations.CreateModel(
            name="CodeAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "code_attempt",
                "indexes": [models.Index(models.F("user"), models.F("at"), name="code_attempt_of_user")],
            },
        ),
        migrations.CreateModel(
            name="ReviewerLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reviewer", models.CharField(max_length=150)),
                ("number", models.PositiveIntegerField(default=1)),
                ("made_at", models.DateTimeField()),
                (
                    "study",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, to="store.studyrow"
                    ),
                ),
            ],
            options={
                "db_table": "reviewer_link",
                "constraints": [
                    models.UniqueConstraint(
                        models.F("study"), models.F("reviewer"), name="reviewer_link_once"
                    )
                ],
            },
        ),
        migrations.RunPython(seal_secrets, open_secrets),
    ]
