"""What is doubted: rules as data, each a flag with its evidence."""

from labelwright.quality.rules import RULES, AnyRule, Rule, Work, flags

__all__ = ["RULES", "AnyRule", "Rule", "Work", "flags"]
