"""The HTML of every question type: names for its controls, hostile text escaped, nothing told that must not be."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from labelwright.task.questions import QUESTION_TYPES
from labelwright.testing.question_pages import faults
from labelwright.testing.questions import SENTINEL, example_asking

pytestmark = [pytest.mark.postgres, pytest.mark.once]

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
    html = render_to_string(f"{question.page_type}/template.html", {"question": shown}).strip()
    assert faults(html) == []
    assert "<img" not in html
    assert SENTINEL not in html


def test_an_attention_check_cannot_be_told_from_a_choice(django_ready: str):
    from labelwright.server.rating.pages.questions import question_view

    asking = example_asking("exchange")
    for example in QUESTION_TYPES["attention"].EXAMPLES:
        check: Any = QUESTION_TYPES["attention"].model_validate(example)
        options = [{"code": code, "name": name} for code, name in enumerate(check.options(asking), start=1)]
        plain = {"name": check.name, "type": "choice", "text": check.text, "options": options}
        choice = QUESTION_TYPES["choice"].model_validate(plain)
        first, second = (_rendered(question_view(question, asking, 0)) for question in (check, choice))
        assert first == second


def _rendered(view: dict[str, Any]) -> str:
    from django.template.loader import render_to_string

    return render_to_string(view["template"], {"question": view})


def test_a_type_of_another_package_brings_its_template_and_script(
    django_ready: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
):
    from django.template.loader import render_to_string

    from labelwright.server.web.question_files import QuestionFinder, scripts_of

    package = tmp_path / "stars_of_somebody"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from typing import Literal\n"
        "from labelwright.task.questions import question_type\n"
        "from labelwright.task.questions.yes_no import YesNoQuestion\n"
        "@question_type\n"
        "class Stars(YesNoQuestion):\n"
        "    type: Literal['stars']\n"
    )
    (package / "template.html").write_text("<b>{{ question.name }}</b>")
    (package / "widget.js").write_text('import { chosen } from "../shared/choosing.js";')
    (package / "secret.js").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("stars_of_somebody")
    request.addfinalizer(lambda: QUESTION_TYPES.unregister("stars"))
    assert render_to_string("stars/template.html", {"question": {"name": "<i>"}}) == "<b>&lt;i&gt;</b>"
    finder = QuestionFinder()
    assert finder.find("questions/stars/widget.js") == str(package / "widget.js")
    assert finder.find("questions/stars/secret.js") == []
    assert finder.find("questions/stars_of_somebody/widget.js") == []
    assert [address.rpartition("questions/")[2] for address in scripts_of("stars")] == [
        "stars/widget.js",
        "shared/choosing.js",
    ]
    listed = {f"{storage.prefix}/{name}" for name, storage in finder.list(None)}
    assert {
        "questions/stars/widget.js",
        "questions/scale/widget.js",
        "questions/shared/choosing.js",
    } <= listed
