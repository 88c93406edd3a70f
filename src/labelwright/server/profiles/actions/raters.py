"""The list of raters: one line for each person, however many pools they are in. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.http import QueryDict

from labelwright.quality.rules.known_answers import AttentionFailed, GoldFailed
from labelwright.quality.rules.too_fast import TooFast
from labelwright.server.profiles.queries import raters as queries
from labelwright.server.profiles.queries.raters import ListedRater
from labelwright.server.store.models import StudyFigures, StudyRow
from labelwright.server.tallies.actions.comparison import RaterComparison
from labelwright.server.web.desk.states import STATES
from labelwright.server.web.desk.tables import (
    BulkAction,
    FilterOption,
    SelectionSum,
    ShownTable,
    Table,
    TableColumn,
    TableFilter,
)
from labelwright.server.web.money import SIGNS
from labelwright.study import Study

DOUBT = "(t.flags + 1.0) / (t.tasks + 10)"
"""The share of tasks with a flag, drawn towards one in ten for raters with few tasks: one flag on one task says little."""
SHOWN_STATES = ("at_work", "active", "done", "paused", "stopped", "excluded", "invited")
RATERS = Table(
    key="raters",
    one="rater",
    many="raters",
    search="Find a rater",
    columns=(
        TableColumn("name", "Rater", sort="t.name", css="l"),
        TableColumn("state", "State", sort="t.state", css="l"),
        TableColumn("tasks", "Tasks", sort="t.tasks", descending=True),
        TableColumn("pace", "Pace", sort="t.pace"),
        TableColumn("recent", "Last 8 tasks", css="c no-m"),
        TableColumn("axis", "Agreement on a shared axis", css="l no-m", axis=True),
        TableColumn("agreement", "With others, α", sort="t.agreement"),
        TableColumn("gold", "Gold", sort="t.gold_right::float8 / nullif(t.gold_answered, 0)"),
        TableColumn(
            "attention", "Attention", sort="t.attention_right::float8 / nullif(t.attention_answered, 0)"
        ),
        TableColumn("flags", "Flags", sort=DOUBT, descending=True),
        TableColumn("owed", "Owed", sort="(t.owed -> 0 ->> 0)::bigint", descending=True),
        TableColumn("seen", "Last seen", sort="t.last_seen", descending=True),
    ),
    default="-seen",
    # The index that lists raters by when they were last seen ends with it.
    tie="t.rater_id",
    filters=(TableFilter("state", "State", in_row=True), TableFilter("pool", "Pool")),
)
BULK = (
    BulkAction("message-many", "Message"),
    BulkAction("pause", "Pause"),
    BulkAction("reinstate", "Reinstate"),
    BulkAction("exclude", "Exclude"),
)


@dataclass(frozen=True, slots=True)
class RaterLimits:
    """What the rules of a study expect, to mark numbers below it; None where no rule says so."""

    seconds: float | None
    """None too if it differs between conditions."""
    gold_share: float | None
    attention_share: float | None


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """What the figures of a study say about all its raters; empty until they are computed."""

    comparison: RaterComparison | None = None
    """What raters are compared on."""
    pace: float | None = None
    """The median time of a task."""
    computed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RaterList:
    """A page of the list of raters."""

    shown: ShownTable[ListedRater]
    at_work: int
    pools: list[str]
    limits: RaterLimits
    everybody: PoolFigures
    being_counted: bool


def get_raters(row: StudyRow, study: Study, address: QueryDict, *, may_manage: bool) -> RaterList:
    """The raters that an address asks for, those who were seen last first; the caller has checked access."""
    busy, pools = queries.raters_at_work(row.pk), queries.pool_names(row.pk)
    states = queries.count_states(row.pk, busy)
    wanted = _table(study, may_manage=may_manage).read(
        address,
        {
            "state": [
                FilterOption(state, STATES[state].word, states.get(state, 0)) for state in SHOWN_STATES
            ],
            "pool": [FilterOption(name, name) for name in pools] if len(pools) > 1 else [],
        },
    )
    shown = wanted.shown(
        queries.listed_raters(row.pk, wanted, busy), queries.count_raters(row.pk, wanted, busy)
    )
    return RaterList(
        shown,
        len(busy),
        pools,
        get_limits(study),
        get_pool_figures(row.pk),
        queries.is_being_counted(row.pk),
    )


def get_chosen(row: StudyRow, names: Sequence[str]) -> list[ListedRater]:
    """The raters that somebody selected, as far as they exist."""
    return queries.raters_named(row.pk, names, queries.raters_at_work(row.pk))


def get_pool_figures(study: int) -> PoolFigures:
    """What the stored figures say about all raters of a study."""
    stored = StudyFigures.objects.filter(study=study).values_list("summary", "computed_at").first()
    if stored is None:
        return PoolFigures()
    summary, computed_at = stored
    found = summary.get("comparison")
    return PoolFigures(RaterComparison(**found) if found else None, summary.get("pace"), computed_at)


def get_limits(study: Study) -> RaterLimits:
    """What the rules of a study expect of its raters."""
    rules = {rule.rule: rule for rule in study.quality}
    fast, gold, attention = (
        rules.get("too_fast"),
        rules.get("gold_failed"),
        rules.get("attention_failed"),
    )
    return RaterLimits(
        fast.seconds if isinstance(fast, TooFast) and not fast.per_condition else None,
        gold.right_share if isinstance(gold, GoldFailed) else None,
        attention.right_share if isinstance(attention, AttentionFailed) else None,
    )


def _table(study: Study, *, may_manage: bool) -> Table:
    """The table, with actions for those who may take them."""
    if not may_manage:
        return RATERS
    sums: tuple[SelectionSum, ...] = (SelectionSum("undecided", "flag to review", "flags to review"),)
    currencies = {pool.pay.currency for pool in study.pools.values() if pool.pay.cents}
    if len(currencies) == 1:
        (currency,) = currencies
        sums += (SelectionSum("owed", "owed", "owed", SIGNS.get(currency, f"{currency} ")),)
    return replace(RATERS, bulk=BULK, sums=sums)
