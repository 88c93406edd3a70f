"""The worker's pages of the emulated Mechanical Turk. A task is in an iframe from the requester's own origin."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qsl, urlencode
from xml.etree import ElementTree as ET

from labelwright.outside.emulators.mturk import assignments, qualifications
from labelwright.outside.emulators.mturk.assignments import NotPossible
from labelwright.outside.emulators.mturk.hits import status
from labelwright.outside.emulators.mturk.model import (
    Hit,
    HitStatus,
    MturkSlot,
    MturkState,
    MturkWorker,
    SlotStatus,
    amount,
)
from labelwright.outside.emulators.web import EmulatedAnswer, EmulatedRequest, Route, redirect, route

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;margin:0;padding:1rem;color-scheme:light dark}"
    "iframe{width:100%;height:75vh;border:1px solid #8886}li{margin:.5rem 0}"
    "button{font:inherit;padding:.3rem .7rem;margin-right:.4rem}form{display:inline}"
)
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"


def routes(state: MturkState, own_address: str) -> tuple[Route, ...]:
    """The pages of workers; who they are is in a cookie of this origin, which the frame does not need."""
    return (
        route("GET", "/", lambda _request: _front(state)),
        route("GET", "/workers/{worker}/", lambda _request, worker: _sign_in(state, worker)),
        route("GET", "/mturk/", lambda request: _found(state, request)),
        route("GET", "/mturk/preview", lambda request: _preview(state, request, own_address)),
        route("POST", "/mturk/accept", lambda request: _accept(state, request)),
        route("GET", "/mturk/task/{name}", lambda request, name: _task(state, request, name, own_address)),
        route("POST", "/mturk/return", lambda request: _give_back(state, request)),
        route("POST", "/mturk/externalSubmit", lambda request: _submit(state, request)),
    )


def _page(title: str, body: str, status_code: int = 200) -> EmulatedAnswer:
    head = (
        f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{escape(title)}</title>"
    )
    notice = "<p>An emulator of Mechanical Turk on this machine. Nobody is paid.</p>"
    return EmulatedAnswer(
        status=status_code,
        html=f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head>"
        f"<body><main><h1>{escape(title)}</h1>{body}</main><footer>{notice}</footer></body></html>",
    )


def refused_page(reason: str) -> EmulatedAnswer:
    """Why something is not possible."""
    return _page("This is not possible", f"<p>{escape(reason)}</p><p><a href='/mturk/'>All HITs</a></p>", 400)


def _front(state: MturkState) -> EmulatedAnswer:
    people = "".join(f"<li><a href='/workers/{each}/'>{each}</a></li>" for each in state.workers)
    return _page("Workers", f"<ul>{people}</ul>" if people else "<p>There are no workers yet.</p>")


def _sign_in(state: MturkState, name: str) -> EmulatedAnswer:
    if name not in state.workers:
        raise NotPossible("There is no such worker.")
    return redirect("/mturk/", worker=name)


def _whoever(state: MturkState, request: EmulatedRequest) -> MturkWorker:
    name = request.cookies.get("worker", "")
    if name not in state.workers:
        raise NotPossible("Sign in first.")
    return state.workers[name]


def _found(state: MturkState, request: EmulatedRequest) -> EmulatedAnswer:
    worker = _whoever(state, request)
    offered = "".join(
        f"<li><a href='/mturk/preview?hitId={hit.id}'>{escape(hit.type.title)}</a>, "
        f"${amount(hit.type.reward_cents)}</li>"
        for hit in state.hits.values()
        if status(state, hit) is HitStatus.ASSIGNABLE
        and qualifications.fits(state, worker, hit.type.requirements)
    )
    running = "".join(
        f"<li><a href='/mturk/task/{slot.id}'>{escape(state.hits[slot.hit].type.title)}</a></li>"
        for slot in state.slots
        if slot.worker == worker.id and slot.status is SlotStatus.HELD
    )
    return _page(
        "HITs",
        f"<h2>Open to you</h2><ul>{offered or '<li>Nothing at the moment.</li>'}</ul>"
        f"<h2>Your queue</h2><ul>{running or '<li>Empty.</li>'}</ul>",
    )


def _chosen(state: MturkState, request: EmulatedRequest) -> Hit:
    """The HIT of the address: by its id, or the first one of a group that is open."""
    name, group = request.query.get("hitId"), request.query.get("groupId", "")
    for hit in state.hits.values():
        of_group = f"3G{hit.type.id[2:]}" == group and status(state, hit) is HitStatus.ASSIGNABLE
        if hit.id == name or of_group:
            return hit
    raise NotPossible("There are no more HITs in this group.")


def _preview(state: MturkState, request: EmulatedRequest, own_address: str) -> EmulatedAnswer:
    hit = _chosen(state, request)
    frame = _frame(hit, {"assignmentId": PREVIEW, "hitId": hit.id, "turkSubmitTo": own_address})
    button = f"<form method=post action='/mturk/accept'><input type=hidden name=hitId value='{hit.id}'>"
    return _page(hit.type.title, f"<p>{button}<button>Accept</button></form></p>{frame}")


def _accept(state: MturkState, request: EmulatedRequest) -> EmulatedAnswer:
    hit = state.find_hit(request.form.get("hitId", ""))
    slot = assignments.accept(state, hit, _whoever(state, request))
    return redirect(f"/mturk/task/{slot.id}")


def _task(state: MturkState, request: EmulatedRequest, name: str, own_address: str) -> EmulatedAnswer:
    slot = _theirs(state, request, name)
    hit = state.hits[slot.hit]
    told = {"assignmentId": slot.id, "hitId": hit.id, "turkSubmitTo": own_address, "workerId": slot.worker}
    button = (
        f"<form method=post action='/mturk/return'><input type=hidden name=assignmentId value='{slot.id}'>"
    )
    return _page(hit.type.title, f"<p>{button}<button>Return</button></form></p>{_frame(hit, told)}")


def _theirs(state: MturkState, request: EmulatedRequest, name: str) -> MturkSlot:
    slot = assignments.held_by(state, name)
    if slot is None or slot.worker != _whoever(state, request).id:
        raise NotPossible("This assignment is not yours, or its time is over, or it was submitted before.")
    return slot


def _frame(hit: Hit, told: dict[str, str]) -> str:
    address = external_address(hit.question)
    joint = "&" if "?" in address else "?"
    return f"<iframe title='Task' src='{escape(f'{address}{joint}{urlencode(told)}')}'></iframe>"


def external_address(question: str) -> str:
    """The address in an ExternalQuestion; empty if there is none. The XML is the requester's own."""
    try:
        root = ET.fromstring(question)  # noqa: S314  DTDs were refused when the HIT was created
    except ET.ParseError:
        return ""
    return next((each.text or "" for each in root.iter() if each.tag.endswith("ExternalURL")), "")


def _give_back(state: MturkState, request: EmulatedRequest) -> EmulatedAnswer:
    assignments.give_back(state, request.form.get("assignmentId", ""), _whoever(state, request).id)
    return redirect("/mturk/")


def _submit(state: MturkState, request: EmulatedRequest) -> EmulatedAnswer:
    """The form that the task page posts from inside the frame, without any cookie."""
    fields = parse_qsl(request.raw.decode("utf-8", "replace"), keep_blank_values=True)
    name = next((value for field, value in fields if field == "assignmentId"), "")
    assignments.submit(state, name, [each for each in fields if each[0] != "assignmentId"])
    return _page(
        "Submitted", "<p>Your work was handed in.</p><p><a href='/mturk/' target=_top>All HITs</a></p>"
    )
