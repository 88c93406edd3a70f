"""Every question type has its row and its example in the documentation, and the examples are right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from labelwright.study import yaml_lines
from labelwright.task import TaskDesign
from labelwright.task.questions import QUESTION_TYPES

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "questions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", QUESTION_TYPES)
def test_a_type_has_its_row_and_its_example(name: str):
    assert f"| [`{name}`](#{name}) |" in PAGE
    section = PAGE.split(f"### {name}\n")[1].split("\n#")[0]
    assert f"type: {name}" in section


@pytest.mark.parametrize("block", BLOCKS)
def test_an_example_is_a_list_of_valid_questions(block: str):
    questions: Any = yaml_lines.load(block)[0]
    TaskDesign.model_validate({"title": "T", "lead": "L", "instructions": "I", "questions": questions})
