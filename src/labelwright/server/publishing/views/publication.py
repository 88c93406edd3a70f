"""The page Publication: what would be published and its cost, the progress there, and differences with the platform."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_safe

from labelwright.crowd.publication import CostPreview
from labelwright.errors import LabelwrightError
from labelwright.release import spreadsheet_text
from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.publishing.actions.connection import get_cost
from labelwright.server.publishing.actions.differences import get_differences, settle_call, settle_visit
from labelwright.server.publishing.actions.orders import check_cost_is, get_preview
from labelwright.server.publishing.actions.overview import get_publishing
from labelwright.server.publishing.actions.participants import ask_return, make_group, write
from labelwright.server.publishing.actions.publications import pause, publish, resume, stop
from labelwright.server.publishing.pages import publication as pages
from labelwright.server.store.models import StudyRow
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import SentForm, form_page, run_form
from labelwright.server.web.requests import number, user_of
from labelwright.wording import as_sentence

RETURN_REASON = "We have no answers from you for this study."
HEADINGS = ("entry", "of", "difference", "said", "since", "what to do", "settled by")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page; a POST is one of its forms. With `cost`, the platform is asked what a pool would cost."""
    user = user_of(request)
    sends = request.method == "POST"
    study = access_study(user, public_id, Permission.PAY if sends else Permission.SEE_RATERS)
    asked = SentForm(request, study, user.get_username(), datetime.now(UTC))
    error, done = run_form(
        request,
        {
            "publish": partial(_publish, asked),
            "pause": partial(_pause, asked),
            "resume": partial(_resume, asked),
            "stop": partial(_stop, asked),
            "group": partial(_group, asked),
            "settle": partial(_settle, asked),
            "write": partial(_write, asked),
            "ask-return": partial(_ask_return, asked),
            "happened": partial(_call, asked, happened=True),
            "again": partial(_call, asked, happened=False),
        },
    )
    if done:
        return done
    may_pay = Permission.PAY in get_permissions(user, study)
    pool = str(request.GET.get("cost", "")) if may_pay and not sends else ""
    cost, silent = _cost(study, pool)
    context = frame(public_id, study.title, "publication") | pages.page(get_publishing(study), pool, cost)
    context["may_pay"] = may_pay
    return form_page(request, "publishing/publication.html", context, error or silent)


@require_safe
@login_required
def differences(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every difference with the platform as a file, with those that somebody dealt with."""
    study = access_study(user_of(request), public_id, Permission.SEE_RATERS)
    lines = [
        (
            each.id, each.of, each.what, each.said, each.since.isoformat() if each.since else "", each.to_do,
            each.settled_by,
        )
        for each in get_differences(study, settled=True)
    ]  # fmt: skip
    return HttpResponse(
        spreadsheet_text(HEADINGS, lines),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{study.name}-reconciliation.csv"'},
    )


def _cost(study: StudyRow, pool: str) -> tuple[CostPreview | None, str | None]:
    """What a pool would cost, and why nobody can say."""
    if not pool:
        return None, None
    try:
        return get_cost(get_preview(study, pool)), None
    except LabelwrightError as error:
        return None, as_sentence(str(error))


def _publish(asked: SentForm) -> Done:
    preview = get_preview(asked.study, asked.field("pool"))
    cost = get_cost(preview)
    check_cost_is(cost, number(asked.field("cents"), 2**53, otherwise=-1))
    made = publish(preview, cost, asked.who, asked.now)
    done = f"The publication with {made.places:,} places is on its way. It opens within a minute."
    return Done(done, onward=asked.request.path)


def _pause(asked: SentForm) -> Done:
    pause(asked.study, asked.field("pool"), asked.who, asked.now)
    return Done("The publication is paused. People at work can finish.")


def _resume(asked: SentForm) -> Done:
    resume(asked.study, asked.field("pool"), asked.who, asked.now)
    return Done("The publication is open again.")


def _stop(asked: SentForm) -> Done:
    stop(asked.study, asked.field("pool"), asked.who, asked.now)
    return Done("The publication is stopped. People at work can finish.")


def _settle(asked: SentForm) -> Done:
    settle_visit(asked.study, asked.field("entry"), asked.who, asked.now)
    return Done("The entry is settled. It comes back if the platform says something else.")


def _group(asked: SentForm) -> Done:
    make_group(asked.study, asked.field("pool"), asked.who, asked.now)
    return Done("The group is on its way. Raters who qualify are added to it.")


def _write(asked: SentForm) -> Done:
    write(asked.study, asked.field("entry"), asked.field("text"), asked.who, asked.now)
    return Done("The message is on its way, and also on the page Messages.")


def _ask_return(asked: SentForm) -> Done:
    ask_return(asked.study, asked.field("entry"), RETURN_REASON, asked.who, asked.now)
    return Done("The person is asked to return the visit. Allow them a week.")


def _call(asked: SentForm, *, happened: bool) -> Done:
    settle_call(asked.study, asked.field("entry"), happened=happened, who=asked.who, now=asked.now)
    return Done("The request counts as made." if happened else "The request is sent again.")
