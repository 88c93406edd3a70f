"""Themes: texts of raters, named and assigned by people, counted, undone, exported and forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk import anyones_reviewer, client_of, get, post
from tests.integration.test_versions import File, rate, visitors
from tests.rows import rows
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


def feedback(data: dict[str, Any]) -> None:
    question = {"name": "remark", "type": "text", "text": "How was the task?", "required": False}
    data["designs"]["reply"]["feedback"] = [question]


def answered(comment: str, remark: str = "") -> dict[str, Any]:
    said = {"0": {"useful": 3, "comment": comment}}
    # The questions about the whole task come after its only item.
    return said | {"1": {"remark": remark}} if remark else said


@pytest.fixture
def texts() -> tuple[Any, str, dict[str, int]]:
    """A study with four texts of two raters; the address of its themes, and the numbers of the texts."""
    loaded = File(feedback).load()
    first, second = visitors(loaded, 2)
    rate(first, 1, answered("<b>Too</b> long", "I like films"))
    rate(first, 1, answered("Clear"))
    rate(second, 1, answered("100% unclear"))
    rate(second, 1)
    found = dict(rows("SELECT value #>> '{}', id FROM answer WHERE question IN ('comment', 'remark')"))
    return loaded.study, f"/studies/{loaded.study.public_id}/themes", found


def marks() -> list[tuple[str, str]]:
    return [
        (theme, text)
        for theme, text in rows(
            """SELECT t.name, a.value #>> '{}' FROM theme_mark m JOIN theme t ON t.id = m.theme_id
               JOIN answer a USING (assignment_id, position, question) ORDER BY 1, 2"""
        )
    ]


def test_texts_are_listed_named_assigned_together_and_undone(texts: Any):
    from labelwright.server.store.models import Theme

    _, page, numbers = texts
    client = client_of(anyones_reviewer())
    shown = get(client, page)
    assert all(
        text in shown for text in ("I like films", "Clear", "100% unclear", "&lt;b&gt;Too&lt;/b&gt; long")
    )
    assert "How was the task?" in shown
    # Without a theme there is nothing to assign.
    assert "Select all texts" not in shown
    for name in ("Hard", "Fun"):
        post(client, page, do="create", name=f"  {name} ")
    hard, fun = Theme.objects.order_by("id")
    picked = [numbers["<b>Too</b> long"], numbers["100% unclear"]]
    assert post(client, page, do="assign", theme=hard.pk, pick=picked).status_code == 303
    post(client, page, do="assign", theme=fun.pk, pick=[numbers["I like films"]])
    assert marks() == [("Fun", "I like films"), ("Hard", "100% unclear"), ("Hard", "<b>Too</b> long")]
    shown = get(client, page)
    assert 'data-theme-count="Hard">2<' in shown
    assert "1 text is now “Fun”." in shown
    assert "100% unclear" not in get(client, f"{page}?theme={fun.pk}")
    without = get(client, f"{page}?theme=none")
    assert "Clear" in without
    assert "I like films" not in without
    # A search takes % literally.
    found = get(client, f"{page}?q=0%25+un")
    assert "100% unclear" in found
    assert "I like films" not in found
    # Assigned again with one more, only the new one is undone.
    post(client, page, do="assign", theme=hard.pk, pick=[*picked, numbers["Clear"]])
    undo = get(client, page).partition("data-status")[2].partition("</form>")[0]
    assert undo.count('name="pick"') == 1
    assert f'value="{numbers["Clear"]}"' in undo
    post(client, page, do="unassign", theme=hard.pk, pick=[numbers["Clear"]])
    assert len(marks()) == 3


def test_names_and_choices_that_make_no_sense_are_refused(texts: Any):
    from labelwright.server.store.models import Answer, Theme

    _, page, _ = texts
    client = client_of(anyones_reviewer())
    post(client, page, do="create", name="Hard")
    for name in ("", "hard", "a;b", "x" * 61):
        answer = post(client, page, do="create", name=name)
        assert (answer.status_code, Theme.objects.count()) == (400, 1), name
    theme = Theme.objects.get().pk
    assert "no text is selected" in post(client, page, do="assign", theme=theme).content.decode().lower()
    # A label is no text.
    label = Answer.objects.filter(question="useful").first().pk
    assert post(client, page, do="assign", theme=theme, pick=[label]).status_code == 400
    assert post(client, page, do="assign", theme=theme + 1, pick=[label]).status_code == 400


def test_a_theme_goes_with_its_texts_and_a_rater_takes_theirs_along(texts: Any):
    from labelwright.server.profiles.actions.deletion import _delete
    from labelwright.server.reports.actions.themes import get_text_questions
    from labelwright.server.reports.queries.themes import themed_texts
    from labelwright.server.store.models import Answer, StudyReport, Theme

    study, page, numbers = texts
    client = client_of(anyones_reviewer())
    post(client, page, do="create", name="Hard")
    theme = Theme.objects.get()
    post(client, page, do="assign", theme=theme.pk, pick=[numbers["100% unclear"], numbers["Clear"]])
    StudyReport.objects.create(study=study, asked_by="me", asked_at=NOW)
    said = themed_texts(study.pk, list(get_text_questions(study)), 3)
    # Those with a theme come first.
    assert [(each.text, each.themes) for each in said][:2] == [
        ("Clear", ["Hard"]),
        ("100% unclear", ["Hard"]),
    ]
    assert len(said) == 3
    rater = Answer.objects.get(pk=numbers["Clear"]).assignment.rater
    _delete(study, rater, "delete", "me", NOW)
    assert marks() == [("Hard", "100% unclear")]
    assert not StudyReport.objects.exists()
    post(client, page, do="remove", theme=theme.pk, sure="yes")
    assert marks() == []
    assert [each[0] for each in rows("SELECT what FROM audit WHERE what LIKE '%theme%' ORDER BY id")] == [
        "theme",
        "assign_theme",
        "remove_theme",
    ]
