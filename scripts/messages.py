"""Collects the texts for raters into translation catalogues: `update` after texts change, `compile` by every build.

Sentences are found in three places: gettext calls, translate tags of templates, and the sentences of BadAnswer,
Problem, Phrase, RaterError and `missing`, which are constant and translated when they are shown.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "labelwright"
LOCALE = SOURCE / "server" / "web" / "locale"
LANGUAGES = ("it", "ar")
SPOKEN = ("server", "task", "crowd/links.py")
"""Folders with texts for raters. The requester's pages are in English and mark nothing for translation."""
TELLING = {"BadAnswer", "Phrase", "Problem"}
TOLD_CLASSES = {"RaterError", "BadLink"}
"""Errors that raters read, by the name of the class or its base; other errors are for requesters."""
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}

Message = str | tuple[str, str]


def found() -> dict[Message, list[str]]:
    """Every sentence with the files it is in."""
    texts: dict[Message, list[str]] = {}
    for path in sorted(_files()):
        for message in _of(path):
            texts.setdefault(message, []).append(str(path.relative_to(ROOT)))
    return texts


def _files() -> Iterator[Path]:
    for place in SPOKEN:
        path = SOURCE / place
        yield from [path] if path.is_file() else [*path.rglob("*.py"), *path.rglob("*.html")]


def _of(path: Path) -> Iterator[Message]:
    text = path.read_text()
    if path.suffix == ".html":
        from django.utils.translation.template import templatize  # a build compiles without Django

        text = templatize(text)
    for _, message, _, _ in extract("python", BytesIO(text.encode()), KEYWORDS):
        yield message if isinstance(message, str) else (message[0], message[1])
    if path.suffix == ".py":
        yield from _told(ast.parse(path.read_text()))


def _told(tree: ast.AST) -> Iterator[str]:
    """Constant sentences in calls of TELLING, in constructors of TOLD_CLASSES, or returned by `missing`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in TELLING:
            yield from _strings(node.args)
        elif isinstance(node, ast.ClassDef) and {node.name, *map(_name, node.bases)} & TOLD_CLASSES:
            yield from _super_calls(node)
        elif isinstance(node, ast.FunctionDef) and node.name == "missing":
            yield from _strings([r.value for r in ast.walk(node) if isinstance(r, ast.Return) and r.value])


def _super_calls(node: ast.ClassDef) -> Iterator[str]:
    for call in ast.walk(node):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "__init__"
        ):
            yield from _strings([*call.args, *(k.value for k in call.keywords if k.arg == "do")])


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _strings(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def catalogue(language: str) -> Catalog:
    """The existing translations."""
    path = LOCALE / language / "LC_MESSAGES" / "django.po"
    if not path.exists():
        return Catalog(language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update() -> None:
    """Adds new sentences to each catalogue, removes unused ones, and prints how many are untranslated."""
    texts = found()
    for language in LANGUAGES:
        old = catalogue(language)
        new = Catalog(
            language,
            project="Labelwright",
            charset="utf-8",
            header_comment=f"# Labelwright, {language}",
            # Babel reads the plural rules from the language; the date would change with every update.
            creation_date=old.creation_date,
            last_translator="Labelwright",
            language_team=language,
            fuzzy=False,
        )
        for message, places in texts.items():
            known = old.get(message)
            new.add(
                message, known.string if known else None, [(place, None) for place in dict.fromkeys(places)]
            )
        path = LOCALE / language / "LC_MESSAGES" / "django.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, new, omit_header=False, include_lineno=False, width=110)
        print(f"{language}: {len(texts)} sentences, {len(open_sentences(language))} untranslated")


def open_sentences(language: str) -> list[Message]:
    """Sentences without a translation in a language."""
    known = catalogue(language)

    def is_open(message: Message) -> bool:
        entry = known.get(message)
        return entry is None or not all([entry.string] if isinstance(entry.string, str) else entry.string)

    return [message for message in found() if is_open(message)]


def compile_all() -> None:
    """Writes the compiled catalogues that the server reads."""
    for language in LANGUAGES:
        folder = LOCALE / language / "LC_MESSAGES"
        with (folder / "django.mo").open("wb") as file:
            write_mo(file, catalogue(language))


if __name__ == "__main__":
    from django.conf import settings

    settings.configure()
    {"update": update, "compile": compile_all}[sys.argv[1]]()
