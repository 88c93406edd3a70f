"""Studies made from templates, worked through by simulated raters and read on the requester's pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from labelwright.corpus import read_dialogues
from labelwright.simulate import Timeline, crowd, default_behaviour
from labelwright.study import check_study
from labelwright.study.templates import template, write_template
from tests.integration.test_item_pages import desk  # noqa: F401  a fixture
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

THIRTY = ("items_per_task: 5 ", "items_per_task: 30 ")
NAMED = re.compile(r"\bz[a-z]_|\b700\d\b")
"""How the keys and codes of the studies in this module look; see `marked`."""
PYTHON = re.compile(r"\{'|\['|\bNone\b|\bTrue\b|\bFalse\b|\bnan\b|<\w+ object|\bc[0-9]\b|\w+\.c\d\.")
SEEN_ATTRIBUTES = ("title", "alt", "aria-label", "placeholder", "data-l")


def marked(text: str) -> str:
    """The study file with keys and codes that no sentence contains, so that one on a page can be recognised."""
    data = yaml.safe_load(text)
    for part in ("scales", "aspects", "designs"):
        data[part] = {f"z{part[0]}_{name}": value for name, value in data.get(part, {}).items()}
    for scale in data["scales"].values():
        for point in scale["points"]:
            point["code"] += 7000
    for design in data["designs"].values():
        design["questions"] = [_marked_question(each) for each in design["questions"]]
        for example in design.get("examples", ()):
            example["answers"] = {f"zq_{name}": answer for name, answer in example["answers"].items()}
    for condition in data["conditions"].values():
        if "design" in condition:
            condition["design"] = f"zd_{condition['design']}"
    return yaml.safe_dump(data | {"review": {"takes": "all"}}, sort_keys=False, allow_unicode=True)


def _marked_question(asked: dict[str, Any], mark: str = "zq_") -> dict[str, Any]:
    made = {**asked, "name": mark + asked["name"]}
    made |= {key: f"z{key[0]}_{asked[key]}" for key in ("scale", "aspect") if key in asked}
    if "explanations" in asked:
        options = asked["explanations"]["options"]
        made["explanations"] = {"options": {code + 7000: each for code, each in options.items()}}
    if "criteria" in asked:
        made["criteria"] = [_marked_question(each, "zc_") for each in asked["criteria"]]
    return made


def worked(name: str, folder: Path, *changes: tuple[str, str]) -> Any:
    """The study of a template with these changes of its text, worked through by simulated raters."""
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic
    from labelwright.server.results.jobs import compute_figures

    file = write_template(template(name), folder)
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    text = marked(text)
    study, mistakes = check_study(text)
    assert study is not None, mistakes
    dialogues, _ = read_dialogues(study.corpus, folder)
    behaviour = default_behaviour()
    opened = open_rehearsal(text, dialogues, study.pool.raters, NOW)
    life = Timeline(crowd(study.pool.raters, behaviour.mix, 1, behaviour), NOW)
    live_fast(life, opened)
    for _ in range(2):  # flags and tallies have left marks since the jobs ran
        run_periodic(life.worked[-1].ended)
    compute_figures(opened.row)
    return opened.row


class _Seen(HTMLParser):
    """What a reader of a page can see: texts, labels, and the texts of charts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        self.texts += [value for name, value in attrs if name in SEEN_ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._inside):
            self.texts.append(data)
        elif data.lstrip().startswith("{"):
            self.texts += _drawn(json.loads(data))


def _drawn(spec: Any, key: str = "") -> Iterator[str]:
    """The texts of a chart; names of its fields are not drawn."""
    if isinstance(spec, dict):
        for name, value in spec.items():
            yield from _drawn(value, name)
    elif isinstance(spec, list):
        for value in spec:
            yield from _drawn(value, key)
    elif isinstance(spec, str) and key not in ("field", "expr", "href"):
        yield spec


def read(client: Any, address: str) -> str:
    """What a reader of a page can see, after looking for what nobody should see."""
    response = client.get(address)
    assert response.status_code == 200, address
    seen = _Seen()
    seen.feed(response.content.decode())
    wrong = [text for text in seen.texts if NAMED.search(text) or PYTHON.search(text)]
    assert wrong == [], address
    return " ".join(" ".join(seen.texts).split())


def pages_of(client: Any, row: Any) -> Iterator[tuple[str, str]]:
    """The overview, the list of items, the page of each item, a case and a group in review, with the text of each."""
    from labelwright.server.store.models import ItemRow, ReviewGroup

    root = f"/studies/{row.public_id}"
    yield "overview", read(client, root)
    yield "items", read(client, f"{root}/items")
    for item in ItemRow.objects.filter(study=row).order_by("pk"):
        yield "item", read(client, f"{root}/items/{item.pk}")
    yield "case", read(client, f"{root}/review")
    group = ReviewGroup.objects.filter(study=row, open__gt=0).order_by("pk").first()
    assert group is not None
    yield "group", read(client, f"{root}/review/groups/{group.pk}")


def test_two_candidates_by_two_criteria_with_a_preference_and_a_comment(desk: Any, tmp_path: Path):
    pages = list(pages_of(desk, worked("pairwise-preference", tmp_path)))
    assert len(pages) == 16
    overview, items = pages[0][1], " ".join(text for kind, text in pages if kind == "item")
    assert all(
        text in overview for text in ("Which reply is better?", "Helpfulness", "Clarity", "wren", "tern")
    )
    assert all(text in items for text in ("Helpfulness", "Clarity", "What made the difference?"))
    assert {"A is better", "B is better", "Both are bad"} <= set(
        re.findall(r"[AB] is better|About the same|Both are bad", items)
    )


def test_passages_with_spans(desk: Any, tmp_path: Path):
    pages = list(pages_of(desk, worked("spans", tmp_path)))
    assert len(pages) == 16
    assert "Which parts of the passage answer the question?" in pages[0][1]
    assert any("one hive, a veil, gloves" in text for kind, text in pages if kind == "item")


def test_thirty_dialogues_in_a_task(desk: Any, tmp_path: Path):
    from labelwright.server.store.models import Assignment

    row = worked("task-success", tmp_path, THIRTY, ("minutes: 4 ", "minutes: 20 "))
    assert Assignment.objects.filter(study=row, submitted_at__isnull=False).count() == 3
    pages = list(pages_of(desk, row))
    assert len(pages) == 34
    assert "Did the user get what they wanted?" in pages[0][1]
    assert "I am running!" in " ".join(text for _, text in pages[2:])


@pytest.mark.parametrize("name", ["context-effects", "response-candidates"])
def test_the_pages_of_the_other_templates(name: str, desk: Any, tmp_path: Path):
    assert len(list(pages_of(desk, worked(name, tmp_path)))) == 16
