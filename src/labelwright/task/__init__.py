"""Tasks: aspects, conditions, task designs, questions, and the checks on answers."""

from labelwright.task.answers import (
    CheckedAnswer,
    Problem,
    Sheet,
    check_answers,
    check_draft,
    check_sheets,
    sheets,
)
from labelwright.task.aspects import Aspect
from labelwright.task.conditions import Condition
from labelwright.task.dependency import When
from labelwright.task.design import AspectColumn, TaskDesign, pattern_of, scale_under
from labelwright.task.examples import Example, ExampleItem, example_problems
from labelwright.task.gold import Gold, gold_problems, misplaced_gold
from labelwright.task.grouping import TasksPart, group_gold, group_items
from labelwright.task.guidelines import Guidelines, Markdown
from labelwright.task.labels import DerivedLabel
from labelwright.task.presentation import Asking, ItemParts, StoredItem, item_parts
from labelwright.task.questionnaire import QuizPart, RaterQuestions, quiz_problems
from labelwright.task.reference import Reference
from labelwright.task.stages import Chosen, StagePart, first_conditions, stage_items, stage_problems
from labelwright.task.words import Line, Phrase, Words

__all__ = [
    "Asking",
    "Aspect",
    "AspectColumn",
    "CheckedAnswer",
    "Chosen",
    "Condition",
    "DerivedLabel",
    "Example",
    "ExampleItem",
    "Gold",
    "Guidelines",
    "ItemParts",
    "Line",
    "Markdown",
    "Phrase",
    "Problem",
    "QuizPart",
    "RaterQuestions",
    "Reference",
    "Sheet",
    "StagePart",
    "StoredItem",
    "TaskDesign",
    "TasksPart",
    "When",
    "Words",
    "check_answers",
    "check_draft",
    "check_sheets",
    "example_problems",
    "first_conditions",
    "gold_problems",
    "group_gold",
    "group_items",
    "item_parts",
    "misplaced_gold",
    "pattern_of",
    "quiz_problems",
    "scale_under",
    "sheets",
    "stage_items",
    "stage_problems",
]
