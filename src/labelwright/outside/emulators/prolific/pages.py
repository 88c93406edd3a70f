"""The participant's pages of the emulated Prolific: find a study, start it, come back with a code."""

from __future__ import annotations

from html import escape

from labelwright.outside.emulators.prolific import submissions
from labelwright.outside.emulators.prolific.addresses import study_address
from labelwright.outside.emulators.prolific.eligibility import reason_against
from labelwright.outside.emulators.prolific.model import (
    Participant,
    ProlificRefusal,
    ProlificState,
    ProlificSubmission,
    StudyStatus,
    SubmissionStatus,
)
from labelwright.outside.emulators.web import EmulatedAnswer, EmulatedRequest, Route, redirect, route

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "li,section{border:1px solid #8886;border-radius:.5rem;padding:1rem;margin:.75rem 0;list-style:none}"
    "ul{padding:0}form{display:inline}button,a.button{font:inherit;padding:.4rem .8rem;margin:.2rem .4rem .2rem 0}"
)


def routes(state: ProlificState) -> tuple[Route, ...]:
    """The pages of participants. Who they are is in a cookie, as for somebody who is signed in."""
    return (
        route("GET", "/", lambda _request: _front(state)),
        route(
            "GET", "/participants/{participant}/", lambda _request, participant: _sign_in(state, participant)
        ),
        route("GET", "/studies/", lambda request: _studies(state, request)),
        route("POST", "/studies/{study}/reserve", lambda request, study: _reserve(state, request, study)),
        route("GET", "/submissions/complete", lambda request: _come_back(state, request)),
        route("GET", "/submissions/{name}", lambda request, name: _one(state, request, name)),
        route("POST", "/submissions/{name}/start", lambda request, name: _start(state, request, name)),
        route("POST", "/submissions/{name}/return", lambda request, name: _give_back(state, request, name)),
        route("POST", "/submissions/{name}/finish", lambda request, name: _finish(state, request, name)),
    )


def _page(title: str, body: str) -> EmulatedAnswer:
    head = (
        f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{escape(title)}</title>"
    )
    notice = "<p>An emulator of Prolific on this machine. Nobody is paid.</p>"
    return EmulatedAnswer(
        html=f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main><footer>{notice}</footer></body></html>"
    )


def _front(state: ProlificState) -> EmulatedAnswer:
    people = "".join(
        f"<li><a href='/participants/{escape(each)}/'>{escape(each)}</a></li>" for each in state.participants
    )
    return _page("Participants", f"<ul>{people}</ul>" if people else "<p>There are no participants yet.</p>")


def _sign_in(state: ProlificState, name: str) -> EmulatedAnswer:
    state.find_participant(name)
    return redirect("/studies/", participant=name)


def _whoever(state: ProlificState, request: EmulatedRequest) -> Participant:
    return state.find_participant(request.cookies.get("participant", ""))


def _theirs(state: ProlificState, request: EmulatedRequest, name: str) -> ProlificSubmission:
    submission = state.find_submission(name)
    if submission.participant != _whoever(state, request).id:
        raise ProlificRefusal("Not found.", 404)
    return submission


def _studies(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
    participant = _whoever(state, request)
    offered = "".join(
        f"<li><strong>{escape(str(study.fields['name']))}</strong><p>{escape(str(study.fields['description']))}</p>"
        f"<p>{study.reward / 100:.2f} {state.settings.currency} for "
        f"{study.fields['estimated_completion_time']} minutes</p>"
        f"<form method=post action='/studies/{study.id}/reserve'><button>Reserve a place</button></form></li>"
        for study in state.studies.values()
        if study.status is StudyStatus.ACTIVE and reason_against(state, study, participant) is None
    )
    own = "".join(
        f"<li><a href='/submissions/{each.id}'>{escape(str(state.studies[each.study].fields['name']))}</a>: "
        f"{each.status.value}</li>"
        for each in state.submissions.values()
        if each.participant == participant.id
    )
    return _page(
        "Studies",
        f"<h2>Open to you</h2><ul>{offered or '<li>Nothing at the moment.</li>'}</ul>"
        f"<h2>Your submissions</h2><ul>{own or '<li>None yet.</li>'}</ul>",
    )


def _reserve(state: ProlificState, request: EmulatedRequest, study: str) -> EmulatedAnswer:
    made = submissions.reserve(state, state.find_study(study), _whoever(state, request))
    return redirect(f"/submissions/{made.id}")


def _one(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
    submission = _theirs(state, request, name)
    study = state.studies[submission.study]

    def button(verb: str, text: str, inner: str = "") -> str:
        return f"<form method=post action='/submissions/{name}/{verb}'>{inner}<button>{text}</button></form>"

    field = "<label>Completion code <input name=cc></label> "
    offered = {
        SubmissionStatus.RESERVED: button("start", "Open study") + button("return", "Cancel reservation"),
        SubmissionStatus.ACTIVE: button("start", "Open study again")
        + button("finish", "Submit code", field)
        + button("finish", "I have no code")
        + button("return", "Return submission"),
        SubmissionStatus.AWAITING_REVIEW: button("return", "Return submission"),
    }
    return _page(
        str(study.fields["name"]),
        f"<section><p>Status: <strong data-status>{submission.status.value}</strong></p>"
        f"{offered.get(submission.status, '')}</section><p><a href='/studies/'>All studies</a></p>",
    )


def _start(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
    submission = _theirs(state, request, name)
    submissions.start(state, submission)
    return redirect(study_address(state, submission))


def _give_back(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
    submissions.give_back(state, _theirs(state, request, name))
    return redirect(f"/submissions/{name}")


def _finish(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
    submissions.complete(state, _theirs(state, request, name), request.form.get("cc"))
    return redirect(f"/submissions/{name}")


def _come_back(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
    """A participant whom a study sends back with `?cc=CODE`: the code finds the study, the cookie the person."""
    participant, code = _whoever(state, request), request.query.get("cc")
    running = [
        each
        for each in state.submissions.values()
        if each.participant == participant.id
        and each.status in {SubmissionStatus.ACTIVE, SubmissionStatus.TIMED_OUT}
    ]
    # A wrong code fits no study, so it goes to the submission that was started last.
    running.sort(key=lambda each: code in state.studies[each.study].codes)
    if not running:
        return redirect("/studies/")
    submissions.complete(state, running[-1], code)
    return redirect(f"/submissions/{running[-1].id}")
