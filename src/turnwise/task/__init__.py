"""What is asked: aspects, conditions, task designs, questions and the check of answers."""

from turnwise.task.answers import CheckedAnswer, Problem, check_answers, check_draft
from turnwise.task.aspects import Aspect
from turnwise.task.conditions import Condition
from turnwise.task.design import TaskDesign
from turnwise.task.gold import Gold, Reference, gold_problems
from turnwise.task.grouping import TasksPart, group_items
from turnwise.task.showing import Asking, ItemParts, StoredItem, item_parts

__all__ = [
    "Asking",
    "Aspect",
    "CheckedAnswer",
    "Condition",
    "Gold",
    "ItemParts",
    "Problem",
    "Reference",
    "StoredItem",
    "TaskDesign",
    "TasksPart",
    "check_answers",
    "check_draft",
    "gold_problems",
    "group_items",
    "item_parts",
]
