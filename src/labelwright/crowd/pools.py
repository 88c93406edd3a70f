"""Pool: raters who are recruited together, with their caps and pay."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.context import ModelPart
from labelwright.crowd.ledger import fee_of
from labelwright.crowd.mturk import MTURK_PANEL, MTurkPart
from labelwright.crowd.panel import PanelPart
from labelwright.crowd.qualification import QualificationPart

GroupName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
Cap = Annotated[int, Field(ge=1)]
Origin = Annotated[str, Field(pattern=r"^https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$")]


class Caps(BaseModel):
    """Limits for each rater, enforced by the database."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: Cap | None = None
    """The most tasks in the whole study, over all versions."""
    conditions: Cap | None = None
    """The most different conditions. Returned tasks do not count."""
    tasks_per_batch: Cap | None = None
    """The most tasks in one batch."""
    tasks_per_day: Cap | None = None
    """The most tasks on one day, which ends at midnight UTC."""
    returns: Cap = 20
    """The most returned tasks. A rater who reaches the limit gets no more tasks, so that nobody can browse all items."""


class Group(BaseModel):
    """Raters of a pool who rate fixed item sets, for comparison with other groups."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    raters: Annotated[int, Field(ge=1)]
    """The number of raters in the group."""
    sets: Annotated[tuple[str, ...], Field(min_length=1)]
    """The names of item sets. The group rates all of their items."""
    redundancy: Annotated[int, Field(ge=1, le=1000)] | None = None
    """The number of ratings per item and condition from this group. Default: that of the study."""


class Pay(BaseModel):
    """The pay for one task, in minor units."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cents: Annotated[int, Field(ge=0)] = 0
    """The pay for one task, in hundredths of the currency."""
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "USD"
    """The currency, as three letters."""


class BatchBonus(BaseModel):
    """A bonus for raters who complete a batch in time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cents: Annotated[int, Field(ge=1)]
    """The bonus, in hundredths of the currency."""
    within_hours: Annotated[float, Field(gt=0, le=8_760)] | None = None
    """The time from the release of the batch to the rater's last task of it. Default: `bonus_hours` of `batches`, or 24."""


class PoolPay(Pay):
    """What raters of a pool get, and what it costs."""

    batch_bonus: BatchBonus | None = None
    """A bonus for each batch that a rater completes in time. Every rater gets it once per batch."""
    fee_percent: Annotated[float, Field(ge=0, le=100)] = 0
    """The fee of the platform or panel, in percent of every payment. Budgets include it."""
    least_fee_cents: Annotated[int, Field(ge=0)] = 0
    """The smallest fee for one payment, in hundredths of the currency."""
    hourly_minimum_cents: Annotated[int, Field(ge=0)] = 0
    """The hourly pay that raters should reach, in hundredths of the currency. The page Money warns below it. A platform
    may have a higher minimum."""

    def fee_on(self, cents: int) -> int:
        """The fee on one payment."""
        return fee_of(cents, self.fee_percent, self.least_fee_cents)


