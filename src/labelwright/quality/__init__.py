"""Quality rules: each flags doubtful work, with its evidence."""

from labelwright.quality.contents import content_of
from labelwright.quality.presets import PRESETS, WithPresets, fill_presets
from labelwright.quality.rules import (
    RULES,
    AnswerContent,
    AnyRule,
    OtherRating,
    PoolPace,
    RaterFigures,
    Rule,
    RuleNeed,
    Then,
    TypingFacts,
    Work,
    flags,
    quality_rule,
)
from labelwright.quality.telling import tell_flag

__all__ = [
    "PRESETS",
    "RULES",
    "AnswerContent",
    "AnyRule",
    "OtherRating",
    "PoolPace",
    "RaterFigures",
    "Rule",
    "RuleNeed",
    "Then",
    "TypingFacts",
    "WithPresets",
    "Work",
    "content_of",
    "fill_presets",
    "flags",
    "quality_rule",
    "tell_flag",
]
