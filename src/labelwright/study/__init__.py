"""The study file: reads and checks it, and combines the parts that each stage defines."""

from labelwright.study.file import BadStudy, Mistake, check_study, read_study
from labelwright.study.model import Study, json_schema
from labelwright.study.planning import lay_out_study, plan_study

__all__ = [
    "BadStudy",
    "Mistake",
    "Study",
    "check_study",
    "json_schema",
    "lay_out_study",
    "plan_study",
    "read_study",
]
