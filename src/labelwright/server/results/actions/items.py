"""Items: the list of them, and every answer about one with what its raters saw. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.contexts.actions.generation import get_shown_texts
from labelwright.server.people.actions.messages import get_public_answers
from labelwright.server.rating.actions.task_page import ShownItem
from labelwright.server.results.queries import items as queries
from labelwright.server.results.queries.items import (
    ItemAnswer,
    ItemCondition,
    ItemFacts,
    ItemFilter,
    ItemFlag,
    ItemWork,
    ListedItem,
    ShownCounts,
    StoredLabel,
)
from labelwright.server.store.items import items_in_task, stored_items
from labelwright.server.store.models import StudyRow, User
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk.tables import Total, bounded_total
from labelwright.server.web.errors import NotFound
from labelwright.study import Study
from labelwright.task import StoredItem

SECONDS = "seconds"
"""The time on the page, where answers are listed by the names of their questions."""
MOST_COUNTED = 10_000
"""Items that a list counts, before it says that there are more."""


@dataclass(frozen=True, slots=True)
class ItemChoices:
    """What the filters of a study's list of items offer."""

    counts: ShownCounts
    systems: list[str]


@dataclass(frozen=True, slots=True)
class ItemList:
    """A page of the list of items, with everything that its rows show."""

    version: int
    """The newest."""
    lines: list[ListedItem]
    total: Total
    items: dict[int, StoredItem]
    labels: dict[tuple[int, str], list[StoredLabel]]
    """By item and condition."""
    codes: dict[tuple[int, str, str], dict[int, int]]
    """How often each code was given, by item, condition and question."""
    being_counted: bool
    """Whether a job has yet to count changed items."""


def get_item_choices(study: StudyRow) -> ItemChoices:
    """What can be chosen in the list of items; the caller has checked access."""
    return ItemChoices(queries.shown_counts(study.pk), queries.systems_in(study.pk))


def find_items(study: StudyRow, wanted: ItemFilter) -> ItemFilter:
    """The filter with the items that its search finds, so that they are looked up once."""
    if not wanted.search:
        return wanted
    return replace(wanted, found=tuple(queries.found_items(study.pk, wanted.search)))


def get_items(study: StudyRow, wanted: ItemFilter, order_by: str) -> ItemList:
    """The items that a filter of `find_items` lets through; the caller has checked access."""
    lines = queries.listed_items(study.pk, wanted, order_by)
    ids = sorted({line.item for line in lines})
    labels: dict[tuple[int, str], list[StoredLabel]] = {}
    for label in queries.item_labels(study.pk, ids):
        labels.setdefault((label.item, label.condition), []).append(label)
    codes: dict[tuple[int, str, str], dict[int, int]] = {}
    for given in queries.given_codes(study.pk, ids):
        codes.setdefault((given.item, given.condition, given.question), {})[given.code] = given.n
    return ItemList(
        study.versions.latest("n").pk,
        lines,
        count_items(study, wanted),
        stored_items(ids),
        labels,
        codes,
        queries.is_being_counted(study.pk),
    )


def count_items(study: StudyRow, wanted: ItemFilter) -> Total:
    """How many items a filter lets through."""
    matching, values = queries.matching_items(study.pk, wanted)
    total = bounded_total(matching, values, MOST_COUNTED)
    return Total(total.n, total.more or len(wanted.found) > queries.MOST_FOUND)


def get_lines(study: StudyRow, wanted: ItemFilter, order_by: str) -> list[ListedItem]:
    """The same items without what their rows show, to find the neighbours of one."""
    return queries.listed_items(study.pk, wanted, order_by)


