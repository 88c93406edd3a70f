"""Quality rules: each flags doubtful work, with its evidence."""

from labelwright.quality.rules import RULES, AnyRule, Rule, RuleNeed, Work, flags, quality_rule

__all__ = ["RULES", "AnyRule", "Rule", "RuleNeed", "Work", "flags", "quality_rule"]
