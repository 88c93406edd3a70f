"""Sampling by seeded hash: the same seed draws the same dialogues on every engine and in every run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright import tables
from labelwright.corpus.dialogues import SAMPLE_WEIGHT
from labelwright.corpus.items import ItemsPart

if TYPE_CHECKING:
    from labelwright.tables import Table

Share = Annotated[float, Field(gt=0, le=1)]


class SamplePart(BaseModel):
    """How many dialogues are drawn, and how they are distributed over strata."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Literal["uniform", "proportional", "proportions", "per_stratum"] = "uniform"
    """`uniform`: every dialogue has the same chance. `proportional`: strata by their share of the corpus.
    `proportions`: strata by the given shares. `per_stratum`: `n` dialogues from each stratum."""
    n: Annotated[int, Field(ge=1)]
    """The total number of dialogues, or the number per stratum for `per_stratum`."""
    proportions: dict[str, Share] = Field(default_factory=dict)
    """The share of each stratum for `proportions`; other strata are not drawn."""
    by: Literal["category", "system"] = "category"
    """The column that defines the strata."""

    @model_validator(mode="after")
    def _whole(self) -> SamplePart:
        if bool(self.proportions) != (self.method == "proportions"):
            raise ValueError("`proportions` and `method: proportions` must be used together")
        if self.proportions and not math.isclose(sum(self.proportions.values()), 1, abs_tol=1e-6):
            raise ValueError(
                f"the proportions must add up to 1, but add up to {sum(self.proportions.values()):g}"
            )
        return self


def quotas(part: SamplePart, sizes: Mapping[str, int]) -> dict[str, int]:
    """The number of dialogues drawn from each stratum, by largest remainder; ties by name.

    If a stratum is too small, all of it is drawn and other strata do not make up for it, so the
    sample can be smaller than requested.

    >>> quotas(SamplePart(method="proportions", n=10, proportions={"a": 0.55, "b": 0.45}), {"a": 50, "b": 3})
    {'a': 6, 'b': 3}
    """
    if part.method == "per_stratum":
        return {name: min(part.n, size) for name, size in sorted(sizes.items())}
    total = sum(sizes.values())
    shares = part.proportions or {name: size / total for name, size in sizes.items()}
    exact = {name: part.n * share for name, share in shares.items()}
    wanted = {name: math.floor(value + 1e-9) for name, value in exact.items()}
    missing = part.n - sum(wanted.values())
    by_remainder = sorted(exact, key=lambda name: (wanted[name] - exact[name], name))
    for name in by_remainder[: max(0, missing)]:
        wanted[name] += 1
    return {name: min(count, sizes.get(name, 0)) for name, count in sorted(wanted.items())}


def design_weights(drawn: Mapping[str, int], sizes: Mapping[str, int]) -> dict[str, float]:
    """The design weight of each stratum: its share of the corpus, divided by its share of the sample.

    Only strata that were drawn count, so that the weights of the sample have mean 1.

    >>> design_weights({"common": 5, "rare": 5, "other": 0}, {"common": 90, "rare": 10, "other": 100})
    {'common': 1.8, 'rare': 0.2}
    """
    used = {name: count for name, count in drawn.items() if count}
    corpus, total = sum(sizes[name] for name in used), sum(used.values())
    return {name: sizes[name] / corpus * total / count for name, count in used.items()}


def sample(dialogues: Table, part: SamplePart, seed: int) -> Table:
    """The rows of the drawn dialogues with their design weight, ordered by the column `rank`.

    `dialogues` has one row per dialogue, as returned by `classify`, with the column `dialogue` and, except
    for uniform samples, the stratum. Dialogues of uniform and proportional samples have the weight 1.
    """
    ranked = dialogues.mutate(
        rank=tables.hash_rank(dialogues.dialogue, seed, "sample"), **{SAMPLE_WEIGHT: 1.0}
    )
    if part.method == "uniform":
        return ranked.order_by("rank").limit(part.n)
    stratum = ranked[part.by].fill_null("")
    ranked = ranked.mutate(stratum=stratum)
    sizes = _sizes(ranked)
    drawn = quotas(part, sizes)
    weights = {} if part.method == "proportional" else design_weights(drawn, sizes)
    first = tables.first_within(ranked, "rank", "stratum", drawn)
    if weights:
        first = first.mutate(**{SAMPLE_WEIGHT: first.stratum.cases(*weights.items(), else_=1.0)})
    return first.drop("stratum").order_by("rank")


def _sizes(ranked: Table) -> dict[str, int]:
    """The size of each stratum."""
    counted = tables.fetch(ranked.group_by("stratum").aggregate(n=ranked.count())).to_pylist()
    return {row["stratum"]: int(row["n"]) for row in counted}


def sample_targets(turns: Table, part: ItemsPart, seed: int) -> Table:
    """The exchanges that become items, with the columns dialogue and target, as an expression.

    These are the same exchanges that `make_items` draws from dialogues in memory.
    """
    turns = turns.mutate(before=tables.previous(turns, "speaker", by="dialogue", order="position"))
    exchange = tables.all_of(turns.speaker == "system", turns.before == "user")
    turns = turns.mutate(exchange=exchange.ifelse(1, 0))
    turns = turns.mutate(exchanges=tables.running_sum(turns, "exchange", by="dialogue", order="position"))
    target = tables.all_of(
        turns.exchange == 1,
        turns.position - 1 >= part.turns_before,
        turns.exchanges - 1 >= part.exchanges_before,
        *([part.target.fits(turns)] if part.target else []),
    )
    found = turns.filter(target).select("dialogue", target="position")
    if part.per_dialogue is None:
        return found
    key = found.dialogue + "#" + found.target.cast("string")
    found = found.mutate(rank=tables.hash_rank(key, seed, "per_dialogue"))
    found = found.mutate(place=tables.place_within(found, "rank", by="dialogue"))
    return found.filter(found.place <= part.per_dialogue).select("dialogue", "target")
