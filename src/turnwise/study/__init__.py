"""The study file: reads, checks and joins the parts that every stage defines for itself."""

from turnwise.study.file import BadStudy, Mistake, check_study, read_study
from turnwise.study.model import Study, json_schema

__all__ = ["BadStudy", "Mistake", "Study", "check_study", "json_schema", "read_study"]
