"""The API of the emulated Prolific, version 1: addresses, envelopes and lists."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

from labelwright.outside.emulators.clock import VirtualClock
from labelwright.outside.emulators.prolific import eligibility, hooks, money, pages, studies, submissions
from labelwright.outside.emulators.prolific.addresses import key_set
from labelwright.outside.emulators.prolific.model import (
    Participant,
    ParticipantGroup,
    ProlificRefusal,
    ProlificSettings,
    ProlificState,
    ProlificSubmission,
    SubmissionStatus,
    new_id,
)
from labelwright.outside.emulators.web import (
    EmulatedAnswer,
    EmulatedPlatform,
    EmulatedRequest,
    Handler,
    Route,
    route,
)

BASE = "/api/v1"
PAGE_SIZE = 20
LARGEST_PAGE = 200
FILTER_SPELLING = {"AWAITING_REVIEW": "AWAITING REVIEW", "SCREENED_OUT": "SCREENED OUT"}
"""The list filter spells some statuses differently than the answers do."""
Told = dict[str, Any]


class ProlificEmulator(EmulatedPlatform):
    """The API, the participants' pages and the controls of an emulated Prolific."""

    name = "prolific"

    def __init__(self, settings: ProlificSettings | None = None, clock: VirtualClock | None = None) -> None:
        super().__init__(clock)
        self.state = ProlificState(self.clock, settings or ProlificSettings())
        self._routes = (*_control(self.state), *_api(self.state), *pages.routes(self.state), *_keys())

    def routes(self) -> tuple[Route, ...]:
        """Everything it answers."""
        return self._routes

    def add_participants(self, count: int) -> list[str]:
        """New participants, by their ids."""
        made = [Participant(new_id()) for _ in range(count)]
        self.state.participants |= {each.id: each for each in made}
        return [each.id for each in made]

    def ledger(self) -> list[Told]:
        """Rewards and bonuses that were paid."""
        return self.state.entries

    def answer(self, request: EmulatedRequest) -> EmulatedAnswer:
        """The answer; a refusal is in Prolific's envelope."""
        try:
            self._check_token(request)
            return super().answer(request)
        except ProlificRefusal as refused:
            return self._refusal(refused.status, refused.detail)

    def _check_token(self, request: EmulatedRequest) -> None:
        if not request.path.startswith(BASE):
            return
        if request.headers.get("authorization") != f"Token {self.state.settings.token}":
            raise ProlificRefusal("Authentication credentials were not provided.", 401)

    def unknown(self, request: EmulatedRequest) -> EmulatedAnswer:
        """A path without its last slash may be redirected; any other is unknown."""
        slashed = f"{request.path}/"
        known = any(each.pattern.match(slashed) for each in self._routes)
        if known and self.state.settings.redirect_missing_slash:
            return EmulatedAnswer(status=301, headers={"location": slashed})
        raise ProlificRefusal("Not found.", 404)

    def error_answer(self, status: int, detail: str) -> EmulatedAnswer:
        """A fault in Prolific's envelope."""
        return self._refusal(status, detail)

    def _refusal(self, status: int, detail: object) -> EmulatedAnswer:
        inner = {
            "status": status,
            "error_code": 140000 + status,
            "title": "Bad request" if status == 400 else "Error",
            "detail": detail,
            "additional_information": "/help/",
        }
        return EmulatedAnswer({"error": inner} if self.state.settings.wrap_errors else inner, status)


def _told(request: EmulatedRequest) -> Told:
    try:
        told = json.loads(request.raw or b"{}")
    except ValueError:
        raise ProlificRefusal("JSON parse error.") from None
    if not isinstance(told, dict):
        raise ProlificRefusal("Expected an object.")
    return told


def _api(state: ProlificState) -> list[Route]:
    def at(method: str, path: str, handler: Callable[..., EmulatedAnswer]) -> Route:
        return route(method, BASE + path, functools.partial(handler, state))

    return [
        at("GET", "/users/me/", lambda _state, _request: EmulatedAnswer({"id": "researcher-1"})),
        at("GET", "/workspaces/{name}/balance/", lambda s, _r, name: EmulatedAnswer(money.balance(s))),  # noqa: ARG005
        *_study_routes(at),
        *_submission_routes(at),
        *_bonus_and_group_routes(at),
        *_hook_routes(at),
    ]


At = Callable[[str, str, Handler], Route]


