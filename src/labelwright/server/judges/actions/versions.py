"""Versions of a model's instructions: declared, tried on development items, and tested once on held-out items.

The seed of the study divides the items that people rated, before the first version. Disagreements are shown for
development items only. The held-out items are opened once for each version; the database refuses a second run.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db import transaction

from labelwright.agreement import Bootstrap, Estimate, Interval
from labelwright.judging import (
    AlreadyOpened,
    NoModel,
    PeopleAndModels,
    PromptHistory,
    PromptVersion,
    TooFew,
    split_sides,
)
from labelwright.judging.agreement import agree_with_people
from labelwright.judging.alignment import is_held_out, version_hash
from labelwright.judging.ledger import Disagreement, disagreements
from labelwright.judging.sides import make_panel
from labelwright.server.judges.actions.cost import NoSuchModel
from labelwright.server.judges.actions.figures import read_labels
from labelwright.server.judges.actions.runs import RunCost, check_cost, get_run_cost, new_run, start_run
from labelwright.server.judges.actions.trials import TrialItem, get_trial_items
from labelwright.server.results.actions import export
from labelwright.server.store.models import JudgeRun, JudgeTrial, JudgeVersion, Pool
from labelwright.server.store.versions import study_of

Part = Literal["development", "held_out"]
PARTS: tuple[Part, ...] = ("development", "held_out")
MOST_ITEMS = 200
"""Items of a part that a version is tried on, unless somebody asks for another number."""
FEWEST_ITEMS = 20
REPLICATES = 500
ONE_FORM = (False,)


@dataclass(frozen=True, slots=True)
class PlannedVersion:
    """A version on one part of the items, before somebody agrees to its cost."""

    number: int
    part: Part
    change: str
    instructions: str
    items: tuple[TrialItem, ...]
    most: int
    cost: RunCost

    @property
    def sentence(self) -> str:
        """What would be asked, and what it costs."""
        kind = "development" if self.part == "development" else "held-out"
        once = (
            ""
            if self.part == "development"
            else " They are opened once for each version, and this is recorded."
        )
        return f"Version {self.number} on {len(self.items):,} {kind} items.{once} {self.cost.sentence}"


def get_planned_version(
    pool: Pool, change: str, instructions: str, now: datetime, most: int = MOST_ITEMS
) -> PlannedVersion:
    """A new version on development items; the same instructions are the same version. Reads only."""
    known = _same(pool, instructions)
    version = known or JudgeVersion(
        study_id=pool.study_id,
        pool=pool,
        number=JudgeVersion.objects.filter(pool=pool).count() + 1,
        change=change,
        instructions=instructions,
    )
    return _planned(pool, version, "development", most, now)


def get_planned_opening(pool: Pool, number: int, now: datetime, most: int = MOST_ITEMS) -> PlannedVersion:
    """The held-out items of a declared version; raises AlreadyOpened and NoSuchModel. Reads only."""
    version = JudgeVersion.objects.filter(pool=pool, number=number).first()
    if version is None:
        raise NoSuchModel(f"{pool.name} has no version {number}.", expected="a declared version.")
    if JudgeRun.objects.filter(version=version, kind="held_out").exists():
        raise AlreadyOpened(
            f"the held-out items were already opened for version {number}.",
            expected="one look for each version.",
            do="Declare a new version if the instructions have changed.",
        )
    return _planned(pool, version, "held_out", most, now)


def _planned(pool: Pool, version: JudgeVersion, part: Part, most: int, now: datetime) -> PlannedVersion:
    seed = study_of(pool.study.versions.latest("n").pk).seed
    rated = get_trial_items(pool, rated=True)
    items = [each for each in rated if is_held_out(each.key, seed) == (part == "held_out")][:most]
    run = new_run(pool, part, "", now, version=version)
    cost = get_run_cost(pool, run, items, ONE_FORM)
    return PlannedVersion(
        version.number, part, version.change, version.instructions, tuple(items), most, cost
    )


def _same(pool: Pool, instructions: str) -> JudgeVersion | None:
    return JudgeVersion.objects.filter(pool=pool, digest=_digest(pool, instructions)).first()


def _digest(pool: Pool, instructions: str) -> str:
    """Another prompt, model, parameter or study file is another version."""
    newest = pool.study.versions.latest("n")
    model = study_of(newest.pk).model_pools[pool.name].model
    design = json.dumps(newest.contents, sort_keys=True, default=str)
    return version_hash(
        f"{instructions}\x1f{design}", model.name, json.dumps(model.parameters, sort_keys=True)
    )


@transaction.atomic
def declare_version(pool: Pool, seen: PlannedVersion, author: str, now: datetime) -> JudgeRun:
    """Stores a version and asks about its development items, at the cost that somebody agreed to.

    Raises JudgeCostChanged, TooFew, ModelNotAllowed, and AlreadyOpened if the same version was declared before.
    """
    planned = get_planned_version(pool, seen.change, seen.instructions, now, seen.most)
    _check(planned, seen)
    if known := _same(pool, seen.instructions):
        raise AlreadyOpened(
            f"these instructions are version {known.number}.",
            expected="other instructions, another model or other parameters.",
        )
    version = JudgeVersion.objects.create(
        study_id=pool.study_id,
        pool=pool,
        number=planned.number,
        change=seen.change[:200],
        instructions=seen.instructions,
        digest=_digest(pool, seen.instructions),
        author=author,
        declared_at=now,
    )
    return _started(pool, planned, version, author, now)


@transaction.atomic
def open_held_out(pool: Pool, seen: PlannedVersion, author: str, now: datetime) -> JudgeRun:
    """Asks about the held-out items of a version, once, at the cost that somebody agreed to. Raises AlreadyOpened."""
    planned = get_planned_opening(pool, seen.number, now, seen.most)
    _check(planned, seen)
    version = JudgeVersion.objects.get(pool=pool, number=seen.number)
    return _started(pool, planned, version, author, now)


def _started(
    pool: Pool, planned: PlannedVersion, version: JudgeVersion, author: str, now: datetime
) -> JudgeRun:
    run = new_run(pool, planned.part, author, now, items=len(planned.items), version=version)
    return start_run(pool, run, planned.items, ONE_FORM, planned.cost)


def _check(planned: PlannedVersion, seen: PlannedVersion) -> None:
    check_cost(planned.cost, seen.cost)
    if len(planned.items) < FEWEST_ITEMS:
        raise TooFew(
            f"people have rated {len(planned.items):,} {planned.part.replace('_', '-')} items.",
            expected=f"at least {FEWEST_ITEMS}; {FEWEST_ITEMS - len(planned.items)} more would do.",
        )


def measure_version(run: JudgeRun) -> dict[str, Any]:
    """The agreement of a version with people for each question, and its disagreements if the items are for development."""
    assert run.version is not None
    texts = study_of(run.study.versions.latest("n").pk).question_texts
    name = f"version {run.version.number}"
    ids = dict(JudgeTrial.objects.filter(run=run).values_list("item__key", "item_id"))
    found = []
    try:
        sides = _sides(run, name)
    except NoModel:
        # No answer of the model could be used.
        return {"questions": []}
    for where, part in sides.slices():
        if name not in part.labels.values("rater"):
            continue
        asked = str(where.get("question", ""))
        estimate = agree_with_people(make_panel(part, name), Bootstrap(REPLICATES)).judge
        differing = _disagreements(part, name) if run.kind == "development" else []
        found.append(
            {
                "question": texts.get(asked.split(".", maxsplit=1)[0], asked),
                "name": asked,
                "agreement": _stored(estimate),
                "items": estimate.items,
                "differ": len(differing),
                "disagreements": [
                    {
                        "item": item,
                        "id": ids.get(item),
                        "people": list(each.people),
                        "model": each.model,
                    }
                    for each in differing[:MOST_ITEMS]
                    # Names of labels end with the condition.
                    for item in [each.item.split("\x1f")[0]]
                ],
            }
        )
    return {"questions": found}


def _disagreements(part: PeopleAndModels, name: str) -> list[Disagreement]:
    return disagreements(part, name, [str(item) for item in part.labels.values("item")])


def _stored(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "value": None if math.isnan(estimate.value) else estimate.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def _sides(run: JudgeRun, name: str) -> PeopleAndModels:
    """People's labels of the items of a run under its conditions, and those of the model under this name."""
    return split_sides(read_labels(run.study, _rows(run, name)))


