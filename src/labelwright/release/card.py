"""The README of a release: a data card in the format of the Hugging Face Hub."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import yaml

from labelwright.release.data_sheet import FIELDS, LICENCES, OPEN
from labelwright.release.facts import ReleaseFacts
from labelwright.release.formats import Format

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGER = "n>1M"
_MARKED = re.compile(r"([\\`*_{}\[\]#|~])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def write_card(facts: ReleaseFacts) -> str:
    """The data card, in Markdown; the part above it is what the Hub and `datasets` read."""
    front = yaml.safe_dump(_front(facts), sort_keys=False, allow_unicode=True)
    return f"---\n{front}---\n\n" + "\n".join(_body(facts))


def plain(text: str) -> str:
    """Text of other people as it reads in Markdown: no HTML, no links, no formatting, on one line.

    >>> plain("<b>*Hi*</b> [x](y)")
    '&lt;b&gt;\\\\*Hi\\\\*&lt;/b&gt; \\\\[x\\\\](y)'
    """
    text = " ".join(_CONTROL.sub("", text).split())
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _MARKED.sub(r"\\\1", text).replace("://", ":&#47;&#47;")


def _front(facts: ReleaseFacts) -> dict[str, object]:
    judged = sum(sum(table.rows.values()) for table in facts.tables if table.name == "ratings")
    front: dict[str, object] = {
        "pretty_name": facts.title,
        "language": [facts.language.split("-", maxsplit=1)[0]],
        "size_categories": [next((name for most, name in _SIZES if judged < most), _LARGER)],
        "tags": ["human-evaluation", "dialogue", "soft-labels", "labelwright"],
    }
    if licence := facts.sheet["licence"]:
        front["license"] = licence
    front["configs"] = [
        {
            "config_name": table.name,
            "data_files": [
                {"split": split, "path": table.path(split, Format.PARQUET)}
                for split, rows in table.rows.items()
                if rows
            ],
        }
        | ({"default": True} if table.name == "ratings" else {})
        for table in facts.tables
        if any(table.rows.values())
    ]
    return front


def _body(facts: ReleaseFacts) -> Iterator[str]:
    sheet = facts.sheet
    yield f"# {plain(facts.title)}\n"
    yield f"{plain(sheet.stated('description'))}\n"
    yield "## Summary\n"
    yield from _list(_counts(facts))
    yield "\n## Files\n"
    yield (
        "Every table is there as Parquet, JSON Lines and CSV. The CSV files are made safe for spreadsheets: a cell that "
        "would run as a formula begins with an apostrophe, and control characters are replaced.\n"
    )
    yield from _table(
        ["table", "rows", "contents"],
        ([f"`data/{t.name}`", _rows(t.rows), plain(t.about)] for t in facts.tables),
    )
    yield from _list(
        {
            "`scales.json`": "the meaning of all codes, by version of the study file",
            "`study/`": "the study file of every version, guidelines and prompts",
            "`task/`": plain(facts.pictures),
            "`heds.json`": "the human evaluation data sheet (HEDS 3.0)",
            "`croissant.json`": "Croissant metadata",
            "`record/`": "what `labelwright study import` makes the same study from",
            "`SHA256SUMS`": "checksums of all files",
        }
    )
    yield "\n## Columns\n"
    for table in facts.tables:
        yield f"### {table.name}\n"
        yield from _table(
            ["column", "meaning"], ([f"`{column.name}`", plain(column.about)] for column in table.columns)
        )
    yield from _design(facts)
    yield from _people(facts)
    yield from _use(facts)


def _counts(facts: ReleaseFacts) -> dict[str, str]:
    when = (
        f"{facts.first_at:%Y-%m-%d} to {facts.last_at:%Y-%m-%d}" if facts.first_at and facts.last_at else "-"
    )
    return {
        "Dialogues": f"{facts.dialogues:,}",
        "Items": f"{facts.items:,}",
        "Raters": f"{facts.raters:,}" + (f" people and {facts.models:,} models" if facts.models else ""),
        "Submissions": f"{facts.submissions:,}, of which {facts.excluded:,} are excluded from figures",
        "Answers": f"{facts.answers:,}",
        "Collected": when,
        "Language": plain(facts.language),
    }


def _design(facts: ReleaseFacts) -> Iterator[str]:
    yield "## Design\n"
    yield f"Each item was to be rated {facts.redundancy} times under each condition.\n"
    yield from _table(
        ["condition", "what raters saw"], ([f"`{n}`", plain(about)] for n, about in facts.conditions.items())
    )
    yield from _table(
        ["question", "condition", "text", "answers"],
        ([f"`{q.name}`", f"`{q.condition}`", plain(q.text), _points(q.points)] for q in facts.questions),
    )
    if facts.rules:
        yield f"Quality rules: {', '.join(f'`{rule}`' for rule in facts.rules)}. "
    yield (
        "Flagged work was decided on by people. Excluded answers are part of the data; `left_out` says why an answer "
        "does not count.\n"
    )


def _people(facts: ReleaseFacts) -> Iterator[str]:
    sheet = facts.sheet
    yield "## Raters\n"
    yield from _list(
        {
            "Recruitment": plain(sheet.stated("recruitment")),
            "Expertise": plain(sheet.stated("expertise")),
            "Pay": plain(facts.pay),
            "Median time of a task": f"{facts.median_seconds:.0f} s" if facts.median_seconds else "-",
        }
    )
    yield "\n## Personal data\n"
    yield (
        "Raters have pseudonyms, made with a secret key. Free text was searched for mail addresses, phone numbers and "
        f"platform IDs, and a person decided about each text that was found: {facts.hidden:,} of them are hidden, and "
        "their characters are replaced by █. Raters who withdrew and asked that their data are not used are not part "
        "of the data.\n"
    )
    yield from _list(
        {
            FIELDS[name].label: plain(_chosen(name, sheet[name]))
            for name in (
                "ethics_review",
                "personal_data",
                "personal_data_handling",
                "special_data",
                "impact_assessment",
            )
        }
    )


def _use(facts: ReleaseFacts) -> Iterator[str]:
    sheet = facts.sheet
    yield "\n## Use\n"
    yield from _list(
        {
            **{FIELDS[name].label: plain(sheet.stated(name)) for name in ("uses", "biases", "limitations")},
            "Licence": plain(LICENCES.get(sheet["licence"]) or sheet.stated("licence")),
            "Contact": plain(
                ", ".join(filter(None, (sheet["contact_name"], sheet["contact_email"])))
                or sheet.stated("contact_name")
            ),
            "Main reference": plain(sheet.stated("reference")),
        }
    )
    yield f"\nMade by Labelwright {facts.labelwright} on {facts.made_at:%Y-%m-%d}. Cite it as `CITATION.cff` says.\n"


def _chosen(name: str, value: str) -> str:
    return (FIELDS[name].choices.get(value) or value) if value else OPEN


def _rows(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{split} {n:,}" for split, n in rows.items())


def _points(points: Mapping[int, str]) -> str:
    return "; ".join(f"{code} = {plain(name)}" for code, name in points.items()) or "free text"


def _list(lines: Mapping[str, str]) -> Iterator[str]:
    for name, text in lines.items():
        yield f"- **{name}**: {text}" if not name.startswith("`") else f"- {name}: {text}"


def _table(head: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
