"""Ledger: the versions of a prompt in a file, with their figures and when their held-out items were opened."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from labelwright import tables
from labelwright.agreement import Bootstrap, Estimate, Interval
from labelwright.judging.agreement import agree_with_people
from labelwright.judging.alignment import Division, PromptHistory, PromptVersion, divide_items
from labelwright.judging.errors import NotRandom
from labelwright.judging.sides import Panel, PeopleAndModels, make_panel


@dataclass(frozen=True)
class Disagreement:
    """A development item on which the model differs from most people."""

    item: str
    people: tuple[Any, ...]
    model: Any


@dataclass(frozen=True)
class PromptLedger:
    """The seed that divides items, and all versions."""

    seed: int
    history: PromptHistory = field(default_factory=PromptHistory)
    opened_at: tuple[tuple[int, str], ...] = ()
    """When the held-out items were opened for each version."""

    @classmethod
    def read(cls, path: Path, seed: int) -> PromptLedger:
        """The ledger in a file, or a new one. Raises NotRandom if its items were divided by another seed."""
        if not path.exists():
            return cls(seed)
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["seed"] != seed:
            raise NotRandom(
                f"the items of this ledger are divided by seed {stored['seed']}, not {seed}.",
                expected="the same division for every version: another would show held-out items as development items.",
                where=str(path),
            )
        versions = tuple(_version(each) for each in stored["versions"])
        opened = tuple(
            (each["number"], each["opened_at"]) for each in stored["versions"] if each["opened_at"]
        )
        return cls(seed, PromptHistory(versions), opened)

    def write(self, path: Path) -> None:
        """Stores the ledger."""
        opened = dict(self.opened_at)
        versions = [
            {
                "number": each.number,
                "change": each.change,
                "hash": each.hash,
                "development": _stored(each.development),
                "held_out": _stored(each.held_out),
                "opened_at": opened.get(each.number),
            }
            for each in self.history.versions
        ]
        path.write_text(
            json.dumps({"seed": self.seed, "versions": versions}, indent=1, ensure_ascii=False) + "\n",
            encoding="utf-8",
        )

    def declared(self, change: str, digest: str) -> tuple[PromptLedger, PromptVersion]:
        """The ledger with this version, and the version; the same prompt is the same version."""
        history = self.history.declare(change, digest)
        version = next(each for each in history.versions if each.hash == digest)
        return replace(self, history=history), version

    def measured(self, number: int, figure: Estimate) -> PromptLedger:
        """The ledger with the figure of a version on development items."""
        return replace(self, history=self.history.measured(number, figure))

    def opened(self, number: int, figure: Estimate, at: str) -> PromptLedger:
        """The ledger with the figure on held-out items; raises AlreadyOpened the second time."""
        history = self.history.opened(number, figure)
        return replace(self, history=history, opened_at=(*self.opened_at, (number, at)))

    def lines(self) -> list[str]:
        """Every version with both figures, newest first."""
        return [
            f"Version {each.number}: development {_text(each.development)}, held-out {_text(each.held_out)}. {each.change}"
            for each in reversed(self.history.versions)
        ] + ([self.history.warning] if self.history.warning else [])


def _version(stored: dict[str, Any]) -> PromptVersion:
    return PromptVersion(
        stored["number"],
        stored["change"],
        stored["hash"],
        _estimate(stored["development"]),
        _estimate(stored["held_out"]),
    )


def _stored(estimate: Estimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    interval = estimate.interval
    ends = {"low": interval.low, "high": interval.high} if interval else {}
    return {"name": estimate.name, "value": estimate.value, "items": estimate.items, **ends}


def _estimate(stored: dict[str, Any] | None) -> Estimate | None:
    if stored is None:
        return None
    interval = Interval(stored["low"], stored["high"], 0.95, "items", 0, 0) if "low" in stored else None
    return Estimate(stored["name"], stored["value"], "", interval=interval, items=stored["items"])


def _text(estimate: Estimate | None) -> str:
    return "not opened" if estimate is None else estimate.text


def divide(sides: PeopleAndModels, seed: int) -> Division:
    """The division of the items of a file."""
    return divide_items([str(item) for item in sides.labels.values("item")], seed)


def agreement_on(
    sides: PeopleAndModels, model: str, items: Collection[str], bootstrap: Bootstrap
) -> Estimate:
    """The agreement of a model with people on some items."""
    return agree_with_people(_panel(sides, model, items), bootstrap).judge


def disagreements(sides: PeopleAndModels, model: str, items: Collection[str]) -> list[Disagreement]:
    """The items on which most people gave another label than the model, those with the clearest people first."""
    panel = _panel(sides, model, items)
    codes = panel.people.codes
    given: dict[int, list[Any]] = {}
    for item, code in zip(panel.people.item.tolist(), panel.people.code.tolist(), strict=True):
        given.setdefault(item, []).append(codes[code])
    found = []
    for item, labels in given.items():
        judged = panel.judged[item]
        if judged >= 0 and labels.count(codes[judged]) * 2 < len(labels):
            found.append(Disagreement(panel.names[item], tuple(sorted(labels, key=str)), codes[judged]))
    return sorted(found, key=lambda each: (len(set(each.people)), each.item))


def _panel(sides: PeopleAndModels, model: str, items: Collection[str]) -> Panel:
    chosen = tables.among(sides.labels.table, {"item": sorted(items)})
    codes = sides.labels.inherited or (None if sides.labels.scales else sides.labels.codes())
    return make_panel(replace(sides, labels=replace(sides.labels, table=chosen, inherited=codes)), model)
