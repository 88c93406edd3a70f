"""Finds the discussed items of a study without reading all of its items."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    """Not atomic, because the index is built while raters work."""

    atomic = False
    dependencies = [("store", "0021_drafts")]

    operations = [
        AddIndexConcurrently(
            "itemrow", models.Index(F("study"), condition=Q(discussed_at__isnull=False), name="item_discussed")
        ),
    ]
