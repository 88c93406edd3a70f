"""The data sheet of a release: what only a person can say about a study. Everything else is read from the study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from labelwright.errors import LabelwrightError

LONGEST = 5_000


class BadSheetAnswer(LabelwrightError):
    """An answer to a field that the data sheet does not have, or that is too long or not among its choices."""

    code: ClassVar[str] = "bad_sheet_answer"


@dataclass(frozen=True, slots=True)
class SheetField:
    """A question of the data sheet, for a person."""

    name: str
    label: str
    about: str
    lines: int = 1
    choices: Mapping[str, str] = field(default_factory=dict)
    """The values that can be chosen, with their names; empty for free text."""
    usual: str = ""
    """The value while nobody has chosen another one; a field with such a value is never open."""


@dataclass(frozen=True, slots=True)
class SheetSection:
    """Questions that a form shows together."""

    title: str
    fields: tuple[SheetField, ...]


LICENCES = {
    "cc-by-4.0": "Creative Commons Attribution 4.0 (CC BY)",
    "cc-by-sa-4.0": "Creative Commons Attribution-ShareAlike 4.0 (CC BY-SA)",
    "cc-by-nc-4.0": "Creative Commons Attribution-NonCommercial 4.0 (CC BY-NC)",
    "cc0-1.0": "Creative Commons Zero 1.0 (CC0)",
    "odc-by": "Open Data Commons Attribution (ODC-By)",
    "other": "Another licence, given in the description",
}
LICENCE_ADDRESSES = {
    "cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "cc-by-sa-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "cc-by-nc-4.0": "https://creativecommons.org/licenses/by-nc/4.0/",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
}
_YES_NO = {"no": "No", "yes": "Yes, as described below"}

SECTIONS = (
    SheetSection(
        "About the data",
        (
            SheetField("description", "Description", "What the data are, and why they were collected.", 4),
            SheetField("licence", "Licence", "What others may do with the data.", choices=LICENCES),
            SheetField("authors", "Authors", "One on each line: family name, given name, affiliation.", 3),
            SheetField("reference", "Main reference", "The address of the paper or report, or “none”."),
            SheetField("resources", "Resources", "The address at which the release can be found."),
        ),
    ),
    SheetSection(
        "Contact",
        (
            SheetField("contact_name", "Name", "Who answers questions about the data."),
            SheetField("contact_affiliation", "Affiliation", "Where they work."),
            SheetField("contact_email", "Mail address", "It is published."),
        ),
    ),
    SheetSection(
        "Systems and raters",
        (
            SheetField("systems", "Systems", "Which systems were evaluated, and what they are for.", 3),
            SheetField("sampling", "Choice of dialogues", "Where the dialogues come from, and who chose them.", 3),
            SheetField("recruitment", "Recruitment", "How raters were found, and who was accepted.", 3),
            SheetField("expertise", "Expertise", "What raters had to know or learn before they began.", 3),
        ),
    ),
    SheetSection(
        "Ethics",
        (
            SheetField(
                "ethics_review", "Ethics committee", "Which committee approved the study, or that none did.", 2
            ),
            SheetField(
                "personal_data", "Personal data", "Whether personal data were judged or collected.", choices=_YES_NO
            ),
            SheetField(
                "personal_data_handling", "Handling of personal data", "How they were handled; “none” if there were none.", 2
            ),
            SheetField(
                "special_data", "Special categories", "Whether data on health, religion, origin, sexuality or opinions "
                "were judged or collected.", choices=_YES_NO,
            ),
            SheetField(
                "impact_assessment", "Impact assessment", "Its outcome and address, or that none was carried out.", 2
            ),
        ),
    ),
    SheetSection(
        "Use",
        (
            SheetField("uses", "Intended uses", "What the data are good for, and what they must not be used for.", 3),
            SheetField("biases", "Known biases", "Whom the raters and dialogues do not represent.", 3),
            SheetField("limitations", "Limitations", "What the labels cannot show.", 3),
        ),
    ),
    SheetSection(
        "Contents of the release",
        (
            SheetField(
                "split", "Split", "What stays together in train, validation or test.", usual="dialogue",
                choices={"dialogue": "Dialogues", "topic": "Topics of batches", "none": "No split"},
            ),
            SheetField(
                "questionnaire", "Answers of raters about themselves",
                "Whether demographic, familiarity and quiz answers are published by pseudonym.", usual="withhold",
                choices={"withhold": "Withhold them", "publish": "Publish them"},
            ),
        ),
    ),
)  # fmt: skip
FIELDS = {each.name: each for section in SECTIONS for each in section.fields}
OPEN = "[open: not stated by the authors]"
"""What documents say where an answer is missing."""


@dataclass(frozen=True, slots=True)
class SheetAnswers:
    """The answers to a data sheet by field."""

    given: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        """The answer to a field, its usual value, or an empty text."""
        return self.given.get(name) or FIELDS[name].usual

    def stated(self, name: str) -> str:
        """The answer, or that it is open."""
        return self[name] or OPEN

    @property
    def open(self) -> tuple[str, ...]:
        """The fields without an answer."""
        return tuple(name for name in FIELDS if not self[name])


def check_sheet(answers: Mapping[str, str]) -> dict[str, str]:
    """The answers without blanks at their ends; empty ones are left out. Raises BadSheetAnswer.

    >>> check_sheet({"licence": "cc0-1.0", "systems": " "})
    {'licence': 'cc0-1.0'}
    """
    checked = {}
    for name, answer in answers.items():
        if name not in FIELDS:
            raise BadSheetAnswer(
                f'the data sheet has no field "{name}".', expected=f"one of {', '.join(FIELDS)}."
            )
        wanted, text = FIELDS[name], answer.strip()
        if len(text) > LONGEST:
            raise BadSheetAnswer(f"{wanted.label} is longer than {LONGEST:,} characters.")
        if text and wanted.choices and text not in wanted.choices:
            raise BadSheetAnswer(
                f'"{text}" is not a choice of "{wanted.label}".',
                expected=f"one of {', '.join(wanted.choices)}.",
            )
        if text:
            checked[name] = text
    return checked


@dataclass(frozen=True, slots=True)
class Author:
    """An author of a release."""

    family: str
    given: str = ""
    affiliation: str = ""


def authors_of(text: str) -> tuple[Author, ...]:
    """The authors, one on each line.

    >>> authors_of("Lee, Ann, Example University")
    (Author(family='Lee', given='Ann', affiliation='Example University'),)
    """
    lines = [[part.strip() for part in line.split(",", 2)] for line in text.splitlines() if line.strip()]
    return tuple(Author(*parts) for parts in lines)
