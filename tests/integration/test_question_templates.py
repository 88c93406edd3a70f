"""The HTML of every question type: names for its controls, hostile text escaped, nothing told that must not be."""

from __future__ import annotations

from typing import Any

import pytest

from turnwise.task.questions import QUESTION_TYPES
from turnwise.testing.question_pages import faults
from turnwise.testing.questions import SENTINEL, example_asking

pytestmark = pytest.mark.postgres

EXAMPLES = [(kind, example) for kind in QUESTION_TYPES.values() for example in kind.EXAMPLES]
ATTACK = """<img src=x onerror="alert(1)"> '" {{ 7 }} </fieldset>"""


@pytest.mark.parametrize(
    ("kind", "example"), EXAMPLES, ids=[f"{k.type_name()}-{e['name']}" for k, e in EXAMPLES]
)
def test_a_question_renders_with_named_controls_and_no_markup_of_its_texts(
    django_ready: str, kind: Any, example: Any
):
    from django.template.loader import render_to_string

    question = kind.model_validate({**example, "text": ATTACK, "aim": SENTINEL, "aspect": SENTINEL})
    view = question.view(example_asking(kind.EXAMPLE_ITEM))
    shown = view | {"id": f"q0-{question.name}", "position": 0}
    html = render_to_string(f"{kind.type_name()}/template.html", {"question": shown}).strip()
    assert faults(html) == []
    assert "<img" not in html
    assert SENTINEL not in html
