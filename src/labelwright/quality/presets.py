"""Presets: the quality rules of published studies, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

PRESETS: dict[str, tuple[dict[str, Any], ...]] = {
    # Rules R1 to R4 of the Let's Go study, section 3.3; R5 is review itself. Its questions 2 and 5 are `successful`
    # (1 to 5, from entirely unsuccessful to entirely successful) and `outcome` (1 to 4: success; 5: no solution;
    # 6 and 7: failure).
    "lets-go": (
        {"rule": "too_fast", "seconds": 15},
        {"rule": "identical_answers", "tasks": 20},
        {
            "rule": "contradiction",
            "questions": ["successful", "outcome"],
            "allowed": {1: [5, 6, 7], 2: [5, 6, 7], 4: [1, 2, 3, 4, 5], 5: [1, 2, 3, 4, 5]},
        },
        {
            "rule": "category_mismatch",
            "question": "outcome",
            "allowed": {"TaskComplete": [1, 2, 3, 4], "TaskIncomplete": [6, 7], "OutOfScope": [5]},
        },
    ),
    # Section 5.4 of the snippet study.
    "snippets": (
        {"rule": "span_length", "share": 0.5},
        {"rule": "span_overlap", "others": 2},
        {"rule": "sentence_count", "at_least": 1, "share": 0.75},
        {"rule": "sentence_overlap"},
    ),
    # Appendix A.2 of the context study: attention checks about the dialogue and the reply.
    "context": ({"rule": "attention_failed", "right_share": 1},),
}
"""The rules of a preset as a study file would write them; every one of them sends work to review."""


def fill_presets(written: Any) -> Any:
    """The rules with presets in place of their names; a rule that is written out replaces that of the preset.

    >>> [rule["rule"] for rule in fill_presets("context")]
    ['attention_failed']
    >>> fill_presets(["context", {"rule": "attention_failed", "right_share": 0.5}])
    [{'rule': 'attention_failed', 'right_share': 0.5}]
    """
    if isinstance(written, str):
        written = [written]
    if not isinstance(written, Sequence):
        return written
    own = {rule["rule"] for rule in written if isinstance(rule, dict) and "rule" in rule}
    filled: list[Any] = []
    for rule in written:
        if isinstance(rule, str):
            filled += [each for each in _preset(rule) if each["rule"] not in own]
        else:
            filled.append(rule)
    return filled


def _preset(name: str) -> tuple[dict[str, Any], ...]:
    if name not in PRESETS:
        raise ValueError(f'there is no preset "{name}"; presets: {", ".join(PRESETS)}')
    return PRESETS[name]


@dataclass(frozen=True)
class WithPresets:
    """Lets the study file write the name of a preset where it writes rules."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """The rules, with presets filled in."""
        return core_schema.no_info_before_validator_function(fill_presets, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """A name, or a list of names and rules."""
        rules, names = handler(schema), {"type": "string", "enum": list(PRESETS)}
        return {"anyOf": [names, rules | {"items": {"anyOf": [rules["items"], names]}}]}
