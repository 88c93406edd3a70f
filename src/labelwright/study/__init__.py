"""The study file: reads and checks it, and combines the parts that each stage defines."""

from labelwright.study.file import BadStudy, Mistake, check_gold_lines, check_study, read_study
from labelwright.study.gold import BadGold, check_gold, gold_warnings
from labelwright.study.model import Study, json_schema
from labelwright.study.planning import lay_out_study, plan_study

__all__ = [
    "BadGold",
    "BadStudy",
    "Mistake",
    "Study",
    "check_gold",
    "check_gold_lines",
    "check_study",
    "gold_warnings",
    "json_schema",
    "lay_out_study",
    "plan_study",
    "read_study",
]
