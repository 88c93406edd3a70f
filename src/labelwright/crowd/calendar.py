"""The calendar of batches: which items are released when, and until when they are worked on."""

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
    """One entry of a calendar: a topic, a set, so many items by seed, or all that are left."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: str | None = None
    set: str | None = None
    """The name of an item set."""
    items: Annotated[int, Field(ge=1)] | None = None
    opens: datetime | None = None
    """When it is released; at once when left out. Without an offset, a time of the calendar's time zone."""
    closes: datetime | None = None
    """The deadline, after which nothing more is offered; work under way may still be handed in."""

    @model_validator(mode="after")
    def _one_part(self) -> PlannedBatch:
        if sum(part is not None for part in (self.topic, self.set, self.items)) > 1:
            raise ValueError("a batch is a topic, a set or so many items, not several of them")
        return self


class Daily(BaseModel):
    """One topic after the other: the first on a day, the next so many days later."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first_day: date
    at: time = time(9)
    days_apart: Annotated[int, Field(ge=1, le=365)] = 1
    close_after_hours: Annotated[float, Field(gt=0, le=8760)] | None = None
    """Each batch's deadline, counted from its release; none when left out."""
    order: Literal["corpus", "seeded"] = "corpus"


class BatchesPart(BaseModel):
    """When items are released; all at once when left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    timezone: str = "UTC"
    topic: str = "dialogue"
    """The field of a dialogue's metadata that names its topic; with `dialogue`, each dialogue is one."""
    daily: Daily | None = None
    calendar: tuple[PlannedBatch, ...] = ()
    bonus_hours: Annotated[float, Field(gt=0, le=8760)] = 24
    """Within so many hours of its release a rater's whole batch earns the bonus."""

    @field_validator("timezone")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in available_timezones():
            meant = nearest(name, available_timezones())
            hint = f'did you mean "{meant}"?' if meant else 'expected a name like "Europe/Madrid"'
            raise ValueError(f"no time zone is called that ({hint})")
        return name

    @model_validator(mode="after")
    def _one_way(self) -> BatchesPart:
        if (self.daily is None) == (not self.calendar):
            raise ValueError("batches are either `daily` or listed in a `calendar`")
        for number, planned in enumerate(self.calendar, 1):
            if planned.opens and planned.closes and self.moment(planned.opens) >= self.moment(planned.closes):
                raise ValueError(f"batch {number} of the calendar closes before it opens")
        return self

    def moment(self, at: datetime) -> datetime:
        """A time of the calendar in UTC."""
        return (at if at.tzinfo else at.replace(tzinfo=ZoneInfo(self.timezone))).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Slot:
    """A batch with its items, before it is laid out into tasks."""

    topic: str
    keys: tuple[str, ...]
    opens_at: datetime | None = None
    """None: at once."""
    closes_at: datetime | None = None


def schedule(
    part: BatchesPart | None, topics: Mapping[str, str], sets: Mapping[str, frozenset[str]], seed: int
) -> list[Slot]:
    """The batches of a study in the order of its calendar; `topics` gives each item's topic, in corpus order.

    Raises BadLayout where an item stands in no batch or a batch would be empty.
    """
    if part is None:
        return [Slot("", tuple(topics))]
    slots = list(_daily(part, part.daily, topics, seed) if part.daily else _listed(part, topics, sets, seed))
    placed = {key for slot in slots for key in slot.keys}
    if left := [key for key in topics if key not in placed]:
        raise BadLayout(
            f'{len(left):,} of {len(topics):,} items stand in no batch; the first is "{left[0]}".',
            do="End the calendar with an entry that names neither topic nor set: it takes what is left.",
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
                f"batch {number} of the calendar finds {len(keys):,} items"
                + (f" and wants {planned.items:,}." if planned.items else "."),
                do="Name a topic of the corpus or a set that no batch before it has taken.",
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
