"""Parts of a study file around the questions: examples, quiz, questions about raters and about tasks."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest

from labelwright.study import check_study
from labelwright.task import Asking, check_answers, check_draft, sheets
from tests.studies import parse, study_data, study_text

EXCHANGE = {
    "turns": [{"speaker": "user", "text": "Something short."}, {"speaker": "system", "text": "Three hours!"}]
}
QUIZ = {"questions": [{"ask": {"name": "q1", "type": "scale", "scale": "useful", "text": "?"}, "right": 1}]}
FEEDBACK = [{"name": "clear", "type": "text", "text": "Was anything unclear?", "required": False}]


def designed(**changes: Any) -> dict[str, Any]:
    """The designs of the small study with changes to its one design."""
    design = study_data()["designs"]["reply"] | changes
    return {"designs": {"reply": design}}


def mistakes_of(**changes: Any) -> str:
    _, mistakes = check_study(study_text(**changes))
    return " ".join(mistake.what for mistake in mistakes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            designed(examples=[{"item": EXCHANGE, "answers": {"useful": 9}}]),
            'example 1: "useful" rejects 9. Choose one of the options.',
        ),
        (
            designed(examples=[{"item": EXCHANGE, "answers": {"nice": 1}}]),
            'answers "nice", which is not asked',
        ),
        (
            designed(examples=[{"item": {**EXCHANGE, "target": 2}, "answers": {"useful": 1}}]),
            "target is 2, but there are only 2 turns",
        ),
        (
            designed(examples=[{"item": {**EXCHANGE, "passage": "x"}, "answers": {"useful": 1}}]),
            "only items of kind: query have a passage",
        ),
        ({"quiz": {"questions": [QUIZ["questions"][0] | {"right": 7}]}}, "rejects its right answer 7"),
        (
            {"quiz": {"questions": [*QUIZ["questions"], deepcopy(QUIZ["questions"][0])]}},
            'two quiz questions are called "q1"',
        ),
        (
            designed(feedback=[FEEDBACK[0] | {"name": "useful"}]),
            "several questions or labels are called useful",
        ),
        (
            {"familiarity": [{"name": "f", "type": "scale", "scale": "nope", "text": "?"}]},
            'uses scale "nope"',
        ),
        ({"tasks": {"gold_one_in": 5}}, "there are no gold items under `gold`"),
    ],
)
def test_a_right_answer_that_nobody_could_give_and_other_mistakes_are_told(
    changes: dict[str, Any], told: str
):
    assert told in mistakes_of(**changes)


def test_nobody_is_forced_to_say_anything_about_themselves():
    asked = {"name": "age", "type": "scale", "scale": "useful", "text": "?", "required": True}
    study = parse(study_text(demographics=[asked], familiarity=[deepcopy(asked)]))
    assert not study.demographics[0].required
    assert not study.familiarity[0].required


def test_questions_about_the_task_stand_at_the_position_after_the_last_item():
    study = parse(study_text(**designed(feedback=[FEEDBACK[0] | {"required": True}])))
    design, items = study.designs["reply"], [Asking(study.scales)] * 2
    assert [sheet.position for sheet in sheets(design, items)] == [0, 1, 2]
    whole = {"0": {"useful": 1}, "1": {"useful": 2}, "2": {"clear": "no"}}
    checked, problems = check_answers(design, items, whole)
    assert not problems
    assert [(answer.position, answer.question) for answer in checked] == [
        (0, "useful"),
        (1, "useful"),
        (2, "clear"),
    ]
    (missing,) = check_answers(design, items, {"0": {"useful": 1}, "1": {"useful": 2}})[1]
    assert (missing.position, missing.question) == (2, "clear")
    # A question belongs to its position and to no other.
    assert check_draft(design, items, {"2": {"useful": 1}})[1]
    assert check_draft(design, items, {"0": {"clear": "x"}})[1]
    assert check_draft(design, items, {"3": {"clear": "x"}})[1]


HOSTILE = """
# <script>alert(1)</script>
<img src=x onerror=alert(1)> <b onclick="x()">bold</b> ![x](https://evil.example/x.png)
[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x) [e](//evil.example)
[f](https://good.example/?a="><script>x</script>) <javascript:alert(1)> <https://auto.example>

| a | b |
|:-:|--:|
| <i>1</i> | `<u>` |

```html
<script>
```
&lt;script&gt; \\<script>
[g]: javascript:alert(1)
[g]
"""


def test_markdown_makes_only_known_tags_and_no_address_but_the_webs():
    from labelwright.server.web.markdown import TAGS, render

    html = render(HOSTILE)
    tags = re.findall(r"<(/?)([a-z0-9]+)([^>]*)>", html)
    assert len(tags) == html.count("<")
    assert {name for _, name, _ in tags} <= TAGS
    attributes = {name for _, _, rest in tags for name in re.findall(r'([a-z]+)="', rest)}
    assert attributes <= {"href", "rel", "target", "dir", "class", "start"}
    addresses = re.findall(r'href="([^"]*)"', html)
    assert addresses
    assert all(address.startswith(("https://", "mailto:")) for address in addresses)


@pytest.mark.parametrize(
    ("stage", "condition", "told"),
    [
        (
            {"question": "useful"},
            {"stage": "second"},
            'has no question "useful" that selects parts of a text',
        ),
        ({"question": "x", "after": ["NOPE"]}, {"stage": "second"}, 'comes after "NOPE"'),
        ({"question": "useful"}, {}, 'stage "second" has no condition'),
        ({"question": "useful"}, {"stage": "third"}, 'belongs to stage "third", which is not defined'),
    ],
)
def test_a_stage_that_nothing_leads_to_is_a_mistake(
    stage: dict[str, Any], condition: dict[str, Any], told: str
):
    conditions = {"A": {}, "B": condition}
    assert told in mistakes_of(stages={"second": stage}, conditions=conditions)
