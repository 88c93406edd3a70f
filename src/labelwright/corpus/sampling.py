"""Sampling by seeded hash rank: the same seed draws the same dialogues on every engine and in every run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.corpus.items import ItemsPart
from labelwright.tables import Table, all_of, fetch, hash_rank, place_within, previous, running_sum

Share = Annotated[float, Field(gt=0, le=1)]


class SamplePart(BaseModel):
    """How many dialogues are drawn, and how they are spread over the strata."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: Literal["uniform", "proportional", "proportions", "per_stratum"] = "uniform"
    """`uniform`: every dialogue alike. `proportional`: each stratum by its share of the corpus.
    `proportions`: by the shares given. `per_stratum`: n of each."""
    n: Annotated[int, Field(ge=1)]
    """Dialogues in all, or of each stratum for `per_stratum`."""
    proportions: dict[str, Share] = Field(default_factory=dict)
    """Shares by stratum for `proportions`; strata not named get none."""
    by: Literal["category", "system"] = "category"
    """What makes a stratum."""

    @model_validator(mode="after")
    def _whole(self) -> SamplePart:
        if bool(self.proportions) != (self.method == "proportions"):
            raise ValueError('shares under "proportions" go with the method "proportions"')
        if self.proportions and not math.isclose(sum(self.proportions.values()), 1, abs_tol=1e-6):
            raise ValueError(f"the proportions add up to {sum(self.proportions.values()):g}, not to 1")
        return self


def quotas(part: SamplePart, sizes: Mapping[str, int]) -> dict[str, int]:
    """How many dialogues are drawn of each stratum; by largest remainder, ties by name.

    A stratum with too few gives all it has; what it lacks is not taken from others, so the sample may
    be smaller than wanted.

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


def sample(dialogues: Table, part: SamplePart, seed: int) -> Table:
    """The rows of the dialogues drawn, in the order of their rank (column `rank`).

    `dialogues` has one row for each dialogue, with the column `dialogue` and, except for uniform samples,
    the stratum: what `classify` gives. Strata are counted before the draw only where their sizes matter.
    """
    ranked = dialogues.mutate(rank=hash_rank(dialogues.dialogue, seed, "sample"))
    if part.method == "uniform":
        return ranked.order_by("rank").limit(part.n)
    stratum = ranked[part.by].fill_null("")
    ranked = ranked.mutate(stratum=stratum)
    placed = ranked.mutate(place=place_within(ranked, "rank", by="stratum"))
    limit: Any = part.n
    if part.method != "per_stratum":
        limit = 0
        for name, count in quotas(part, _sizes(ranked, part)).items():
            limit = (placed.stratum == name).ifelse(count, limit)
    return placed.filter(placed.place <= limit).drop("place", "stratum").order_by("rank")


def _sizes(ranked: Table, part: SamplePart) -> dict[str, int]:
    """The size of each stratum; for given shares it does not matter, so the engine is not asked."""
    if part.method == "proportions":
        return dict.fromkeys(part.proportions, part.n)
    counted = fetch(ranked.group_by("stratum").aggregate(n=ranked.count())).to_pylist()
    return {row["stratum"]: int(row["n"]) for row in counted}


def sample_targets(turns: Table, part: ItemsPart, seed: int) -> Table:
    """The exchanges that may become items, at most k of each dialogue: columns dialogue and target.

    The same exchanges as `make_items` draws from dialogues in memory, as an expression.
    """
    turns = turns.mutate(before=previous(turns, "speaker", by="dialogue", order="position"))
    exchange = all_of(turns.speaker == "system", turns.before == "user")
    turns = turns.mutate(exchange=exchange.ifelse(1, 0))
    turns = turns.mutate(exchanges=running_sum(turns, "exchange", by="dialogue", order="position"))
    target = all_of(
        turns.exchange == 1,
        turns.position - 1 >= part.turns_before,
        turns.exchanges - 1 >= part.exchanges_before,
        *([part.target.fits(turns)] if part.target else []),
    )
    found = turns.filter(target).select("dialogue", target="position")
    if part.per_dialogue is None:
        return found
    key = found.dialogue + "#" + found.target.cast("string")
    found = found.mutate(rank=hash_rank(key, seed, "per_dialogue"))
    found = found.mutate(place=place_within(found, "rank", by="dialogue"))
    return found.filter(found.place <= part.per_dialogue).select("dialogue", "target")
