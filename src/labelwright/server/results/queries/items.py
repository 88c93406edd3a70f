"""SQL of the item pages: the list of items, and everything that raters said about one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from labelwright.crowd import RaterKind
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import column, literal, record, records, value


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """An item without its text."""

    id: int
    key: str
    kind: str
    system: str
    dialogue: str
    discussed_at: datetime | None


def item_facts(study: int, item: int) -> ItemFacts | None:
    """An item of a study."""
    return record(
        ItemFacts,
        """SELECT i.id, i.key, i.kind, i.system, d.key AS dialogue, i.discussed_at
           FROM item i JOIN dialogue d ON d.id = i.dialogue_id WHERE i.id = %s AND i.study_id = %s""",
        [item, study],
    )


@dataclass(frozen=True, slots=True)
class ItemCondition:
    """The work on an item in a condition."""

    condition: str
    gold: bool
    stored: int
    wanted: int
    task: int
    """One of the tasks that show it; the newest."""


def item_conditions(study: int, item: int) -> list[ItemCondition]:
    """The conditions in which an item is or was to be rated."""
    return records(
        ItemCondition,
        """SELECT l.condition, l.gold, l.stored, l.wanted,
                  (SELECT max(p.task_id) FROM task_item x JOIN place p ON p.task_id = x.task_id
                   WHERE x.item_id = l.item_id AND p.condition = l.condition AND NOT p.gold) AS task
           FROM item_line l WHERE l.study_id = %s AND l.item_id = %s""",
        [study, item],
    )


@dataclass(frozen=True, slots=True)
class ItemWork:
    """A submitted task with an item."""

    assignment: int
    task: int
    items: int
    """The number of items in the task."""
    position: int
    rater: str
    rater_kind: str
    rater_number: int
    seconds: float | None
    at: datetime
    version: int
    version_number: int
    data_use: str
    role: str


def item_work(study: int, item: int, condition: str, of_assignment: int = 0) -> list[ItemWork]:
    """The submitted tasks with an item in a condition, the earliest first.

    Qualifications are left out, unless one is the work of this assignment.
    """
    return records(
        ItemWork,
        """SELECT s.id AS assignment, s.task_id AS task, k.items, x.position, r.pseudonym AS rater,
                  r.kind AS rater_kind, coalesce((SELECT min(number) FROM member m WHERE m.rater_id = r.id), 0)
                    AS rater_number,
                  s.seconds, s.submitted_at AS at, s.version_id AS version, v.n AS version_number, s.data_use, x.role
           FROM task_item x JOIN task k ON k.id = x.task_id JOIN assignment s ON s.task_id = x.task_id
           JOIN place p ON p.id = s.place_id JOIN batch b ON b.id = p.batch_id JOIN rater r ON r.id = s.rater_id
           JOIN study_version v ON v.id = s.version_id
           WHERE x.study_id = %(study)s AND x.item_id = %(item)s AND p.condition = %(condition)s
             AND s.submitted_at IS NOT NULL AND (b.purpose = %(collect)s OR s.id = %(own)s)
           ORDER BY s.submitted_at, s.id""",
        {
            "study": study,
            "item": item,
            "condition": condition,
            "collect": Batch.Purpose.COLLECT,
            "own": of_assignment,
        },
    )


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """An answer in a submitted task, about an item or about the task as a whole."""

    assignment: int
    whole_task: bool
    question: str
    value_json: str
    code: int | None
    left_out: str
    """Why it does not count; empty if it does."""

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def item_answers(item: int, assignments: Sequence[int]) -> list[ItemAnswer]:
    """The answers of submitted tasks about an item, and about the tasks as a whole."""
    return records(
        ItemAnswer,
        """SELECT assignment_id AS assignment, item_id IS NULL AS whole_task, question, value::text AS value_json, code,
                  left_out
           FROM counted_answer WHERE assignment_id = ANY(%s) AND (item_id = %s OR item_id IS NULL)
           ORDER BY assignment_id, position, id""",
        [list(assignments), item],
    )


@dataclass(frozen=True, slots=True)
class ItemFlag:
    """A flag on a submitted task with an item."""

    assignment: int
    rule: str
    evidence_json: str

    @property
    def evidence(self) -> Any:
        """What the rule found."""
        return json.loads(self.evidence_json)


def item_flags(assignments: Sequence[int]) -> list[ItemFlag]:
    """The flags on submitted tasks."""
    return records(
        ItemFlag,
        """SELECT assignment_id AS assignment, rule, evidence::text AS evidence_json FROM flag
           WHERE assignment_id = ANY(%s) ORDER BY assignment_id, id""",
        [list(assignments)],
    )


@dataclass(frozen=True, slots=True)
class ItemOverlap:
    """How far pairs of raters marked the same parts of an item."""

    condition: str
    raters: int
    overlap: float


def item_overlaps(study: int, label: str) -> list[ItemOverlap]:
    """The stored overlap of each item with at least two raters; `label` is the stored name of its label."""
    return records(
        ItemOverlap,
        """SELECT condition, n AS raters, 1 - disagreement AS overlap FROM item_label
           WHERE study_id = %s AND question = %s AND disagreement IS NOT NULL ORDER BY item_id, condition""",
        [study, label],
    )


@dataclass(frozen=True, slots=True)
class StoredLabel:
    """The label of an item in a condition for one question."""

    item: int
    condition: str
    question: str
    n: int
    code: int | None
    share: float
    disagreement: float | None


def item_labels(study: int, items: Sequence[int]) -> list[StoredLabel]:
    """The labels of items."""
    return records(
        StoredLabel,
        """SELECT item_id AS item, condition, question, n, code, share, disagreement FROM item_label
           WHERE study_id = %s AND item_id = ANY(%s) ORDER BY item_id, condition, question""",
        [study, list(items)],
    )


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items are wanted; every field is optional."""

    search: str = ""
    show: str = ""
    """One of `SHOWN`."""
    condition: str = ""
    system: str = ""
    question: str = ""
    """Items with answers to this question, in the order of its disagreement."""
    label: int | None = None
    """Items whose label for the question has this code."""
    code: int | None = None
    """Items to which at least one rater gave this code."""
    found: tuple[int, ...] = ()
    """The items that the search finds; see `found_items`."""


