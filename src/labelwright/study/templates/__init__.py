"""Templates: small complete studies, each with a corpus, from which people start their own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import ClassVar

from labelwright.errors import LabelwrightError, listed, with_hint

STUDY_FILE = "study.yaml"


@dataclass(frozen=True, slots=True)
class Template:
    """A study to start from. It runs as it is, so that people can try it before they change it."""

    name: str
    title: str
    description: str
    question_summary: str
    """What raters are asked, in one line."""
    study_file: str
    """The text of the study file, with comments on what to change first."""
    corpus: dict[str, str]
    """The texts of the corpus files by their names, which are relative to the study file."""

    def study_file_named(self, name: str) -> str:
        """The study file with another `name`, since studies of one name are versions of each other.

        >>> template("spans").study_file_named("drugs").splitlines()[8:10]
        ['labelwright: 1', 'name: drugs']
        """
        return re.sub(rf"^name: {self.name}\b", f"name: {name}", self.study_file, count=1, flags=re.MULTILINE)


class FilesExist(LabelwrightError):
    """A template would overwrite files."""

    code: ClassVar[str] = "files_exist"


class NoTemplate(LabelwrightError):
    """There is no template with this name."""

    code: ClassVar[str] = "no_template"


@dataclass(frozen=True, slots=True)
class _About:
    title: str
    description: str
    question_summary: str


_ABOUT = {
    "context-effects": _About(
        "Context effects",
        "One reply, shown with none, three or seven earlier turns. Measures how the context that raters see "
        "changes their judgments.",
        "2 questions, 6 conditions, 3 raters per reply",
    ),
    "pairwise-preference": _About(
        "Pairwise preference",
        "Two replies side by side, each judged by two criteria and then compared. Gives win rates and a ranking "
        "of systems.",
        "2 criteria, a preference and a comment; 5 raters per pair",
    ),
    "response-candidates": _About(
        "Response candidates",
        "Three replies that could come next in a conversation, each judged by four criteria, with a reason where "
        "one is needed.",
        "4 criteria with reasons, 3 raters per conversation",
    ),
    "spans": _About(
        "Spans",
        "Raters mark the parts of a passage that answer a question.",
        "1 question with marked text, 3 raters per passage",
    ),
    "task-success": _About(
        "Task success",
        "Whole conversations. Did users get what they wanted, and how well did the system work?",
        "3 questions, 3 raters per conversation",
    ),
    "blank": _About(
        "Blank",
        "The shortest study file that works, with a comment on every part that you can add.",
        "1 question to replace",
    ),
}
"""The templates in the order in which they are offered. The files of each are in the folder of its name."""


def template_names() -> tuple[str, ...]:
    """The names of the templates, in the order in which they are offered.

    >>> template_names()[0]
    'context-effects'
    """
    return tuple(_ABOUT)


def template(name: str) -> Template:
    """The template with this name; raises NoTemplate, which lists the names.

    >>> template("spans").title
    'Spans'
    >>> template("span")
    Traceback (most recent call last):
    labelwright.study.templates.NoTemplate: there is no template "span". Templates: context-effects, \
pairwise-preference, response-candidates, spans, task-success, blank. Did you mean "spans"?
    """
    about = _ABOUT.get(name)
    if about is None:
        names = template_names()
        said = f'there is no template "{name}". Templates: {listed(names)}.'
        raise NoTemplate(with_hint(said, name, names))
    files = _files(name)
    study_file = files.pop(STUDY_FILE)
    return Template(name, about.title, about.description, about.question_summary, study_file, files)


def write_template(made: Template, folder: Path) -> Path:
    """Writes the files of a template, with the study named after the folder; the study file.

    Creates the folder. Raises FilesExist, and writes nothing, if one of the files exists.
    """
    name = slug(folder.resolve().name) or made.name
    texts = {STUDY_FILE: made.study_file_named(name), **made.corpus}
    there = [file for file in texts if (folder / file).exists()]
    if there:
        raise FilesExist(
            f"{folder} already has {listed(there)}.", do="Nothing was written. Name another folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder / STUDY_FILE


def slug(text: str) -> str:
    """The text as the name of a study: small letters, digits and hyphens; empty if it has none of them.

    >>> slug("My 2nd study_v2"), slug("日本")
    ('my-2nd-study-v2', '')
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].rstrip("-")


def _files(name: str) -> dict[str, str]:
    folder = resources.files(__package__).joinpath(name)
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name: file.read_text(encoding="utf-8") for file in found if file.is_file()}
