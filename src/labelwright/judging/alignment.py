"""Alignment: versions of a prompt, compared on development items, and tested once on items that nobody looked at.

Whoever improves a prompt until it fits the items at hand has learned these items. So the items are divided by a seed
before the first prompt: disagreements are shown for development items only, and the held-out items are opened once for
each declared version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from labelwright.agreement import Estimate
from labelwright.judging.errors import AlreadyOpened
from labelwright.seeds import rank

HELD_OUT = 0.5
"""The share of items that is held out."""


@dataclass(frozen=True)
class Division:
    """Which items are for development, and which are held out."""

    development: tuple[str, ...]
    held_out: tuple[str, ...]
    seed: int


def divide_items(items: Sequence[str], seed: int, held_out: float = HELD_OUT) -> Division:
    """Items divided by a seed. The order of the items does not matter, and neither do later items.

    >>> divide_items(["a", "b", "c", "d"], seed=1) == divide_items(["d", "c", "b", "a"], seed=1)
    True
    """
    hidden = {item for item in items if is_held_out(item, seed, held_out)}
    return Division(tuple(sorted(item for item in items if item not in hidden)), tuple(sorted(hidden)), seed)


def is_held_out(item: str, seed: int, held_out: float = HELD_OUT) -> bool:
    """Whether an item is held out. It depends on its name and the seed alone, so items can be added later."""
    return rank(seed, "held out", item) < held_out * 2**63


def version_hash(prompt: str, model: str, parameters: str) -> str:
    """The name of a version for records: another prompt, model or parameter is another version."""
    return hashlib.sha256(f"{prompt}\x1f{model}\x1f{parameters}".encode()).hexdigest()


@dataclass(frozen=True)
class PromptVersion:
    """One version of a prompt, with its figures."""

    number: int
    change: str
    """What is new, in the words of its author."""
    hash: str
    development: Estimate | None = None
    held_out: Estimate | None = None
    """None until the held-out items were opened for this version."""

    @property
    def gap(self) -> float | None:
        """How much better development items look; a large gap means that the prompt was fitted to them."""
        if self.development is None or self.held_out is None:
            return None
        return self.development.value - self.held_out.value


@dataclass(frozen=True)
class PromptHistory:
    """All versions of a prompt, oldest first."""

    versions: tuple[PromptVersion, ...] = ()

    def declare(self, change: str, digest: str) -> PromptHistory:
        """The history with a new version; the same prompt, model and parameters are no new version."""
        if any(each.hash == digest for each in self.versions):
            return self
        return replace(self, versions=(*self.versions, PromptVersion(len(self.versions) + 1, change, digest)))

    def measured(self, number: int, development: Estimate) -> PromptHistory:
        """The history with the figure of a version on development items, which may be measured again."""
        return self._with(replace(self.versions[number - 1], development=development))

    def opened(self, number: int, held_out: Estimate) -> PromptHistory:
        """The history with the figure of a version on held-out items. Raises AlreadyOpened the second time."""
        version = self.versions[number - 1]
        if version.held_out is not None:
            raise AlreadyOpened(
                f"the held-out items were already opened for version {number}.",
                expected="one look for each version.",
                do="Declare a new version if the prompt has changed.",
            )
        return self._with(replace(version, held_out=held_out))

    def _with(self, version: PromptVersion) -> PromptHistory:
        return replace(
            self,
            versions=tuple(version if each.number == version.number else each for each in self.versions),
        )

    @property
    def warning(self) -> str:
        """A warning if the newest opened version is better on development items only; empty if not."""
        opened = [
            (each.number, each.development.value, each.held_out.value)
            for each in self.versions
            if each.held_out is not None and each.development is not None
        ]
        if len(opened) < 2:
            return ""
        (before, old_seen, old_unseen), (now, new_seen, new_unseen) = opened[-2:]
        seen, unseen = new_seen - old_seen, new_unseen - old_unseen
        if seen <= 0 or unseen > seen / 2:
            return ""
        return (
            f"Version {now} gains {seen:.2f} on the development items and {unseen:.2f} on the held-out ones. "
            f"It is not shown to be better than version {before}."
        )
