"""Pools: created when a study is loaded, found by name, and entered by qualifying for them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar

from labelwright.errors import LabelwrightError
from labelwright.server.people import queries
from labelwright.server.people.actions.joining import add_model, lock_members, next_number, regroup
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.models import Member, Pool, StudyRow
from labelwright.study import Study


class PoolNotFound(LabelwrightError):
    """There is no pool of that name."""

    code: ClassVar[str] = "pool_not_found"
    status: ClassVar[HTTPStatus] = HTTPStatus.NOT_FOUND


def make_pools(row: StudyRow, study: Study, now: datetime) -> dict[str, Pool]:
    """The pools of a study by name, created where new; existing ones keep their members.

    Part of loading: members are put into the groups that the file defines now, and each pool of a model has its rater.
    """
    pools = {name: Pool.objects.get_or_create(study=row, name=name)[0] for name in study.pools}
    for name, pool in pools.items():
        queries.set_groups(pool, {group: part.raters for group, part in study.pools[name].groups.items()})
    for name in study.model_pools:
        add_model(row, pools[name], now)
    return pools


def get_pool(study: StudyRow, name: str) -> Pool:
    """A pool by name; raises PoolNotFound with the names of the others."""
    # PostgreSQL rejects NUL in any text, even in a search.
    found = Pool.objects.filter(study=study, name=name.replace("\x00", "")).first()
    if found is None:
        names = ", ".join(Pool.objects.filter(study=study).order_by("name").values_list("name", flat=True))
        raise PoolNotFound(f'"{study.name}" has no pool "{name}".', expected=f"one of {names}.")
    return found


def enter_pools(study: StudyRow, file: Study, raters: Iterable[int], now: datetime) -> list[str]:
    """Admits raters to every pool whose requirements they meet; returns the names of pools that gained members.

    Called after a qualification is decided, in its transaction.
    """
    wanted = set(raters)
    entered = []
    for name, part in file.pools.items():
        if not part.requires:
            continue
        pool = get_pool(study, name)
        lock_members(pool)
        existing = set(Member.objects.filter(pool=pool).values_list("rater_id", flat=True))
        qualified = [rater for rater in sorted(wanted - existing) if _meets(study, part.requires, rater)]
        number = next_number(pool)
        Member.objects.bulk_create(
            [
                Member(study=study, pool=pool, rater_id=rater, number=number + place, joined_at=now)
                for place, rater in enumerate(qualified)
            ]
        )
        regroup(study, pool)
        note_changed_raters(study.pk, qualified)
        entered += [name] if qualified else []
    return entered


def _meets(study: StudyRow, required: tuple[str, ...], rater: int) -> bool:
    met = Member.objects.filter(study=study, rater_id=rater, qualified=True, pool__name__in=required)
    return met.count() == len(set(required))
