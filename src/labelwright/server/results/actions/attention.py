"""Attention checks among stored answers: the database knows their names, and the study file what they are."""

from __future__ import annotations

from functools import lru_cache

from labelwright.analysis.data.counting import NO_ASPECT
from labelwright.server.store.versions import study_of

ATTENTION = "attention"
"""The role, and the reason for leaving out, of answers to attention checks."""


def reason_of(left_out: str, version: int, condition: str, question: str) -> str:
    """Why an answer does not count, from the reason in the database; empty if it counts."""
    checks = left_out == NO_ASPECT and question in attention_checks(version, condition)
    return ATTENTION if checks else left_out


@lru_cache(maxsize=1024)
def attention_checks(version: int, condition: str) -> frozenset[str]:
    """The attention checks of a condition, also of a qualification."""
    return study_of(version).design(condition).attention_checks
