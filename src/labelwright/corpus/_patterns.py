"""Regular expressions that mean the same on every engine: RE2 without constructs that Java reads differently."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated

import duckdb
from pydantic import AfterValidator, Field

_IN_CLASS = re.compile(r"(?<!\\)\[\^?\]?((?:\\.|[^\]\\])*)\]")
# Each unsupported construct with advice on what to use instead.
_READ_OTHERWISE = {
    r"\(\?[a-zA-Z]*[imsU-]": "flags are not supported; text is already case-folded",
    r"\(\?P<": "named groups are not supported; use (?: )",
    r"\\[bB]": r"word boundaries (\b) differ between engines; use cues with `whole_words: true`",
    r"\\[CQE]": r"\C, \Q and \E are not supported; escape single characters",
    r"\\[pP]\{\^?\w{3}": r"scripts such as \p{Greek} are not supported; use \p{L} or a range of letters",
    r"\[\[?:": "POSIX classes such as [[:alpha:]] are not supported; use [a-z] or \\p{L}",
}


def check_pattern(pattern: str) -> str:
    """The pattern, if it is valid RE2 and means the same on every engine; raises ValueError otherwise.

    Look-ahead and back-references are not RE2. DuckDB's RE2 does the check.

    >>> check_pattern("there is an? .* leaving")
    'there is an? .* leaving'
    >>> check_pattern("bus (?=stop)")
    Traceback (most recent call last):
    ...
    ValueError: this is not an RE2 pattern: invalid perl operator: (?=
    """
    wrong = _wrong(pattern)
    if wrong:
        raise ValueError(wrong)
    return pattern


@cache
def _wrong(pattern: str) -> str | None:
    try:
        duckdb.execute("select regexp_matches('', ?)", [pattern]).fetchall()
    except duckdb.Error as refused:
        reason = str(refused).split("Error: ", 1)[-1].splitlines()[0].strip()
        return f"this is not an RE2 pattern: {reason}"
    for construct, instead in _READ_OTHERWISE.items():
        if re.search(rf"(?<!\\)(?:\\\\)*{construct}", pattern):
            return f"engines read this pattern differently: {instead}"
    for inside in _IN_CLASS.findall(pattern):
        if "[" in re.sub(r"\\.", "", inside) or "&&" in inside:
            return r"engines read this pattern differently: write \[ and \& inside [ ]"
    return None


def found_in(pattern: str, text: str) -> bool:
    """Whether a pattern matches a text in memory, with the same RE2 that DuckDB uses.

    >>> found_in(r"\\p{L}+ 61c", "l'été 61c")
    True
    """
    row = duckdb.execute("select regexp_matches(?, ?)", [text, pattern]).fetchone()
    return bool(row and row[0])


Pattern = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(check_pattern)]


def whole_word_pattern(cue: str) -> str:
    """A pattern that matches a cue only as whole words, in any script.

    >>> whole_word_pattern("it's")
    "(?:^|[^\\\\p{L}\\\\p{N}_])it's(?:$|[^\\\\p{L}\\\\p{N}_])"
    """
    edge = r"[^\p{L}\p{N}_]"
    return rf"(?:^|{edge}){_escaped(cue)}(?:$|{edge})"


def _escaped(text: str) -> str:
    return re.sub(r"([\\.^$*+?()\[\]{}|&\-])", r"\\\1", text)
