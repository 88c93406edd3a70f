"""What is doubted: rules as data, each a flag with its evidence."""

from labelwright.quality.rules import RULES, AnyRule, Rule, Work, flags, quality_rule

__all__ = ["RULES", "AnyRule", "Rule", "Work", "flags", "quality_rule"]
