"""Writing: the cells of a report as text, for pages, LaTeX and CSV."""

from __future__ import annotations

import re
from typing import Any

from labelwright.release import spreadsheet_text
from labelwright.report.tree import Json
from labelwright.report.wording import between, decimal, p_value, percent

# Control characters, those that change the direction of the text around them, and those that are no characters.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\uffff\ud800-\udfff]"
)
_OBJECTS = ("estimate", "difference")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "τ": r"$\tau$",
    "ρ": r"$\rho$",
    "−": "$-$",
    "…": r"\ldots{}",
}


def clean(value: object) -> str:
    """Text without control characters.

    >>> clean("a\\x07b\\u202e")
    'ab'
    """
    return _CONTROL.sub("", str(value))


def cell_text(value: Any, kind: str) -> str:
    """A cell as a reader sees it; empty if it is missing.

    >>> cell_text({"value": 0.4, "low": 0.26, "high": 0.531}, "estimate")
    '0.40 [0.26, 0.53]'
    """
    if value is None:
        return ""
    if kind in _OBJECTS:
        if value["value"] is None:
            return "undefined"
        sign = kind == "difference"
        return f"{decimal(value['value'], sign=sign)} {between(value, sign=sign)}".strip()
    written = {
        "count": lambda: f"{value:,}".removesuffix(".0"),
        "number": lambda: decimal(value),
        "share": lambda: percent(value),
        "p": lambda: p_value(value),
        "seconds": lambda: decimal(value, 1),
    }
    return clean(written[kind]() if kind in written else value)


def csv_text(table: Json) -> str:
    """The table as CSV: intervals have columns of their own, and no cell can run as a formula."""
    heads: list[str] = []
    for each in table["columns"]:
        more = [f"{each['key']}_low", f"{each['key']}_high"] if each["kind"] in _OBJECTS else []
        heads += [each["key"], *more]
    return spreadsheet_text(heads, [_csv_row(table["columns"], row) for row in table["rows"]])


def _csv_row(columns: list[Json], row: Json) -> list[Any]:
    cells: list[Any] = []
    for each in columns:
        value = row.get(each["key"])
        if each["kind"] in _OBJECTS:
            cells += [(value or {}).get(name) for name in ("value", "low", "high")]
        else:
            cells.append(clean(value) if isinstance(value, str) else value)
    return cells


def latex_text(table: Json) -> str:
    """The table as LaTeX with the rules of the package booktabs; all texts are escaped."""
    heads = " & ".join(escape_latex(each["name"]) for each in table["columns"])
    layout = "".join("l" if each["kind"] == "text" else "r" for each in table["columns"])
    rows = [
        " & ".join(escape_latex(cell_text(row.get(each["key"]), each["kind"])) for each in table["columns"])
        for row in table["rows"]
    ]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_latex(table['caption'])}}}",
        rf"\label{{tab:{table['key']}}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        rf"{heads} \\",
        r"\midrule",
        *(rf"{row} \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
        *(rf"\par\footnotesize {escape_latex(note)}" for note in table["notes"]),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape_latex(value: str) -> str:
    """Text that LaTeX prints as it is.

    >>> escape_latex("50% of a_b")
    '50\\\\% of a\\\\_b'
    """
    return "".join(_LATEX.get(sign, sign) for sign in clean(value).replace("\n", " "))
