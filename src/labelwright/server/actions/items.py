"""The items behind the numbers: which ones, and everything that was said of one. Reads only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.db.models import Min

from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.overview import get_owned
from labelwright.server.store import models as store
from labelwright.server.store.rows import rows

ON_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items are wanted; every part may be left out."""

    condition: str | None = None
    question: str | None = None
    code: int | None = None
    flagged: bool = False
    open: bool = False
    """Items with ratings still to come."""
    page: int = 1


def get_items(
    user: store.User, public_id: str, wanted: Filter
) -> tuple[store.Study, list[dict[str, Any]], int]:
    """A page of tasks that fit, and how many fit in all."""
    study = get_owned(user, public_id)
    version = study.versions.latest("n")
    fits = """
      FROM task t JOIN task_item x ON x.task_id = t.id JOIN item i ON i.id = x.item_id
      WHERE t.version_id = %(version)s
        AND (%(condition)s::text IS NULL OR t.condition = %(condition)s)
        AND (%(code)s::int IS NULL OR EXISTS (
          SELECT 1 FROM item_tally y WHERE y.study_id = t.study_id AND y.item_id = i.id AND y.condition = t.condition
            AND y.question = %(question)s AND y.code = %(code)s))
        AND (NOT %(flagged)s OR EXISTS (
          SELECT 1 FROM assignment s JOIN flag f ON f.assignment_id = s.id
          WHERE s.task_id = t.id AND f."then" <> 'nothing'))
        AND (NOT %(open)s OR EXISTS (SELECT 1 FROM place p WHERE p.task_id = t.id AND p.state <> 'filled'))"""
    values = {
        "version": version.pk,
        "condition": wanted.condition,
        "question": wanted.question,
        "code": wanted.code,
        "flagged": wanted.flagged,
        "open": wanted.open,
        "limit": ON_A_PAGE,
        "offset": (wanted.page - 1) * ON_A_PAGE,
    }
    total = rows("SELECT count(*) " + fits, values)[0][0]
    # The page is chosen first, so that what is told of a task is looked up for this page only.
    found = rows(
        """WITH page AS MATERIALIZED (
             SELECT t.id AS task, t.study_id AS study, t.condition, i.id, i.key, i.system """
        + fits  # a literal of this function
        + """ ORDER BY i.key, t.condition LIMIT %(limit)s OFFSET %(offset)s)
           SELECT p.id, p.key, p.system, p.condition,
                  (SELECT count(*) FROM place x WHERE x.task_id = p.task AND x.state = 'filled'),
                  (SELECT count(*) FROM place x WHERE x.task_id = p.task),
                  (SELECT count(*) FROM assignment s JOIN flag f ON f.assignment_id = s.id WHERE s.task_id = p.task),
                  coalesce((SELECT json_agg(json_build_array(question, code, n)) FROM item_tally y
                   WHERE y.study_id = p.study AND y.item_id = p.id AND y.condition = p.condition)::text, '[]')
           FROM page p ORDER BY p.key, p.condition""",
        values,
    )
    names = ("id", "key", "system", "condition", "stored", "wanted", "flags", "codes")
    tasks = [dict(zip(names, row, strict=True)) for row in found]
    for task in tasks:
        task["codes"] = json.loads(task["codes"])
    return study, tasks, total


def get_item(
    user: store.User, public_id: str, item: int
) -> tuple[store.Study, store.Item, list[dict[str, Any]]]:
    """An item with its dialogue and every answer to it; raises NotHere where it is not this user's."""
    study = get_owned(user, public_id)
    row = store.Item.objects.select_related("dialogue").filter(study=study, pk=item).first()
    if row is None:
        raise NotHere
    found = rows(
        """SELECT t.condition, r.pseudonym, s.id, s.seconds, s.submitted_at, s.version_id, a.question, a.value::text,
                  a.code, coalesce((SELECT string_agg(f.rule, ', ' ORDER BY f.rule) FROM flag f
                                    WHERE f.assignment_id = s.id), '')
           FROM task_item x JOIN task t ON t.id = x.task_id JOIN assignment s ON s.task_id = t.id
           JOIN answer a ON a.assignment_id = s.id AND a.position = x.position JOIN rater r ON r.id = s.rater_id
           WHERE x.item_id = %s AND t.study_id = %s ORDER BY t.condition, s.submitted_at, s.id, a.question""",
        [row.pk, study.pk],
    )
    names = (
        "condition",
        "rater",
        "assignment",
        "seconds",
        "at",
        "version",
        "question",
        "value",
        "code",
        "flags",
    )
    answers = [dict(zip(names, line, strict=True)) for line in found]
    for answer in answers:
        answer["value"] = json.loads(answer["value"])
    return study, row, answers


def get_flagged(user: store.User, public_id: str, page: int) -> tuple[store.Study, list[store.Flag], int]:
    """Flags of a study that ask for a look, newest first."""
    study = get_owned(user, public_id)
    query = (
        store.Flag.objects.filter(study=study)
        .exclude(then="nothing")
        .select_related("assignment__rater", "assignment__task")
        .annotate(item=Min("assignment__task__taskitem__item_id"))
        .order_by("-id")
    )
    start = (page - 1) * ON_A_PAGE
    return study, list(query[start : start + ON_A_PAGE]), query.count()