def _rows(run: JudgeRun, name: str) -> Iterator[dict[str, Any]]:
    """Rows of an export: what people answered, and beside the first of them what the model answered."""
    given = {
        (trial.item.key, trial.condition): trial.codes
        for trial in JudgeTrial.objects.filter(run=run, state=JudgeTrial.State.ANSWERED)
        .exclude(codes=None)
        .select_related("item")
    }
    seen: set[tuple[str, str, str]] = set()
    for row in export.get_answers(run.study):
        codes: Mapping[str, int] | None = given.get((row["item"], row["condition"]))
        if codes is None or row["rater_kind"] != "person":
            continue
        yield row
        place = (row["item"], row["condition"], row["question"])
        if row["left_out"] == "" and row["question"] in codes and place not in seen:
            seen.add(place)
            yield row | {
                "rater": name,
                "rater_kind": "model",
                "left_out": "model",
                "label": codes[row["question"]],
            }


@dataclass(frozen=True, slots=True)
class DeclaredVersion:
    """A version with its runs."""

    version: JudgeVersion
    development: JudgeRun | None
    held_out: JudgeRun | None


def get_versions(pool: int) -> list[DeclaredVersion]:
    """All versions of a model, newest first; reads only."""
    runs = {
        (run.version_id, run.kind): run
        for run in JudgeRun.objects.filter(pool_id=pool, version__isnull=False)
    }
    return [
        DeclaredVersion(version, runs.get((version.pk, "development")), runs.get((version.pk, "held_out")))
        for version in JudgeVersion.objects.filter(pool_id=pool).order_by("-number")
    ]


def get_warning(found: list[DeclaredVersion], question: str) -> str:
    """A warning if the newest opened version is better on the development items only; empty if not."""
    history = PromptHistory(
        tuple(
            PromptVersion(
                each.version.number,
                each.version.change,
                each.version.digest,
                estimate_of(each.development, question),
                estimate_of(each.held_out, question),
            )
            for each in reversed(found)
        )
    )
    return history.warning


def estimate_of(run: JudgeRun | None, question: str) -> Estimate | None:
    """The agreement on one question that a run found; None if there is none yet."""
    for each in (run.figures or {}).get("questions", []) if run else []:
        stored = each["agreement"]
        if each["name"] == question and stored["value"] is not None:
            ends = (stored["low"], stored["high"])
            interval = None if None in ends else Interval(*ends, 0.95, "items", 0, 0)
            return Estimate("krippendorff_alpha", stored["value"], "", interval=interval, items=each["items"])
    return None
