"""The title of a study and its numbers for the header and the list of studies, and the time zone of a user."""

from __future__ import annotations

from typing import Any

import yaml
from django.db import migrations, models


def store_titles(apps: Any, editor: Any) -> None:
    """Gives every study the title of its newest version."""
    versions = apps.get_model("store", "StudyVersion").objects.order_by("study_id", "-n").distinct("study_id")
    for version in versions.select_related("study"):
        version.study.title = yaml.safe_load(version.text)["title"]
        version.study.save(update_fields=["title"])


class Migration(migrations.Migration):
    dependencies = [("store", "0011_keys")]

    operations = [
        migrations.AddField(
            "studyrow", "title", models.CharField(max_length=120, default="", db_default="", blank=True)
        ),
        migrations.RunPython(store_titles, migrations.RunPython.noop, elidable=True),
        migrations.AddField("studyfigures", "summary", models.JSONField(default=dict, db_default={})),
        migrations.AddField(
            "user", "time_zone", models.CharField(max_length=40, default="", db_default="", blank=True)
        ),
    ]
