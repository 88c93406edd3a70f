"""What is asked: aspects, conditions, task designs, questions and the check of answers."""

from turnwise.task.answers import CheckedAnswer, Problem, check_answers, check_draft
from turnwise.task.aspects import Aspect
from turnwise.task.conditions import Condition
from turnwise.task.design import TaskDesign, scale_under
from turnwise.task.gold import Gold, Reference, gold_problems
from turnwise.task.grouping import TasksPart, group_items
from turnwise.task.labels import DerivedLabel
from turnwise.task.showing import Asking, ItemParts, StoredItem, item_parts
from turnwise.task.when import When

__all__ = [
    "Asking",
    "Aspect",
    "CheckedAnswer",
    "Condition",
    "DerivedLabel",
    "Gold",
    "ItemParts",
    "Problem",
    "Reference",
    "StoredItem",
    "TaskDesign",
    "TasksPart",
    "When",
    "check_answers",
    "check_draft",
    "gold_problems",
    "group_items",
    "item_parts",
    "scale_under",
]
