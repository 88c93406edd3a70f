"""The study file: reads and checks it, and combines the parts that each stage defines."""

from labelwright.study.changes import Changes, Renewed, compare
from labelwright.study.content import (
    all_conditions,
    asked_content,
    fresh_content,
    gold_content,
    items_content,
)
from labelwright.study.file import (
    BadStudy,
    Mistake,
    check_corpus_files,
    check_item_lines,
    check_study,
    read_corpus,
    read_study,
)
from labelwright.study.gold import BadGold, check_gold, gold_warnings
from labelwright.study.model import Study, json_schema
from labelwright.study.planning import fewest_raters, lay_out_study, plan_study
from labelwright.study.warnings import study_warnings, title_warnings

__all__ = [
    "BadGold",
    "BadStudy",
    "Changes",
    "Mistake",
    "Renewed",
    "Study",
    "all_conditions",
    "asked_content",
    "check_corpus_files",
    "check_gold",
    "check_item_lines",
    "check_study",
    "compare",
    "fewest_raters",
    "fresh_content",
    "gold_content",
    "gold_warnings",
    "items_content",
    "json_schema",
    "lay_out_study",
    "plan_study",
    "read_corpus",
    "read_study",
    "study_warnings",
    "title_warnings",
]
