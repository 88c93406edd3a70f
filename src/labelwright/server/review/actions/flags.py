"""Flagged work, as the list of flags shows it."""

from __future__ import annotations

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import QueryDict

from labelwright.crowd import AssignmentState
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.store.models import Flag, Rater, StudyRow, TaskItem, User
from labelwright.server.store.versions import study_of
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
IN_A_PAGE = 200
"""For clients, which read all flags."""
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


def get_flags_after(study: StudyRow, last: int | None) -> list[Flag]:
    """Up to `IN_A_PAGE` flags that ask for review, the newest first, after the one with this number."""
    found = Flag.objects.filter(study=study).exclude(then="nothing").select_related("assignment__rater")
    return list((found if last is None else found.filter(pk__lt=last)).order_by("-pk")[:IN_A_PAGE])


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
