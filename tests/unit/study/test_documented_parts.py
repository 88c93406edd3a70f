"""Every example of a part of a study file in the documentation is one that a study file may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter

from labelwright.study import Study, yaml_lines

DOCS = Path(__file__).parents[3] / "docs"
FENCED = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANY_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)
PART = re.compile(rf"^({'|'.join(Study.model_fields)}):", re.MULTILINE)


def _examples() -> Iterator[tuple[str, str]]:
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        blocks = [
            *FENCED.findall(text),
            *(dedent(block) for block in INDENTED.findall(ANY_FENCE.sub("", text))),
        ]
        yield from ((page.name, block) for block in blocks if PART.match(block.lstrip("\n")))


def test_the_pages_of_tasks_people_and_assignment_have_examples():
    assert {"assignment.md", "contexts.md", "corpus.md", "pools.md", "tasks.md"} <= {
        page for page, _ in _examples()
    }


@pytest.mark.parametrize(("page", "block"), list(_examples()))
def test_an_example_of_a_part_is_right(page: str, block: str):
    data: Any = Study._named_contexts(yaml_lines.load(block)[0])
    for name, value in data.items():
        field = Study.model_fields[name]
        annotated: Any = Annotated[field.annotation, field]
        TypeAdapter(annotated).validate_python(value)
