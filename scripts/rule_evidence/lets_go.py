"""The Let's Go study made again: 11,000 dialogues, 700 raters with known behaviour, and rules R1 to R5.

The dialogues have the automatic categories in the published proportions. What raters see in them differs from the
category where the paper says so: the ambiguous shares of section 4.2 are taken from it. The behaviour of raters is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from pydantic import TypeAdapter

from labelwright.quality import PRESETS, AnyRule, Rule, Work, flags

DIALOGUES, RATERS, SEED = 11_000, 700, 2010
CATEGORIES = {"TaskComplete": 0.55, "TaskIncomplete": 0.27, "OutOfScope": 0.18}
PUBLISHED = {
    "TaskComplete": (0.7959, 0.135),
    "TaskIncomplete": (0.6523, 0.17),
    "OutOfScope": (0.9065, 0.465),
}
"""Approval rate and share of ambiguous dialogues among the approved, sections 4.1 and 4.2."""
FITTING = {"TaskComplete": (1, 2, 3, 4), "TaskIncomplete": (6, 7), "OutOfScope": (5,)}
SUCCESSFUL = {1: (4, 5), 2: (4,), 3: (4,), 4: (3, 4), 5: (2, 3, 4), 6: (1, 2), 7: (1, 2)}
"""Answers to the question about success that go with each outcome."""
MISREAD = {"TaskComplete": 0.05, "TaskIncomplete": 0.25, "OutOfScope": 0.05}
"""How often a careful rater is simply wrong about the outcome: a dialogue that ends early looks like many things."""
MIX = {"careful": 0.76, "hasty": 0.07, "straight-lining": 0.08, "random": 0.09}
RULES: list[Rule] = [TypeAdapter(AnyRule).validate_python(rule) for rule in PRESETS["lets-go"]]
NAMES = {
    "too_fast": "R1 too fast",
    "identical_answers": "R2 identical answers",
    "contradiction": "R3 contradiction",
    "category_mismatch": "R4 against the category",
}


@dataclass(frozen=True)
class Rated:
    """One dialogue and its rating."""

    category: str
    outcomes: tuple[int, ...]
    """The outcomes that the dialogue allows."""
    kind: str
    unread: bool
    """Whether the rater gave the answers without judging."""
    repeats: bool
    """Whether the rater gave more than 20 tasks the same answers up to here."""
    work: Work

    @property
    def wrong(self) -> bool:
        """Whether the outcome is none that the dialogue allows."""
        return self.work.codes["0:outcome"] not in self.outcomes


TRUTHS: dict[str, tuple[str, Callable[[Rated], bool]]] = {
    "too_fast": ("answered without reading", lambda r: r.unread),
    "identical_answers": ("the 21st or a later equal answer of a straight-liner", lambda r: r.repeats),
    "contradiction": ("answers drawn at random", lambda r: r.unread and r.kind in ("random", "hasty")),
    "category_mismatch": ("an outcome that the dialogue does not allow", lambda r: r.wrong),
    "review": ("answered without judging, or a wrong outcome", lambda r: r.unread or r.wrong),
}
"""What each rule is after, and whether a rating is that."""


def make_ratings(dialogues: int = DIALOGUES, raters: int = RATERS, seed: int = SEED) -> list[Rated]:
    """Every dialogue rated once, by raters of very different diligence."""
    draw = np.random.default_rng(seed)
    names = list(CATEGORIES)
    category = draw.choice(names, dialogues, p=list(CATEGORIES.values()))
    kinds = draw.choice(list(MIX), raters, p=list(MIX.values()))
    # A few raters do most of the work, as on every platform.
    weight = draw.lognormal(0, 1.1, raters)
    rater = draw.choice(raters, dialogues, p=weight / weight.sum())
    usual = {n: (int(draw.integers(1, 6)), int(draw.integers(1, 8))) for n in range(raters)}
    history: dict[int, list[Work]] = {}
    rated = []
    for place in range(dialogues):
        number = int(rater[place])
        one = _rate(
            str(category[place]), str(kinds[number]), usual[number], history.setdefault(number, []), draw
        )
        history[number].append(one.work)
        rated.append(one)
    return rated


def _rate(category: str, kind: str, usual: tuple[int, int], earlier: list[Work], draw: Generator) -> Rated:
    outcomes = _outcomes(category, draw)
    unread = {"careful": 0.0, "hasty": 0.75, "straight-lining": 1.0, "random": 0.95}[kind]
    lazy = bool(draw.random() < unread)
    if lazy and kind == "straight-lining":
        success, outcome = usual
    elif lazy:
        success, outcome = int(draw.integers(1, 6)), int(draw.integers(1, 8))
    else:
        misread = draw.random() < MISREAD[category]
        outcome = int(draw.integers(1, 8)) if misread else int(draw.choice(outcomes))
        success = int(draw.choice(SUCCESSFUL[outcome]))
    median = {"careful": 55.0, "hasty": 12.0, "straight-lining": 20.0, "random": 25.0}[kind]
    work = Work(
        "transcript",
        float(draw.lognormal(np.log(median), 0.45)),
        {"0:successful": success, "0:outcome": outcome},
        categories={0: category},
        history=tuple(earlier[-20:]),
    )
    same = len(earlier) >= 20 and all(each.codes == work.codes for each in earlier[-20:])
    return Rated(category, outcomes, kind, lazy, same and kind == "straight-lining", work)


def _outcomes(category: str, draw: Generator) -> tuple[int, ...]:
    """The outcomes that a careful rater may see: those of the category, or others where the dialogue is ambiguous."""
    if draw.random() >= PUBLISHED[category][1]:
        return FITTING[category]
    return {"TaskComplete": (5, 6), "TaskIncomplete": (1, 5), "OutOfScope": (1, 6)}[category]


def review(rated: Rated, found: Sequence[str], draw: Generator) -> bool:
    """R5: whether a reviewer approves, as sections 3.3 and 4.1 describe it.

    Unflagged work is approved. Work that is too fast, repeated or contradictory is not. What only differs from the
    category is checked: wrong outcomes are rejected, but for one in twenty that is overlooked, and ambiguous ones are
    approved; out of scope, either view is approved.
    """
    if not found:
        return True
    if set(found) != {"category_mismatch"}:
        return False
    return rated.category == "OutOfScope" or not rated.wrong or bool(draw.random() < 0.05)


def measure(dialogues: int = DIALOGUES, raters: int = RATERS, seed: int = SEED) -> dict[str, Any]:
    """Precision and recall of each rule, and approval and ambiguous shares, with the table that shows them."""
    ratings = make_ratings(dialogues, raters, seed)
    found = [[rule.rule for rule, _ in flags(RULES, rated.work)] for rated in ratings]
    draw = np.random.default_rng(seed + 1)
    approved = [review(rated, rules, draw) for rated, rules in zip(ratings, found, strict=True)]
    rows = [_score(name, ratings, [name in rules for rules in found]) for name in NAMES]
    rows.append(_score("review", ratings, [not ok for ok in approved]))
    shares = [_share(category, ratings, approved) for category in CATEGORIES]
    return {"rules": rows, "categories": shares, "table": _table(rows, shares)}


def _score(rule: str, ratings: Sequence[Rated], hit: Sequence[bool]) -> dict[str, Any]:
    what, is_true = TRUTHS[rule]
    true = np.array([is_true(rated) for rated in ratings])
    hits = np.array(hit)
    both = int((true & hits).sum())
    return {
        "rule": NAMES.get(rule, "R5 rejected in review"),
        "after": what,
        "flagged": int(hits.sum()),
        "true": int(true.sum()),
        "precision": round(both / max(int(hits.sum()), 1), 3),
        "recall": round(both / max(int(true.sum()), 1), 3),
    }


def _share(category: str, ratings: Sequence[Rated], approved: Sequence[bool]) -> dict[str, Any]:
    own = [(rated, ok) for rated, ok in zip(ratings, approved, strict=True) if rated.category == category]
    kept = [rated for rated, ok in own if ok]
    ambiguous = sum(rated.work.codes["0:outcome"] not in FITTING[category] for rated in kept)
    return {
        "category": category,
        "ratings": len(own),
        "approved": round(len(kept) / max(len(own), 1), 4),
        "ambiguous": round(ambiguous / max(len(kept), 1), 4),
    }


def _table(rows: Sequence[dict[str, Any]], shares: Sequence[dict[str, Any]]) -> list[str]:
    lines = [
        "| rule or category | after | flagged | precision | recall | approved | published | ambiguous | published |"
    ]
    lines.append("|" + "---|" * 9)
    for row in rows:
        figures = f"{row['flagged']:,} | {row['precision']:.1%} | {row['recall']:.1%}"
        lines.append(f"| {row['rule']} | {row['after']} | {figures} | | | | |")
    for share in shares:
        approval, ambiguous = PUBLISHED[share["category"]]
        figures = f"{share['approved']:.1%} | {approval:.1%} | {share['ambiguous']:.1%} | {ambiguous:.1%}"
        lines.append(f"| {share['category']} | {share['ratings']:,} ratings | | | | {figures} |")
    return lines
