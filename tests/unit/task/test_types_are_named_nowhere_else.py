"""A question type lives in its folder: no other file of the package names one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from labelwright.task.questions import QUESTION_TYPES

SOURCE = Path(__file__).parents[3] / "src" / "labelwright"
FOLDER = SOURCE / "task" / "questions"
TYPES = set(QUESTION_TYPES)
MODULES = {kind.__module__ for kind in QUESTION_TYPES.values()}
CLASSES = {kind.__name__ for kind in QUESTION_TYPES.values()}


def _named(tree: ast.AST) -> Iterator[str]:
    """Imports of a type's module, names of its class, and its word where it is used as one."""
    for node in ast.walk(tree):
        yield from _code_of_type(node)
        yield from _word_of_type(node)


def _code_of_type(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ImportFrom(module=str(module), names=names):
            yield from sorted({module, *(f"{module}.{each.name}" for each in names)} & MODULES)
        case ast.Import(names=names):
            yield from sorted({each.name for each in names} & MODULES)
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=name) if (
            name in CLASSES | MODULES
        ):
            yield name


def _word_of_type(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(left=left, comparators=others) if any(map(_is_type, [left, *others])):
            yield from _words(node)
        case ast.Match(subject=subject) if _is_type(subject):
            yield from _words(node)
        case (
            ast.Subscript(value=ast.Name(id="QUESTION_TYPES"), slice=word)
            | ast.keyword(arg="type", value=word)
        ):
            yield from _words(word)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="QUESTION_TYPES")), args=[word, *_]):
            yield from _words(word)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            values = [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == "type"]
            yield from (word for value in values for word in _words(value))


def _is_type(node: ast.AST) -> bool:
    """`question.type`, `question["type"]` or `question.get("type")`."""
    match node:
        case ast.Attribute(attr="type") | ast.Subscript(slice=ast.Constant(value="type")):
            return True
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value="type"), *_]):
            return True
    return False


def _words(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and each.value in TYPES:
            yield str(each.value)


def _in(source: str) -> list[str]:
    return list(_named(ast.parse(source)))


def test_no_file_outside_the_folder_names_a_type():
    files = [path for path in SOURCE.rglob("*.py") if FOLDER not in path.parents]
    assert len(files) > 200
    named = {str(path.relative_to(SOURCE)): _in(path.read_text(encoding="utf-8")) for path in files}
    # The only word that is also something else: a part of a chat message has the type "text".
    allowed = {"corpus/readers/chat_messages.py": ["text"]}
    naming = {path: words for path, words in named.items() if words and words != allowed.get(path)}
    assert len(naming) == 0, naming


def test_no_script_or_template_of_the_server_names_a_type():
    files = [
        p for kind in ("*.html", "*.js") for p in (SOURCE / "server").rglob(kind) if "vendor" not in p.parts
    ]
    marks = [f'{before}"{name}"' for name in TYPES for before in ("type == ", "type === ", "data-type=")]
    naming = [path.name for path in files for mark in marks if mark in path.read_text(encoding="utf-8")]
    assert naming == []


def test_the_search_finds_what_it_should():
    assert _in("from labelwright.task.questions.spans import marked_spans") == [
        "labelwright.task.questions.spans"
    ]
    assert _in("from labelwright.task.questions import spans") == ["labelwright.task.questions.spans"]
    assert _in("isinstance(q, TextQuestion)") == ["TextQuestion"]
    assert _in("if q.type in ('grid', 'ranking'): ...") == ["grid", "ranking"]
    assert _in("if q['type'] == 'text': ...") == ["text"]
    assert _in("asked = {'name': 'a', 'type': 'scale'}") == ["scale"]
    assert _in("QUESTION_TYPES['number']") == ["number"]
    assert _in("turn = {'text': 'Hi', 'number': 3}; order_by('number')") == []
