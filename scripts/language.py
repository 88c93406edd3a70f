"""Finds phrases that Labelwright does not use, and words that raters must not read.

The phrases are those of the project's language guide, each with what to write instead. Rater texts are the
templates of rater pages and question types, and the sentences that are translated for raters. This is not a
spelling checker: it knows these two lists and nothing else.

Usage: .venv/bin/python scripts/language.py    (exit code 1 if it finds something)
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
FOLDERS = ("src/", "docs/", "studies/", ".github/")
SUFFIXES = {".css", ".html", ".js", ".md", ".py", ".yaml", ".yml"}
CATALOGUE = "locale/it/LC_MESSAGES/django.po"
"""One catalogue is enough: the sentences to translate are the same in all of them."""

PHRASES = {
    "raters who are none": "simulated raters",
    "for who runs a study": "for study owners",
    "the way to every page on each": "site-wide navigation",
    "own words of 3 to 30": "free text of 3 to 30 words",
    "needs a person now": "Needs attention",
    "nothing. raters work, rules watch": "Nothing needs your attention.",
    "only who has your link": "Only people with your link can see this page.",
    "what is open you may finish": "You can finish your open task",
    "what may become of the answers": "What should happen to your answers?",
    "nothing is taken back of what you submitted": "Your submitted work still counts.",
    "you are offered no tasks in this study any more": "There are no more tasks for you in this study.",
    "at most so many people": "Maximum number of people",
    "questions of raters wait for an answer": "unanswered questions from raters",
    "has not the tables of this release": "the database schema is out of date; run `labelwright migrate`",
    "hangs on itself": "depends on itself",
    "stand in no batch": "are not in any batch",
    "does not take the answer": "rejects the answer",
    "who asks, for what pay and about what": "who runs the study, what it is about and what it pays",
    "own word goes first": "a value set on a condition takes precedence",
    "so so many bits are enough": "so this many bits suffice",
    "who did a whole batch": "raters who completed the batch",
    "what limits it": "limits; bottleneck",
    "are the least expected": "expected at least",
}

RATER_WORDS = {
    r"items?": "reply",
    r"conditions?": "version of the task",
    r"assignments?": "task",
    r"batch(?:es)?": "tasks",
    r"pools?": "group",
    r"aspects?": "question",
    r"flag(?:s|ged)?": "mark",
    r"verdicts?": "decision",
    r"gold": "right answer",
    r"leases?": "time",
    r"redundancy": "number of answers",
}

_PHRASES = {
    re.compile(r"\b" + r"\s+".join(map(re.escape, phrase.split())), re.IGNORECASE): better
    for phrase, better in PHRASES.items()
}
_WORDS = {re.compile(rf"\b{word}\b", re.IGNORECASE): better for word, better in RATER_WORDS.items()}
_TRANSLATED = re.compile(r"""\{%\s*trans(?:late)?\s+(["'])(.*?)\1[^%]*%\}""")
_TEMPLATE_CODE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
_VALUE = re.compile(r"%\(\w+\)[sd]|\{\w*\}")

Found = tuple[int, str, str]
"""The line, the phrase found, and what to write instead."""


def phrases_in(text: str) -> Iterator[Found]:
    """Finds phrases that we do not use, even if they continue on the next line."""
    for phrase, better in _PHRASES.items():
        for match in phrase.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), better


def words_in_template(text: str) -> Iterator[Found]:
    """Finds words that raters must not read, in the visible text and the accessible labels of a template."""
    visible = _Visible()
    visible.feed(_TEMPLATE_CODE.sub(_blank, _TRANSLATED.sub(_unwrapped, text)))
    for line, part in visible.parts:
        yield from _words(part, line)


def found_in_catalogue(text: str) -> Iterator[Found]:
    """Finds phrases, and words that raters must not read, in a catalogue's sentences; ignores placeholder names."""
    for message in read_po(BytesIO(text.encode())):
        for sentence in [message.id] if isinstance(message.id, str) else message.id:
            for _, what, better in [*phrases_in(sentence), *_words(sentence, 1)]:
                yield message.lineno or 1, what, better


def check(path: str, text: str) -> list[str]:
    """The findings in one file, sorted by line."""
    if path.endswith(".po"):
        found = [*found_in_catalogue(text)]
    else:
        found = [*phrases_in(text), *(words_in_template(text) if is_rater_template(path) else ())]
    return [f'{path}:{line}: "{what}": write "{better}" instead' for line, what, better in sorted(found)]


def is_rater_template(path: str) -> bool:
    """Whether raters read this file: the templates of rater pages and of question types."""
    folders = Path(path).parts[:-1]
    return path.endswith(".html") and bool({"rater", "rating", "questions"} & set(folders))


def is_checked(path: str) -> bool:
    """Whether people read this file: code, pages, documentation, study files, and one catalogue."""
    if path.endswith(".po"):
        return path.endswith(CATALOGUE)
    root_page = "/" not in path and path.endswith(".md")
    return root_page or (path.startswith(FOLDERS) and Path(path).suffix in SUFFIXES)


def main() -> None:
    """Checks every tracked file."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    paths = [path for path in tracked.stdout.split("\0") if is_checked(path) and (ROOT / path).is_file()]
    wrong = [line for path in paths for line in check(path, (ROOT / path).read_text(encoding="utf-8"))]
    if wrong:
        sys.exit("\n".join(wrong))


def _words(text: str, line: int) -> Iterator[Found]:
    shown = _VALUE.sub(_blank, text)
    for word, better in _WORDS.items():
        for match in word.finditer(shown):
            yield line + shown.count("\n", 0, match.start()), match[0], better


def _blank(match: re.Match[str]) -> str:
    """White space of the same size, so that lines keep their numbers."""
    return re.sub(r"\S", " ", match[0])


def _unwrapped(match: re.Match[str]) -> str:
    """The sentence inside a translate tag, without the tag and without quotes."""
    return f" {match[2]} ".replace('"', " ")


class _Visible(HTMLParser):
    """The text of a template that people see or hear, each part with its line."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[tuple[int, str]] = []

    def handle_data(self, data: str) -> None:
        self.parts.append((self.getpos()[0], data))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        spoken = ("alt", "aria-label", "placeholder", "title")
        self.parts += [(self.getpos()[0], value) for name, value in attrs if name in spoken and value]


if __name__ == "__main__":
    main()