SHOWN = {
    "disagreement": "t.unclear > 0",
    "flagged": "t.flags > 0",
    "open": "t.stored < t.wanted",
}
"""The kinds of items that need attention, as conditions on their lines."""

MOST_FOUND = 2_000
"""A search that finds more items shows some of them: a common word is in every item of a large study."""
MOST_PROBED = 2 * MOST_FOUND
_HAS_WORDS = """words @@ to_tsquery('simple',
  regexp_replace(plainto_tsquery('simple', %(search)s)::text, $$'( |$)$$, $$':*\\1$$, 'g'))"""
_GIVEN = f"""EXISTS (
  SELECT 1 FROM item_tally y WHERE y.study_id = t.study_id AND y.item_id = t.item_id AND y.condition = t.condition
    AND y.question LIKE %(given)s AND y.code = %(code)s AND y.rater_kind = {literal(RaterKind.PERSON)} AND y.n > 0)"""
_LABELLED = """JOIN item_label l ON l.study_id = t.study_id AND l.item_id = t.item_id AND l.condition = t.condition
  AND l.question = %(question)s"""


def matching_items(study: int, wanted: ItemFilter) -> tuple[str, dict[str, Any]]:
    """The lines that a filter lets through, as the rest of a statement after its columns, and the values in it."""
    clauses = {
        SHOWN.get(wanted.show, ""): bool(wanted.show),
        "t.condition = %(condition)s": bool(wanted.condition),
        "t.systems @> ARRAY[%(system)s]::varchar[]": bool(wanted.system),
        "l.code = %(label)s": wanted.label is not None,
        _GIVEN: wanted.code is not None,
        "t.item_id = ANY(%(found)s)": bool(wanted.search),
    }
    asked = ["t.study_id = %(study)s", *(clause for clause, applies in clauses.items() if applies)]
    joined = _LABELLED if wanted.question else ""
    values = {
        "study": study,
        "condition": wanted.condition,
        "system": wanted.system,
        "question": wanted.question,
        # An underscore is part of many names, and matching any letter there finds no other question.
        "given": wanted.question.replace("*", "%"),
        "label": wanted.label,
        "code": wanted.code,
        # The numbers themselves: joined with the words, the planner would rather read all lines of the study.
        "found": list(wanted.found[:MOST_FOUND]),
    }
    return f"FROM item_line t {joined} WHERE {' AND '.join(asked)}", values


