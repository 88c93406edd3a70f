"""Templates: each is a complete study that can be tried before it is changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.study.templates import STUDY_FILE, NoTemplate, template, template_names

NAMES = template_names()


@pytest.fixture(params=NAMES)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    made = template(request.param)
    for name, text in {STUDY_FILE: made.study_file, **made.corpus}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(register_commands(), words)
    return done.exit_code, done.output


def test_a_template_has_no_mistake_and_no_warning(folder: Path):
    code, output = run("study", "check", str(folder / STUDY_FILE))
    assert code == 0, output
    assert "Warning" not in output


def test_the_raters_of_a_template_can_complete_it(folder: Path):
    code, output = run("study", "plan", str(folder / STUDY_FILE))
    assert code == 0, output


@pytest.mark.parametrize("name", NAMES)
def test_a_template_says_what_it_is(name: str):
    made = template(name)
    assert all((made.title, made.description, made.question_summary))
    assert made.study_file.startswith("#"), "the first lines say what to change"
    assert f"\nname: {name}\n" in made.study_file or f"\nname: {name} " in made.study_file
    assert made.corpus


def test_a_mistyped_name_leads_to_the_nearest():
    with pytest.raises(NoTemplate, match='Did you mean "task-success"'):
        template("task-sucess")
