"""The page Judge of a study: a model that rates, compared with people."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_http_methods

from labelwright.judging.probes import SMALLEST
from labelwright.server.access.actions.permission import Permission, access_study, get_permissions
from labelwright.server.judges import pages
from labelwright.server.judges.actions.cost import (
    find_model,
    get_judge_cost,
    get_rating_price,
    get_statuses,
    start_model,
)
from labelwright.server.judges.actions.draws import get_draws, get_planned_draw, request_draw
from labelwright.server.judges.actions.figures import get_judge_figures, request_judge_figures
from labelwright.server.judges.actions.probes import get_planned_probe, get_probes, read_change, start_probe
from labelwright.server.judges.actions.versions import (
    declare_version,
    get_planned_opening,
    get_planned_version,
    get_versions,
    open_held_out,
)
from labelwright.server.store.models import Pool, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.desk import frame
from labelwright.server.web.desk.status import Done
from labelwright.server.web.forms import Verbs, confirmation, form_page, is_sure, run_form
from labelwright.server.web.requests import user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def judge(request: HttpRequest, public_id: str) -> HttpResponse:
    """The model named by `?model=`, or the first one. A POST starts it, or computes its figures again."""
    user = user_of(request)
    changes = request.method == "POST"
    study = access_study(user, public_id, Permission.EDIT if changes else Permission.VIEW)
    plan = study_of(study.versions.latest("n").pk)
    context = frame(public_id, plan.title, "judge")
    statuses = get_statuses(study)
    wanted = request.GET.get("model") or request.POST.get("model") or (statuses[0].pool if statuses else "")
    form = JudgeForm(study, wanted, user.get_username(), request.POST, sure=is_sure(request))
    error, done = run_form(request, form.verbs)
    if form.asked:
        return confirmation(request, context, *form.asked)
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
            get_rating_price(plan),
            sees_raters=Permission.SEE_RATERS in get_permissions(user, study),
        )
        context |= pages.certainty(context["scored"], request.GET.get("wanted", ""))
        context["draws"] = get_draws(pool)
        compared = [each for one in context["questions"] for each in one.get("probes", [])]
        context |= pages.probes(get_probes(pool.pk), compared)
        context |= pages.versions(get_versions(pool.pk), plan.model_pools[status.pool].instructions)
    context |= {"may_start": Permission.EDIT in get_permissions(user, study)}
    return form_page(request, "judges/judge.html", context, error)


class JudgeForm:
    """A form of the page. A form that costs money is first answered with a question that tells the cost."""

    def __init__(self, study: StudyRow, model: str, who: str, sent: QueryDict, *, sure: bool) -> None:
        self.study, self.model, self.who, self.sent, self.sure = study, model, who, sent, sure
        self.now = datetime.now(UTC)
        self.asked: tuple[str, str, list[str]] | None = None
        """The question, the verb of its button, and what it would do."""
        self.verbs: Verbs = {
            "start-model": self.do_start,
            "measure": self.do_measure,
            "probe": self.do_probe,
            "declare-version": self.do_declare,
            "open-version": self.do_open,
            "draw-items": self.do_draw,
        }

    @property
    def _pool(self) -> Pool:
        return find_model(self.study, self.model)

    def do_start(self) -> Done | None:
        """Has the model rate its tasks."""
        cost = get_judge_cost(self._pool)
        if not self.sure:
            self.asked = (f"Have {cost.model} rate {cost.tasks:,} tasks?", "Start", [cost.sentence])
            return None
        start_model(self._pool, cost, self.who, self.now)
        return Done(f"{self.model} starts to rate when the worker has a free slot.")

    def do_measure(self) -> Done:
        """Computes the figures again."""
        request_judge_figures(self._pool.pk)
        return Done("The figures are being computed. Reload the page in a moment.")

    def do_probe(self) -> Done | None:
        """Asks the model about both forms of items."""
        kind = read_change(self.sent.get("kind", ""))
        planned = get_planned_probe(self._pool, kind, SMALLEST, self.now)
        if not self.sure:
            self.asked = (f"Probe {self.model} for a bias?", "Start the probe", [planned.sentence])
            return None
        start_probe(self._pool, planned, self.who, self.now)
        return Done("The probe starts when the worker has a free slot.")

    def do_declare(self) -> Done | None:
        """Tries new instructions on development items."""
        sent = (self.sent.get("change", "").strip(), self.sent.get("instructions", ""))
        planned = get_planned_version(self._pool, *sent, self.now)
        if not self.sure:
            self.asked = (f"Try version {planned.number}?", "Try this version", [planned.sentence])
            return None
        declare_version(self._pool, planned, self.who, self.now)
        return Done(f"Version {planned.number} is tried when the worker has a free slot.")

    def do_draw(self) -> Done | None:
        """Draws further items for people."""
        wanted = pages.read_wanted(self.sent.get("wanted", ""), 1.0)
        planned = get_planned_draw(self._pool, self.sent.get("question", ""), wanted)
        if not self.sure:
            self.asked = ("Draw further items for people?", "Draw them", [planned.sentence])
            return None
        request_draw(self._pool, planned, self.who, self.now)
        return Done("The items are being drawn. People find them at their links in a moment.")

    def do_open(self) -> Done | None:
        """Opens the held-out items of a version."""
        number = self.sent.get("version", "")
        planned = get_planned_opening(self._pool, int(number) if number.isdecimal() else 0, self.now)
        if not self.sure:
            self.asked = ("Open the held-out items?", "Open them once", [planned.sentence])
            return None
        open_held_out(self._pool, planned, self.who, self.now)
        return Done(f"The held-out items are opened for version {planned.number}.")
