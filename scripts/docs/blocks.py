"""Runs the Python blocks of a page.

If the first line of a page is `<!-- run -->`, its ```python blocks are executed in order, in one namespace, and
their output, values and charts appear below them. An error ends the build. A page with `<!-- needs: data -->` is
not executed if the published data is missing.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def is_run(text: str) -> bool:
    """Whether a page is marked to be run."""
    return text.startswith("<!-- run -->")


def run(text: str, source: Path) -> str:
    """The page with the output of every Python block below it."""
    if "<!-- needs: data -->" in text and not _data().is_dir():
        return f"*Not executed: the published data is not available here.*\n\n{text}"
    os.environ.setdefault("LABELWRIGHT_DATA", str(_data()))
    names: dict[str, Any] = {"__name__": "__page__"}
    return _FENCE.sub(lambda block: f"{block[0]}\n\n{_output(block[1], names, source)}\n", text)


def _data() -> Path:
    return Path(os.environ.get("LABELWRIGHT_DATA") or ROOT.parent / "shared" / "data")


def _output(code: str, names: dict[str, Any], source: Path) -> str:
    tree = ast.parse(code, str(source))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    assert last is None or isinstance(last, ast.Expr)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, str(source), "exec"), names)
        value = (
            None if last is None else eval(compile(ast.Expression(last.value), str(source), "eval"), names)
        )
    parts = [f'<pre class="out">{html.escape(printed.getvalue())}</pre>'] if printed.getvalue() else []
    if value is not None:
        parts.append(_shown(value))
    return "\n".join(parts)


def _shown(value: Any) -> str:
    if hasattr(value, "configure"):
        return f"<figure>{_svg(value)}</figure>"
    return f'<pre class="out">{html.escape(repr(value))}</pre>'


def _svg(chart: Any) -> str:
    from labelwright.analysis.charts import save

    with TemporaryDirectory() as folder:
        save(chart, Path(folder) / "chart.svg")
        return (Path(folder) / "chart.svg").read_text(encoding="utf-8")
