"""Mistakes in a study file in plain words, instead of those of the libraries that find them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LONGEST_SHOWN = 80
"""Characters of a wrong value that a message repeats."""

PATTERNS = {
    r"^[a-z0-9][a-z0-9-]{0,59}$": "should have only small letters, digits and hyphens, at most 60 of them",
    r"^[A-Za-z][A-Za-z0-9_-]{0,39}$": "should begin with a letter and have only letters, digits, - and _, at most 40 of them",
    r"^[a-z][a-z0-9_]{0,39}$": "should begin with a small letter and have only small letters, digits and _, at most 40 of them",
    r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$": "should be the code of a language, such as en, it or pt-BR",
    r"^[A-Z]{3}$": "should be the code of a currency in three capital letters, such as USD or EUR",
    r"^[A-Z]{2}$": "should be the code of a country in two capital letters, such as US or DE",
    r"^https?://": "should begin with https:// or http://",
    r"^https?://(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$": "should be the address of a website without a path, such as https://example.org",
    r"^[A-Za-z][A-Za-z0-9_.-]{0,39}$": "should be the name of a parameter: a letter, then letters, digits, . _ and -, at most 40 of them",
    r"^[A-Z][A-Z0-9_]{0,39}$": "should have only capital letters, digits and _, at most 40 of them, such as MY_PANEL",
    r"^[A-Z][A-Z0-9_]*$": "should be the name of an environment variable, such as MY_KEY",
}
"""What each pattern of the study file asks for."""
_TYPES = {
    "int": "should be a whole number",
    "float": "should be a number",
    "decimal": "should be a number",
    "bool": "should be true or false",
    "string": "should be a text; put it in quotes",
    "list": "should be a list, with - before each entry",
    "tuple": "should be a list, with - before each entry",
    "dict": "should have fields, indented below it",
    "model": "should have fields, indented below it",
    "datetime": "should be a date and a time, such as 2026-11-15T09:00",
    "date": "should be a date, such as 2026-11-15",
    "time": "should be a time, such as 09:00",
}
"""By the first word of the type of an error."""
_BOUNDS = {
    "greater_than_equal": ("ge", "should be at least {}"),
    "greater_than": ("gt", "should be more than {}"),
    "less_than_equal": ("le", "should be at most {}"),
    "less_than": ("lt", "should be less than {}"),
    "string_too_short": ("min_length", "should have at least {} characters"),
    "string_too_long": ("max_length", "should have at most {} characters"),
    "too_short": ("min_length", "should have at least {} entries"),
    "too_long": ("max_length", "should have at most {} entries"),
}
_YAML = {
    "mapping values are not allowed": "there is a colon where none is expected. Check the indentation, and put a text that contains a colon in quotes",
    "could not find expected ':'": "a field has no colon after its name",
    "did not find expected key": "this line is not indented like the lines around it",
    "did not find expected '-'": "this line is not indented like the lines around it",
    "did not find expected ',' or ']'": "a list that begins with [ is not closed, or lacks a comma",
    "did not find expected ',' or '}'": "a part that begins with { is not closed, or lacks a comma",
    "unexpected end of stream": "a quotation mark is not closed",
    "unknown escape character": "a text in double quotes contains a backslash. Use single quotes instead",
    "constructor for the tag": "tags (!name) are not supported in study files",
    "sequence entries are not allowed": "an entry of a list has to begin on a line of its own",
    "another document": "a study file is one document; remove the line with ---",
    "tab character": "the line is indented with a tab. Use spaces",
}


def describe_value_error(error: Mapping[str, Any]) -> str:
    """What is wrong with a value, from an error of the validation: `should be a whole number. Found: "twelve".`

    >>> describe_value_error({"type": "int_parsing", "msg": "Input should be ...", "input": "twelve"})
    'should be a whole number. Found: "twelve".'
    """
    message = _expected(error).rstrip(".")
    end = "" if message.endswith("?") else "."
    given = error.get("input")
    repeated = isinstance(given, str) and f'"{given}"' in message
    return f"{message}{end}{'' if repeated else _found(given)}"


def _expected(error: Mapping[str, Any]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "string_pattern_mismatch" and context["pattern"] in PATTERNS:
        return PATTERNS[context["pattern"]]
    if kind in ("literal_error", "enum"):
        return f"should be {context['expected'].replace(chr(39), chr(34))}"
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        limit = context[name]
        return "should not be empty" if name == "min_length" and limit == 1 else words.format(limit)
    first, _, rest = kind.partition("_")
    if rest and first in _TYPES:
        return _TYPES[first]
    message = str(error["msg"]).removeprefix("Value error, ").replace("Input should", "should")
    return message[:1].lower() + message[1:]


def _found(given: object) -> str:
    if isinstance(given, bool):
        return f" Found: {str(given).lower()}."
    if isinstance(given, str):
        return f' Found: "{given[:LONGEST_SHOWN]}{"…" if len(given) > LONGEST_SHOWN else ""}".'
    return f" Found: {given}." if isinstance(given, int | float) else ""


def describe_yaml_problem(problem: str, line: str) -> str:
    """Why a text is not YAML, from the problem that the parser names and the line where it stopped.

    >>> describe_yaml_problem("found character that cannot start any token", "a: @x")
    'the value begins with @. Put it in quotes'
    """
    if "cannot start any token" in problem:
        return _bad_start(line)
    return next((words for part, words in _YAML.items() if part in problem), problem)


def _bad_start(line: str) -> str:
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return _YAML["tab character"]
    sign = re.search(r"[@`%]", line)
    return (
        f"the value begins with {sign[0]}. Put it in quotes"
        if sign
        else "the line contains a tab. Use spaces"
    )


def as_sentence(message: str) -> str:
    """A message with a capital letter, unless it begins with the name of a file, a value or code.

    >>> as_sentence("the file is empty."), as_sentence("replies.jsonl:4: the row has no speaker.")
    ('The file is empty.', 'replies.jsonl:4: the row has no speaker.')
    """
    first = message.split(" ", 1)[0]
    is_name = re.search(r"\w[.:_/]\w|:$", first)
    return message if is_name else message[:1].upper() + message[1:]
