"""The checks of an audit. Each looks at all label sets, or at the evidence about raters, and yields findings."""

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
from labelwright.analysis.audit.checks.columns import exchanged_columns, exchanged_values
from labelwright.analysis.audit.checks.conditions import copied_conditions, reversed_conditions
from labelwright.analysis.audit.checks.fields import misspelled_fields, placeholder_answers
from labelwright.analysis.audit.checks.items import (
    duplicates,
    items_differ,
    items_with_two_ids,
    unpaired_keys,
)
from labelwright.analysis.audit.checks.rater_pairs import copied_raters
from labelwright.analysis.audit.checks.raters import (
    constant_raters,
    contradicting_raters,
    random_raters,
    shifted_rows,
)
from labelwright.analysis.audit.checks.ratings import left_out_rows, missing_ids, positions, ratings_per_item
from labelwright.analysis.audit.checks.spelling import blank_labels, code_spellings, stray_values
from labelwright.analysis.audit.checks.times import (
    equal_times,
    fast_raters,
    fast_ratings,
    impossible_times,
    time_unit,
    unreadable_times,
)
from labelwright.analysis.audit.evidence import RaterEvidence
from labelwright.analysis.audit.findings import Finding
from labelwright.analysis.audit.label_sets import LabelSet

Check: TypeAlias = Callable[[Sequence[LabelSet]], Iterator[Finding]]
RaterCheck: TypeAlias = Callable[[RaterEvidence], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    exchanged_columns,
    exchanged_values,
    mixed_codes,
    code_spellings,
    stray_values,
    blank_labels,
    items_differ,
    items_with_two_ids,
    unpaired_keys,
    left_out_rows,
    missing_ids,
    ratings_per_item,
    duplicates,
    positions,
    copied_conditions,
    reversed_conditions,
    unused_codes,
    chance_agreement,
    indistinct_agreement,
    too_few_items,
    no_majority,
    placeholder_answers,
    misspelled_fields,
    impossible_times,
    fast_ratings,
    fast_raters,
    equal_times,
    time_unit,
    unreadable_times,
)
RATER_CHECKS: tuple[RaterCheck, ...] = (
    copied_raters,
    contradicting_raters,
    shifted_rows,
    constant_raters,
    random_raters,
)
