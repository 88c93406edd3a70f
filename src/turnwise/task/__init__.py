"""What is asked: aspects, conditions, task designs, questions and the check of answers."""

from turnwise.task.answers import CheckedAnswer, Problem, check_answers, check_draft
from turnwise.task.aspects import Aspect
from turnwise.task.conditions import Condition
from turnwise.task.design import TaskDesign
from turnwise.task.gold import Gold, Reference, gold_problems

__all__ = [
    "Aspect",
    "CheckedAnswer",
    "Condition",
    "Gold",
    "Problem",
    "Reference",
    "TaskDesign",
    "check_answers",
    "check_draft",
    "gold_problems",
]
