"""Item sets: named subsets of the items, drawn by seed or listed, for groups and batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright import seeds
from labelwright.errors import LabelwrightError, did_you_mean


class BadLayout(LabelwrightError):
    """Sets, groups or batches that do not fit the items."""

    code: ClassVar[str] = "bad_layout"


class ItemSet(BaseModel):
    """A number of items drawn by seed that are not in another set, or a list of items."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: Annotated[int, Field(ge=1)] | None = None
    """The number of items in the set, drawn by seed."""
    keys: tuple[str, ...] = ()
    """The keys of its items, instead of a number."""

    @model_validator(mode="after")
    def _one_way(self) -> ItemSet:
        if (self.items is None) == (not self.keys):
            raise ValueError("a set needs either `items` (a number) or `keys` (a list)")
        return self


def choose_sets(keys: Sequence[str], sets: Mapping[str, ItemSet], seed: int) -> dict[str, frozenset[str]]:
    """The keys of the items in each set; raises BadLayout if there are too few items or a key is unknown.

    Listed items are assigned first, so that drawn sets do not contain them.

    >>> chosen = choose_sets(["a", "b", "c"], {"one": ItemSet(items=1), "two": ItemSet(keys=["b"])}, seed=1)
    >>> len(chosen["one"]), chosen["one"] & chosen["two"], chosen["two"]
    (1, frozenset(), frozenset({'b'}))
    """
    known = set(keys)
    chosen = {name: frozenset(part.keys) for name, part in sets.items() if part.keys}
    for name, listed in chosen.items():
        for key in sorted(listed - known):
            hint = did_you_mean(key, keys) or (f'Item keys look like "{keys[0]}".' if keys else None)
            raise BadLayout(f'set "{name}" lists item "{key}", which is not in the corpus.', do=hint)
    taken = frozenset().union(*chosen.values())
    free = sorted(known - taken, key=lambda key: (seeds.rank(seed, "set", key), key))
    for name, part in sets.items():
        if part.items is None:
            continue
        if part.items > len(free):
            raise BadLayout(
                f'set "{name}" needs {part.items:,} items, but only {len(free):,} of {len(keys):,} are left.',
                do="Make the sets smaller, or increase the number of items.",
            )
        chosen[name], free = frozenset(free[: part.items]), free[part.items :]
    return {name: chosen[name] for name in sets}
