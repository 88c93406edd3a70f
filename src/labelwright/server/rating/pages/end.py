"""Template contexts of the last pages: thanks, receipt, pay and debriefing."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from labelwright.crowd import DataUse, Pay
from labelwright.crowd.panel import Return
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.rating.actions.task_page import Progress
from labelwright.server.rating.pages.questions import Context
from labelwright.server.store.models import Withdrawal
from labelwright.server.web.markdown import render
from labelwright.server.web.money import amounts
from labelwright.study import Study


def done(progress: Progress, owed: Sequence[Pay], token: str, why: NoWork | None, unread: int = 0) -> Context:
    """The work that was received, with its receipt."""
    stopped = _("You have stopped") if why is None else _("No tasks for you right now")
    return {
        "title": _("Thank you") if progress.done else stopped,
        "done": progress.done,
        "receipt": progress.receipt,
        "pay": amounts(owed),
        "why": why,
        "home": f"/w/{token}",
        "unread": unread,
    }


def ended(
    study: Study,
    progress: Progress,
    owed: Sequence[Pay],
    why: NoWork,
    withdrawal: Withdrawal | None,
) -> Context:
    """The page of a rater who has left the study or failed the quiz."""
    return {
        "title": _("Thank you"),
        "why": why,
        "left_out": withdrawal is not None and withdrawal.data_use == DataUse.LEFT_OUT,
        "receipt": progress.receipt,
        "pay": amounts(owed),
        **debriefing(study, progress, why),
    }


def debriefing(study: Study, progress: Progress, why: NoWork | None) -> Context:
    """The debriefing, only for raters who took part and get no more tasks: it could influence the answers of others."""
    if not progress.done and why not in (NoWork.QUIZ, NoWork.RETURNS):
        return {"debriefing": ""}
    over = why in (NoWork.CAP, NoWork.RETURNS, NoWork.QUIZ, NoWork.WITHDRAWN, NoWork.STUDY_CLOSED)
    last = why is NoWork.NONE_LEFT and study.batches is None and not study.stages
    return {"debriefing": render(study.debriefing) if over or last else ""}


def way_back(found: tuple[str, Return] | None) -> Context:
    """How a rater goes back to the panel that sent them."""
    if found is None:
        return {"panel": ""}
    name, way = found
    return {
        "panel": name,
        "back_address": way.address,
        "back_code": way.code,
        "back_fields": way.fields,
        "give_back": way.give_back,
    }


def no_room(panel: str, way: Return | None) -> Context:
    """The page of somebody for whom a study has no place."""
    return {"title": _("Thank you"), **way_back((panel, way) if way else None)}
