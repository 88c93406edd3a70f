"""What a batch is laid out by: the design, ratings wanted, spoilt tasks and gold items of each condition."""

from __future__ import annotations

from collections.abc import Iterable

from labelwright.server.studies.queries.layout import ConditionDemand
from labelwright.study import Study


def demands_of(study: Study, conditions: Iterable[str]) -> dict[str, ConditionDemand]:
    """What each of these conditions needs in a batch."""
    spoils, groups = study.spoils(), list(study.pool.groups) or [""]
    return {
        name: ConditionDemand(
            study.design_name(name),
            {group: study.redundancy_of(name, group) for group in groups},
            spoils[name],
            study.gold_in(name),
        )
        for name in conditions
    }
