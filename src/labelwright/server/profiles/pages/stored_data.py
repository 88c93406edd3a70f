"""What the page for ethics boards is given: what a study stores about whom, where and for how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labelwright.crowd import ConsentPart, RetentionPart
from labelwright.server.store.inventory import ALL, STORED, About, Kept, StoredData

FOREVER = "as long as the study"
STAYS = f"{FOREVER}, also after the personal data are deleted"
ON_REQUEST = "until the rater or the study’s owner deletes the rater’s data"
FIXED = {
    Kept.STUDY: FOREVER,
    Kept.ACCOUNT: "until the account is removed",
    Kept.HOUR: "one hour",
    Kept.DAY: "one day",
    Kept.LOGINS: "30 days",
    Kept.SESSION: "until the user logs out, two weeks at the most",
}
COUNTED_FROM = {
    Kept.VISITS: "after the page was opened",
    Kept.DRAFTS: "after the last save; late answers at least until their pay is decided",
    Kept.MAILS: "after the mail",
    Kept.WAITING: "after they left it",
    Kept.LOG: "",
    Kept.PERSONAL_DATA: "after the rater’s last activity",
}


@dataclass(frozen=True, slots=True)
class StoredLine:
    """One line of the page."""

    what: str
    where: str
    protection: str
    kept: str


@dataclass(frozen=True, slots=True)
class StoredSection:
    """The lines about one group of people."""

    about: str
    lines: Sequence[StoredLine]


def stored_data(retention: RetentionPart, consent: ConsentPart) -> list[StoredSection]:
    """Everything that is stored about people, under the policy of a study."""
    return [
        StoredSection(about, [_line(data, retention, consent) for data in STORED if data.about == about])
        for about in About
    ]


def as_markdown(sections: Sequence[StoredSection]) -> str:
    """The same as tables for the documentation."""
    return "\n".join(line for section in sections for line in _table(section))


def _line(data: StoredData, retention: RetentionPart, consent: ConsentPart) -> StoredLine:
    return StoredLine(data.what, _where(data), data.protection, _kept(data.kept, retention, consent))


def _where(data: StoredData) -> str:
    return "; ".join(
        table if columns == ALL else f"{table} ({', '.join(columns)})"
        for table, columns in data.where.items()
    )


def _kept(kept: Kept, retention: RetentionPart, consent: ConsentPart) -> str:
    """How long data are kept, in words."""
    if kept in FIXED:
        return FIXED[kept]
    if kept is Kept.ANSWERS:
        return f"{FOREVER}, or {ON_REQUEST}" if consent.answers_on_deletion == "delete" else STAYS
    days: int | None = getattr(retention, kept)
    if days is None:
        return ON_REQUEST if kept is Kept.PERSONAL_DATA else FOREVER
    told = f"{days:,} day{'' if days == 1 else 's'} {COUNTED_FROM[kept]}".strip()
    return f"{ON_REQUEST}, at the most {told}" if kept is Kept.PERSONAL_DATA else told


def _table(section: StoredSection) -> Iterator[str]:
    yield f"## {section.about}\n\n| what | where | protection | kept |\n|---|---|---|---|"
    for line in section.lines:
        where = f"`{line.where}`" if line.where else ""
        yield f"| {line.what} | {where} | {line.protection} | {line.kept} |"
    yield ""
