"""Writes the API reference from the docstrings of the public names.

A name is public if the package or one of its stages lists it in `__all__`. Everything here depends only on
the code, and names are in alphabetical order, so two builds of the same commit give the same page.
"""

from __future__ import annotations

import ast
import html
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel

STAGES = (
    "corpus",
    "context",
    "task",
    "agreement",
    "crowd",
    "quality",
    "analysis",
    "release",
    "judging",
    "study",
    "simulate",
)
MARK = "<!-- api -->"
LONGEST_LINE = 90
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_CODE = re.compile(r"(`[^`]*`)")


def public_modules() -> list[ModuleType]:
    """The package and its stages, in the order of a study."""
    return [import_module("labelwright"), *(import_module(f"labelwright.{stage}") for stage in STAGES)]


def public_names(module: ModuleType) -> list[str]:
    """The public names of a module in alphabetical order; its version is not documented."""
    return sorted(
        (name for name in module.__all__ if name != "__version__"), key=lambda name: (name.lower(), name)
    )


def write_api() -> str:
    """The whole reference as Markdown."""
    modules = public_modules()
    listed = [
        f"- [`{module.__name__}`](#{_module_anchor(module)}): {_first_line(module)}" for module in modules
    ]
    return "\n\n".join(["\n".join(listed), *(_module(module) for module in modules)])


def documentation(module: ModuleType, name: str) -> str:
    """What the code says about a public name; empty if it says nothing.

    That is the docstring of a class or function, the definition of a measure, and for constants and type
    aliases the string below their assignment.
    """
    value = getattr(module, name)
    if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
        return _own_docstring(value)
    return getattr(value, "definition", "") or _string_below(module.__name__, name)


def _own_docstring(value: Any) -> str:
    """A docstring that somebody wrote: dataclasses get one made of their fields, and models inherit one."""
    text = inspect.cleandoc(value.__doc__ or "")
    generated = inspect.isclass(value) and text.startswith(f"{value.__name__}(")
    return "" if generated or text == inspect.cleandoc(BaseModel.__doc__ or "") else text


def _string_below(module: str, name: str) -> str:
    """The string below the assignment of a name, in the module that assigns it."""
    body = _syntax(module)
    for statement, following in pairwise([*body, ast.Pass()]):
        targets = (
            statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return _string(following)
        if isinstance(statement, ast.ImportFrom) and any(alias.name == name for alias in statement.names):
            return _string_below(str(statement.module), name)
    return ""


@cache
def _syntax(module: str) -> list[ast.stmt]:
    file = import_module(module).__file__
    assert file is not None
    return ast.parse(Path(file).read_text(encoding="utf-8")).body


def _module(module: ModuleType) -> str:
    entries = [_entry(module, name) for name in public_names(module)]
    return "\n\n".join([f"## {module.__name__}", _prose(_own_docstring(module)), *entries])


def _module_anchor(module: ModuleType) -> str:
    return module.__name__.replace(".", "")


def _first_line(module: ModuleType) -> str:
    return _escaped(_own_docstring(module).splitlines()[0])


def _entry(module: ModuleType, name: str) -> str:
    value = getattr(module, name)
    parts = [
        f"### {module.__name__}.{name}",
        f"```python\n{_signature(name, value)}\n```",
        _prose(documentation(module, name)),
    ]
    members = "\n".join(_members(value))
    return "\n\n".join(part for part in [*parts, members] if part)


def _signature(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return (
            f"class {name}"
            if issubclass(value, Enum | BaseException | BaseModel)
            else f"class {name}{_arguments(value)}"
        )
    return f"{name}{_arguments(value)}" if inspect.isroutine(value) or hasattr(value, "definition") else name


def _arguments(value: Any) -> str:
    """The arguments of a call, one per line where they are long."""
    try:
        signature = _unquoted(inspect.signature(value))
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(value):
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    line = _ADDRESS.sub("", str(signature))
    if len(line) <= LONGEST_LINE:
        return line
    parameters = _ADDRESS.sub("", ",\n".join(f"    {each}" for each in _parameters(signature)))
    returned = str(signature.replace(parameters=[])).removeprefix("()")
    return f"(\n{parameters},\n){returned}"


class _Unquoted:
    """An annotation that is shown as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _unquoted(signature: inspect.Signature) -> inspect.Signature:
    """The signature without the quotes that postponed annotations would get."""
    parameters = [
        each.replace(annotation=_Unquoted(each.annotation)) if isinstance(each.annotation, str) else each
        for each in signature.parameters.values()
    ]
    returned = signature.return_annotation
    return signature.replace(
        parameters=parameters,
        return_annotation=_Unquoted(returned) if isinstance(returned, str) else returned,
    )


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    starred = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            yield "*"
        starred = starred or parameter.kind in (parameter.VAR_POSITIONAL, parameter.KEYWORD_ONLY)
        yield str(parameter)


def _members(value: Any) -> Iterator[str]:
    """A line for each state, field, property and method of a class that its users need."""
    if not inspect.isclass(value):
        return
    if issubclass(value, Enum):
        yield from (f"- `{member.name}`: `{member.value!r}`" for member in value)
        return
    yield from _fields(value)
    for name in sorted(vars(value)):
        member = inspect.getattr_static(value, name)
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        text = inspect.cleandoc(getattr(function, "__doc__", None) or "")
        if (
            name.startswith("_")
            or not text
            or not (inspect.isfunction(function) or isinstance(function, property))
        ):
            continue
        call = name if isinstance(function, property) else f"{name}()"
        yield f"- `{call}`: {_escaped(text.splitlines()[0])}"


def _fields(value: type) -> Iterator[str]:
    """The fields of a model as they are written, and of other classes those with a docstring."""
    model = issubclass(value, BaseModel)
    for owner in reversed([each for each in value.__mro__ if each.__module__.startswith("labelwright.")]):
        classes = [each for each in _syntax(owner.__module__) if isinstance(each, ast.ClassDef)]
        body = next((each.body for each in classes if each.name == owner.__name__), [])
        for field, following in pairwise([*body, ast.Pass()]):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            if field.target.id.startswith("_") or "ClassVar" in ast.unparse(field.annotation):
                continue
            text = _string(following)
            if model or text:
                written = ast.unparse(field) if model else field.target.id
                yield f"- `{written}`" + (f": {_escaped(' '.join(text.split()))}" if text else "")


def _string(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return inspect.cleandoc(str(statement.value.value))
    return ""


def _prose(text: str) -> str:
    """A docstring as Markdown: its examples as code, everything else as text."""
    blocks = []
    for block in re.split(r"\n\s*\n", text):
        if block.lstrip().startswith(">>>"):
            blocks.append(f"```python\n{inspect.cleandoc(block)}\n```")
        elif block.startswith("    "):
            blocks.append(block)
        else:
            blocks.append(_escaped(block))
    return "\n\n".join(blocks)


def _escaped(text: str) -> str:
    """Text whose angle brackets are not read as HTML; code in backticks is left alone."""
    parts = _CODE.split(text)
    return "".join(part if part.startswith("`") else html.escape(part, quote=False) for part in parts)