def found_items(study: int, search: str) -> list[int]:
    """The items with the words of a search, and one more than are shown if there are more.

    A word in the search finds every word that begins with it. The first items are read without the index: if the word is
    in so many of them, the index would list nearly every item of the study.
    """
    values = {"study": study, "search": search, "most": MOST_FOUND + 1, "probed": MOST_PROBED}
    first = column(
        f"""SELECT item_id FROM item_words
            WHERE item_id = ANY(ARRAY(SELECT id FROM item WHERE study_id = %(study)s ORDER BY key LIMIT %(probed)s))
              AND study_id = %(study)s AND {_HAS_WORDS} LIMIT %(most)s""",
        values,
    )
    if len(first) > MOST_FOUND:
        return first
    return column(
        f"SELECT item_id FROM item_words WHERE study_id = %(study)s AND {_HAS_WORDS} LIMIT %(most)s", values
    )


@dataclass(frozen=True, slots=True)
class ListedItem:
    """An item in a condition, in the list of items."""

    item: int
    key: str
    condition: str
    systems: list[str]
    gold: bool
    stored: int
    wanted: int
    flags: int
    unclear: int
    disagreement: float | None
    discussed: bool


def listed_items(study: int, wanted: ItemFilter, order_by: str) -> list[ListedItem]:
    """The lines that a filter lets through, in an order; disagreement is that of the question, if one is wanted."""
    matching, values = matching_items(study, wanted)
    disagreement = "l.disagreement" if wanted.question else "t.disagreement"
    return records(
        ListedItem,
        f"""SELECT t.item_id AS item, t.key, t.condition, t.systems, t.gold, t.stored, t.wanted, t.flags, t.unclear,
                   {disagreement} AS disagreement,
                   (SELECT i.discussed_at IS NOT NULL FROM item i WHERE i.id = t.item_id) AS discussed
            {matching} {order_by}""",
        values,
    )


@dataclass(frozen=True, slots=True)
class ShownCounts:
    """How many lines of a study need attention, by kind."""

    disagreement: int
    flagged: int
    open: int


def shown_counts(study: int) -> ShownCounts:
    """Counted in small indexes that hold only these lines."""
    counted = ", ".join(
        f"(SELECT count(*) FROM item_line t WHERE t.study_id = %(study)s AND {clause}) AS {name}"
        for name, clause in SHOWN.items()
    )
    found = record(ShownCounts, f"SELECT {counted}", {"study": study})
    assert found is not None
    return found


MOST_READ_FOR_SYSTEMS = 2_500
"""At each end: corpora often hold one system after the other."""


def systems_in(study: int) -> list[str]:
    """The systems of a study, as far as the first and the last of its lines name them."""
    return column(
        """SELECT DISTINCT unnest(systems) AS system FROM (
             (SELECT systems FROM item_line WHERE study_id = %(study)s ORDER BY key, condition LIMIT %(most)s)
             UNION ALL
             (SELECT systems FROM item_line WHERE study_id = %(study)s ORDER BY key DESC, condition DESC
              LIMIT %(most)s)) AS ends ORDER BY 1""",
        {"study": study, "most": MOST_READ_FOR_SYSTEMS},
    )


@dataclass(frozen=True, slots=True)
class GivenCode:
    """How often a code was given to an item in a condition."""

    item: int
    condition: str
    question: str
    code: int
    n: int


def given_codes(study: int, items: Sequence[int]) -> list[GivenCode]:
    """The answers of people that count, about items."""
    return records(
        GivenCode,
        f"""SELECT item_id AS item, condition, question, code, sum(n)::bigint AS n FROM item_tally
            WHERE study_id = %s AND item_id = ANY(%s) AND rater_kind = {literal(RaterKind.PERSON)}
            GROUP BY 1, 2, 3, 4 HAVING sum(n) > 0 ORDER BY 1, 2, 3, 4""",
        [study, list(items)],
    )


def is_being_counted(study: int) -> bool:
    """Whether the list of items lags behind, because a job has yet to count changed ones."""
    return bool(value("SELECT EXISTS (SELECT 1 FROM item_change WHERE study_id = %s)", [study]))
