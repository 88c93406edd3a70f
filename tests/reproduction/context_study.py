"""The context study (Siro et al. 2024), from its released files to labels."""

from __future__ import annotations

from functools import cache

import pyarrow as pa

from labelwright.analysis import Labels
from labelwright.analysis.data.item_lists import item_list_rows, read_item_lists
from tests.reproduction.published import DATA

ASPECTS = ("relevance", "usefulness")
CONDITIONS = ("C_0", "C_3", "C_7", "C_0-heu", "C_0-sum", "C_0-llm")
MORE = {"seconds": "task-duration", "confidence": "confidence"}


@cache
def raw() -> Labels:
    """All twelve files with the codes they were released with."""
    parts = [
        item_list_rows(
            read_item_lists(DATA / "siro-context" / aspect.title() / f"{condition}.json"),
            label=aspect,
            item="system5",
            more=MORE,
            aspect=aspect,
            condition=condition,
        )
        for aspect in ASPECTS
        for condition in CONDITIONS
    ]
    return Labels.read(pa.concat_tables(parts, promote_options="permissive"))


@cache
def harmonised() -> Labels:
    """Relevance as relevant or not (code 2 against 0 and 1 in the first phase), usefulness as 0, 1, 2."""
    labels = raw()
    for condition in ("C_0", "C_3", "C_7"):
        labels = labels.recoded({0: 0, 1: 0, 2: 1}, aspect="relevance", condition=condition)
    for condition in ("C_0", "C_7"):
        labels = labels.recoded({1: 0, 2: 1, 3: 2}, aspect="usefulness", condition=condition)
    return labels
