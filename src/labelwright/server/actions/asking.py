"""How conditions are asked: the design, the ratings wanted and what is spoilt, for laying out a batch."""

from __future__ import annotations

from collections.abc import Iterable

from labelwright.server.store import loading
from labelwright.study import Study


def asked_in(study: Study, conditions: Iterable[str]) -> dict[str, loading.Asked]:
    """What a batch with these conditions is laid out by."""
    spoils, groups = study.spoils(), list(study.pool.groups) or [""]
    return {
        name: loading.Asked(
            study.design_name(name),
            {group: study.redundancy_of(name, group) for group in groups},
            spoils[name],
        )
        for name in conditions
    }
