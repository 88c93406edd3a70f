"""Themes: a person names them and assigns them to the texts that raters wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from django.db import transaction
from django.http import QueryDict

from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.reports.queries import themes as queries
from labelwright.server.reports.queries.themes import RaterText
from labelwright.server.store.models import StudyRow, StudyVersion, Theme, User
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk.tables import (
    BulkAction,
    BulkChoice,
    FilterOption,
    ShownTable,
    Table,
    TableColumn,
    TableFilter,
)
from labelwright.server.web.errors import NotFound

LONGEST_NAME = 60
MOST_THEMES = 50
SEPARATOR = ";"
"""Between the themes of a text in an export, so no name contains it."""
WITHOUT = FilterOption("none", "Without a theme")
TEXTS = Table(
    key="texts",
    one="text",
    many="texts",
    search="Find words",
    columns=(
        TableColumn("text", "Text", css="l"),
        TableColumn("themes", "Themes", css="l"),
        TableColumn("condition", "Condition", css="l"),
        TableColumn("submitted", "Submitted", sort="a.id", descending=True),
    ),
    default="-submitted",
    filters=(
        TableFilter("theme", "Theme", every="All texts", in_row=True),
        TableFilter("question", "Question", every="All questions"),
    ),
    tie="a.id",
)


class BadTheme(LabelwrightError):
    """A name that a theme cannot have."""

    code: ClassVar[str] = "bad_theme"


class NothingChosen(LabelwrightError):
    """An action on texts without any text, or on texts that are in this state already."""

    code: ClassVar[str] = "nothing_chosen"


@dataclass(frozen=True, slots=True)
class ThemePage:
    """The texts of a study with their themes."""

    study: StudyRow
    themes: list[Theme]
    counts: dict[int, int]
    wordings: dict[str, str]
    """The texts of the questions, by name."""
    shown: ShownTable[RaterText]


def get_themes(user: User, public_id: str, address: QueryDict) -> ThemePage:
    """A page of the texts, for those who may review work."""
    study = access_study(user, public_id, Permission.REVIEW)
    themes = list(Theme.objects.filter(study=study).order_by("id"))
    counts, wordings = queries.count_by_theme(study.pk), get_text_questions(study)
    table = TEXTS
    if themes:
        options = tuple(FilterOption(str(each.pk), each.name) for each in themes)
        table = replace(
            TEXTS,
            bulk=(BulkAction("assign", "Assign"), BulkAction("unassign", "Remove")),
            choice=BulkChoice("theme", "Theme", options),
        )
    offered = [FilterOption(str(each.pk), each.name, counts.get(each.pk, 0)) for each in themes]
    query = table.read(
        address,
        {
            "theme": [WITHOUT, *offered] if themes else [],
            "question": [FilterOption(name, text) for name, text in wordings.items()]
            if len(wordings) > 1
            else [],
        },
    )
    names = list(wordings)
    shown = query.shown(
        queries.find_texts(study.pk, names, query), queries.count_texts(study.pk, names, query)
    )
    return ThemePage(study, themes, counts, wordings, shown)


def get_text_questions(study: StudyRow) -> dict[str, str]:
    """The questions of all versions that raters answer with free text, about items and about tasks, by name."""
    found: dict[str, str] = {}
    for version in StudyVersion.objects.filter(study=study).order_by("n"):
        for design in study_of(version.pk).designs.values():
            asked = (*design.questions, *design.feedback)
            found |= {question.name: question.text for question in asked if question.free_text}
    return found


@transaction.atomic
def create_theme(user: User, public_id: str, name: str, now: datetime) -> Theme:
    """Adds a theme, for those who may review work; raises BadTheme. Locks the study, so that none is added twice."""
    study = _locked(user, public_id)
    words = " ".join(name.replace("\x00", "").split())
    if not words or len(words) > LONGEST_NAME or SEPARATOR in words:
        raise BadTheme(
            "this cannot be the name of a theme.",
            expected=f"1 to {LONGEST_NAME} characters without “{SEPARATOR}”.",
        )
    known = [each.lower() for each in Theme.objects.filter(study=study).values_list("name", flat=True)]
    if words.lower() in known:
        raise BadTheme(f"there is a theme “{words}” already.")
    if len(known) >= MOST_THEMES:
        raise BadTheme(f"a study can have at most {MOST_THEMES} themes.", do="Remove one first.")
    made = Theme.objects.create(study=study, name=words, made_by=user.get_username(), made_at=now)
    log_change(study.pk, user.get_username(), "theme", words, now)
    return made


@transaction.atomic
def remove_theme(user: User, public_id: str, theme: int, now: datetime) -> Theme:
    """Removes a theme from all texts, for those who may review work."""
    study = _locked(user, public_id)
    found = _theme(study, theme)
    texts = queries.count_by_theme(study.pk).get(found.pk, 0)
    Theme.objects.filter(pk=found.pk, study=study).delete()
    log_change(study.pk, user.get_username(), "remove_theme", found.name, now, before={"texts": texts})
    return found


@transaction.atomic
def assign_theme(
    user: User, public_id: str, theme: int, answers: Sequence[int], now: datetime
) -> tuple[Theme, list[int]]:
    """Assigns a theme to texts, for those who may review work; the theme, and the texts that did not have it.

    Raises NothingChosen.
    """
    study = _locked(user, public_id)
    found = _theme(study, theme)
    texts = _texts_among(study, answers)
    changed = queries.mark_texts(study.pk, found.pk, texts, user.get_username(), now) if texts else []
    _check_changed(texts, changed)
    log_change(study.pk, user.get_username(), "assign_theme", found.name, now, after={"texts": len(changed)})
    return found, changed


@transaction.atomic
def unassign_theme(
    user: User, public_id: str, theme: int, answers: Sequence[int], now: datetime
) -> tuple[Theme, list[int]]:
    """Removes a theme from texts, for those who may review work; the theme, and the texts that had it.

    Raises NothingChosen.
    """
    study = _locked(user, public_id)
    found = _theme(study, theme)
    changed = queries.unmark_texts(study.pk, found.pk, answers) if answers else []
    _check_changed(answers, changed)
    log_change(
        study.pk, user.get_username(), "unassign_theme", found.name, now, after={"texts": len(changed)}
    )
    return found, changed


def _check_changed(asked: Sequence[int], changed: Sequence[int]) -> None:
    if not asked:
        raise NothingChosen("no text is selected.", do="Select texts, then choose a theme.")
    if not changed:
        raise NothingChosen("nothing has changed: the selected texts are in this state already.")


def _texts_among(study: StudyRow, answers: Sequence[int]) -> list[int]:
    """Those of the answers that are texts."""
    return queries.texts_among(study.pk, list(get_text_questions(study)), answers)


def _theme(study: StudyRow, theme: int) -> Theme:
    found = Theme.objects.filter(study=study, pk=theme).first()
    if found is None:
        raise NotFound
    return found


def _locked(user: User, public_id: str) -> StudyRow:
    study = access_study(user, public_id, Permission.REVIEW)
    return StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
