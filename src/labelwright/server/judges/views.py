"""The page Judge of a study: a model that rates, compared with people."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.judges import pages
from labelwright.server.judges.actions.cost import find_model, get_judge_cost, get_statuses, start_model
from labelwright.server.judges.actions.figures import get_judge_figures, request_judge_figures
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import confirmation, form_page, is_sure, run_form
from labelwright.server.web.requests import user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def judge(request: HttpRequest, public_id: str) -> HttpResponse:
    """The model named by `?model=`, or the first one. A POST starts it, or computes its figures again."""
    user = user_of(request)
    changes = request.method == "POST"
    study = access_study(user, public_id, Permission.EDIT if changes else Permission.VIEW)
    title = study_of(study.versions.latest("n").pk).title
    context = frame(public_id, title, "judge")
    statuses = get_statuses(study)
    wanted = request.GET.get("model") or request.POST.get("model") or (statuses[0].pool if statuses else "")
    if changes and request.POST.get("do") == "start-model" and statuses and not is_sure(request):
        cost = get_judge_cost(find_model(study, wanted))
        return confirmation(
            request, context, f"Have {cost.model} rate {cost.tasks:,} tasks?", "Start", [cost.sentence]
        )
    error, done = run_form(
        request,
        {
            "start-model": lambda: _start(study, wanted, user.get_username()),
            "measure": lambda: _measure(study, wanted),
        },
    )
    if done:
        return done
    status = next((each for each in statuses if each.pool == wanted), None)
    if status:
        pool = find_model(study, status.pool)
        context |= pages.judge(
            status,
            get_judge_cost(pool),
            get_judge_figures(pool.pk),
            [each.pool for each in statuses],
            sees_raters=Permission.SEE_RATERS in get_permissions(user, study),
        )
    context |= {"may_start": Permission.EDIT in get_permissions(user, study)}
    return form_page(request, "judges/judge.html", context, error)


def _start(study: StudyRow, name: str, who: str) -> Done:
    pool = find_model(study, name)
    start_model(pool, get_judge_cost(pool), who, datetime.now(UTC))
    return Done(f"{name} starts to rate when the worker has a free slot.")


def _measure(study: StudyRow, name: str) -> Done:
    request_judge_figures(find_model(study, name).pk)
    return Done("The figures are being computed. Reload the page in a moment.")
