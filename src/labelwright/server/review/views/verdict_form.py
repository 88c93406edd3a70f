"""What the forms of all review pages send: a verdict and its reason."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpRequest

from labelwright.server.review.actions.verdicts import VerdictChoice

LONGEST_REASON = 500
DECIDED = {
    VerdictChoice.FINE: "The task is paid and its data are used.",
    VerdictChoice.LEAVE_OUT: "The task is paid and its data are excluded.",
    VerdictChoice.REJECT: "The task is rejected and its data are excluded.",
}


def read_verdict(request: HttpRequest) -> tuple[VerdictChoice, str]:
    """The choice and the reason of a form; raises BadRequest for a choice that no button sends."""
    choice = request.POST.get("choice", "")
    if choice not in list(VerdictChoice):
        raise BadRequest("Choose one of the verdicts.")
    return VerdictChoice(choice), request.POST.get("reason", "")[:LONGEST_REASON]
