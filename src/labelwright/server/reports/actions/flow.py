"""The flow of a study from imported to kept: items, raters and tasks, with why some were dropped at each step. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from labelwright.crowd import STORED, AssignmentState, DataUse
from labelwright.report.facts import Dropped, FlowStep
from labelwright.server.reports.queries import facts as queries
from labelwright.server.reports.queries.facts import ExcludedTasks, ItemFlow, RaterFlow
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk.rule_names import rule_name

NOT_SUBMITTED = {
    AssignmentState.OPEN: "still open",
    AssignmentState.RETURNED: "returned by the rater",
    AssignmentState.EXPIRED: "expired",
    AssignmentState.EXPIRED_ANSWERED: "answered too late",
}


@dataclass(frozen=True, slots=True)
class Flow:
    """What reached each step."""

    items: ItemFlow
    submitted: int
    used: int
    wanted: int
    """Tasks that the newest version wants."""
    excluded: list[ExcludedTasks]
    steps: list[FlowStep]


def get_flow(row: StudyRow) -> Flow:
    """The flow of items, raters and tasks."""
    study = study_of(row.versions.latest("n").pk)
    items, excluded = queries.item_flow(row.pk), queries.excluded_tasks(row.pk)
    tasks = queries.count_tasks(row.pk)
    by_state = Counter[str]()
    for each in tasks:
        by_state[each.state] += each.n
    submitted = sum(n for state, n in by_state.items() if state in STORED)
    used = sum(each.n for each in tasks if each.state in STORED and each.data_use == DataUse.USED)
    judgments = sum(queries.judgments_by_version(row.pk).values())
    people = queries.rater_flow(row.pk, study.pool_name)
    qualifies = any(pool.qualification for pool in study.pools.values())
    return Flow(
        items,
        submitted,
        used,
        queries.wanted_tasks(row.pk, list(study.conditions)),
        excluded,
        [
            *_item_steps(items),
            *_rater_steps(people, qualifies=qualifies),
            *_task_steps(by_state, submitted, used, excluded, judgments),
        ],
    )


def _item_steps(items: ItemFlow) -> list[FlowStep]:
    return [
        FlowStep(kind="items", name="dialogues imported", count=items.dialogues),
        FlowStep(kind="items", name="items made from them", count=items.items),
        _step(
            "items",
            "items in tasks",
            items.asked,
            {"only gold, in a qualification or not asked": items.items - items.asked},
        ),
        _step("items", "items rated", items.rated, {"without a rating so far": items.asked - items.rated}),
        _step(
            "items",
            "items with ratings in use",
            items.kept,
            {"all of whose ratings were excluded": items.rated - items.kept},
        ),
    ]


def _rater_steps(people: RaterFlow, *, qualifies: bool) -> list[FlowStep]:
    admitted = (
        [
            _step(
                "raters",
                "raters admitted to the main work",
                people.admitted,
                {"not qualified": people.consented - people.admitted},
            )
        ]
        if qualifies
        else []
    )
    before = people.admitted if qualifies else people.consented
    return [
        FlowStep(kind="raters", name="raters with a link", count=people.joined),
        _step(
            "raters",
            "raters who consented",
            people.consented,
            {"did not agree to take part": people.joined - people.consented},
        ),
        *admitted,
        _step("raters", "raters who opened a task", people.began, {"opened no task": before - people.began}),
        _step(
            "raters",
            "raters who submitted work",
            people.worked,
            {"submitted nothing": people.began - people.worked},
        ),
        _step(
            "raters",
            "raters whose data are in use",
            people.kept,
            {"all data excluded": people.worked - people.kept},
        ),
    ]


def _task_steps(
    by_state: Mapping[str, int], submitted: int, used: int, excluded: list[ExcludedTasks], judgments: int
) -> list[FlowStep]:
    unfinished = {words: by_state.get(state, 0) for state, words in NOT_SUBMITTED.items()}
    reasons = Counter[str]()
    for each in excluded:
        reasons[_reason(each)] += each.n
    return [
        FlowStep(kind="judgments", name="tasks given to raters", count=sum(by_state.values())),
        _step("judgments", "tasks submitted", submitted, unfinished),
        _step("judgments", "tasks whose data are in use", used, reasons),
        FlowStep(kind="judgments", name="judgments in these tasks", count=judgments),
    ]


def _reason(excluded: ExcludedTasks) -> str:
    if excluded.withdrawn:
        return "withdrawn by the rater"
    if not excluded.rules:
        return "excluded without a flag"
    return f"excluded after a flag: {' and '.join(rule_name(rule).lower() for rule in excluded.rules)}"


def _step(kind: str, name: str, count: int, dropped: Mapping[str, int]) -> FlowStep:
    reasons = tuple(Dropped(reason=reason, count=n) for reason, n in dropped.items() if n > 0)
    return FlowStep.model_validate({"kind": kind, "name": name, "count": count, "dropped": reasons})
