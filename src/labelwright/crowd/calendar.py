"""The calendar of batches: when items are released and when they close."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from labelwright import seeds
from labelwright.crowd.item_sets import BadLayout
from labelwright.errors import nearest


class PlannedBatch(BaseModel):
    """One entry of a calendar: a topic, a set, a number of items drawn by seed, or all remaining items."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: str | None = None
    """The topic whose items are released; see `batches.topic`."""
    set: str | None = None
    """The name of an item set."""
    items: Annotated[int, Field(ge=1)] | None = None
    """The number of items, drawn by seed from those that no other batch has."""
    opens: datetime | None = None
    """The release time, in the time zone of the calendar unless it has an offset. Default: immediately."""
    closes: datetime | None = None
    """The deadline. No tasks are offered after it, but open tasks can still be submitted."""

    @model_validator(mode="after")
    def _one_part(self) -> PlannedBatch:
        if sum(part is not None for part in (self.topic, self.set, self.items)) > 1:
            raise ValueError("a batch can only have one of `topic`, `set` and `items`")
        return self


class Daily(BaseModel):
    """One topic after the other, a fixed number of days apart."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first_day: date
    """The day on which the first topic opens, such as 2027-03-01."""
    at: time = time(9)
    """The time of day at which topics open, in the time zone of the batches."""
    days_apart: Annotated[int, Field(ge=1, le=365)] = 1
    """Days from one topic to the next."""
    close_after_hours: Annotated[float, Field(gt=0, le=8760)] | None = None
    """The deadline of each batch in hours after its release. Default: no deadline."""
    order: Literal["corpus", "seeded"] = "corpus"
    """`corpus`: topics in the order of the corpus; `seeded`: in an order drawn by seed."""


class BatchesPart(BaseModel):
    """When items are released. Default: all at once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timezone: str = "UTC"
    """The time zone of all days and times here, such as Europe/Rome."""
    topic: str = "dialogue"
    """The metadata field of a dialogue that names its topic; with `dialogue`, each dialogue is a topic."""
    daily: Daily | None = None
    """Releases one topic after the other at fixed intervals. Use this or `calendar`."""
    calendar: tuple[PlannedBatch, ...] = ()
    """The batches one by one, each with what it holds and when it opens."""
    bonus_hours: Annotated[float, Field(gt=0, le=8760)] = 24
    """Raters who complete the batch within this many hours of its release earn the bonus."""

    @field_validator("timezone")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in available_timezones():
            meant = nearest(name, available_timezones())
            hint = f'did you mean "{meant}"?' if meant else 'expected a name like "Europe/Madrid"'
            raise ValueError(f"unknown time zone ({hint})")
        return name

    @model_validator(mode="after")
    def _one_way(self) -> BatchesPart:
        if (self.daily is None) == (not self.calendar):
            raise ValueError("batches need either `daily` or `calendar`, not both")
        for number, planned in enumerate(self.calendar, 1):
            if planned.opens and planned.closes and self.moment(planned.opens) >= self.moment(planned.closes):
                raise ValueError(f"batch {number} of the calendar closes before it opens")
        return self

    def moment(self, at: datetime) -> datetime:
        """A calendar time in UTC."""
        return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(self.timezone))).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Slot:
    """A batch with its items, before they are grouped into tasks."""

    topic: str
    keys: tuple[str, ...]
    opens_at: datetime | None = None
    """None: immediately."""
    closes_at: datetime | None = None


def schedule(
    part: BatchesPart | None, topics: Mapping[str, str], sets: Mapping[str, frozenset[str]], seed: int
) -> list[Slot]:
    """The batches of a study in calendar order. `topics` maps each item to its topic, in corpus order.

    Raises BadLayout if an item is not in any batch or a batch would be empty.
    """
    if part is None:
        return [Slot("", tuple(topics))]
    slots = list(_daily(part, part.daily, topics, seed) if part.daily else _listed(part, topics, sets, seed))
    placed = {key for slot in slots for key in slot.keys}
    if left := [key for key in topics if key not in placed]:
        raise BadLayout(
            f'{len(left):,} of {len(topics):,} items are not in any batch; the first is "{left[0]}".',
            do="End the calendar with an entry without `topic`, `set` and `items`: it takes all remaining items.",
        )
    return slots


def _daily(part: BatchesPart, daily: Daily, topics: Mapping[str, str], seed: int) -> Iterator[Slot]:
    names = list(dict.fromkeys(topics.values()))
    if daily.order == "seeded":
        names.sort(key=lambda name: seeds.rank(seed, "topic", name))
    for number, name in enumerate(names):
        day = daily.first_day + timedelta(days=number * daily.days_apart)
        opens = part.moment(datetime.combine(day, daily.at))
        closes = opens + timedelta(hours=daily.close_after_hours) if daily.close_after_hours else None
        yield Slot(name, tuple(key for key, topic in topics.items() if topic == name), opens, closes)


def _listed(
    part: BatchesPart, topics: Mapping[str, str], sets: Mapping[str, frozenset[str]], seed: int
) -> Iterator[Slot]:
    free = list(topics)
    for number, planned in enumerate(part.calendar, 1):
        keys = _taken(planned, free, topics, sets, seed)
        if not keys or (planned.items is not None and len(keys) < planned.items):
            raise BadLayout(
                f"batch {number} of the calendar has {len(keys):,} items"
                + (f", but needs {planned.items:,}." if planned.items else "."),
                do="Use a topic or set that is in the corpus and not in an earlier batch.",
            )
        taken = set(keys)
        free = [key for key in free if key not in taken]
        yield Slot(
            planned.topic or planned.set or "",
            tuple(keys),
            part.moment(planned.opens) if planned.opens else None,
            part.moment(planned.closes) if planned.closes else None,
        )


def _taken(
    planned: PlannedBatch,
    free: Sequence[str],
    topics: Mapping[str, str],
    sets: Mapping[str, frozenset[str]],
    seed: int,
) -> list[str]:
    if planned.topic is not None:
        return [key for key in free if topics[key] == planned.topic]
    if planned.set is not None:
        return [key for key in free if key in sets[planned.set]]
    if planned.items is not None:
        drawn = sorted(free, key=lambda key: (seeds.rank(seed, "batch", key), key))[: planned.items]
        kept = set(drawn)
        return [key for key in free if key in kept]
    return list(free)
