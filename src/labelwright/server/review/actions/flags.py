"""Flags: a periodic job checks blocks of submissions against the quality rules and tallies them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import QueryDict

from labelwright.crowd import AssignmentState
from labelwright.quality import Work, flags
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.review import queries
from labelwright.server.review.queries import Unflagged
from labelwright.server.store.models import Flag, GoldResult, Rater, StudyRow, TaskItem, User
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import count_submissions
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.server.web.desk.tables import (
    MOST_COUNTED,
    FilterOption,
    ShownTable,
    Table,
    TableColumn,
    TableFilter,
    TableQuery,
    Total,
)

Gold = Mapping[int, Mapping[tuple[int, str], bool]]
"""By assignment, position and question with a known answer: whether the answer is right."""


@transaction.atomic
def flag_block(now: datetime, limit: int = 500) -> int:
    """Flags and tallies the next block of submissions; returns how many there were.

    One transaction: if the worker is killed in the middle, the block is done again from the start.
    Two workers take different blocks.
    """
    block = queries.lock_unflagged(limit)
    if not block:
        return 0
    ids = [work.assignment for work in block]
    gold = _gold(block)
    GoldResult.objects.bulk_create(_gold_results(block, gold), ignore_conflicts=True)
    Flag.objects.bulk_create(_flags(block, gold, now), ignore_conflicts=True)
    count_submissions(ids)
    queries.mark_flagged(ids)
    return len(block)


def _gold_results(block: Sequence[Unflagged], gold: Gold) -> list[GoldResult]:
    return [
        GoldResult(
            study_id=work.study,
            assignment_id=work.assignment,
            position=position,
            question=name,
            right=right,
        )
        for work in block
        for (position, name), right in gold.get(work.assignment, {}).items()
    ]


def _flags(block: Sequence[Unflagged], gold: Gold, now: datetime) -> list[Flag]:
    return [
        Flag(
            study_id=work.study,
            assignment_id=work.assignment,
            rule=rule.rule,
            rule_version=rule.version,
            then=rule.then,
            evidence=evidence,
            found_at=now,
        )
        for work in block
        for rule, evidence in flags(
            study_of(work.version).quality, _work(work, gold.get(work.assignment, {}))
        )
    ]


def _work(found: Unflagged, gold: Mapping[tuple[int, str], bool]) -> Work:
    checks = study_of(found.version).design(found.condition).attention_checks
    return Work(
        found.condition,
        found.seconds,
        found.codes,
        gold={f"{position}:{name}": right for (position, name), right in gold.items()},
        attention={
            place: code == 1 for place, code in found.codes.items() if place.split(":", 1)[1] in checks
        },
    )


def _gold(block: Sequence[Unflagged]) -> Gold:
    """Whether each answer about a gold item is right; no query if there are none."""
    works = {work.assignment: work for work in block if study_of(work.version).gold_keys}
    results: dict[int, dict[tuple[int, str], bool]] = {}
    for answer in queries.gold_answers(list(works)) if works else ():
        work = works[answer.assignment]
        study = study_of(work.version)
        reference = study.gold[answer.item].get(answer.question)
        question = study.design(work.condition).question(answer.question)
        if reference is not None and question is not None:
            right = question.meets(answer.value, reference)
            results.setdefault(answer.assignment, {})[answer.position, answer.question] = right
    return results


FLAGGED = Table(
    key="flags",
    one="flag",
    many="flags",
    search="Find a rater",
    columns=(
        TableColumn("rule", "Rule", css="l"),
        TableColumn("evidence", "Evidence", css="l"),
        TableColumn("rater", "Rater", css="l"),
        TableColumn("condition", "Condition", css="l"),
        TableColumn("found", "Submitted", sort="id", descending=True),
        TableColumn("verdict", "Verdict", css="l"),
    ),
    default="-found",
    filters=(TableFilter("verdict", "Verdict", in_row=True), TableFilter("rule", "Rule", every="All rules")),
)
MOST_RATERS = 100
"""A search that finds more raters shows the flags of the first ones."""
VERDICTS = [FilterOption("open", "Undecided"), FilterOption("decided", "Decided")]


def get_flagged(user: User, public_id: str, address: QueryDict) -> tuple[StudyRow, ShownTable[Flag]]:
    """The study, and a page of its flags that ask for review, newest first."""
    study = access_study(user, public_id, Permission.REVIEW)
    rules = sorted({rule.rule for rule in study_of(study.versions.latest("n").pk).quality})
    wanted = FLAGGED.read(
        address, {"verdict": VERDICTS, "rule": [FilterOption(rule, rule_name(rule)) for rule in rules]}
    )
    items = TaskItem.objects.filter(task=OuterRef("assignment__task")).order_by("item_id")
    flagged = (
        _matching(study, wanted)
        .select_related("assignment__rater", "assignment__task")
        .annotate(item=Subquery(items.values("item_id")[:1]))
        .order_by("id" if wanted.sort == "found" else "-id")
    )
    return study, wanted.shown(list(flagged[wanted.window]), _total(_matching(study, wanted)))


def _matching(study: StudyRow, wanted: TableQuery) -> QuerySet[Flag]:
    found = Flag.objects.filter(study=study).exclude(then="nothing")
    if wanted.search:
        # The raters first: there are far fewer of them than flags.
        raters = Rater.objects.filter(study=study, pseudonym__icontains=wanted.search).order_by("id")
        found = found.filter(assignment__rater__in=list(raters.values_list("pk", flat=True)[:MOST_RATERS]))
    if "rule" in wanted.chosen:
        found = found.filter(rule=wanted.chosen["rule"])
    if "verdict" in wanted.chosen:
        undecided = Q(assignment__state=AssignmentState.SUBMITTED)
        found = found.filter(undecided if wanted.chosen["verdict"] == "open" else ~undecided)
    return found


def _total(found: QuerySet[Flag]) -> Total:
    """The number of flags, counted up to a bound."""
    n = found.order_by()[: MOST_COUNTED + 1].count()
    return Total(min(n, MOST_COUNTED), n > MOST_COUNTED)
