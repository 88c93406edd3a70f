"""SQL of versions that an earlier release stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labelwright.server.store.models import TaskItem
from labelwright.server.store.rows import records, run

LEGACY = "legacy:"
"""Begins the content of tasks, and the recipe of texts, of earlier releases."""


@dataclass(frozen=True, slots=True)
class TaskWithoutContent:
    """A task that an earlier release stored."""

    id: int
    condition: str
    keys: list[str]
    hashes: list[str]
    gold: bool


def tasks_without_content(version: int) -> list[TaskWithoutContent]:
    """The tasks of a version whose content is not known."""
    return records(
        TaskWithoutContent,
        """SELECT t.id, t.condition, array_agg(i.key ORDER BY x.position) AS keys,
                  array_agg(d.sha256 ORDER BY x.position) AS hashes, bool_and(x.role = %s) AS gold
           FROM task t JOIN task_item x ON x.task_id = t.id JOIN item i ON i.id = x.item_id
           JOIN dialogue d ON d.id = i.dialogue_id
           WHERE t.content LIKE %s AND t.id IN (
             SELECT p.task_id FROM batch b JOIN place p ON p.batch_id = b.id WHERE b.version_id = %s)
           GROUP BY t.id, t.condition ORDER BY t.id""",
        [TaskItem.Role.GOLD, LEGACY + "%", version],
    )


def set_contents(contents: Mapping[int, str]) -> None:
    """Stores the contents of tasks; of several tasks with one content, the first has it."""
    first: dict[str, int] = {}
    for task, content in contents.items():
        first.setdefault(content, task)
    run(
        "UPDATE task t SET content = c.content FROM unnest(%s::bigint[], %s::text[]) AS c(id, content) WHERE t.id = c.id",
        [list(first.values()), list(first)],
    )


def set_recipes(version: int, recipes: Mapping[str, str]) -> None:
    """Stores the recipes of the texts of a version, by kind."""
    run(
        """UPDATE context c SET recipe = r.recipe FROM unnest(%s::text[], %s::text[]) AS r(kind, recipe)
           WHERE c.version_id = %s AND c.kind = r.kind AND c.recipe LIKE %s""",
        [list(recipes), list(recipes.values()), version, LEGACY + "%"],
    )
