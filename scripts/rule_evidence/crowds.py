"""What the rules catch and wrongly doubt in crowds with 5, 10 and 30% bad raters, and what labels lose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from labelwright.quality import AnyRule, Rule
from scripts.rule_evidence.behaviours import HELD_OUT, TUNED
from scripts.rule_evidence.made_study import MadeStudy, make_study

RULES: list[Rule] = TypeAdapter(list[AnyRule]).validate_python(
    [
        {"rule": "faster_than_pool", "share": 0.4},
        {"rule": "identical_answers", "tasks": 20},
        {"rule": "attention_failed"},
        {"rule": "gold_failed"},
        {"rule": "low_agreement"},
        {"rule": "several_accounts"},
        {"rule": "audit_finding"},
        {"rule": "repeated_text"},
        {"rule": "pasted_text"},
        {"rule": "typing_speed"},
    ]
)
"""Settings chosen on the tuned behaviours only."""
SHARES = (0.05, 0.1, 0.3)
RATERS = 240
SEEDS = (1, 2, 3)
SETS = {"tuned": TUNED, "held out": HELD_OUT}


def measure(raters: int = RATERS, seeds: Sequence[int] = SEEDS) -> list[dict[str, Any]]:
    """One row for each set of behaviours and share of bad raters, averaged over the seeds."""
    return [
        _row(name, share, [make_study(raters, share, crowd, seed) for seed in seeds])
        for name, crowd in SETS.items()
        for share in SHARES
    ]


def _row(name: str, share: float, studies: Iterable[MadeStudy]) -> dict[str, Any]:
    caught: dict[str, list[float]] = {}
    by_rule: dict[str, list[tuple[float, float]]] = {}
    accuracy: dict[str, list[float]] = {"all work": [], "without flagged work": [], "collected again": []}
    for study in studies:
        found = study.flagged(RULES)
        kinds = np.array([each.kind for each in study.work])
        flagged = np.array([bool(rules) for rules in found])
        for kind in [*dict.fromkeys(kinds), "bad"]:
            own = kinds != "careful" if kind == "bad" else kinds == kind
            caught.setdefault(str(kind), []).append(float(flagged[own].mean()))
        for rule in RULES:
            by = np.array([rule.version in rules for rules in found])
            by_rule.setdefault(rule.rule, []).append(
                (float(by[kinds != "careful"].mean()), float(by[kinds == "careful"].mean()))
            )
        accuracy["all work"].append(study.label_accuracy([True] * len(found)))
        accuracy["without flagged work"].append(study.label_accuracy(list(~flagged)))
        again = study.collected_again(list(flagged))
        accuracy["collected again"].append(again.label_accuracy([True] * len(found)))
    return {
        "behaviours": name,
        "bad": share,
        "flagged": {kind: _mean(values) for kind, values in caught.items()},
        "rules": {
            rule: {"bad": _mean([bad for bad, _ in values]), "careful": _mean([good for _, good in values])}
            for rule, values in by_rule.items()
        },
        "accuracy": {which: _mean(values) for which, values in accuracy.items()},
    }


STRICTNESS = ((0.3, 0.25), (0.35, 0.2), (0.4, 0.15), (0.5, 0.1), (0.6, 0.05), (0.7, 0.0))
"""Settings of `faster_than_pool` (share) and `low_agreement` (below), from mild to strict."""


def measure_curve(raters: int = RATERS, seeds: Sequence[int] = SEEDS) -> list[dict[str, Any]]:
    """Bad and careful work that is flagged with 30% bad raters, from mild to strict settings."""
    fixed = [rule for rule in RULES if rule.rule not in ("faster_than_pool", "low_agreement")]
    levels = {
        level: _rules(
            {"rule": "faster_than_pool", "share": level[0]}, {"rule": "low_agreement", "below": level[1]}
        )
        for level in STRICTNESS
    }
    varied = {rule.version: rule for level in levels.values() for rule in level}
    rows = []
    for name, crowd in SETS.items():
        studies = [make_study(raters, SHARES[-1], crowd, seed) for seed in seeds]
        found = [(study, study.flagged([*fixed, *varied.values()])) for study in studies]
        rows += [_point(name, level, [*fixed, *levels[level]], found) for level in STRICTNESS]
    return rows


def _point(
    name: str,
    level: tuple[float, float],
    rules: Sequence[Rule],
    found: Sequence[tuple[MadeStudy, list[frozenset[str]]]],
) -> dict[str, Any]:
    versions = {rule.version for rule in rules}
    shares: dict[bool, list[float]] = {True: [], False: []}
    for study, flagged in found:
        for careful, own in shares.items():
            hit = [
                bool(versions & each)
                for work, each in zip(study.work, flagged, strict=True)
                if (work.kind == "careful") is careful
            ]
            own.append(float(np.mean(hit)))
    return {
        "behaviours": name,
        "share": level[0],
        "below": level[1],
        "bad": _mean(shares[False]),
        "careful": _mean(shares[True]),
    }


def _rules(*written: dict[str, Any]) -> list[Rule]:
    return [TypeAdapter(AnyRule).validate_python(rule) for rule in written]


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4)
