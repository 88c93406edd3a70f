"""Templates: each is a complete study that can be tried before it is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.study import read_study
from labelwright.study.templates import STUDY_FILE, FilesExist, NoTemplate, template, template_names

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


def test_init_writes_a_study_named_after_its_folder_and_overwrites_nothing(tmp_path: Path):
    folder = tmp_path / "My drugs"
    code, output = run("study", "init", "--template", "spans", str(folder))
    assert code == 0, output
    assert {path.name for path in folder.iterdir()} == {STUDY_FILE, *template("spans").corpus}
    study, _ = read_study(folder / STUDY_FILE)
    assert study.name == "my-drugs"
    assert run("study", "check", str(folder / STUDY_FILE))[0] == 0
    (folder / STUDY_FILE).unlink()
    done = CliRunner().invoke(register_commands(), ["study", "init", "--template", "spans", str(folder)])
    assert isinstance(done.exception, FilesExist)
    assert "already has levels.txt, passages.jsonl, topics.json" in str(done.exception)
    assert not (folder / STUDY_FILE).exists()


@pytest.mark.parametrize(("words", "code"), [((), 0), (("somewhere",), 2), (("--template", "spans"), 2)])
def test_init_lists_the_templates(words: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: Any):
    monkeypatch.chdir(tmp_path)
    assert (listing := run("study", "init", *words))[0] == code
    assert all(name in listing[1] for name in NAMES)
    assert list(tmp_path.iterdir()) == []


def test_a_mistyped_name_leads_to_the_nearest():
    with pytest.raises(NoTemplate, match='Did you mean "task-success"'):
        template("task-sucess")
