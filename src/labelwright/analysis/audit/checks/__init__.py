"""The checks of an audit. Each looks at all label sets and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from labelwright.analysis.audit.checks.certainty import (
    chance_agreement,
    indistinct_agreement,
    no_majority,
    too_few_items,
)
from labelwright.analysis.audit.checks.codes import mixed_codes, unused_codes
from labelwright.analysis.audit.checks.fields import misspelled_fields, placeholder_answers
from labelwright.analysis.audit.checks.items import duplicates, items_differ, unpaired_keys
from labelwright.analysis.audit.checks.ratings import fast_ratings, positions, ratings_per_item
from labelwright.analysis.audit.findings import Finding
from labelwright.analysis.audit.label_sets import LabelSet

Check: TypeAlias = Callable[[Sequence[LabelSet]], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    mixed_codes,
    items_differ,
    unpaired_keys,
    ratings_per_item,
    duplicates,
    positions,
    unused_codes,
    chance_agreement,
    indistinct_agreement,
    too_few_items,
    no_majority,
    placeholder_answers,
    misspelled_fields,
    fast_ratings,
)
