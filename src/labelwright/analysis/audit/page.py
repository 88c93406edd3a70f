"""The audit as one HTML page: self-contained, without scripts, readable on a phone."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from labelwright.analysis.audit.drawing import draw

if TYPE_CHECKING:
    from labelwright.analysis.audit.findings import AuditReport, Finding

_HEADINGS = {
    "wrong": ("Wrong", "Results would be wrong. Correct these points before you analyse the labels."),
    "doubtful": ("Doubtful", "The data may not support a claim. Look at these points, and report them."),
    "note": ("Notes", "Worth knowing and reporting."),
}
_STYLE = """
:root { color-scheme: light; --ink: #14181b; --ink-2: #434c53; --line: #d8dddf; --wrong: #a3231f; --doubtful: #8a5a00; --note: #0a5a7d; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; color: var(--ink); background: #fff;
  font: 1rem/1.5 -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0; } h3 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; } .lead, .kind, dt { color: var(--ink-2); }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin: 1rem 0; }
article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 1rem 2rem; padding: 1.25rem 0;
  border-top: 1px solid var(--line); }
article > * { min-width: 0; overflow-wrap: anywhere; }
.wrong h3::before, .doubtful h3::before, .note h3::before { content: ""; display: inline-block; width: .7rem; height: .7rem;
  border-radius: 50%; margin-right: .5rem; background: var(--note); }
.wrong h3::before { background: var(--wrong); } .doubtful h3::before { background: var(--doubtful); }
.kind { font-size: .85rem; } dl { margin: .5rem 0; font-size: .9rem; display: grid; gap: .1rem 1rem;
  grid-template-columns: fit-content(45%) minmax(0, 1fr); } dd { margin: 0; }
.do { border-left: 3px solid var(--line); padding-left: .75rem; }
figure { margin: 0; } svg { max-width: 100%; height: auto; }
@media (max-width: 46rem) { article { grid-template-columns: minmax(0, 1fr); } }
@media print { article { break-inside: avoid; } }
"""


def make_page(report: AuditReport, title: str) -> str:
    """The whole page. Every text from the files is escaped."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<header><h1>{html.escape(title)}</h1><p class='lead'>{html.escape(report.summary)}</p></header>",
        _navigation(report),
        "<main>",
        *(_section(report, severity) for severity in _HEADINGS),
        "</main></body></html>",
    ]
    return "\n".join(part for part in parts if part)


def _navigation(report: AuditReport) -> str:
    links = [
        f'<a href="#{severity}">{name}: {n}</a>'
        for severity, (name, _) in _HEADINGS.items()
        if (n := sum(finding.severity == severity for finding in report))
    ]
    return f"<nav aria-label='Findings'>{' '.join(links)}</nav>" if links else ""


def _section(report: AuditReport, severity: str) -> str:
    own = [finding for finding in report if finding.severity == severity]
    if not own:
        return ""
    name, about = _HEADINGS[severity]
    articles = "\n".join(map(_article, own))
    return f"<section id='{severity}'><h2>{name}</h2><p class='lead'>{about}</p>\n{articles}</section>"


def _article(finding: Finding) -> str:
    facts = "".join(
        f"<dt>{html.escape(str(name))}</dt><dd>{html.escape(_fact(value))}</dd>"
        for name, value in finding.evidence.items()
    )
    drawn = f"<figure>{draw(finding.plot)}</figure>" if finding.plot else ""
    return (
        f"<article class='{finding.severity}'><div><h3>{html.escape(finding.where)}</h3>"
        f"<p class='kind'>{html.escape(finding.kind)}</p><p>{html.escape(_sentence(finding.what))}</p>"
        f"{f'<dl>{facts}</dl>' if facts else ''}<p class='do'>{html.escape(finding.do)}</p></div>{drawn}</article>"
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _fact(value: Any) -> str:
    text = (
        ", ".join(f"{key}: {each}" for key, each in value.items())
        if isinstance(value, Mapping)
        else str(value)
    )
    return text if len(text) <= 600 else f"{text[:597]}..."
