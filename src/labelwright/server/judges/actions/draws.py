"""Draws: further items for people, with chances that are recorded before anybody rates them.

Items on which the model is likely to be wrong get a higher chance, so that the combined estimate needs fewer of them. The
estimate stays valid because every item keeps a chance above 0, and all chances are known.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from itertools import groupby
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Max

from labelwright.crowd import LaidBatch, StudyState, Unit
from labelwright.errors import LabelwrightError
from labelwright.judging import Gathered, choose_next, split_sides
from labelwright.judging.choice import DrawnBefore, needed_items
from labelwright.server.access.actions.audit import AUTOMATIC, log_change
from labelwright.server.contexts.actions.planning import asked_kinds
from labelwright.server.contexts.queries import hold_places
from labelwright.server.judges import queries
from labelwright.server.judges.actions.figures import gather_scores, get_judge_figures, read_labels
from labelwright.server.judges.queries import JudgedItem
from labelwright.server.results.actions.export import get_exact_share, get_last_draw, has_open_places
from labelwright.server.store.changes import note_change, note_changed_tasks
from labelwright.server.store.models import Batch, ItemRow, Pool, Rater, StudyRow, StudyVersion
from labelwright.server.store.queue import DEFAULT, defer_once
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.batches import open_further_batches
from labelwright.server.studies.actions.layout import demands_of
from labelwright.server.studies.queries.layout import BatchPlan
from labelwright.server.web.money import money
from labelwright.study import Study, items_content


class NotDrawable(LabelwrightError):
    """A study in which no further items can be drawn for people now."""

    code: ClassVar[str] = "not_drawable"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT


@dataclass(frozen=True, slots=True)
class Reach:
    """How far the interval of a combined score reaches, and how many more rated labels would make it narrow enough."""

    name: str
    value: float
    low: float
    high: float
    labelled: int
    items: int
    needed: int

    @property
    def half(self) -> float:
        """How far the interval reaches, on the side where it reaches further."""
        return max(self.value - self.low, self.high - self.value)

    @property
    def left(self) -> int:
        """How many people have not rated."""
        return self.items - self.labelled

    @property
    def missing(self) -> float:
        """What is needed as a share of what is left; above 1 if all of it will not do."""
        if not self.needed:
            return 0.0
        return self.needed / self.left if self.left else math.inf


def get_reaches(question: Mapping[str, Any], wanted: float) -> list[Reach]:
    """The reaches of the mean score of a question, of its systems and of their differences, from stored figures.

    A score without an interval is left out.
    """
    # With a single system, all items are its items.
    overall = [] if len(question["scores"]) == 1 else [question["overall"]]
    rows = (*overall, *question["scores"], *question["differences"])
    return [_reach(row, wanted) for row in rows if row["combined"]["low"] is not None]


def _reach(row: Mapping[str, Any], wanted: float) -> Reach:
    found = Reach(row["name"], **row["combined"], labelled=row["labelled"], items=row["items"], needed=0)
    return replace(found, needed=needed_items(found.labelled, found.half, wanted))


@dataclass(frozen=True, slots=True)
class PlannedDraw:
    """A draw before somebody agrees to it."""

    question: str
    wanted: float
    """How far intervals may reach to each side."""
    tasks: int
    """How many are expected; chance decides."""
    items: int
    """Of these tasks."""
    ratings: int
    """Of these items by people, in all conditions."""
    pay_cents: int
    currency: str
    enough: bool
    """Whether as many items are left as are needed."""

    @property
    def sentence(self) -> str:
        """What the draw asks of people."""
        pay = (
            f" Pay: about {money(self.pay_cents, self.currency)}, without bonuses and fees."
            if self.pay_cents
            else ""
        )
        few = "" if self.enough else " They are all that are left, and not enough."
        tasks = "" if self.tasks == self.items else f" in {self.tasks:,} tasks"
        return (
            f"About {self.items:,} more items{tasks} are drawn for people, which takes about {self.ratings:,} ratings.{few}"
            f"{pay} Items on which the model is likely to be wrong have a higher chance; all chances are recorded."
        )


def get_planned_draw(pool: Pool, question: str, wanted: float) -> PlannedDraw:
    """The draw that is expected to make the scores of a question certain enough; raises NotDrawable. Reads only."""
    study = _drawable(pool.study, pool.study.versions.latest("n"))
    found = get_scored_question(pool.pk, question)
    reaches = get_reaches(found, wanted)
    if not reaches:
        raise NotDrawable("no score has an interval yet.", do="Let people rate more of their share.")
    missing = max(each.missing for each in reaches)
    left = found["overall"]["items"] - found["overall"]["labelled"]
    # A label is an item in one condition.
    conditions = study.conditions_of(None)
    many = math.ceil(min(1.0, missing) * left / len(conditions))
    laid = _judged_tasks(pool, pool.study.versions.latest("n"))
    if not many or not laid:
        raise NotDrawable("all scores are already certain enough, or people have rated every item.")
    per_task = sum(map(len, laid)) / len(laid)
    tasks = math.ceil(many / per_task)
    times, pay = sum(study.redundancy_of(name) for name in conditions), study.pool.pay
    items = round(tasks * per_task)
    return PlannedDraw(
        question,
        wanted,
        tasks,
        items,
        items * times,
        tasks * times * pay.cents,
        pay.currency,
        enough=missing <= 1,
    )


def get_scored_question(pool: int, question: str | None) -> dict[str, Any]:
    """The stored figures of a question that has scores, by default of the only one; raises NotDrawable. Reads only."""
    figures = get_judge_figures(pool).contents.get("questions", [])
    scored: dict[str, dict[str, Any]] = {
        each["name"]: each for each in figures if "name" in each and each.get("overall")
    }
    if question is None and len(scored) > 1:
        raise NotDrawable(
            f"several questions have scores: {', '.join(scored)}.", do="Say which one you mean."
        )
    found = scored.get(question) if question is not None else next(iter(scored.values()), None)
    if found is None:
        raise NotDrawable(
            "there are no scores of this question yet.",
            do="Have the model rate, and let people rate their share.",
        )
    return found


def check_drawable(pool: Pool) -> None:
    """Raises NotDrawable if no further items can be drawn for people now, whatever the scores are."""
    _drawable(pool.study, pool.study.versions.latest("n"))


def _drawable(row: StudyRow, version: StudyVersion) -> Study:
    """The newest version of a study, if its tasks can be drawn one by one; raises NotDrawable."""
    study = study_of(version.pk)
    if row.state != StudyState.OPEN:
        raise NotDrawable("the study is not open, so people would not get the items.")
    if study.people_share == 1:
        raise NotDrawable("people rate every item.", do="Set `people_share` below 1 in the study file.")
    ordered = study.pool.groups or study.batches or study.stages
    if ordered or study.gold or study.items.kind == "candidates":
        raise NotDrawable(
            "items are drawn only without groups of raters, calendar, stages, gold items and candidates.",
            do="Raise `people_share` instead; the estimate stays valid.",
        )
    if has_open_places(_batches_of_people(version)):
        raise NotDrawable(
            "people have not rated all items that were drawn for them so far.",
            do="Wait for their ratings, because the next draw depends on them.",
        )
    _known_share(row)
    return study


def _known_share(study: StudyRow) -> float:
    """The chance by which the share alone has given people each task; raises NotDrawable."""
    share = get_exact_share(study)
    if share is None:
        raise NotDrawable(
            "it is not known by which chances people got their items so far, because a version has changed `seed`, "
            "`people_share` or the items of tasks.",
            do="Raise `people_share`. With 1, people rate every item, and chances do not matter.",
        )
    return share


def _batches_of_people(version: StudyVersion) -> Any:
    return Batch.objects.filter(version=version, purpose=Batch.Purpose.COLLECT)


@dataclass(frozen=True, slots=True)
class DrawnSoFar:
    """What draws have sent to people."""

    items: int
    at: datetime | None
    open: bool
    """Whether people still have some of it to rate."""
    possible: bool
    """Whether people rate a share, so that items are left to draw from."""


def get_draws(pool: Pool) -> DrawnSoFar:
    """What draws have sent to people so far; reads only."""
    drawn = ItemRow.objects.filter(study_id=pool.study_id, drawn=True).count()
    at = get_last_draw(pool.study_id)
    version = pool.study.versions.latest("n")
    is_open = bool(at) and has_open_places(_batches_of_people(version))
    return DrawnSoFar(drawn, at, is_open, possible=study_of(version.pk).people_share < 1)


def request_draw(pool: Pool, seen: PlannedDraw, author: str, now: datetime) -> None:
    """Records who agreed to a draw, and defers the job that makes it; raises NotDrawable, also if it became larger."""
    planned = get_planned_draw(pool, seen.question, seen.wanted)
    if planned.items > seen.items:
        raise NotDrawable("more items are needed than you saw.", do="Look at the number again.")
    after = {
        "question": planned.question,
        "tasks": planned.tasks,
        "items": planned.items,
        "ratings": planned.ratings,
    }
    with transaction.atomic():
        log_change(pool.study_id, author, "draw_items", pool.name, now, after=after)
        is_first = defer_once(
            "draw_items",
            DEFAULT,
            lock=f"draw_items/{pool.pk}",
            pool=pool.pk,
            question=planned.question,
            wanted=planned.wanted,
            tasks=planned.tasks,
        )
        if not is_first:
            raise NotDrawable("a draw is already waiting for the worker.")


@transaction.atomic
def draw_items(pool: Pool, question: str, wanted: float, tasks: int, now: datetime) -> int:
    """Draws tasks for people, records the chances of all items, and opens the tasks; returns how many were drawn.

    Reads every answer of the study, so no page calls it. Raises NotDrawable, also if it is called again, because people
    have the drawn items to rate first. Locks the study.
    """
    StudyRow.objects.select_for_update(no_key=True).get(pk=pool.study_id)
    version = pool.study.versions.latest("n")
    study = _drawable(pool.study, version)
    laid = _judged_tasks(pool, version)
    first = {each.name: task[0].name for task in laid for each in task}
    gathered = _gathered(pool, question)
    choice = choose_next(
        gathered,
        wanted,
        many=tasks,
        seed=study.seed,
        item_of=lambda label: first.get(item_of(label), item_of(label)),
        before=_drawn_before(pool.study, laid, {item_of(name) for name in gathered.names}),
    )
    by_first = {task[0].name: task for task in laid}
    chances = {
        item.id: each.probability for each in choice.probabilities for item in by_first.get(each.item, ())
    }
    drawn = [by_first[each.item] for each in choice.items]
    # A version may have been loaded while this waited for the lock.
    _record(chances, {item.id for task in drawn for item in task}, max(now, version.loaded_at))
    if drawn:
        _open(version, study, drawn, now)
    log_change(
        pool.study_id, AUTOMATIC, "open_drawn_items", pool.name, now, after={"items": sum(map(len, drawn))}
    )
    return len(drawn)


def _judged_tasks(pool: Pool, version: StudyVersion) -> list[tuple[JudgedItem, ...]]:
    """The tasks of a model in a version. People get the items of a task together, so they are drawn together."""
    items = queries.judged_items(pool.pk, version.pk, pool.study_id)
    return [tuple(task) for _, task in groupby(items, key=lambda each: each.task)]


def _gathered(pool: Pool, question: str) -> Gathered:
    name = Rater.objects.get(member__pool=pool).pseudonym
    for where, part in split_sides(read_labels(pool.study)).slices():
        if str(where.get("question", "")) == question:
            return gather_scores(part, name)
    raise NotDrawable("nobody has answered this question yet.")


def _drawn_before(
    study: StudyRow, laid: Sequence[tuple[JudgedItem, ...]], labelled: Collection[str]
) -> DrawnBefore:
    """What the share and earlier draws have done. Items of earlier versions, which no task has any more, are not drawn."""
    share = _known_share(study)
    chances = dict.fromkeys(labelled, share) | {task[0].name: task[0].chance or share for task in laid}
    there = {each.name for task in laid for each in task}
    given = {task[0].name for task in laid if any(each.given for each in task)} | (set(labelled) - there)
    # Every draw raises the chances, also one that draws nothing by chance.
    recorded = math.fsum(each.chance or 0.0 for task in laid for each in task)
    return DrawnBefore(chances, given, repr(recorded))


def item_of(label: str) -> str:
    """The item that a label is about. Names of labels end with the condition, if there are several.

    >>> item_of("d1/3\x1flong"), item_of("d1/3")
    ('d1/3', 'd1/3')
    """
    return label.split("\x1f", maxsplit=1)[0]


def _record(chances: Mapping[int, float], drawn: Collection[int], now: datetime) -> None:
    rows = list(ItemRow.objects.filter(pk__in=chances))
    for row in rows:
        row.people_chance, row.chance_at = chances[row.pk], now
        row.drawn = row.drawn or row.pk in drawn
    ItemRow.objects.bulk_update(rows, ["people_chance", "chance_at", "drawn"], batch_size=1000)


def _open(
    version: StudyVersion, study: Study, drawn: Sequence[tuple[JudgedItem, ...]], now: datetime
) -> None:
    """Opens these tasks for people as a further batch. Those whose texts are not made yet wait for them."""
    contents = {name: content for name, (_, content) in version.contents.items()}
    number = Batch.objects.filter(version=version).aggregate(most=Max("number"))["most"] + 1
    plan = BatchPlan(
        LaidBatch("", tuple(Unit(tuple(each.key for each in task), ("",)) for task in drawn), None, None),
        [items_content([(each.key, each.sha256) for each in task]) for task in drawn],
        study.pool_name,
        demands_of(study, study.conditions_of(None), contents),
        number,
    )
    pools = {study.pool_name: Pool.objects.get(study_id=version.study_id, name=study.pool_name)}
    note_change(version.study_id)
    note_changed_tasks(version.study_id)
    items = {each.key: each.id for task in drawn for each in task}
    open_further_batches(version, [plan], pools, items, study.seed, now)
    hold_places(version.pk, asked_kinds(study))
