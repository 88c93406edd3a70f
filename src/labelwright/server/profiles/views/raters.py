"""The requester's list of raters, with invitations, open links and actions on several raters."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from labelwright.crowd import MemberState
from labelwright.server.access.actions.permission import Permission, access_study, may_manage_raters
from labelwright.server.access.actions.review_links import get_review_links, revoke_review_links
from labelwright.server.access.actions.revocation import revoke_pool_links
from labelwright.server.people.actions.joining import (
    close_open_link,
    get_open_links,
    invite,
    make_open_link,
)
from labelwright.server.people.actions.mail import is_mail_sent
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.profiles.actions.bulk import EarlierState, restore_states, set_states, write_to_many
from labelwright.server.profiles.actions.raters import get_chosen, get_raters
from labelwright.server.profiles.pages import raters as pages
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done, Undo
from labelwright.server.web.errors import NotFound
from labelwright.server.web.forms import form_page, is_sure, run_form
from labelwright.server.web.requests import id_number, number, user_of

MOST_MEMBERS, MOST_DAYS = 100_000, 730
CONFIRMED = ("pause", "reinstate", "exclude", "message-many")
"""Actions on several raters, which say first what they would do."""
DONE = {
    MemberState.PAUSED: "paused",
    MemberState.ACTIVE: "reinstated",
    MemberState.EXCLUDED: "excluded",
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The list, with invitations and open links; a POST is one of their forms, or an action on the selected raters."""
    reads = request.method in ("GET", "HEAD")
    user = user_of(request)
    study = access_study(user, public_id, Permission.SEE_RATERS if reads else Permission.MANAGE_RATERS)
    now = datetime.now(UTC)
    desk = frame(public_id, study.title, "raters")
    asked = _ListForm(request, request.POST, study, user.get_username(), now)
    if request.POST.get("do") in CONFIRMED and not is_sure(request) and asked.names:
        return _say_first(asked, desk)
    error, done = run_form(
        request,
        {
            "invite": partial(_invite, asked),
            "open": partial(_open, asked),
            "close": partial(_close, asked),
            "revoke-pool": partial(_revoke_pool, asked),
            "revoke-reviewer": partial(_revoke_reviewer, asked),
            "pause": partial(_set_states, asked, MemberState.PAUSED),
            "reinstate": partial(_set_states, asked, MemberState.ACTIVE),
            "exclude": partial(_set_states, asked, MemberState.EXCLUDED),
            "restore": partial(_restore, asked),
            "message-many": partial(_write, asked),
        },
    )
    if done:
        return done
    file, may_manage = study_of(study.versions.latest("n").pk), may_manage_raters(user, study)
    context = pages.raters(get_raters(study, file, request.GET, may_manage=may_manage))
    context |= pages.ways_to_join(file, get_open_links(study, now) if may_manage else [])
    context |= {"may_manage": may_manage, "reviewers": get_review_links(study)}
    return form_page(request, "profiles/raters.html", desk | context, error)


@dataclass(frozen=True, slots=True)
class _ListForm:
    """A form of the page."""

    request: HttpRequest
    form: QueryDict
    study: StudyRow
    who: str
    now: datetime

    @property
    def names(self) -> list[str]:
        """The selected raters."""
        return self.form.getlist("pick")


def _say_first(asked: _ListForm, desk: dict[str, Any]) -> HttpResponse:
    """The page that says what an action would do to the selected raters."""
    chosen = get_chosen(asked.study, asked.names)
    if not chosen:
        raise NotFound
    context = pages.bulk(asked.form.get("do", ""), chosen) | {
        "back": asked.request.get_full_path(),
        "onward": asked.form.get("from") == "rater",
        "cancel": f"{asked.request.path}/{chosen[0].name}"
        if asked.form.get("from") == "rater"
        else asked.request.get_full_path(),
    }
    return render(asked.request, "profiles/bulk.html", desk | context)


def _set_states(asked: _ListForm, state: MemberState) -> Done:
    chosen = get_chosen(asked.study, asked.names)
    earlier = set_states(asked.study, chosen, state, asked.who, asked.form.get("reason", ""), asked.now)
    people = len(chosen)
    undo = Undo("restore", {"was": [json.dumps([each.name, each.pool, each.state]) for each in earlier]})
    who = chosen[0].name + " is" if people == 1 else f"{people:,} raters are"
    onward = f"{asked.request.path}/{chosen[0].name}" if asked.form.get("from") == "rater" else None
    return Done(f"{who} {DONE[state]}.", undo, onward)


def _restore(asked: _ListForm) -> Done:
    earlier = [found for text in asked.form.getlist("was") if (found := _earlier(text))]
    people = restore_states(asked.study, earlier, asked.who, asked.now)
    return Done(f"Undone: {people:,} rater{' has' if people == 1 else 's have'} the state from before.")


def _earlier(text: str) -> EarlierState | None:
    """One state to restore; None for what no page of ours sends."""
    with suppress(ValueError, TypeError):
        name, pool, state = json.loads(text)
        return EarlierState(str(name).replace("\x00", ""), str(pool), MemberState(state))
    return None


def _write(asked: _ListForm) -> Done:
    chosen = get_chosen(asked.study, asked.names)
    people = write_to_many(asked.study, chosen, asked.who, asked.form.get("text", ""), asked.now)
    return Done(f"The message is sent to {people:,} rater{'' if people == 1 else 's'}.")


def _invite(asked: _ListForm) -> Done:
    pool = get_pool(asked.study, asked.form.get("pool", ""))
    made = invite(asked.study, pool, asked.who, asked.now, asked.form.get("email", ""))
    page = f"/studies/{asked.study.public_id}/raters/{made.pseudonym}"
    return Done(f"{made.pseudonym} is added. {_sending(asked.form.get('email', ''))}", onward=page)


def _sending(email: str) -> str:
    """How the new rater gets their link."""
    if email.strip() and is_mail_sent():
        return "Their personal link, shown below, is mailed to them."
    reason = "Nothing was mailed, because this server sends no mail. " if email.strip() else ""
    return f"{reason}Send them the personal link below."


def _open(asked: _ListForm) -> Done:
    most, days = number(asked.form.get("most"), MOST_MEMBERS), number(asked.form.get("days"), MOST_DAYS)
    pool = get_pool(asked.study, asked.form.get("pool", ""))
    make_open_link(asked.study, pool, asked.who, most, days, asked.now)
    return Done("The open link is created. Its address is below, under Open links.")


def _close(asked: _ListForm) -> Done:
    close_open_link(asked.study, id_number(asked.form.get("link")), asked.who, asked.now)
    return Done("The open link is closed. Raters who joined through it keep their personal links.")


def _revoke_pool(asked: _ListForm) -> Done | None:
    if not is_sure(asked.request):
        return None
    pool = get_pool(asked.study, asked.form.get("pool", ""))
    revoke_pool_links(asked.study, pool, asked.who, asked.now)
    return Done(f"The links of “{pool.name}” are revoked. The new ones are on the raters’ pages.")


def _revoke_reviewer(asked: _ListForm) -> Done:
    name = asked.form.get("reviewer", "")
    if name not in {link.reviewer for link in get_review_links(asked.study)}:
        raise NotFound
    revoke_review_links(asked.study, name, asked.who, asked.now)
    return Done(f"The links of {name} are revoked.")