def _study_routes(at: At) -> tuple[Route, ...]:
    def shown(state: ProlificState, name: str, status: int = 200) -> EmulatedAnswer:
        return EmulatedAnswer(studies.describe(state, state.find_study(name)), status)

    def create(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        return shown(state, studies.create_study(state, _told(request)).id, 201)

    def listing(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        wanted = request.query.get("state")
        found = [each for each in state.studies.values() if wanted in {None, each.status.value}]
        return _page_of(request, [studies.describe(state, each) for each in found])

    def change(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        studies.change_study(state, state.find_study(name), _told(request))
        return shown(state, name)

    def delete(state: ProlificState, _request: EmulatedRequest, name: str) -> EmulatedAnswer:
        studies.delete_study(state, state.find_study(name))
        return EmulatedAnswer(status=204)

    def move(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        studies.move_study(state, state.find_study(name), _told(request))
        return shown(state, name)

    def cost(state: ProlificState, _request: EmulatedRequest, name: str) -> EmulatedAnswer:
        study = state.find_study(name)
        return _cost(state, study.reward, study.places)

    def calculate(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        told = _told(request)
        if not all(isinstance(told.get(name), int) for name in ("reward", "total_available_places")):
            raise ProlificRefusal({"reward": ["reward and total_available_places are required."]})
        return _cost(state, told["reward"], told["total_available_places"])

    return (
        at("GET", "/studies/", listing),
        at("POST", "/studies/", create),
        at("GET", "/studies/{name}/", lambda s, _r, name: shown(s, name)),
        at("PATCH", "/studies/{name}/", change),
        at("DELETE", "/studies/{name}/", delete),
        at("POST", "/studies/{name}/transition/", move),
        at("GET", "/studies/{name}/cost/", cost),
        at("POST", "/study-cost-calculator/", calculate),
        at("POST", "/studies/{name}/test-study", lambda s, _r, name: shown(s, name, 201)),
    )


def _cost(state: ProlificState, reward: int, places: int) -> EmulatedAnswer:
    fee, vat = money.fee_of(state.settings, reward)
    return EmulatedAnswer(
        {
            "total_cost": money.cost_of(state.settings, reward, places),
            "rewards": reward * places,
            "fees": fee * places,
            "vat": vat * places,
            "currency_code": state.settings.currency,
        }
    )


def _submission_routes(at: At) -> tuple[Route, ...]:
    def listing(state: ProlificState, request: EmulatedRequest, study: str | None = None) -> EmulatedAnswer:
        name = study or request.query.get("study")
        found = state.of_study(name) if name else list(state.submissions.values())
        wanted = request.query.get("status")
        if wanted:
            spelled = FILTER_SPELLING.get(wanted, wanted)
            if wanted in FILTER_SPELLING.values() or spelled not in set(SubmissionStatus) | {"SCREENED OUT"}:
                raise ProlificRefusal({"status": [f'"{wanted}" is not a valid choice.']})
            found = [each for each in found if each.status.value == spelled]
        return _page_of(request, [submissions.listed_submission(each) for each in found])

    def counts(state: ProlificState, _request: EmulatedRequest, study: str) -> EmulatedAnswer:
        return EmulatedAnswer(studies.count_submissions(state, state.find_study(study)))

    def shown(submission: ProlificSubmission) -> EmulatedAnswer:
        return EmulatedAnswer(submissions.described_submission(submission))

    def decide(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        submissions.decide(state, state.find_submission(name), _told(request))
        return shown(state.find_submission(name))

    def ask_return(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        submissions.ask_return(state, state.find_submission(name), _told(request))
        return shown(state.find_submission(name))

    def approve_many(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        submissions.approve_many(state, _told(request))
        return EmulatedAnswer({"message": "The approvals are in progress."})

    return (
        at("GET", "/studies/{study}/submissions/", listing),
        at("GET", "/studies/{study}/submissions/counts/", counts),
        at("GET", "/submissions/", listing),
        at("POST", "/submissions/bulk-approve/", approve_many),
        at("POST", "/submissions/bonus-payments/", _set_up_bonuses),
        at("GET", "/submissions/{name}/", lambda s, _r, name: shown(s.find_submission(name))),
        at("POST", "/submissions/{name}/transition/", decide),
        at("POST", "/submissions/{name}/request-return/", ask_return),
    )


def _set_up_bonuses(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
    return EmulatedAnswer(money.set_up_bonuses(state, _told(request)), 201)


def _bonus_and_group_routes(at: At) -> tuple[Route, ...]:
    def pay(state: ProlificState, _request: EmulatedRequest, name: str) -> EmulatedAnswer:
        money.pay_bonuses(state, name)
        return EmulatedAnswer({"message": "The payments are in progress."}, 202)

    def make_group(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        told = _told(request)
        if not isinstance(told.get("name"), str) or not told.get("workspace_id"):
            raise ProlificRefusal({"name": ["name and workspace_id are required."]})
        made = ParticipantGroup(new_id(), told["name"], list(told.get("participant_ids") or ()))
        state.groups[made.id] = made
        return EmulatedAnswer(_group(made), 201)

    def groups(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        return _page_of(request, [_group(each) for each in state.groups.values() if not each.deleted])

    def members(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        group = state.find_group(name)
        ids = [str(each) for each in _told(request).get("participant_ids") or ()]
        if request.method == "POST":
            group.members += [each for each in dict.fromkeys(ids) if each not in group.members]
        elif request.method == "DELETE":
            group.members = [each for each in group.members if each not in ids]
        return EmulatedAnswer({"results": [{"participant_id": each} for each in group.members]})

    def send(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        told = _told(request)
        recipients = told.get("ids") or [told.get("recipient_id")]
        if not all(recipients) or not told.get("body"):
            raise ProlificRefusal({"body": ["recipient_id, body and study_id are required."]})
        state.messages += [
            {"to": each, "body": told["body"], "study": told.get("study_id")} for each in recipients
        ]
        return EmulatedAnswer(status=204)

    return (
        at("POST", "/bulk-bonus-payments/{name}/pay/", pay),
        at("GET", "/participant-groups/", groups),
        at("POST", "/participant-groups/", make_group),
        at("DELETE", "/participant-groups/{name}/", _delete_group),
        *(
            at(method, "/participant-groups/{name}/participants/", members)
            for method in ("GET", "POST", "DELETE")
        ),
        at("GET", "/filters/", lambda _s, request: _page_of(request, eligibility.list_filters())),
        at("POST", "/eligibility-count/", _count_eligible),
        at("POST", "/messages/", send),
        at("POST", "/messages/bulk/", send),
    )


def _delete_group(state: ProlificState, _request: EmulatedRequest, name: str) -> EmulatedAnswer:
    state.find_group(name).deleted = True
    return EmulatedAnswer(status=204)


def _count_eligible(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
    filters = _told(request).get("filters") or []
    if problems := eligibility.check_filters(filters):
        raise ProlificRefusal(problems)
    count = sum(eligibility.fits(state, each, filters) for each in state.participants.values())
    # The real service says 0 for fewer than 25, so that nobody can be singled out.
    return EmulatedAnswer({"count": count if count >= 25 else 0})


def _group(group: ParticipantGroup) -> Told:
    return {"id": group.id, "name": group.name, "participant_count": len(group.members)}


def _hook_routes(at: At) -> tuple[Route, ...]:
    def subscribe(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        made = hooks.subscribe(state, _told(request))
        return EmulatedAnswer(hooks.describe_subscription(made), 201, {"X-Hook-Secret": made.confirmation})

    def confirm(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        return EmulatedAnswer(hooks.describe_subscription(hooks.confirm(state, name, _told(request))))

    def listing(state: ProlificState, request: EmulatedRequest) -> EmulatedAnswer:
        return _page_of(request, [hooks.describe_subscription(each) for each in state.subscriptions.values()])

    def unsubscribe(state: ProlificState, _request: EmulatedRequest, name: str) -> EmulatedAnswer:
        if state.subscriptions.pop(name, None) is None:
            raise ProlificRefusal("Not found.", 404)
        return EmulatedAnswer(status=204)

    def events(state: ProlificState, request: EmulatedRequest, name: str) -> EmulatedAnswer:
        return _page_of(request, [each for each in state.deliveries if each["subscription"] == name])

    types = [{"event_type": each} for each in hooks.EVENT_TYPES]
    return (
        at("GET", "/hooks/event-types/", lambda _s, request: _page_of(request, types)),
        at("POST", "/hooks/secrets/", lambda s, _r: EmulatedAnswer({"value": hooks.replace_secret(s)}, 201)),
        at("GET", "/hooks/subscriptions/", listing),
        at("POST", "/hooks/subscriptions/", subscribe),
        at("POST", "/hooks/subscriptions/{name}/", confirm),
        at("DELETE", "/hooks/subscriptions/{name}/", unsubscribe),
        at("GET", "/hooks/subscriptions/{name}/events/", events),
    )


def _page_of(request: EmulatedRequest, rows: list[Told]) -> EmulatedAnswer:
    try:
        page = max(int(request.query.get("page", 1)), 1)
        size = min(max(int(request.query.get("page_size", PAGE_SIZE)), 1), LARGEST_PAGE)
    except ValueError:
        raise ProlificRefusal({"page": ["Enter a whole number."]}) from None
    last = max((len(rows) + size - 1) // size, 1)

    def link(number: int) -> Told:
        exists = 1 <= number <= last
        return {"href": f"{request.path}?page={number}&page_size={size}" if exists else None}

    return EmulatedAnswer(
        {
            "results": rows[(page - 1) * size : page * size],
            "meta": {"count": len(rows)},
            "_links": {
                "self": link(page),
                "next": link(page + 1),
                "previous": link(page - 1),
                "last": link(last),
            },
        }
    )


def _keys() -> tuple[Route, ...]:
    return (route("GET", "/.well-known/study/jwks.json", lambda _request: EmulatedAnswer(key_set())),)


def _control(state: ProlificState) -> tuple[Route, ...]:
    def add(request: EmulatedRequest) -> EmulatedAnswer:
        told = _told(request)
        made = [
            Participant(**{**each, "id": str(each.get("id") or new_id())})
            for each in told.get("participants", [{} for _ in range(int(told.get("count", 1)))])
        ]
        state.participants |= {each.id: each for each in made}
        return EmulatedAnswer({"participants": [each.id for each in made]}, 201)

    def deliver_again(_request: EmulatedRequest, event: str) -> EmulatedAnswer:
        hooks.deliver_again(state, event)
        return EmulatedAnswer(status=202)

    def outbox(_request: EmulatedRequest) -> EmulatedAnswer:
        return EmulatedAnswer({"messages": state.messages, "deliveries": state.deliveries})

    return (
        route("POST", "/_emu/participants/", add),
        route("GET", "/_emu/outbox/", outbox),
        route("POST", "/_emu/deliveries/{event}/", deliver_again),
    )
