"""Study: corpus, items, conditions, aspects, tasks, pools and quality rules as one file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from turnwise.corpus import CorpusPart, ItemsPart
from turnwise.crowd import LinkPool
from turnwise.quality import AnyRule
from turnwise.scales import Scale
from turnwise.task import Aspect, Condition, TaskDesign

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class Study(BaseModel):
    """All that a requester decides, as one versioned file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turnwise: Literal[1]
    """The version of the study file's format."""
    name: Slug
    title: Annotated[str, Field(min_length=1, max_length=120)]
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    corpus: CorpusPart
    items: ItemsPart = ItemsPart()
    scales: Annotated[dict[Name, Scale], Field(min_length=1)]
    aspects: Annotated[dict[Name, Aspect], Field(min_length=1)]
    designs: Annotated[dict[Name, TaskDesign], Field(min_length=1)]
    conditions: Annotated[dict[Name, Condition], Field(min_length=1, max_length=50)]
    redundancy: Annotated[int, Field(ge=1, le=100)]
    """Ratings wanted of each item in each condition."""
    pools: Annotated[dict[Name, LinkPool], Field(min_length=1, max_length=1)]
    quality: tuple[AnyRule, ...] = ()

    def design_name(self, condition: str) -> str:
        """The name of the task design that a condition is shown with."""
        return self.conditions[condition].design or next(iter(self.designs))

    def design(self, condition: str) -> TaskDesign:
        """The task design that a condition is shown with."""
        return self.designs[self.design_name(condition)]

    @property
    def pool_name(self) -> str:
        """The name of the study's pool."""
        return next(iter(self.pools))

    @property
    def pool(self) -> LinkPool:
        """The study's pool."""
        return self.pools[self.pool_name]


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a study file, for editors."""
    schema = Study.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