@dataclass(frozen=True, slots=True)
class ItemEvidence:
    """An item in a condition: what raters saw, what they answered, and the label."""

    row: StudyRow
    newest: Study
    facts: ItemFacts
    item: StoredItem
    conditions: list[ItemCondition]
    """The conditions in which it is rated, in the order of the study."""
    condition: str
    version: int
    """The version whose page is shown."""
    shown: list[ShownItem]
    """The items that a rater reads together with this one, in order; usually only this one."""
    place: int
    """The position of this item among them."""
    work: list[ItemWork]
    answers: list[ItemAnswer]
    flags: list[ItemFlag]
    labels: list[StoredLabel]
    """Of all conditions."""
    order: tuple[int, ...] = ()
    """The order that gives candidates their letters, as positions in the item; empty for that of the item."""


def get_item(user: User, public_id: str, item: int, condition: str | None = None) -> ItemEvidence:
    """An item with everything about it in a condition, by default the first that has answers; raises NotFound."""
    row = access_study(user, public_id, Permission.VIEW)
    facts = queries.item_facts(row.pk, item)
    if facts is None:
        raise NotFound
    newest = row.versions.latest("n").pk
    study = study_of(newest)
    conditions = _in_order(study, queries.item_conditions(row.pk, item))
    names = [each.condition for each in conditions]
    if condition is not None and condition not in names and condition not in study.conditions:
        raise NotFound
    chosen = condition or _first(conditions) or study.first_condition
    work = queries.item_work(row.pk, item, chosen)
    version = newest if chosen in study.conditions or not work else work[-1].version
    task = next((c.task for c in conditions if c.condition == chosen), None)
    return _evidence(row, study, facts, ShownVersion(version, chosen, task), conditions, work)


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """Whose page is shown: that of a condition, in a version, with a task if several items are read together."""

    version: int
    condition: str
    task: int | None


def get_item_of_work(
    row: StudyRow, item: int, page: ShownVersion, assignment: int, most_others: int
) -> tuple[ItemEvidence, int]:
    """An item as it stands in one assignment, whose work comes first, and how many others are left out.

    The caller has checked access.
    """
    facts = queries.item_facts(row.pk, item)
    if facts is None:
        raise NotFound
    work = queries.item_work(row.pk, item, page.condition, of_assignment=assignment)
    work.sort(key=lambda each: each.assignment != assignment)
    newest = study_of(row.versions.latest("n").pk)
    kept = work[: 1 + most_others]
    return _evidence(row, newest, facts, page, [], kept), len(work) - len(kept)


def _evidence(
    row: StudyRow,
    newest: Study,
    facts: ItemFacts,
    page: ShownVersion,
    conditions: list[ItemCondition],
    work: list[ItemWork],
) -> ItemEvidence:
    shown = _shown(page.version, page.condition, facts.id, page.task)
    assignments = [each.assignment for each in work]
    return ItemEvidence(
        row,
        newest,
        facts,
        shown[facts.id].item,
        conditions,
        page.condition,
        page.version,
        list(shown.values()),
        list(shown).index(facts.id),
        work,
        queries.item_answers(facts.id, assignments),
        queries.item_flags(assignments),
        queries.item_labels(row.pk, [facts.id]),
    )


def _in_order(study: Study, found: Sequence[ItemCondition]) -> list[ItemCondition]:
    order = list(study.conditions)
    return sorted(found, key=lambda c: order.index(c.condition) if c.condition in order else len(order))


def _first(conditions: Sequence[ItemCondition]) -> str | None:
    """The first condition with answers, or else the first of all."""
    rated = [each.condition for each in conditions if each.stored]
    return next(iter(rated or [each.condition for each in conditions]), None)


def _shown(version: int, condition: str, item: int, task: int | None) -> dict[int, ShownItem]:
    """What a rater reads, by item: this one, or all of its task if they are targets of one dialogue."""
    study = study_of(version)
    ids = items_in_task(task) if task is not None and study.tasks.together is not None else [item]
    stored, kinds = stored_items(ids), study.condition(condition).context.kinds
    texts = get_shown_texts(version, ids, kinds) if kinds else {}
    answered = get_public_answers(ids)
    return {each: ShownItem(stored[each], texts.get(each, []), (), answered.get(each, [])) for each in ids}
