"""Builds the documentation: Markdown pages to HTML, with the Python of marked pages run on the way.

A page whose first line is `<!-- run -->` has its ```python blocks executed in order, in one
namespace, and what they print, return or draw is put below them. An error ends the build.
`<!-- needs: data -->` beside it leaves a page unexecuted where the published data are not there.
"""

from __future__ import annotations

import ast
import contextlib
import html
import io
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STYLE = """
body { font: 17px/26px Georgia, 'Noto Serif', serif; color: #14181b; background: #fff; margin: 0 auto;
  max-width: 46rem; padding: 2rem 1rem 4rem }
nav, pre, table, h1, h2, h3 { font-family: -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif }
nav { font-size: 13px; border-bottom: 1px solid #d8dddf; padding-bottom: .5rem; margin-bottom: 2rem }
nav a { margin-inline-end: 1rem } a { color: #0a5a7d }
h1 { font-size: 26px; line-height: 31px } h2 { font-size: 20px; line-height: 26px; margin-top: 2rem }
pre { font: 13px/18px ui-monospace, 'DejaVu Sans Mono', monospace; background: #f5f6f6; padding: .75rem; overflow-x: auto }
pre.out { background: none; border-inline-start: 2px solid #0a5a7d }
table { border-collapse: collapse; font-size: 13px; line-height: 18px; font-variant-numeric: tabular-nums; margin: 1rem 0 }
th, td { text-align: start; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #d8dddf; vertical-align: top }
img { max-width: 100%; border: 1px solid #d8dddf }
figure { margin: 1rem 0; overflow-x: auto } caption { text-align: start; font-weight: 600 }
"""


def build(site: Path) -> list[Path]:
    """Every page of docs/ as HTML below `site`, with its pictures; the paths of the pages."""
    sources = sorted(DOCS.rglob("*.md"))
    written = []
    for source in sources:
        target = site / source.relative_to(DOCS).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_page(source, sources), encoding="utf-8")
        written.append(target)
    if (DOCS / "pictures").is_dir():
        shutil.copytree(DOCS / "pictures", site / "pictures", dirs_exist_ok=True)
    return written


def _page(source: Path, sources: list[Path]) -> str:
    text = source.read_text(encoding="utf-8")
    body = _render(run(text, source)) if text.startswith("<!-- run -->") else _render(text)
    body = re.sub(r'href="([^":]+)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    here = source.relative_to(DOCS).parent
    links = [
        f'<a href="{os.path.relpath(page.relative_to(DOCS).with_suffix(".html"), here)}">{html.escape(title(page))}</a>'
        for page in sources
        if page.parent == DOCS
    ]
    head = f"<title>{html.escape(title(source))}</title><style>{_STYLE}</style>"
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{viewport}{head}</head>'
        f"<body><nav>{''.join(links)}</nav>{body}</body></html>\n"
    )


def title(page: Path) -> str:
    """The first heading of a page."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else page.stem


def _render(text: str) -> str:
    return MarkdownIt("commonmark", {"html": True}).enable("table").render(text)


def run(text: str, source: Path) -> str:
    """The page with the output of every Python block below it."""
    if "<!-- needs: data -->" in text and not _data().is_dir():
        return f"*Not executed here: the published data are not beside the repository.*\n\n{text}"
    os.environ.setdefault("TURNWISE_DATA", str(_data()))
    names: dict[str, Any] = {"__name__": "__page__"}
    return _FENCE.sub(lambda block: f"{block[0]}\n\n{_output(block[1], names, source)}\n", text)


def _data() -> Path:
    return Path(os.environ.get("TURNWISE_DATA") or ROOT.parent / "shared" / "data")


def _output(code: str, names: dict[str, Any], source: Path) -> str:
    tree = ast.parse(code, str(source))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, str(source), "exec"), names)
        value = (
            None if last is None else eval(compile(ast.Expression(last.value), str(source), "eval"), names)
        )  # type: ignore[union-attr]
    parts = [f'<pre class="out">{html.escape(printed.getvalue())}</pre>'] if printed.getvalue() else []
    if value is not None:
        parts.append(_shown(value))
    return "\n".join(parts)


def _shown(value: Any) -> str:
    if hasattr(value, "configure"):
        return f"<figure>{_svg(value)}</figure>"
    return f'<pre class="out">{html.escape(repr(value))}</pre>'


def _svg(chart: Any) -> str:
    from tempfile import TemporaryDirectory

    from turnwise.analysis.charts import save

    with TemporaryDirectory() as folder:
        save(chart, Path(folder) / "chart.svg")
        return (Path(folder) / "chart.svg").read_text(encoding="utf-8")


if __name__ == "__main__":
    for path in build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"):
        print(path)
