"""What is asked: aspects, conditions, task designs, questions and the check of answers."""

from turnwise.task.answers import CheckedAnswer, Problem, check_answers, check_draft
from turnwise.task.aspects import Aspect
from turnwise.task.conditions import Condition
from turnwise.task.design import TaskDesign

__all__ = [
    "Aspect",
    "CheckedAnswer",
    "Condition",
    "Problem",
    "TaskDesign",
    "check_answers",
    "check_draft",
]