class LinkPool(BaseModel):
    """Raters, each with a signed link: your own, or those of a panel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    platform: Literal["link", "panel", "prolific", "mturk"]
    """Where raters come from; `link` means people whom you invite, `panel` people whom a recruiter sends, `prolific`
    people from Prolific, whom the server approves, rejects and pays through its API, and `mturk` people from a service
    that speaks the protocol of Mechanical Turk. The public service closed on 30 September 2026."""
    panel: PanelPart | None = None
    """How people come from the recruiter and go back, for `panel` and `prolific`."""
    mturk: MTurkPart | None = None
    """How tasks are offered there, for `mturk` only."""
    raters: Annotated[int, Field(ge=1, le=100_000)] = 1
    """The number of links, and the maximum number of applicants for a qualification."""
    requires: tuple[str, ...] = ()
    """Pools with a qualification. Raters who qualify in all of them join this pool automatically."""
    qualification: QualificationPart | None = None
    """If set, this qualification is the only work of the pool."""
    caps: Caps = Caps()
    """How much one rater may do."""
    groups: dict[GroupName, Group] = Field(default_factory=dict)
    """The first raters of the pool form the first group, and so on. Raters without a group get no tasks."""
    pay: PoolPay = PoolPay()
    """What raters get, and what it costs."""
    lease_minutes: Annotated[float, Field(gt=0, le=10_080)] = 30
    """How long a task is reserved for a rater after their last activity, before it is offered again."""
    longest_lease_minutes: Annotated[float, Field(gt=0, le=43_200)] | None = None
    """How long a task can be reserved in total. Default: four times `lease_minutes`."""
    link_days: Annotated[int, Field(ge=1, le=730)] = 60
    """For how many days a personal link works."""
    embed_origins: tuple[Origin, ...] = ()
    """Sites that may embed the rater pages in a frame. Default: none."""

    @model_validator(mode="after")
    def _made_or_granted(self) -> LinkPool:
        needed = not self.requires or self.qualification is not None
        if needed and not self.says_raters:
            raise ValueError("`raters` is missing; only a pool with `requires` can do without it")
        return self

    @model_validator(mode="before")
    @classmethod
    def _mturk_has_one_panel(cls, given: Any) -> Any:
        """People come from Mechanical Turk in one way only, so study files do not say how."""
        if isinstance(given, dict) and given.get("platform") == "mturk":
            return {"mturk": {}} | given | {"panel": MTURK_PANEL}
        return given

    @model_validator(mode="after")
    def _only_mturk_has_its_part(self) -> LinkPool:
        if (self.mturk is None) != (self.platform != "mturk"):
            raise ValueError("`mturk` says how tasks are offered there; only `platform: mturk` has it")
        return self

    @model_validator(mode="after")
    def _panel_is_there(self) -> LinkPool:
        if (self.panel is None) != (self.platform == "link"):
            raise ValueError("`panel` says how people come and go back; every platform but `link` needs it")
        if self.platform == "prolific" and self.panel is not None and self.panel.session is None:
            raise ValueError("`panel.session` is missing; Prolific names submissions by it")
        if self.platform == "panel" and self.panel is not None and self.panel.completed is None:
            raise ValueError("`panel.completed` is missing; people go back to the panel by it")
        return self

    @model_validator(mode="after")
    def _groups_fit(self) -> LinkPool:
        grouped = sum(group.raters for group in self.groups.values())
        if self.says_raters and grouped > self.raters:
            raise ValueError(f"its groups have {grouped} raters, but the pool has only {self.raters}")
        return self

    @property
    def says_raters(self) -> bool:
        """Whether the study file sets the number of raters. If not, it is the number who qualify."""
        return "raters" in self.model_fields_set

    @property
    def visit_tasks(self) -> int | None:
        """How many tasks one visit has; None if a rater does all of theirs in one."""
        return self.mturk.tasks if self.mturk else None

    @property
    def hold_minutes(self) -> float:
        """How long a place can be reserved in total."""
        return self.longest_lease_minutes or 4 * self.lease_minutes

    def lease_end(self, now: datetime, offered_at: datetime, free_for: timedelta) -> datetime:
        """When a lease that starts now ends. It ends immediately if the total limit has been reached.

        The time during which the place was free for others does not count.
        """
        limit = offered_at + free_for + timedelta(minutes=self.hold_minutes)
        return min(now + timedelta(minutes=self.lease_minutes), limit)


class ModelPool(BaseModel):
    """A language model that rates the same tasks as people. Its labels are never counted among theirs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # What every pool has, so that code about pools need not ask which kind it is.
    qualification: ClassVar[None] = None
    requires: ClassVar[tuple[str, ...]] = ()
    groups: ClassVar[dict[str, Group]] = {}
    pay: ClassVar[PoolPay] = PoolPay()
    panel: ClassVar[None] = None
    visit_tasks: ClassVar[None] = None
    caps: ClassVar[Caps] = Caps(returns=1_000_000_000)
    raters: ClassVar[int] = 1
    says_raters: ClassVar[bool] = True
    link_days: ClassVar[int] = 730
    embed_origins: ClassVar[tuple[str, ...]] = ()
    lease_minutes: ClassVar[float] = 60

    platform: Literal["model"]
    """Where raters come from; `model` means a language model."""
    model: ModelPart
    """The model: name, address, parameters, prices and budget. `attempts` is how often one task is asked at most."""
    instructions: Annotated[str, Field(max_length=8000)] = ""
    """Further instructions, for the model only. Those of the task design come first."""
    structured: bool = True
    """Whether the endpoint is asked to hold answers to a JSON schema. If it refuses, answers are read from its text."""
    slots: Annotated[int, Field(ge=1, le=100)] = 4
    """The largest number of requests that wait for a reply at the same time, of tasks and of probes and versions each."""
    own_systems: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = ()
    """The systems of the corpus that belong to the same model family, for the probe of a bias towards its own kind."""

    def lease_end(self, now: datetime, offered_at: datetime, free_for: timedelta) -> datetime:
        """When a lease that starts now ends. Nobody else waits for the place, so there is no limit in total."""
        return now + timedelta(minutes=self.lease_minutes)


AnyPool: TypeAlias = Annotated[LinkPool | ModelPool, Field(discriminator="platform")]
"""A pool as the study file writes it."""
