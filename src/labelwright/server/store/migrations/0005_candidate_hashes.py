"""Dialogues with candidates get the hash that covers them, so that reloading their file finds them again."""

from typing import Any

from django.db import migrations

from labelwright.corpus import Dialogue, Turn


def rehash(apps: Any, _editor: Any) -> None:
    """Only dialogues with candidates: the hash of the others is the same as before."""
    rows = apps.get_model("store", "DialogueRow").objects.filter(meta__has_key="candidates")
    changed = []
    for row in rows.iterator():
        row.sha256 = Dialogue(row.key, tuple(Turn(**turn) for turn in row.turns), row.meta).sha256
        changed.append(row)
    rows.bulk_update(changed, ["sha256"], batch_size=1000)


class Migration(migrations.Migration):

    dependencies = [
        ('store', '0004_gold'),
    ]

    operations = [migrations.RunPython(rehash, migrations.RunPython.noop)]
