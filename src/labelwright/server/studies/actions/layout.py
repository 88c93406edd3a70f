"""What a batch is laid out by: the design of each condition, the ratings wanted, and what it spoils."""

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
        )
        for name in conditions
    }
