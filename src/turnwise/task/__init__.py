"""What is asked: aspects, conditions, task designs, questions and the check of answers."""

from turnwise.task.answers import (
    CheckedAnswer,
    Problem,
    Sheet,
    check_answers,
    check_draft,
    check_sheets,
    sheets,
)
from turnwise.task.around import Guidelines, Markdown, QuizPart, RaterQuestions, quiz_problems
from turnwise.task.aspects import Aspect
from turnwise.task.conditions import Condition
from turnwise.task.design import TaskDesign, scale_under
from turnwise.task.examples import Example, ExampleItem, example_problems
from turnwise.task.gold import Gold, gold_problems, misplaced_gold
from turnwise.task.grouping import TasksPart, group_items
from turnwise.task.labels import DerivedLabel
from turnwise.task.reference import Reference
from turnwise.task.showing import Asking, ItemParts, StoredItem, item_parts
from turnwise.task.stages import Chosen, StagePart, first_conditions, stage_items, stage_problems
from turnwise.task.when import When
from turnwise.task.words import Line, Phrase, Words

__all__ = [
    "Asking",
    "Aspect",
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
    "group_items",
    "item_parts",
    "misplaced_gold",
    "quiz_problems",
    "scale_under",
    "sheets",
    "stage_items",
    "stage_problems",
]
