"""Names of quality rules as pages show them."""

from __future__ import annotations


def rule_name(rule: str) -> str:
    """The name of a rule in words.

    >>> rule_name("too_fast")
    'Too fast'
    """
    return rule.replace("_", " ").capitalize()
