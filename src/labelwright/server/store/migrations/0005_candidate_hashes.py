"""Dialogues with candidates get the hash that covers them, and their tasks the content that is made from it.

So reloading their file finds the tasks again. The hash of dialogues without candidates is the same as before.
"""

from typing import Any

from django.db import migrations

from labelwright.corpus import Dialogue, Turn
from labelwright.study import gold_content, items_content
from labelwright.study.content import HALF

# Tasks of earlier releases get their content when the next version is loaded.
_TASKS = """
    SELECT t.id, t.content, bool_and(x.role = 'gold'), array_agg(i.key ORDER BY x.position),
           array_agg(d.sha256 ORDER BY x.position)
    FROM task t JOIN task_item x ON x.task_id = t.id JOIN item i ON i.id = x.item_id
    JOIN dialogue d ON d.id = i.dialogue_id
    WHERE t.base_id IS NULL AND NOT starts_with(t.content, 'legacy:')
    GROUP BY t.study_id, t.id, t.content HAVING bool_or(d.meta ? 'candidates')"""


def rehash(apps: Any, editor: Any) -> None:
    """Computes the hashes, and then the contents."""
    rows = apps.get_model("store", "DialogueRow").objects.filter(meta__has_key="candidates")
    changed = []
    for row in rows.iterator():
        row.sha256 = Dialogue(row.key, tuple(Turn(**turn) for turn in row.turns), row.meta).sha256
        changed.append(row)
    rows.bulk_update(changed, ["sha256"], batch_size=1000)
    with editor.connection.cursor() as cursor:
        cursor.execute(_TASKS)
        for task, content, gold, keys, hashes in cursor.fetchall():
            of_items = (gold_content if gold else items_content)(zip(keys, hashes, strict=True))
            cursor.execute("UPDATE task SET content = %s WHERE id = %s", [content[:HALF] + of_items, task])


class Migration(migrations.Migration):

    dependencies = [
        ('store', '0004_gold'),
    ]

    operations = [migrations.RunPython(rehash, migrations.RunPython.noop)]
