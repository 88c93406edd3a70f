"""The study file: reads and checks it, and combines the parts that each stage defines."""

from labelwright.study.analysis_plan import AnalysisPlan, canonical_plan, plan_digest, read_canonical
from labelwright.study.changes import Changes, Renewed, compare
from labelwright.study.content import (
    all_conditions,
    asked_content,
    fresh_content,
    gold_content,
    items_content,
)
from labelwright.study.departures import (
    CollectedSample,
    Departure,
    JudgedQuestion,
    RegisteredPlan,
    find_departures,
    plan_of_record,
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
from labelwright.study.warnings import plan_warnings, study_warnings, title_warnings

__all__ = [
    "AnalysisPlan",
    "BadGold",
    "BadStudy",
    "Changes",
    "CollectedSample",
    "Departure",
    "JudgedQuestion",
    "Mistake",
    "RegisteredPlan",
    "Renewed",
    "Study",
    "all_conditions",
    "asked_content",
    "canonical_plan",
    "check_corpus_files",
    "check_gold",
    "check_item_lines",
    "check_study",
    "compare",
    "fewest_raters",
    "find_departures",
    "fresh_content",
    "gold_content",
    "gold_warnings",
    "items_content",
    "json_schema",
    "lay_out_study",
    "plan_digest",
    "plan_of_record",
    "plan_study",
    "plan_warnings",
    "read_canonical",
    "read_corpus",
    "read_study",
    "study_warnings",
    "title_warnings",
]
