"""The batches of a version: continued, opened, or left behind with the tasks that the version no longer asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from labelwright.crowd import BatchState, LaidBatch
from labelwright.server.store.models import Batch, Pool, StudyVersion
from labelwright.server.studies.queries import gold, layout, places
from labelwright.server.studies.queries.layout import BatchPlan
from labelwright.study import Study


def open_version(
    version: StudyVersion,
    study: Study,
    plans: Sequence[BatchPlan],
    pools: Mapping[str, Pool],
    items: Mapping[str, int],
    old: Study | None,
    now: datetime,
) -> list[Batch]:
    """Stores the layout of a version and ends the batches that it does not continue; returns the planned batches.

    Part of loading, after `layout.lay_out`.
    """
    layout.make_tasks(version.study_id, plans, items)
    if old and old.spoils() != study.spoils():
        layout.change_spoils(version.study_id)
    batches = _open_batches(version, plans, pools, now, moved=old is None or old.batches != study.batches)
    # Without gold before and now there is nothing to close or open, and no need to read the places of all studies.
    if study.gold or (old and old.gold):
        gold.open_gold(version.study_id, plans, items)
    ended = Batch.objects.filter(study_id=version.study_id, version__n=version.n - 1)
    places.close_left(list(ended.values_list("pk", flat=True)))
    ended.exclude(state=BatchState.CLOSED).update(state=BatchState.CLOSED, closed_at=now)
    layout.forget()
    return batches


def open_further_batches(
    version: StudyVersion,
    plans: Sequence[BatchPlan],
    pools: Mapping[str, Pool],
    items: Mapping[str, int],
    seed: int,
    now: datetime,
) -> list[Batch]:
    """Opens batches that a version gains after it was loaded."""
    layout.lay_out(version.study_id, plans, seed)
    layout.make_tasks(version.study_id, plans, items)
    batches = _open_batches(version, plans, pools, now, moved=True)
    layout.forget()
    return batches


def _open_batches(
    version: StudyVersion,
    plans: Sequence[BatchPlan],
    pools: Mapping[str, Pool],
    now: datetime,
    *,
    moved: bool,
) -> list[Batch]:
    """Stores the batches of a layout and their places.

    A batch with tasks that stay goes on in the version. Its other tasks move to a closed batch of the version before,
    with their ratings. `moved` says that the calendar changed.
    """
    continued = layout.continued_batches()
    kept = [*continued.values(), *layout.batches_with_kept_work()]
    before = {batch.pk: batch for batch in Batch.objects.filter(pk__in=kept).select_related("version")}
    left = _separate(before, now)
    batches = [
        _continue(before[continued[n]], version, plan, now, moved=moved)
        if n in continued
        else _open(version, plan, now)
        for n, plan in enumerate(plans)
    ]
    for n, (plan, batch) in enumerate(zip(plans, batches, strict=True)):
        places.name_batch(n, batch.pk, pools[plan.pool].pk)
    places.open_places(version.study_id)
    places.close_places()
    places.close_left(list(left.values()))
    for origin, separated in left.items():
        places.move_offers(origin, separated)
    places.count_offers(version.study_id)
    _end(version, batches, list(before.values()), now)
    wanted = places.count_wanted([batch.pk for batch in batches])
    for n, (plan, batch) in enumerate(zip(plans, batches, strict=True)):
        _count_batch(batch, n, plan, wanted.get(batch.pk, {}))
    return batches


def _open(version: StudyVersion, plan: BatchPlan, now: datetime) -> Batch:
    """A new batch; open at once unless its release is in the future."""
    opens_at = plan.laid.opens_at or now
    state = BatchState.OPEN if opens_at <= now else BatchState.PLANNED
    return Batch.objects.create(
        study_id=version.study_id,
        version=version,
        number=plan.number,
        topic=plan.laid.topic,
        state=state,
        items=_items_in(plan.laid),
        tasks=0,
        wanted=0,
        opens_at=opens_at,
        closes_at=plan.laid.closes_at,
        opened_at=now if state == BatchState.OPEN else None,
        purpose=plan.purpose,
    )


def _continue(batch: Batch, version: StudyVersion, plan: BatchPlan, now: datetime, *, moved: bool) -> Batch:
    """A batch that goes on in another version. Its times stay as they are unless the calendar changed."""
    returns = batch.version.n < version.n - 1
    batch.version, batch.number, batch.topic = version, plan.number, plan.laid.topic
    batch.items = _items_in(plan.laid)
    if moved:
        batch.opens_at, batch.closes_at = plan.laid.opens_at or batch.opens_at, plan.laid.closes_at
    if moved or returns:
        batch.state = BatchState.OPEN if batch.opens_at <= now else BatchState.PLANNED
        batch.opened_at = (batch.opened_at or now) if batch.state == BatchState.OPEN else None
        batch.closed_at = None
    batch.save()
    return batch


def _separate(batches: Mapping[int, Batch], now: datetime) -> dict[int, int]:
    """Moves tasks that the version does not keep out of batches that go on; the batches that they are in now."""
    made: dict[int, int] = {}
    if not batches:
        return made
    places.lock_leased(list(batches))
    for batch in places.batches_with_left_places(list(batches)):
        left = Batch.objects.get(pk=batch)
        left.pk = None
        left.state, left.closed_at = BatchState.CLOSED, left.closed_at or now
        left.save(force_insert=True)
        places.move_left_places(batch, left.pk)
        _count_wanted(left)
        made[batch] = left.pk
    return made


def _end(version: StudyVersion, batches: Sequence[Batch], before: Sequence[Batch], now: datetime) -> None:
    """Batches that the calendar no longer has, in which raters worked on tasks that stay: closed, but not left behind."""
    goes_on = {batch.pk for batch in batches}
    ended = [batch for batch in before if batch.pk not in goes_on]
    number = max(batch.number for batch in batches) + 1
    for later, batch in enumerate(ended):
        batch.version, batch.number = version, number + later
        batch.state, batch.closed_at = BatchState.CLOSED, batch.closed_at or now
        batch.save()
        _count_wanted(batch)


def _count_batch(batch: Batch, n: int, plan: BatchPlan, wanted: Mapping[str, int]) -> None:
    """Stores how many ratings are wanted, and how many tasks a rater of each group can do."""
    kinds = len({each.spoil.own for each in plan.conditions.values()})
    batch.group_tasks = {group: units * kinds for group, units in layout.units_per_group(n).items()}
    batch.tasks = max(batch.group_tasks.values())
    _store_wanted(batch, wanted)


def _count_wanted(batch: Batch) -> None:
    _store_wanted(batch, places.count_wanted([batch.pk]).get(batch.pk, {}))


def _store_wanted(batch: Batch, wanted: Mapping[str, int]) -> None:
    batch.condition_wanted = dict(wanted)
    batch.wanted = sum(wanted.values())
    batch.save()


def _items_in(laid: LaidBatch) -> int:
    return sum(len(unit.keys) for unit in laid.units)
