"""Label files for tests of the audit: sound ones of many designs, made by honest raters, and published ones."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

Columns: TypeAlias = dict[str, list[Any]]
WORDS = ("supports", "contradicts", "unrelated", "unclear", "mixed evidence")


@dataclass(frozen=True)
class Design:
    """How a simulated file is made."""

    scale: str = "ordinal"
    """`words`, `ordinal` or `slider`."""
    points: int = 5
    items: int = 120
    raters: int = 9
    per_item: int | None = 3
    """None if every rater judges every item."""
    conditions: int = 1
    aspects: int = 1
    same_raters: bool = False
    """Whether the same raters judge an item in every condition."""
    frequent: float = 0.0
    """The share of items that have the most frequent label in addition to its equal share."""
    skill: float = 0.8
    spread: float = 0.06
    """The standard deviation of skill between raters."""
    hard: float = 0.0
    """The share of items on which everybody has half the skill."""
    times: bool = False


def random_design(seed: int) -> Design:
    """One of many designs: crowd or complete, of any scale, with 3 to 300 raters."""
    draw = np.random.default_rng([seed, 11])
    complete = draw.random() < 0.4
    raters = int(draw.integers(3, 13)) if complete else int(np.exp(draw.uniform(np.log(4), np.log(300))))
    per_item = None if complete else int(draw.integers(2, min(5, raters - 1) + 1))
    scale = str(draw.choice(["words", "ordinal", "slider"]))
    points = {"words": int(draw.integers(2, 6)), "ordinal": int(draw.integers(2, 8)), "slider": 301}[scale]
    conditions, aspects = int(draw.integers(1, 4)), int(draw.integers(1, 3))
    # At most about 2,500 ratings, so that 200 files are audited in seconds.
    most = 2500 // (conditions * aspects * (per_item or raters))
    return Design(
        scale=scale,
        points=points,
        items=int(draw.integers(20, max(21, min(300, most)))),
        raters=raters,
        per_item=per_item,
        conditions=conditions,
        aspects=aspects,
        same_raters=bool(draw.random() < 0.4),
        frequent=float(draw.choice([0.0, 0.5, 0.8, 0.95])),
        skill=float(draw.uniform(0.55, 0.95)),
        times=bool(draw.random() < 0.5),
        spread=float(draw.choice([0.03, 0.06, 0.12, 0.2])),
        hard=float(draw.choice([0.0, 0.3])),
    )


def sound_file(design: Design, seed: int = 0) -> Columns:
    """Ratings by honest raters who differ in skill, severity and speed."""
    draw = np.random.default_rng([seed, 12])
    names = [f"p{number:04x}" for number in draw.choice(65_536, design.raters, replace=False)]
    skill = np.clip(design.skill + draw.normal(0, design.spread, design.raters), 0.35, 0.98)
    severity = draw.normal(0, 0.3, design.raters)
    speed = draw.normal(0, 0.3, design.raters)
    columns: Columns = {name: [] for name in ("item", "rater", "aspect", "condition", "label", "seconds")}
    for aspect in range(design.aspects):
        truth = _truth(design, draw)
        ease = np.where(draw.random(design.items) < design.hard, 0.5, 1.0)
        teams = [_team(design, draw) for _ in range(design.items)]
        for condition in range(design.conditions):
            shown = _shown(design, truth, condition, draw)
            for item in range(design.items):
                team = teams[item] if design.same_raters or condition == 0 else _team(design, draw)
                for rater in team:
                    columns["item"].append(f"d{item:04d}-{(item * 7919) % 104_729}")
                    columns["rater"].append(names[rater])
                    columns["aspect"].append(f"aspect {aspect}")
                    columns["condition"].append(f"C{condition}")
                    known = ease[item] * skill[rater]
                    columns["label"].append(_label(design, shown[item], known, severity[rater], draw))
                    columns["seconds"].append(round(float(np.exp(draw.normal(3.2 + speed[rater], 0.5))), 1))
    dropped = [name for name, n in (("aspect", design.aspects), ("condition", design.conditions)) if n == 1]
    dropped += [] if design.times else ["seconds"]
    return {name: values for name, values in columns.items() if name not in dropped}


def _team(design: Design, draw: np.random.Generator) -> list[int]:
    if design.per_item is None:
        return list(range(design.raters))
    return [int(rater) for rater in draw.choice(design.raters, design.per_item, replace=False)]


def _truth(design: Design, draw: np.random.Generator) -> Any:
    if design.scale == "slider":
        return np.clip(draw.normal(150, 80, design.items), 0, 300)
    truth = draw.integers(design.points, size=design.items)
    return np.where(draw.random(design.items) < design.frequent, 0, truth)


def _shown(design: Design, truth: Any, condition: int, draw: np.random.Generator) -> Any:
    """What raters see in a condition: another label for some items."""
    if not condition:
        return truth
    changed = draw.random(len(truth)) < 0.15
    return np.where(changed, _truth(design, draw), truth)


def _label(design: Design, truth: Any, skill: float, severity: float, draw: np.random.Generator) -> Any:
    if design.scale == "slider":
        return int(np.clip(round(truth + 25 * severity + draw.normal(0, 120 * (1 - skill) + 10)), 0, 300))
    if design.scale == "words":
        return WORDS[int(truth) if draw.random() < skill else int(draw.integers(design.points))]
    if draw.random() < skill:
        return int(truth) + 1
    step = draw.normal(severity, 1.2)
    return int(np.clip(int(truth) + round(step), 0, design.points - 1)) + 1


def facts_of(columns: Columns) -> set[str]:
    """What a file has: `conditions`, `times`, `order` or `words`, and `short` if it has few codes."""
    facts = {"words" if isinstance(columns["label"][0], str) else "order"}
    facts |= {
        name for name, column in (("conditions", "condition"), ("times", "seconds")) if column in columns
    }
    return facts | ({"short"} if len(set(columns["label"])) <= 11 else set())


def text_table(columns: Columns) -> pa.Table:
    """The columns as texts, as they are read from a CSV file."""
    return pa.table(
        {name: pa.array([str(each) or None for each in column]) for name, column in columns.items()}
    )


def write(columns: Columns, path: Path) -> Path:
    """A CSV file of the columns."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path
