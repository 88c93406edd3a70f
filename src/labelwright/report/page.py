"""The page of a report: one HTML file without scripts and without any other file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from urllib.parse import quote

from labelwright.report.drawing import has_panels, svg_of
from labelwright.report.tree import Json, Report
from labelwright.report.wording import between, count_of, decimal, listed
from labelwright.report.writing import cell_text, clean

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_SEVERE = ("wrong", "doubtful")
_MOST_FOUND = 8
_MOST_FILES = 3
_NUMBERS = ("count", "number", "share", "p", "seconds")


def render_html(report: Report, drawn: Mapping[str, str] | None = None) -> str:
    """The report as a self-contained page. Every text is escaped, and nothing is loaded or run.

    `drawn` holds figures that were drawn before, by their keys.
    """
    tree = report.tree
    style = files("labelwright.report").joinpath("style.css").read_text(encoding="utf-8")
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f"<title>{_text(tree['title'])}</title><style>{style}</style></head><body><div class='page'>",
            *_head(tree),
            "<main>",
            *(_section(part, tree, drawn or {}) for part in tree["sections"]),
            _glossary(tree["glossary"]),
            "</main></div></body></html>",
        ]
    )


def _text(value: object) -> str:
    return html.escape(clean(value))


def _head(tree: Json) -> list[str]:
    return [
        f"<header><h1>{_text(tree['title'])}</h1>{_byline(tree)}{_answers(tree['answers'])}",
        _findings(tree),
        f"<section class='methods'><h2>Methods, to paste</h2><p>{_text(tree['methods'])}</p></section>",
        _contents(tree["sections"]),
        "</header>",
    ]


def _byline(tree: Json) -> str:
    parts = [f"{', '.join(tree['authors'])}."] if tree["authors"] else []
    made, version, plan = tree["made_at"], tree["version"], tree["plan"]
    source = f" of study file version {version['version']} ({version['digest'][:12]})" if version else ""
    about = f"from {count_of(tree['judgments'], 'judgment')}{source}" if tree["judgments"] else source.strip()
    when = f"Made on {made[:10]} " if made else "Made "
    parts += [f"{when}{about}.".replace(" .", ".")] if made or about else []
    parts += [_files(tree["files"])] if tree["files"] else []
    if plan:
        parts.append(f"Analysis plan fixed on {plan['fixed_at'][:10]} ({plan['digest'][:12]}).")
    return f"<p class='byline'>{_text(' '.join(parts))}</p>" if parts else ""


def _files(hashes: Mapping[str, str]) -> str:
    """The files of the ratings with their hashes, or how many there are."""
    if len(hashes) > _MOST_FILES:
        return f"Read from {len(hashes)} files, whose SHA-256 are at the end."
    return f"Read from {listed([f'{name} (SHA-256 {digest[:12]})' for name, digest in hashes.items()])}."


def _answers(lines: Sequence[Json]) -> str:
    rows = "".join(
        f"<dt>{_text(each['question'])}</dt><dd>{'<br>'.join(map(_text, each['answer']))}</dd>"
        for each in lines
    )
    return f"<dl class='answers'>{rows}</dl>"


def _findings(tree: Json) -> str:
    """What the audit found wrong or doubtful, and how labels were recoded."""
    found = [each for each in tree["audit"]["findings"] if each["severity"] in _SEVERE]
    recoded = [f"<li>Recoded before the analysis: {_text(each)}.</li>" for each in tree["recodings"]]
    if not found and not recoded:
        return ""
    kinds = {each["kind"]: [one for one in found if one["kind"] == each["kind"]] for each in found}
    rows = [_finding(alike) for alike in list(kinds.values())[:_MOST_FOUND]]
    more = len(kinds) - _MOST_FOUND
    rows += [f"<li>{more} more in <a href='#audit'>the audit</a>.</li>"] if more > 0 else []
    wrong = " wrong" if any(each["severity"] == "wrong" for each in found) else ""
    advice = "" if more > 0 or not found else "<p><a href='#audit'>Advice on each</a></p>"
    return (
        f"<section class='found{wrong}'><h2>Found by the audit of the ratings</h2>"
        f"<ul>{''.join([*rows, *recoded])}</ul>{advice}</section>"
    )


def _finding(alike: Sequence[Json]) -> str:
    """Findings of one kind: where they are, what is found, and the evidence if results would be wrong."""
    first = alike[0]
    same = [each for each in alike if each["what"] == first["what"]]
    more = len(alike) - len(same)
    others = f" The same kind of finding in {more} more." if more else ""
    evidence = [
        f" {_text(each['where'])}: {_text(next(iter(each['evidence'].values())))}."
        for each in same[:4]
        if first["severity"] == "wrong" and each["evidence"]
    ]
    severity = f"<b>{_text(first['severity'].capitalize())}.</b>"
    where = _text(listed([each["where"] for each in same], 4))
    return f"<li>{severity} {where}: {_text(first['what'])}{''.join(evidence)}{others}</li>"


def _contents(sections: Iterable[Json]) -> str:
    rows = "".join(f"<li><a href='#{part['key']}'>{_text(part['title'])}</a></li>" for part in sections)
    return f"<nav aria-label='Contents'><ol>{rows}</ol></nav>"


def _section(part: Json, tree: Json, drawn: Mapping[str, str]) -> str:
    blocks = "\n".join(_block(block, tree, drawn) for block in part["blocks"])
    head = f"<h2><span class='n'>{part['number']}</span>{_text(part['title'])}</h2>"
    return f"<section id='{part['key']}'>{head}\n{blocks}</section>"


def _block(block: Json, tree: Json, drawn: Mapping[str, str]) -> str:
    if block["type"] == "table":
        return _table(block, tree)
    if block["type"] == "figure":
        return _figure(block, drawn.get(block["key"]) or svg_of(block))
    kind = " class='unknown'" if block["type"] == "unknown" else ""
    return f"<p{kind}>{_text(block['text'])}</p>"


def _table(block: Json, tree: Json) -> str:
    heads = "".join(_head_cell(each) for each in block["columns"])
    rows = "\n".join(_row(row, block["columns"], tree["links"]["items"]) for row in block["rows"])
    notes = "".join(f"<li>{_text(note)}</li>" for note in block["notes"] if note)
    below = f"<ul class='notes'>{notes}</ul>" if notes else ""
    return (
        f"<div class='tablewrap' id='table-{block['key']}' tabindex='0' role='region' aria-label='Table {block['number']}'><table>"
        f"<caption><b>Table {block['number']}.</b> {_text(block['caption'])} {_mark(block['planned'])}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{below}</div>"
    )


def _mark(planned: bool | None) -> str:
    if planned is None:
        return ""
    return "<span class='tag'>planned</span>" if planned else "<span class='tag warn'>not planned</span>"


def _head_cell(each: Json) -> str:
    name = _text(each["name"])
    named = f"<a href='#term-{each['term']}'>{name}</a>" if each["term"] else name
    return f"<th scope='col'{_class(each['kind'])}>{named}</th>"


def _class(kind: str) -> str:
    if kind in _NUMBERS:
        return " class='n'"
    return " class='t'" if kind == "text" else " class='i'"


def _row(row: Json, columns: Sequence[Json], items: str) -> str:
    cells = []
    for place, each in enumerate(columns):
        shown = _cell(row.get(each["key"]), each["kind"])
        if place == 0 and items and (address := _address(items, row)):
            shown = f"<a href='{html.escape(address)}'>{shown}</a>"
        tag = "th scope='row'" if place == 0 else "td"
        cells.append(f"<{tag}{_class(each['kind'])} data-l='{_text(each['name'])}'>{shown}</{tag[:2]}>")
    return f"<tr>{''.join(cells)}</tr>"


def _address(template: str, row: Json) -> str:
    """The page with the items of a row; empty if the row is about no condition or system."""
    known = {name: str(row[name]) for name in ("condition", "system", "question") if row.get(name)}
    if not known.keys() & {"condition", "system"}:
        return ""
    filled = re.sub(r"\{(\w+)\}", lambda found: quote(known.get(found[1], ""), safe=""), template)
    return filled if filled.startswith(("https://", "http://", "/")) else ""


def _cell(value: object, kind: str) -> str:
    if kind in {"estimate", "difference"} and isinstance(value, dict) and value["value"] is not None:
        sign = kind == "difference"
        around = between(value, sign=sign)
        shown = f" <span class='ci'>{around}</span>" if around else ""
        return f"<span><b>{decimal(value['value'], sign=sign)}</b>{shown}</span>"
    return f"<span>{_text(cell_text(value, kind))}</span>"


def _figure(block: Json, drawn: str) -> str:
    """The figure; panels that are side by side are also drawn below each other, for narrow pages."""
    shown = _svg(block, drawn)
    if has_panels(block):
        shown = f"<div class='wide'>{shown}</div><div class='narrow'>{_svg(block, svg_of(block, 1))}</div>"
    return (
        f"<figure id='figure-{block['key']}'>{shown}"
        f"<figcaption><b>Figure {block['number']}.</b> {_text(block['caption'])}</figcaption></figure>"
    )


def _svg(block: Json, drawn: str) -> str:
    """The drawing, which a screen reader takes for one picture: its numbers are in the table."""
    label = _text(f"Figure {block['number']}. {block['caption']} The table has the numbers.")
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def _glossary(terms: Sequence[Json]) -> str:
    rows = "".join(
        f"<dt id='term-{each['key']}'>{_text(each['name'])}</dt><dd>{_text(each['about'])}</dd>"
        for each in terms
    )
    return f"<section id='glossary'><h2>Definitions</h2><dl class='key'>{rows}</dl></section>"
